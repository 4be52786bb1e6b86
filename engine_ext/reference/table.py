"""What lies open on the table, and what one seat is shown when it is asked.

A :class:`Table` is all that everybody knows of a deal. A :class:`View` is the table, the
seat's own hand and the question; nothing else reaches a player.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from engine_ext.reference.cards import Card

Option = tuple[str, str | None]
"""A contract by name, and the trump suit or start rank named with it (None: nothing)."""


@dataclass
class Trick:
    """One trick: cards in the order played, the first by ``leader``."""

    leader: int
    cards: list[tuple[int, Card]] = field(default_factory=list)
    """Who played what."""
    owner: int | None = None
    """Who took it; None while it is being played."""

    @property
    def led_suit(self) -> str | None:
        """Suit that was led; None while nobody has led."""
        return self.cards[0][1][1] if self.cards else None


@dataclass
class Move:
    """One turn of a layout."""

    seat: int
    card: Card | None
    """The card shown; None for a pass."""
    taken_back: bool = False
    """The card did not fit and went back into the hand."""


@dataclass
class Table:
    """A deal as everybody sees it. Lists with an entry for each seat are by seat."""

    deal: int
    """Number of the deal in its game, from 0."""
    seats: int
    dealer: int
    declarer: int | None
    """None where the schedule is fixed."""
    leader: int
    """Who leads the first trick, or moves first in a layout."""
    scores: list[int]
    """Points and side bets of the game so far; more is better."""
    uses_left: list[dict[str, int]]
    """How often each seat as declarer may still name each contract."""
    duty_done: list[int]
    """How often each seat has doubled the declarer in this dealership."""
    contract: str | None = None
    """None while it is being chosen."""
    named: str | None = None
    """The trump suit or the start rank, where there is one."""
    doubled: list[set[int]] = field(default_factory=list)
    """The seats which each seat has doubled or redoubled."""
    tricks: list[Trick] = field(default_factory=list)
    """All tricks so far, the one in progress last."""
    captured: list[list[Card]] = field(default_factory=list)
    """The cards in the tricks that each seat has taken."""
    face_up: list[set[Card]] = field(default_factory=list)
    """Those of them that stay visible."""
    moves: list[Move] = field(default_factory=list)
    """All turns of a layout so far."""
    laid: list[Card] = field(default_factory=list)
    """The cards of a layout, in the order laid."""
    cards_left: list[int] = field(default_factory=list)
    """Size of each hand."""
    ban_lifted: bool = False
    """Tricks: nobody is bound by the lead ban any more."""
    void: list[set[str]] = field(default_factory=list)
    """The suits that each seat has shown it does not hold."""
    passed: list[int] = field(default_factory=list)
    """How often each seat has passed in a layout although it could have laid a card."""
    places: list[int] = field(default_factory=list)
    """Finishing place in a layout from 1; 0 while the seat is in."""
    step: int = 0
    """Place of the deal in the schedule: deals that were played again are not counted."""
    tied: frozenset[int] = frozenset()
    """In a deal that plays out a tie: the seats that it can make the winner."""

    def __post_init__(self) -> None:
        seats = range(self.seats)
        self.doubled = [set() for _ in seats]
        self.captured = [[] for _ in seats]
        self.face_up = [set() for _ in seats]
        self.void = [set() for _ in seats]
        self.places = [0 for _ in seats]
        self.passed = [0 for _ in seats]

    def after(self, seat: int) -> int:
        """Return the next seat in playing order."""
        return (seat + 1) % self.seats


class View(NamedTuple):
    """What one seat may know when it is asked."""

    table: Table
    """The open table, live: to be read only."""
    seat: int
    hand: tuple[Card, ...]
    """Own cards, in the order of the pack."""
    options: tuple[Option, ...] = ()
    """Choosing: contracts in the file's order, each with what may be named in order."""
    may_double: frozenset[int] = frozenset()
    """Doubling: the seats that may be doubled."""
    must_double: frozenset[int] = frozenset()
    """Doubling: the seats that duty says must be."""
    may_redouble: frozenset[int] = frozenset()
    """Redoubling: the seats that may be redoubled."""
    legal: tuple[Card, ...] = ()
    """Playing or laying: the cards that may be played, in the order of the pack."""
    may_pass: bool = False
    """Laying: whether passing is allowed."""
