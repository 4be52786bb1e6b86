"""What follows from a variant's words alone: what scores, how often, and how many deals."""

from fractions import Fraction

from engine_ext.cards import Pack
from engine_ext.rules.spec import (
    ChoiceSchedule,
    ExtraDeals,
    LayoutContract,
    PerTrick,
    PerTrickAt,
    Term,
    TrickContract,
    Variant,
)


def sign(variant: Variant) -> int:
    """Return what turns the document's points into inside points, of which more is better."""
    return -1 if variant.objective == "lowest" else 1


def n_deals(variant: Variant) -> int:
    """Return the number of deals of a game."""
    schedule = variant.schedule
    if isinstance(schedule, ChoiceSchedule):
        own = sum(schedule.uses.values())
        return own if schedule.uses_of == "table" else variant.seats * own
    return len(schedule.sequence)


def unplayed(variant: Variant) -> tuple[str, ...]:
    """Return the contracts that no deal of a game plays, not even one that plays out a tie."""
    schedule = variant.schedule
    played = set(schedule.uses if isinstance(schedule, ChoiceSchedule) else schedule.sequence)
    if isinstance(variant.ties, ExtraDeals):
        played.add(variant.ties.contract)
    return tuple(name for name in variant.contracts if name not in played)


def fewest_declared(variant: Variant) -> int:
    """Return how many deals the seat declares that declares the fewest; 0 without choice."""
    schedule = variant.schedule
    if not isinstance(schedule, ChoiceSchedule):
        return 0
    rounds, rest = divmod(n_deals(variant), schedule.dealership * variant.seats)
    last = rest - (variant.seats - 1) * schedule.dealership
    return rounds * schedule.dealership + max(0, last)


def terms_of(variant: Variant, name: str) -> tuple[Term, ...]:
    """Return what scores in a trick contract: included terms, then its own.

    The included ones come in the order of the inclusions, their points multiplied; in a
    checked variant they are whole.
    """
    exact = exact_terms(variant, name)
    return tuple(term.model_copy(update={"points": int(points)}) for term, points in exact)


def exact_terms(variant: Variant, name: str) -> list[tuple[Term, Fraction]]:
    """Return the terms of :func:`terms_of` as they are written, each with its exact points."""
    contract = variant.contracts[name]
    assert isinstance(contract, TrickContract), name
    merged = [
        (term, points * Fraction(inclusion.times))
        for inclusion in contract.include
        for term, points in exact_terms(variant, inclusion.contract)
    ]
    return merged + [(term, Fraction(term.points)) for term in contract.terms]


def count(term: Term, pack: Pack, hand_size: int) -> int:
    """Return how often a term scores in a deal, all hands together."""
    if isinstance(term, PerTrick):
        return hand_size
    if isinstance(term, PerTrickAt):
        return len(term.tricks)
    return pack.select(term.of).bit_count()


def start_ranks(contract: LayoutContract, pack: Pack) -> int:
    """Return the ranks that may be named as the start, as bits from the lowest."""
    listed = pack.ranks if contract.start == "any_rank" else contract.start
    mask = 0
    for rank in listed:
        at = pack.ranks.index(rank)
        everywhere = all(pack.ranks_in(suit) >> at & 1 for suit in range(len(pack.suits)))
        if everywhere or contract.missing_start != "forbid":
            mask |= 1 << at
    return mask


def parts_of(variant: Variant, name: str) -> list[int]:
    """Return the points of a deal, all hands together, in the document's sign.

    One number for each item, or for each finishing place, so each has one sign.
    """
    contract = variant.contracts[name]
    if isinstance(contract, LayoutContract):
        return list(contract.payout)
    pack = Pack(variant.deck)
    hand_size = pack.size // variant.seats
    return [t.points * count(t, pack, hand_size) for t in terms_of(variant, name)]


def contract_total(variant: Variant, name: str) -> int:
    """Return what all hands of a deal add up to, in the document's sign."""
    return sum(parts_of(variant, name))
