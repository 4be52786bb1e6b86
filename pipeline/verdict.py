"""The verdict of a run in words for people, in the sign of the document."""

from pipeline.config import RunConfig
from pipeline.ledger import opponent
from pipeline.manifest import Decided

SAID = {
    "better": "is better than",
    "worse": "is worse than",
    "not better": "is not better than",
    "equal": "is as good as",
    "identical": "plays exactly as",
    "open": "is neither surely better nor surely worse than",
}
"""A decision between an entrant and whom he is compared with."""
RACE = {
    "best": "is the best of the candidates; against",
    "identical": "leads with others who play exactly alike; against",
    "open": "leads, but others may be as good; against",
}
"""The same of a race."""

HOW = {
    "t": "t on blocks",
    "anytime": "at every moment",
}
"""Kinds of interval, shortly."""


ABOVE = {
    "round_robin": "points a game above an average entrant",
    "candidates": "points a game above the field on the same cards",
}
"""What an entrant's figure is, where it is not points above the mean of his tables."""


def figure_of(config: RunConfig) -> str:
    """What an entrant's figure is, in words."""
    return ABOVE.get(config.design, "points a game above the table's mean")


def sentence(config: RunConfig, found: Decided) -> str:
    """What came out for one variant's claim."""
    labels = [entrant.label for entrant in config.entrants]
    against = None if found.against is None else labels.index(found.against)
    lowest = config.variant(found.variant).objective == "lowest"
    sign = -1 if lowest else 1
    words = RACE if found.rule == "race" else SAID
    said = f"{found.entrant} {words[found.decision]} {opponent(config, against)}"
    value = f"{sign * found.value:+.2f} points a game"
    ends = sorted(sign * end for end in (found.low, found.high) if end is not None)
    if len(ends) == 2 and found.kind in HOW:
        level = f"{100 * (1 - found.alpha):.4g} %"
        value += f" ({level} {HOW[found.kind]}: {ends[0]:+.2f} to {ends[1]:+.2f})"
    lower = ", lower is better" if lowest else ""
    unit = "block" if found.blocks == 1 else "blocks"
    return (
        f"{found.variant}: {said}: {value}{lower}; {found.blocks:,} {unit}, {_rule(config, found)}"
    )


def _rule(config: RunConfig, found: Decided) -> str:
    """How the run came to its end."""
    if found.rule == "fixed":
        return "as planned"
    if found.blocks == config.blocks and found.decision == "open":
        return f"rule {found.rule}: all that were allowed"
    return f"stopped by rule {found.rule}"
