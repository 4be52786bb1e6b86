"""Which keys of a run file go together: each check raises ``ValueError`` with one sentence."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.stats import company
from pipeline.stats.score_model import FEW
from pipeline.studies.designs import STUDIES

if TYPE_CHECKING:
    from pipeline.config import Common, RunConfig

OWN_KEYS = {
    "lineups": ("lineups",),
    "invasions": ("gauntlet",),
    "heads": ("mix",),
    "field": ("candidates",),
    "rotations": ("candidates", "lineups"),
}
"""Keys that belong to some designs alone."""
AT_ONE_TABLE = ("table", "full")
"""Designs that seat all entrants at one table."""
PAIRED = ("gauntlet", "mix")
"""Designs of the first entrant and each other one."""


def check_design(said: "Common", labels: Sequence[str]) -> None:
    """What a design needs, and what only others may say."""
    for key, designs in OWN_KEYS.items():
        default = type(said).model_fields[key].default
        if said.design not in designs and getattr(said, key) != default:
            wanted = " or ".join(repr(design) for design in designs)
            raise ValueError(f"{key}: only for design {wanted}, not {said.design!r}")
    if said.design == "lineups" and not said.lineups:
        raise ValueError("lineups: design 'lineups' needs at least one line-up")
    if said.design in PAIRED and len(labels) < 2:
        raise ValueError(f"entrants: a {said.design} needs at least 2")
    if said.design == "candidates":
        _check_field(said, labels)
    if len(set(said.heads)) < len(said.heads):
        raise ValueError("heads: a number stands twice")
    for i, lineup in enumerate(said.lineups):
        for label in lineup:
            _check_name(label, labels, f"lineups[{i}]")


def _check_field(said: "Common", labels: Sequence[str]) -> None:
    if not said.field:
        raise ValueError("field: design 'candidates' needs at least one name")
    for i, label in enumerate(said.field):
        _check_name(label, labels, f"field[{i}]")
    if not set(labels) - set(said.field):
        raise ValueError("entrants: all are in the field, so there is no candidate")


def _check_name(label: str, labels: Sequence[str], key: str) -> None:
    if label not in labels:
        raise ValueError(f"{key}: {label!r} is no entrant (want one of {', '.join(labels)})")


def check_claim(said: "Common", labels: Sequence[str]) -> None:
    """What may be claimed, and how a run may stop."""
    if said.design in STUDIES:
        for key in ("claim", "stop"):
            if getattr(said, key) is not None:
                raise ValueError(f"{key}: a study decides nothing (want a tournament)")
        return
    claim, stop = said.claim, said.stop
    if claim is not None:
        for key in ("entrant", "against"):
            label = getattr(claim, key)
            if label is not None:
                _check_name(label, labels, f"claim.{key}")
        if claim.against is not None and claim.against == (claim.entrant or _first(said, labels)):
            raise ValueError(f"claim.against: {claim.against!r} is compared with itself")
        if said.design == "candidates" and claim.entrant in said.field:
            raise ValueError(f"claim.entrant: {claim.entrant!r} is in the field, no candidate")
        if said.design == "candidates" and claim.against in said.field:
            raise ValueError(
                "claim.against: unless it is given a candidate is compared with the field already"
            )
    _check_seated(said, labels)
    if stop is None:
        return
    if said.design == "round_robin":
        raise ValueError(
            "stop: design 'round_robin' is judged once, after the planned blocks, when everybody "
            "has met everybody as often (want another design, or no stop)"
        )
    if stop.rule == "race" and said.design != "candidates":
        raise ValueError(f"stop.rule: 'race' is for design 'candidates', not {said.design!r}")
    if stop.rule == "race" and len(set(labels) - set(said.field)) < 2:
        raise ValueError("stop.rule: a race needs at least 2 candidates")
    if said.blocks < stop.look:
        raise ValueError(f"stop.look: {stop.look} is more than all {said.blocks} blocks")


def _first(said: "Common", labels: Sequence[str]) -> str:
    """Whom the verdict is about where nobody is named."""
    return next(label for label in labels if label not in said.field)


def _check_seated(said: "Common", labels: Sequence[str]) -> None:
    """Where the line-ups are listed, that those a verdict is asked of sit in one."""
    if said.design != "lineups" or (said.claim is None and said.stop is None):
        return
    entrant = (said.claim.entrant if said.claim else None) or labels[0]
    held = {label for lineup in said.lineups for label in lineup}
    for key, label in (("entrant", entrant), ("against", said.claim and said.claim.against)):
        if label is not None and label not in held:
            raise ValueError(f"claim.{key}: {label!r} sits in no line-up")


def check_record(said: "Common", k: int) -> None:
    """What a run that keeps no blocks can still tell."""
    if said.keeps_totals or said.design != "round_robin":
        return
    if said.blocks < FEW:
        raise ValueError(
            f"record: 'summary' of a round robin of {said.blocks} blocks, whose intervals are made "
            f'from the blocks one by one (want {FEW} blocks, or record = "all")'
        )
    if k > company.MOST:
        raise ValueError(
            f"record: 'summary' of a round robin of {k} entrants, where sums of who met whom are "
            f"larger than the blocks (want at most {company.MOST} entrants, or record = [], which "
            "keeps totals of blocks)"
        )


def check_sample(said: "Common") -> None:
    """What a sample keeps is kept of no other blocks, once, and there is something to keep."""
    if said.sample is None:
        return
    for i, table in enumerate(said.sampled):
        if table in said.sampled[:i]:
            raise ValueError(f"sample.tables: {table!r} stands twice")
        if table in said.recorded:
            raise ValueError(
                f'sample.tables: {table!r} is kept of all blocks (want record = "summary", or a '
                "list without it)"
            )
    if said.sample.share * said.blocks < 1:
        raise ValueError(
            f"sample.share: {said.sample.share} of {said.blocks} blocks is less than one (want at "
            f"least {1 / said.blocks:.3g})"
        )


def check_evenings(said: "RunConfig") -> None:
    """Games of people, and nothing that only strategies can do."""
    if said.design != "evenings":
        if said.evenings:
            raise ValueError(f"evenings: only for design 'evenings', not {said.design!r}")
        return
    if len(said.variants) != 1 or said.claim or said.stop or said.sample or said.dealt:
        raise ValueError("design: evenings have one variant and decide nothing")
    if not said.keeps_totals or len(said.evenings) != said.blocks:
        raise ValueError(
            f"evenings: {len(said.evenings)}, want one for each of {said.blocks} blocks"
        )
    most = [len(evening.games) for evening in said.evenings]
    if most != sorted(most, reverse=True):
        raise ValueError("evenings: want those with the most games first")
    labels = {entrant.label for entrant in said.entrants}
    seats = said.variants[0].rules.seats
    for i, evening in enumerate(said.evenings):
        for k, game in enumerate(evening.games):
            if len(game) != seats or len(set(game)) < seats or not set(game) <= labels:
                raise ValueError(f"evenings[{i}].games[{k}]: want {seats} different entrants")


def check_seats(said: "RunConfig", variant: str, seats: int) -> None:
    """What depends on how many seats a variant has."""
    n = len(said.entrants)
    if said.design in AT_ONE_TABLE and n != seats:
        raise ValueError(
            f"entrants: design {said.design!r} needs as many as {variant} has seats, "
            f"{seats}, not {n}"
        )
    if said.design == "round_robin" and n <= seats:
        raise ValueError(
            f"entrants: design 'round_robin' needs more than {variant} has seats, {seats}, "
            f"not {n} (design 'table' seats {seats})"
        )
    for i, heads in enumerate(said.heads):
        if not 1 <= heads < seats:
            raise ValueError(f"heads[{i}]: {heads} (want 1 to {seats - 1} for {variant})")
    if said.field and len(said.field) not in (1, seats - 1):
        raise ValueError(f"field: {len(said.field)} names (want 1, or {seats - 1} for {variant})")
    for i, lineup in enumerate(said.lineups):
        if len(lineup) != seats:
            raise ValueError(f"lineups[{i}]: {len(lineup)} names, but {variant} has {seats} seats")
