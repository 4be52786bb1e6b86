"""Who deals, declares and leads, how many deals there are, what may be named."""

from engine_ext.reference.cards import Pack
from engine_ext.reference.layout import start_ranks
from engine_ext.rules.spec import ChoiceSchedule, LayoutContract, Variant


def n_deals(variant: Variant) -> int:
    """Return how many deals a game has."""
    if isinstance(variant.schedule, ChoiceSchedule):
        return variant.seats * sum(variant.schedule.uses.values())
    return len(variant.schedule.sequence)


def beside(variant: Variant, seat: int, relation: str) -> int:
    """Return the seat in a relation to another: ``left_of_dealer``, ``right_of_declarer``, ...

    Seats count in the direction of play. Clockwise play goes to the left, so the left
    neighbour is the next seat; counter-clockwise it is the right one (dossier 2.21).
    """
    if relation.startswith(("left_of", "right_of")):
        to_the_left = relation.startswith("left_of")
        step = 1 if to_the_left == (variant.direction == "clockwise") else -1
        return (seat + step) % variant.seats
    return seat


def roles(variant: Variant, first: int) -> tuple[int, int | None, int]:
    """Return dealer, declarer and leader of a deal from the seat whose turn it is.

    With a fixed schedule that seat deals and nobody declares; else it is the declarer.
    """
    schedule = variant.schedule
    if isinstance(schedule, ChoiceSchedule):
        dealer = beside(variant, first, schedule.dealer)
        return dealer, first, beside(variant, first, schedule.leader)
    return first, None, beside(variant, first, schedule.leader)


def what_may_be_named(variant: Variant, name: str, pack: Pack) -> list[str | None]:
    """Return the trump suits or start ranks that may be named with a contract, in order."""
    contract = variant.contracts[name]
    if isinstance(contract, LayoutContract):
        return [*start_ranks(contract, pack)]
    return [*pack.suits] if contract.trump == "declarer" else [None]
