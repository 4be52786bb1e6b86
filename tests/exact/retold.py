"""Which deals agree with what one seat has seen: every one is played again by the slow twin.

The twin is given a deal, and where it asks for a card the next move that was made in public;
a deal in which that move could not have been made is out. No knowledge of what a move shows.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from engine_ext.batch import Rules, StopFlag, play_games
from engine_ext.reference.cards import Card, Pack, name_of
from engine_ext.reference.layout import play_layout
from engine_ext.reference.table import Table, View
from engine_ext.reference.tricks import play_tricks
from engine_ext.rules.spec import LayoutContract, Variant
from engine_ext.seeds import run_key

Hands = tuple[int, ...]


@dataclass
class Seen:
    """What a seat saw when it was asked, and what it was told of worlds."""

    variant: Variant
    deal: int
    contract: str
    named: str | None
    seat: int
    leader: int
    hand: int
    unseen: int
    left: tuple[int, ...]
    """Cards in each hand."""
    moves: list[tuple[int, int]]
    may_hold: list[int]
    n_worlds: float
    worlds: npt.NDArray[np.uint64]

    def n_deals(self) -> int:
        """How many deals of the unseen cards there are, whatever was shown."""
        n, deals = self.unseen.bit_count(), 1
        for seat, left in enumerate(self.left):
            if seat != self.seat:
                deals *= comb(n, left)
                n -= left
        return deals

    def deals(self) -> Iterator[Hands]:
        """Yield all of them."""
        cards = [1 << i for i in range(128) if self.unseen >> i & 1]

        def rest(left: list[int], seat: int) -> Iterator[Hands]:
            if seat == len(self.left):
                yield ()
            elif seat == self.seat:
                yield from ((self.hand, *others) for others in rest(left, seat + 1))
            else:
                for hand in combinations(left, self.left[seat]):
                    others_left = [card for card in left if card not in hand]
                    yield from ((sum(hand), *others) for others in rest(others_left, seat + 1))

        return rest(cards, 0)

    def agreeing(self) -> set[Hands]:
        """Return the deals in which all was as it was seen."""
        return {hands for hands in self.deals() if agrees(self, hands)}

    def drawn(self) -> list[Hands]:
        """Return the worlds that the engine drew."""
        rows = self.worlds.reshape(len(self.worlds), self.variant.seats, -1)
        return [tuple(sum(int(w) << 64 * i for i, w in enumerate(h)) for h in row) for row in rows]


class NotSoError(Exception):
    """What was seen cannot have happened in this deal."""


class AllSeenError(Exception):
    """Everything that was seen has happened."""


class Teller:
    """Answers for everybody what was seen."""

    def __init__(self, seen: Seen, pack: Pack) -> None:
        self.seen = seen
        self.moves = [(seat, told(move, pack)) for seat, move in seen.moves]

    def card(self, view: View, slips: Collection[Card] = ()) -> Card:
        at = sum(len(trick.cards) for trick in view.table.tricks)
        if at == len(self.moves) and view.seat == self.seen.seat:
            raise AllSeenError
        seat, (card, _) = self.moves[at]
        if seat != view.seat or card not in view.legal:
            raise NotSoError
        assert card is not None
        return card

    def move(self, view: View, may_lose_turn: bool) -> Card | None:
        self.compare(view.table)
        at = len(view.table.moves)
        if at == len(self.moves) and view.seat == self.seen.seat:
            raise AllSeenError
        seat, (card, back) = self.moves[at] if at < len(self.moves) else (None, (None, False))
        if back and seat == view.seat:
            shown = [c for c in view.hand if name_of(c) == name_of(card or "")]
            if not may_lose_turn or not shown or shown[0] in view.legal:
                raise NotSoError
            return shown[0]
        if seat == view.seat and card in view.legal:
            return card
        # A pass, or a further turn that went by.
        if not view.may_pass or (seat == view.seat and card is not None):
            raise NotSoError
        return None

    def compare(self, table: Table) -> None:
        """Passes that nobody is asked for are made by the twin itself: they must be there."""
        for move, (seat, (card, back)) in zip(table.moves, self.moves, strict=False):
            same = card == move.card or (back and name_of(card or "") == name_of(move.card or ""))
            if move.seat != seat or move.taken_back != back or not same:
                raise NotSoError
        if len(table.moves) > len(self.moves):
            raise NotSoError


def told(move: int, pack: Pack) -> tuple[Card | None, bool]:
    """Return a move as the card shown, if one was, and whether it was taken back."""
    if move == 255:
        return None, False
    return name(move % 128, pack), move >= 128


def name(number: int, pack: Pack) -> Card:
    return pack.ranks[number & 15] + pack.suits[number >> 4 & 3] + "'" * (number >> 6)


def agrees(seen: Seen, hands: Hands) -> bool:
    """Tell whether all that was seen can have happened with these hands at its end."""
    pack = Pack(seen.variant.deck)
    numbers = {number: name(number, pack) for number in range(128) if (number & 15) < 15
               and number & 15 < len(pack.ranks) and (number >> 4 & 3) < len(pack.suits)}  # fmt: skip
    held = [[card for number, card in numbers.items() if hand >> number & 1] for hand in hands]
    for seat, move in seen.moves:
        if move < 128:
            held[seat].append(numbers[move])
    held = [pack.in_order(hand) for hand in held]
    schedule: Any = seen.variant.schedule
    if getattr(schedule, "holds", None) and schedule.holds not in held[seen.leader]:
        return False
    table = Table(seen.deal, len(hands), 0, None, seen.leader, [], [], [])
    table.contract, table.named = seen.contract, seen.named
    table.cards_left = [len(hand) for hand in held]
    teller: Any = Teller(seen, pack)
    play = play_layout if is_layout(seen) else play_tricks
    try:
        play(seen.variant, table, held, pack, teller)
    except AllSeenError:
        return True
    except NotSoError:
        return False
    return False


def is_layout(seen: Seen) -> bool:
    return isinstance(seen.variant.contracts[seen.contract], LayoutContract)


@dataclass
class Wanderer:
    """Plays anything it may, passes and shows cards that do not fit, and notes what it sees."""

    rules: Rules
    most: int
    """Deals of the unseen cards, in what it notes."""
    draws: int = 30
    """Worlds drawn each time."""
    every: int = 1
    """Notes one of so many that it could."""
    slips: int = 6
    """One answer in so many is not among the legal cards; 0 none."""
    seen: list[Seen] = field(default_factory=list)
    hands: dict[tuple[int, int], int] = field(default_factory=dict)
    """By deal and seat: the hand dealt."""

    def choose(self, view: Any) -> tuple[int, int]:
        choices: list[tuple[int, int]] = view.choices
        return choices[int(view.random.below(len(choices)))]

    def play(self, view: Any) -> int:
        self.note(view)
        return int(self.any_of(view))

    def lay(self, view: Any) -> int | None:
        self.note(view)
        if view.may_pass and view.random.below(3) == 0:
            return None
        return int(self.any_of(view))

    def any_of(self, view: Any) -> int:
        legal: list[int] = view.cards
        if self.slips and view.random.below(self.slips) == 0:
            hand = [card for card in range(128) if view.hand >> card & 1]
            return hand[int(view.random.below(len(hand)))]
        return legal[int(view.random.below(len(legal)))]

    def note(self, view: Any) -> None:
        mine = sum(1 << move for seat, move in view.moves if seat == view.seat and move < 128)
        self.hands[view.deal, view.seat] = view.hand | mine
        seen = look(self.rules, view)
        if seen.n_deals() <= self.most and view.random.below(self.every) == 0:
            seen.n_worlds = view.n_worlds()
            seen.worlds = view.worlds(self.draws)
            self.seen.append(seen)

    def true_hands(self, seen: Seen) -> Hands | None:
        """Return how the cards really lay, if every seat was asked in that deal."""
        hands = []
        for seat in range(seen.variant.seats):
            if (seen.deal, seat) not in self.hands:
                return None
            gone = sum(1 << move for s, move in seen.moves if s == seat and move < 128)
            hands.append(self.hands[seen.deal, seat] & ~gone)
        return tuple(hands)


def look(rules: Rules, view: Any) -> Seen:
    """Return what a view shows, no worlds drawn."""
    numbers, variant = rules.numbers, rules.variant
    named = None if view.trump is None else variant.deck.suits[view.trump]
    if view.start_rank is not None:
        named = variant.deck.ranks[view.start_rank]
    gone = [sum(s == seat and m < 128 for s, m in view.moves) for seat in range(numbers.seats)]
    return Seen(
        variant=variant,
        deal=view.deal,
        contract=numbers.contract_names[view.contract.id],
        named=named,
        seat=view.seat,
        leader=view.leader,
        hand=view.hand,
        unseen=numbers.deck & ~view.played & ~view.hand,
        left=tuple(numbers.hand_size - n for n in gone),
        moves=view.moves,
        may_hold=view.may_hold,
        n_worlds=0,
        worlds=np.zeros((0, numbers.seats), np.uint64),
    )


def wander(variant: Variant, block: int, most: int, **how: Any) -> Wanderer:
    """Play a game and return who noted it."""
    rules = Rules(variant)
    wanderer: Any = Wanderer(rules, most, **how)
    records = play_games(
        rules,
        [wanderer],
        key=run_key(11),
        blocks=np.array([block], np.uint64),
        seating=np.zeros((1, variant.seats), np.uint8),
        stop=StopFlag(),
    )
    assert not records.errors, records.errors
    found: Wanderer = wanderer
    return found
