"""A deal set up anywhere in its course: asked for legal moves, played on, scored.

A :class:`Setup` is what lies on the table, as numbers; :mod:`engine_ext.record` reads it
from text. A position is played by the same compiled loop as whole games, so what holds
here holds there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine_ext.batch import Rules
from engine_ext.cards import LANE, WORD, cards_in, merged, twins
from engine_ext.rules.resolve import KIND_LAYOUT, ContractNumbers
from engine_ext.rules.resolve_contracts import COPIES

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
    step: int | None = None
    """Place in the schedule: deals that were played again are not counted."""
    given: int | None = None
    """The contract, where nobody chooses it: played again, or extra."""
    tied: int = 0
    """Of an extra deal: set of the seats that it can make the winner."""
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
    withheld: tuple[int, ...] = ()
    """On honour, hidden: by seat, suits it could have followed and did not."""
    first_revoker: int | None = None
    """Hidden: who revoked first; None: nobody has."""
    ban_lifted: bool = False
    """Cards played before have lifted the lead ban."""
    places: tuple[int, ...] = ()
    """Layout: finishing place by seat, 0 still in."""
    passes: int = 0
    """Layout: passes in a row."""
    further: bool = False
    """Layout: the last card gives who is to move a further turn."""
    passed: tuple[int, ...] = ()
    """Layout: by seat: passes although it could have laid a card."""
    doubled: tuple[int, ...] = ()
    """By seat: set of seats it doubled or redoubled."""
    duty_done: tuple[int, ...] = ()
    """By seat: doubles of this declarer so far."""
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
        return replace(
            self,
            step=self.deal if self.step is None else self.step,
            captured=self.captured or nothing,
            voids=self.voids or nothing,
            withheld=self.withheld or nothing,
            places=self.places or nothing,
            passed=self.passed or nothing,
            doubled=self.doubled or nothing,
            duty_done=self.duty_done or nothing,
            scores=self.scores or nothing,
            uses_left=self.uses_left or (rules.numbers.uses,) * n,
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
        contract = numbers.contracts[setup.contract]
        held, lies = deck_of(setup.hands), Lying.of(contract)
        stuck = never_laid(numbers.deck, setup.param, setup.played, held, lies)
        if stuck and not contract.stall_freezes:
            raise ValueError(f"cards {list(cards_in(stuck))} can never be laid")
        return
    want = numbers.hand_size - len(setup.owners)
    for seat, hand in enumerate(setup.hands):
        if hand.bit_count() != want:
            raise ValueError(f"seat {seat} holds {hand.bit_count()} cards, want {want}")


@dataclass(frozen=True, slots=True)
class Lying:
    """How cards come to lie in a layout."""

    copies: int = COPIES["shared_run"]
    """Cards alike, as in ``ContractNumbers``."""
    closed: bool = False
    """A suit without its start card is never opened (``missing_start = "stall"``)."""

    @classmethod
    def of(cls, contract: ContractNumbers) -> "Lying":
        """Return a contract's way."""
        return cls(contract.copies, bool(contract.missing_stalls))


def never_laid(deck: int, start: int, laid: int, held: int, lies: Lying | None = None) -> int:
    """Return the cards held that no order of play ever lets anybody lay on ``laid``."""
    how = lies or Lying()
    starts = sum(1 << LANE * suit + start for suit in range(4))
    while True:
        left = held & ~laid
        opened = _openings(deck, starts, laid, how)
        # One copy of a card at a time: the other may have to wait.
        first = left & opened
        second = left >> WORD & opened & ~first
        if not first | second:
            return left
        laid |= first | second << WORD


def _openings(deck: int, starts: int, laid: int, how: Lying) -> int:
    """Return the cards that may be laid next, as first copies, whether there are any or not."""
    kinds, gone, full = merged(deck), merged(laid), twins(laid)
    # A start card that is not there counts as laid.
    unseen = 0 if how.closed else starts
    there = gone | (unseen & ~kinds)
    if how.copies == COPIES["stack"]:
        there &= ~merged(deck & ~laid)
    if how.copies != COPIES["parallel_rows"]:
        return starts | there << 1 | there >> 1
    # Two rows a suit, each with a start card of its own.
    lone = unseen & ~twins(deck)
    first, second = there | lone, full | (unseen & ~kinds) | (lone & gone)
    fits = (first << 1 | first >> 1) & ~gone | (second << 1 | second >> 1) & ~full
    return starts | fits


def lines_of(rules: Rules, setup: Setup, limit: int = 10_000_000) -> dict[int, list[int]]:
    """Play every line of legal cards from a position in play (perft for cards).

    Returns {product of the numbers of options along a line: [lines, inside points by
    seat]}; under uniform random play each line has probability 1 / product.
    Raises ``ValueError`` beyond ``limit`` lines.
    """
    check(rules, setup)
    table = rules.kernel.Tabletop(rules.packed)
    table.set_up(setup.filled(rules))
    found: dict[int, list[int]] = table.walk(limit)
    return found


def lines(counts: dict[int, list[int]]) -> int:
    """How many lines :func:`lines_of` found."""
    return sum(row[0] for row in counts.values())


def deck_of(hands: Sequence[int]) -> int:
    """All cards of some hands together."""
    whole = 0
    for hand in hands:
        whole |= hand
    return whole
