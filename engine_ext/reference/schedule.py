"""Which deal follows, who deals, declares and leads, what may be named, who has won."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine_ext.reference.cards import Pack
from engine_ext.reference.layout import start_ranks
from engine_ext.rules.spec import (
    ChoiceSchedule,
    ExtraDeals,
    LayoutContract,
    Revokes,
    Variant,
)


@dataclass(frozen=True)
class Turn:
    """A deal's place in its game."""

    number: int
    """Deals before it; fixes the cards."""
    step: int
    """The same without those that were played again: its place in the schedule."""
    given: str | None = None
    """The contract, where nobody chooses and no sequence says it: played again, or extra."""
    tied: frozenset[int] = frozenset()
    """Of an extra deal: the seats that it can make the winner."""
    again: int = 0
    """Deals that were played again so far."""
    extra: int = 0
    """Extra deals so far, this one included."""


def turn_after(
    variant: Variant, turn: Turn, contract: str, revoked: bool, scores: Sequence[int]
) -> Turn | None:
    """Return the deal that follows one of ``contract``, None where the game is over.

    After a revoke the contract is played again, where the rules say so; else the schedule
    goes on; then ties for the first place are played out (000 A29, A33).
    """
    number, ties = turn.number + 1, variant.ties
    if is_played_again(variant, turn, revoked):
        return Turn(number, turn.step, given=contract, again=turn.again + 1)
    step = turn.step + 1
    if step < n_deals(variant):
        return Turn(number, step, again=turn.again)
    first = first_together(turn, scores)
    if not isinstance(ties, ExtraDeals) or turn.extra == ties.at_most or len(first) == 1:
        return None
    tied = frozenset(range(variant.seats)) if ties.eligible == "all" else first
    return Turn(number, step, ties.contract, tied, turn.again, turn.extra + 1)


def is_played_again(variant: Variant, turn: Turn, revoked: bool) -> bool:
    """Tell whether the contract of a deal is played again, since somebody has revoked.

    Not that of an extra deal, and no more often in a game than its schedule has deals.
    """
    price = variant.legality
    again = isinstance(price, Revokes) and price.then == "replay_deal"
    return revoked and again and not turn.extra and turn.again < n_deals(variant)


def first_together(turn: Turn, scores: Sequence[int]) -> frozenset[int]:
    """Return who is first: the best total, after an extra deal of those who can win by it."""
    among = turn.tied or range(len(scores))
    best = max(scores[seat] for seat in among)
    return frozenset(seat for seat in among if scores[seat] == best)


def final_places(turn: Turn, scores: Sequence[int]) -> list[int]:
    """Return the places after the last deal ``turn``, equal ones share the better one.

    Who is first by :func:`first_together` is before everybody else, whatever the others have;
    they follow by their totals.

    >>> final_places(Turn(8, 8, tied=frozenset({0, 1}), extra=1), [12, 10, 15, -9])
    [1, 3, 2, 4]
    """
    first = first_together(turn, scores)
    others = [score for seat, score in enumerate(scores) if seat not in first]
    return [
        1 if seat in first else 1 + len(first) + sum(other > score for other in others)
        for seat, score in enumerate(scores)
    ]


def n_deals(variant: Variant) -> int:
    """Return how many deals the schedule has."""
    schedule = variant.schedule
    if isinstance(schedule, ChoiceSchedule):
        uses = sum(schedule.uses.values())
        return uses if schedule.uses_of == "table" else variant.seats * uses
    return len(schedule.sequence)


def declarer_of(variant: Variant, deal: "int | Turn") -> int:
    """Return whose turn it is in a deal, counted from 0: dealerships go round in order.

    A declarer plays again what was stopped in his deal; without declarers the deal passes on.
    """
    schedule = variant.schedule
    if isinstance(schedule, ChoiceSchedule):
        step = deal.step if isinstance(deal, Turn) else deal
        return step // schedule.dealership % variant.seats
    return (deal.number if isinstance(deal, Turn) else deal) % variant.seats


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
