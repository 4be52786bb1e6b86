"""The verdict of a run in words for people, in the sign of the document."""

from pipeline.config import RunConfig
from pipeline.manifest import Decided
from pipeline.stats.prefix import Decision

SAID: dict[Decision, str] = {
    "better": "is better than",
    "worse": "is worse than",
    "not better": "is not better than",
    "equal": "is as good as",
    "identical": "plays exactly as",
    "open": "is neither surely better nor surely worse than",
}
"""A decision between an entrant and whom he is compared with."""
RACE: dict[Decision, str] = {
    "best": "is the best of the candidates",
    "identical": "leads with others who play exactly alike",
    "open": "leads, but others may be as good",
}
"""The same of a race, which is about all candidates and not whom the figure is less."""

HOW = {
    "t": "t on blocks",
    "anytime": "at every moment",
    "wild": "bootstrap of blocks",
}
"""Kinds of interval that a verdict may have, shortly."""

LESS = {"candidates": "the field on the same cards", "round_robin": "an average entrant"}
"""What an entrant's figure is less, by design; in others the mean of his tables."""


def figure_of(config: RunConfig) -> str:
    """What an entrant's figure is, in words."""
    above = LESS.get(config.design, "the table's mean")
    return f"points a game above {above}"


def opponent(config: RunConfig, against: str | None) -> str:
    """Whom the claim's entrant is compared with; ``against``: the name of another entrant."""
    return against or LESS.get(config.design, "the mean of its tables")


def said_of(decision: Decision, entrant: str, other: str, race: bool) -> str:
    """A decision in words; ``other`` is whom the entrant is compared with."""
    return f"{entrant} {RACE[decision]}" if race else f"{entrant} {SAID[decision]} {other}"


def sentence(config: RunConfig, found: Decided) -> str:
    """What came out for one variant's claim."""
    lowest = config.variant(found.variant).objective == "lowest"
    sign = -1 if lowest else 1
    other, race = opponent(config, found.against), found.rule == "race"
    said = said_of(found.decision, found.entrant, other, race) + f"; against {other}" * race
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
    if found.gap:
        return "up to a shard that was set aside"
    if found.rule == "fixed":
        return "as planned"
    if found.blocks == config.blocks and found.decision == "open":
        return f"rule {found.rule}: all that were allowed"
    return f"stopped by rule {found.rule}"
