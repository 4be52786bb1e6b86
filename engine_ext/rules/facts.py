"""What follows from a variant's words alone: what scores, how often, and how many deals."""

from engine_ext.cards import Pack
from engine_ext.rules.spec import (
    ChoiceSchedule,
    LayoutContract,
    PerTrick,
    PerTrickAt,
    Term,
    TrickContract,
    Variant,
)


def n_deals(variant: Variant) -> int:
    """Return the number of deals of a game."""
    schedule = variant.schedule
    if isinstance(schedule, ChoiceSchedule):
        return variant.seats * sum(schedule.uses.values())
    return len(schedule.sequence)


def terms_of(variant: Variant, name: str) -> tuple[Term, ...]:
    """Return what scores in a trick contract: included terms, then its own.

    The included ones come in the order of the inclusions, their points multiplied.
    """
    contract = variant.contracts[name]
    assert isinstance(contract, TrickContract), name
    merged = [
        term.model_copy(update={"points": term.points * inclusion.times})
        for inclusion in contract.include
        for term in terms_of(variant, inclusion.contract)
    ]
    return (*merged, *contract.terms)


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
        if everywhere or contract.missing_start == "virtual":
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
