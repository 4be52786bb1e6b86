"""A deal set up anywhere in its course: asked for legal moves, played on, scored.

A :class:`Setup` is what lies on the table, as numbers; :mod:`engine_ext.record` reads it
from text. A position is played by the same compiled loop as whole games, so what holds
here holds there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine_ext.batch import Rules
from engine_ext.build import load
from engine_ext.cards import LANE, cards_in
from engine_ext.rules.resolve import KIND_LAYOUT

if TYPE_CHECKING:
    import engine_ext.kernel as _kernel
else:
    _kernel = load("engine_ext.kernel")

CHOOSE, DOUBLE, PLAY = 0, 1, 2
"""Where a position stands: before the contract, before the doubles, in play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What lies on the table. Seats in playing order, card sets as integers.

    In a trick contract a position stands at the start of a trick: ``owners`` says who took
    the tricks before it, so with ``owners`` of length t every hand holds t cards less than
    dealt. A trick whose taker is None brings nobody anything.
    """

    hands: tuple[int, ...]
    """Cards held, by seat."""
    dealer: int
    leader: int
    """Who led the first trick, or moved first."""
    declarer: int | None
    deal: int = 0
    """Number in the game."""
    contract: int | None = None
    """Number in the variant; None before it is chosen."""
    param: int | None = None
    """Trump suit or start rank."""
    to_move: int = 0
    """Who leads the next trick, or moves next."""
    owners: tuple[int | None, ...] = ()
    """Who took each trick so far; None: not known."""
    captured: tuple[int, ...] = ()
    """Cards taken, by seat."""
    played: int = 0
    """Every card played or laid."""
    voids: tuple[int, ...] = ()
    """By seat: suits it has shown not to hold."""
    places: tuple[int, ...] = ()
    """Layout: finishing place by seat, 0 still in."""
    passes: int = 0
    """Layout: passes in a row."""
    doubled: tuple[int, ...] = ()
    """By seat: set of seats it doubled or redoubled."""
    duty_done: tuple[int, ...] = ()
    """By seat: doubles of this declarer in this dealership."""
    scores: tuple[int, ...] = ()
    """By seat: inside points of the game so far."""
    uses_left: tuple[tuple[int, ...], ...] = ()
    """By declarer and contract."""
    key: tuple[int, int] = (0, 0)
    """Run key, for strategies that draw."""
    block: int = 0

    def filled(self, rules: Rules) -> "Setup":
        """The same with what was left out: nothing taken, nobody doubled, all to play."""
        n = rules.numbers.seats
        nothing = (0,) * n
        return Setup(
            hands=self.hands,
            dealer=self.dealer,
            leader=self.leader,
            declarer=self.declarer,
            deal=self.deal,
            contract=self.contract,
            param=self.param,
            to_move=self.to_move,
            owners=self.owners,
            captured=self.captured or nothing,
            played=self.played,
            voids=self.voids or nothing,
            places=self.places or nothing,
            passes=self.passes,
            doubled=self.doubled or nothing,
            duty_done=self.duty_done or nothing,
            scores=self.scores or nothing,
            uses_left=self.uses_left or (rules.numbers.uses,) * n,
            key=self.key,
            block=self.block,
        )


def check(rules: Rules, setup: Setup) -> None:
    """Raise ``ValueError`` for a position that cannot be played to an end.

    The compiled loop trusts its table: hands that run out too early, or a layout in which
    nobody can ever lay a card, would not stop it.
    """
    numbers = rules.numbers
    if len(setup.hands) != numbers.seats:
        raise ValueError(f"{len(setup.hands)} hands, the table has {numbers.seats} seats")
    if setup.contract is None:
        return
    if numbers.contracts[setup.contract].kind == KIND_LAYOUT:
        if setup.param is None:
            raise ValueError("a layout without a start rank")
        places = setup.places or (0,) * numbers.seats
        for seat, (hand, place) in enumerate(zip(setup.hands, places, strict=True)):
            if (hand == 0) != (place > 0):
                raise ValueError(f"seat {seat}: {hand.bit_count()} cards, finishing place {place}")
        stuck = never_laid(numbers.deck, setup.param, setup.played, deck_of(setup.hands))
        if stuck:
            raise ValueError(f"cards {list(cards_in(stuck))} can never be laid")
        return
    want = numbers.hand_size - len(setup.owners)
    for seat, hand in enumerate(setup.hands):
        if hand.bit_count() != want:
            raise ValueError(f"seat {seat} holds {hand.bit_count()} cards, want {want}")


def never_laid(deck: int, start: int, laid: int, held: int) -> int:
    """Return the cards held that no order of play ever lets anybody lay on ``laid``."""
    starts = sum(1 << LANE * suit + start for suit in range(4))
    while True:
        there = laid | (starts & ~deck)
        fitting = (starts | there << 1 | there >> 1) & held & ~laid
        if not fitting:
            return held & ~laid
        laid |= fitting


def lines_of(rules: Rules, setup: Setup, limit: int = 10_000_000) -> dict[int, list[int]]:
    """Play every line of legal cards from a position in play (perft for cards).

    Returns {product of the numbers of options along a line: [lines, inside points by
    seat]}; under uniform random play each line has probability 1 / product.
    Raises ``ValueError`` beyond ``limit`` lines.
    """
    check(rules, setup)
    table = _kernel.Tabletop(rules.packed)
    table.set_up(setup.filled(rules))
    return table.walk(limit)


def lines(counts: dict[int, list[int]]) -> int:
    """How many lines :func:`lines_of` found."""
    return sum(row[0] for row in counts.values())


def deck_of(hands: Sequence[int]) -> int:
    """All cards of some hands together."""
    whole = 0
    for hand in hands:
        whole |= hand
    return whole
