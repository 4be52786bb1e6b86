"""What a variant's points add up to, and whether the document prints the same.

All numbers here have the document's sign.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine_ext.rules.checks import problems
from engine_ext.rules.facts import contract_total, parts_of
from engine_ext.rules.spec import ChoiceSchedule, Claim, Variant


@dataclass(frozen=True, slots=True)
class ClaimChecked:
    """A total that the document prints, beside what comes out."""

    what: str
    stated: int
    comes_out: int
    ok: bool
    source: str
    note: str | None
    changed: bool = False
    """Whether it is a parent's, and the file moved the total: no mistake of the document."""


@dataclass(frozen=True, slots=True)
class Check:
    """The result of holding a variant against itself and its document."""

    ok: bool
    """Whether the variant can be played; a false claim of the document is no reason not to."""
    totals: dict[str, int]
    """As :func:`totals` gives them."""
    claims: tuple[ClaimChecked, ...]


def totals(variant: Variant) -> dict[str, int]:
    """Return what the hands of the whole table add up to.

    ``contracts.NAME`` for one deal, ``declarer`` for all contracts of one declarer (where each
    has his own to choose from), ``game`` for all deals; ``gross_positive`` and
    ``gross_negative`` are the parts of ``game`` from points of one sign.
    """
    sums = {f"contracts.{name}": contract_total(variant, name) for name in variant.contracts}
    schedule = variant.schedule
    if isinstance(schedule, ChoiceSchedule):
        each = variant.seats if schedule.uses_of == "declarer" else 1
        deals = {name: each * n for name, n in schedule.uses.items()}
        if schedule.uses_of == "declarer":
            own = schedule.uses.items()
            sums["declarer"] = sum(n * sums[f"contracts.{name}"] for name, n in own)
    else:
        deals = {name: schedule.sequence.count(name) for name in schedule.sequence}
    parts = [n * part for name, n in deals.items() for part in parts_of(variant, name)]
    return sums | {
        "game": sum(parts),
        "gross_positive": sum(part for part in parts if part > 0),
        "gross_negative": sum(part for part in parts if part < 0),
    }


def check(variant: Variant, ancestors: Sequence[Variant] = ()) -> Check:
    """Hold a variant against its own rules and the totals that its document prints.

    ``ancestors`` are the variants that it extends in turn, as ``load_lineage`` gives them.
    """
    sums = totals(variant)
    claims = tuple(_checked(claim, sums, ancestors) for claim in variant.claims)
    return Check(ok=not any(problems(variant)), totals=sums, claims=claims)


def _checked(claim: Claim, sums: dict[str, int], ancestors: Sequence[Variant]) -> ClaimChecked:
    changed = _moved(claim, sums, ancestors)
    return ClaimChecked(
        what=claim.what,
        stated=claim.value,
        comes_out=sums[claim.what],
        ok=claim.value == sums[claim.what],
        source=claim.source,
        # It tells of the total as it was.
        note=None if changed else claim.note,
        changed=changed,
    )


def _moved(claim: Claim, sums: dict[str, int], ancestors: Sequence[Variant]) -> bool:
    """Whether the total of a claim is another one than where the claim was first made."""
    first = next((one for one in reversed(ancestors) if claim in one.claims), None)
    return first is not None and totals(first)[claim.what] != sums[claim.what]
