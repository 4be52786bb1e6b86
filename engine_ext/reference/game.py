"""A whole game: who deals and chooses, what is played, what it brings, who wins.

Points in here and in the records are inside points: more is better, whatever the document
calls winning.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine_ext.reference import streams
from engine_ext.reference.asking import Asker
from engine_ext.reference.cards import Card, Pack
from engine_ext.reference.doubling import settle, speak
from engine_ext.reference.layout import play_layout
from engine_ext.reference.players import Player
from engine_ext.reference.schedule import n_deals, roles, what_may_be_named
from engine_ext.reference.table import Move, Option, Table, View
from engine_ext.reference.tricks import items, play_tricks, scoring_terms
from engine_ext.rules.spec import ChoiceSchedule, LayoutContract, Variant

Deals = Callable[[int], list[list[Card]]]
"""Gives the hands of a deal by its number in the game."""


@dataclass(frozen=True)
class DealRecord:
    """What happened in one deal. Lists with an entry for each seat are by seat."""

    contract: str
    named: str | None
    """Trump suit or start rank, where there is one."""
    dealer: int
    declarer: int | None
    leader: int
    left: int
    """How many uses of contracts the declarer had left, this one included; 0 if fixed."""
    points: list[int]
    side: list[int]
    """What the side bets brought."""
    items: list[list[int]]
    """For each term that scores, the items by seat; of a layout the finishing places."""
    places: list[int]
    """Finishing places of a layout, first out 1; zeros after a deal of tricks."""
    doubled: list[set[int]]
    """The seats which each seat doubled or redoubled."""
    cards: list[tuple[int, Card]]
    """Tricks: who played what, in order."""
    owners: list[int]
    """Tricks: who took each."""
    moves: list[Move]
    """Layout: all turns in order."""


@dataclass(frozen=True)
class GameRecord:
    """What happened in one game, by seat."""

    deals: list[DealRecord]
    scores: list[int]
    """Points and side bets."""
    places: list[int]
    """1 is the best; ties share the better place."""
    fouls: list[int]


def places(scores: Sequence[int]) -> list[int]:
    """Return the place of each score, highest first; equal ones share the better place.

    >>> places([12, 12, -10, -14])
    [1, 1, 3, 4]
    """
    return [1 + sum(other > score for other in scores) for score in scores]


class Game:
    """One game of a variant at one table, deal after deal."""

    def __init__(
        self,
        variant: Variant,
        players: Sequence[Player],
        *,
        key: streams.Key,
        block: int = 0,
        replicate: int = 0,
        deals: Deals | None = None,
    ) -> None:
        """``players`` by seat. ``deals`` gives other cards than those of the stream."""
        self.variant = variant
        self.pack = Pack(variant.deck)
        self.ask = Asker(self.pack, players, key, block, replicate)
        self.key = key
        self.block = block
        self.deals = deals or self.dealt
        self.scores = [0 for _ in players]
        self.duty_done = [0 for _ in players]
        uses = getattr(variant.schedule, "uses", {})
        self.uses_left = [dict(uses) for _ in players]

    def dealt(self, number: int) -> list[list[Card]]:
        """Return the hands of a deal from the deal stream."""
        return streams.deal(self.key, self.block, number, self.pack.cards, self.variant.seats)

    def play(self) -> GameRecord:
        """Play all deals."""
        played = [self.play_deal(number) for number in range(n_deals(self.variant))]
        return GameRecord(played, self.scores, places(self.scores), self.ask.fouls)

    def play_deal(self, number: int, first: int | None = None) -> DealRecord:
        """Play one deal: cards, contract, drawn trump, side bets, play, settlement.

        ``first`` is the seat whose turn it is to deal or declare; by the schedule each seat
        in order has as many deals in a row as a dealership is long.
        """
        schedule, seats = self.variant.schedule, self.variant.seats
        dealership = schedule.dealership if isinstance(schedule, ChoiceSchedule) else 1
        if number % dealership == 0:
            self.duty_done = [0] * seats
        if first is None:
            first = number // dealership % seats
        hands = [self.pack.in_order(hand) for hand in self.deals(number)]
        self.ask.new_deal()
        table = self.new_table(number, first)
        table.cards_left = [len(hand) for hand in hands]
        left = sum(self.uses_left[first].values())
        table.contract, table.named = self.contract(table, hands)
        table.named = self.drawn_trump(table) or table.named
        if self.variant.doubling is not None:
            speak(self.variant, table, hands, self.ask)
        trick_deal = self.variant.contracts[table.contract].kind == "trick"
        play_out = play_tricks if trick_deal else play_layout
        play_out(self.variant, table, hands, self.pack, self.ask)
        return self.book(table, left)

    def new_table(self, number: int, first: int) -> Table:
        """Return the table before anything is said."""
        dealer, declarer, leader = roles(self.variant, first)
        return Table(
            deal=number,
            seats=self.variant.seats,
            dealer=dealer,
            declarer=declarer,
            leader=leader,
            scores=self.scores,
            uses_left=self.uses_left,
            duty_done=self.duty_done,
        )

    def contract(self, table: Table, hands: list[list[Card]]) -> Option:
        """Return the contract of the deal and what is named with it.

        The declarer is asked, even for his last contract; with a fixed schedule the leader,
        if there is something to name (000 A19).
        """
        schedule = self.variant.schedule
        if not isinstance(schedule, ChoiceSchedule):
            return self.imposed(table, table.leader, hands, schedule.sequence[table.deal])
        assert table.declarer is not None
        uses = self.uses_left[table.declarer]
        open_to = [name for name in self.variant.contracts if uses.get(name, 0) > 0]
        name, named = self.choice(table, table.declarer, hands, open_to)
        uses[name] -= 1
        return name, named

    def imposed(self, table: Table, seat: int, hands: list[list[Card]], name: str) -> Option:
        """Return a contract that nobody chooses; a seat names suit or rank if it can."""
        nameable = what_may_be_named(self.variant, name, self.pack)
        if len(nameable) > 1:
            return self.choice(table, seat, hands, [name])
        return name, nameable[0]

    def drawn_trump(self, table: Table) -> str | None:
        """Return the trump suit that is drawn for the contract, None for most."""
        assert table.contract is not None
        rules = self.variant.contracts[table.contract]
        if rules.kind == "trick" and rules.trump == "drawn":
            return streams.drawn_trump(self.key, self.block, table.deal, self.pack.suits)
        return None

    def choice(
        self, table: Table, seat: int, hands: list[list[Card]], contracts: list[str]
    ) -> Option:
        """Ask a seat for one of some contracts, with what it names."""
        options = tuple(
            (name, named)
            for name in contracts
            for named in what_may_be_named(self.variant, name, self.pack)
        )
        view = View(table, seat, tuple(hands[seat]), options=options)
        return self.ask.contract(view)

    def book(self, table: Table, left: int) -> DealRecord:
        """Reckon the deal, add it to the scores and return its record."""
        assert table.contract is not None
        rules = self.variant.contracts[table.contract]
        better = -1 if self.variant.objective == "lowest" else 1
        points = [0] * table.seats
        if isinstance(rules, LayoutContract):
            counted = [list(table.places)]
            points = [better * rules.payout[place - 1] for place in table.places]
        else:
            scoring = scoring_terms(self.variant, table.contract)
            counted = [items(term, table, self.pack) for term, _ in scoring]
            for (_, each), by_seat in zip(scoring, counted, strict=True):
                for seat, n_items in enumerate(by_seat):
                    points[seat] += better * each * n_items
        side = settle(points, table.doubled)
        for seat in range(table.seats):
            self.scores[seat] += points[seat] + side[seat]
        return DealRecord(
            contract=table.contract,
            named=table.named,
            dealer=table.dealer,
            declarer=table.declarer,
            leader=table.leader,
            left=left,
            points=points,
            side=side,
            items=counted,
            places=table.places,
            doubled=table.doubled,
            cards=[played for trick in table.tricks for played in trick.cards],
            owners=[trick.owner for trick in table.tricks if trick.owner is not None],
            moves=table.moves,
        )


def play_game(
    variant: Variant,
    players: Sequence[Player],
    *,
    key: streams.Key,
    block: int = 0,
    replicate: int = 0,
) -> GameRecord:
    """Play a whole game with the cards of a run key and block; ``players`` by seat."""
    return Game(variant, players, key=key, block=block, replicate=replicate).play()
