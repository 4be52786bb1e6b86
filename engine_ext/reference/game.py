"""A whole game: who deals and chooses, what is played, what it brings, who wins.

Points in here and in the records are inside points: more is better, whatever the document
calls winning.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine_ext.reference import streams
from engine_ext.reference.asking import Asker
from engine_ext.reference.cards import Card, Pack
from engine_ext.reference.doubling import fines, is_split, settle, speak, split
from engine_ext.reference.layout import play_layout
from engine_ext.reference.players import Player
from engine_ext.reference.revokes import settle_revoke
from engine_ext.reference.schedule import (
    Turn,
    declarer_of,
    final_places,
    is_played_again,
    roles,
    turn_after,
    what_may_be_named,
)
from engine_ext.reference.table import Move, Option, Table, View
from engine_ext.reference.tricks import play_tricks, reckon, table_total
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
    """For each term that scores, the items by seat, and last who has taken all where that
    counts; of a layout the finishing places."""
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
    extra: bool = False
    """Whether it played out a tie."""
    revoked: int | None = None
    """The seat whose revoke was settled."""


@dataclass(frozen=True)
class GameRecord:
    """What happened in one game, by seat."""

    deals: list[DealRecord]
    scores: list[int]
    """Points and side bets."""
    places: list[int]
    """1 is the best; ties share the better place."""
    fouls: list[int]


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
        fixed: Sequence[Sequence[list[Card]]] = (),
    ) -> None:
        """``players`` by seat. ``deals`` gives other cards than those of the stream; ``fixed``
        are the hands of the first deals, and those behind them come from the stream."""
        self.variant = variant
        self.pack = Pack(variant.deck)
        self.ask = Asker(self.pack, players, key, block, replicate)
        self.key = key
        self.block = block
        self.deals = deals or self.dealt
        self.fixed = fixed
        self.scores = [0 for _ in players]
        self.duty_done = [[0 for _ in players] for _ in players]
        uses = getattr(variant.schedule, "uses", {})
        self.uses_left = [dict(uses) for _ in players]
        self.turn = Turn(0, 0)
        """The deal being played."""

    def dealt(self, number: int) -> list[list[Card]]:
        """Return the hands of a deal: those that are fixed, else from the deal stream."""
        if number < len(self.fixed):
            return [list(hand) for hand in self.fixed[number]]
        return streams.deal(self.key, self.block, number, self.pack.cards, self.variant.seats)

    def play(self) -> GameRecord:
        """Play all deals."""
        played: list[DealRecord] = []
        turn: Turn | None = self.turn
        while turn is not None:
            self.turn = turn
            deal = self.play_deal(turn.number)
            played.append(deal)
            revoked = deal.revoked is not None
            turn = turn_after(self.variant, turn, deal.contract, revoked, self.scores)
        placed = final_places(self.turn, self.scores)
        return GameRecord(played, self.scores, placed, self.ask.fouls)

    def play_deal(self, number: int, first: int | None = None) -> DealRecord:
        """Play one deal: cards, contract, drawn trump, side bets, play, settlement.

        ``first`` is the seat whose turn it is to deal or declare; by the schedule each seat
        in order has as many deals in a row as a dealership is long. A declarer plays again
        what was stopped in his deal; without declarers the deal passes on.
        """
        if self.turn.number != number:
            self.turn = Turn(number, number)
        if first is None:
            first = declarer_of(self.variant, self.turn)
        hands = [self.pack.in_order(hand) for hand in self.deals(number)]
        self.ask.new_deal()
        table = self.new_table(number, first)
        table.leader = self.leader(table, hands)
        table.cards_left = [len(hand) for hand in hands]
        left = 0 if self.turn.given else sum(self.uses_left[first].values())
        table.contract, table.named = self.contract(table, hands)
        table.named = self.drawn_trump(table) or table.named
        if self.variant.doubling is not None and not self.turn.extra:
            speak(self.variant, table, hands, self.ask)
        revoked = None
        if not self.turn.extra and is_split(self.variant, table):
            return self.book(table, left, played=False)
        if self.variant.contracts[table.contract].kind == "trick":
            revoked = play_tricks(self.variant, table, hands, self.pack, self.ask)
        else:
            play_layout(self.variant, table, hands, self.pack, self.ask)
        return self.book(table, left, revoked)

    def new_table(self, number: int, first: int) -> Table:
        """Return the table before anything is said."""
        dealer, declarer, leader = roles(self.variant, first)
        return Table(
            deal=number,
            step=self.turn.step,
            tied=self.turn.tied,
            seats=self.variant.seats,
            dealer=dealer,
            declarer=declarer,
            leader=leader,
            scores=self.scores,
            uses_left=self.uses_left,
            duty_done=self.duty_done[first],
        )

    def leader(self, table: Table, hands: list[list[Card]]) -> int:
        """Return who leads: by the schedule, or whoever was dealt a certain card."""
        holds = getattr(self.variant.schedule, "holds", None)
        if holds is None:
            return table.leader
        return next(seat for seat, hand in enumerate(hands) if holds in hand)

    def contract(self, table: Table, hands: list[list[Card]]) -> Option:
        """Return the contract of the deal and what is named with it.

        The declarer is asked, even for his last contract; with a fixed schedule the leader,
        if there is something to name (000 A19). So it is where the contract is given.
        """
        schedule, given = self.variant.schedule, self.turn.given
        if given is not None:
            seat = table.leader if table.declarer is None else table.declarer
            return self.imposed(table, seat, hands, given)
        if not isinstance(schedule, ChoiceSchedule):
            return self.imposed(table, table.leader, hands, schedule.sequence[table.step])
        assert table.declarer is not None
        uses = self.uses_left[table.declarer]
        open_to = [name for name in self.variant.contracts if uses.get(name, 0) > 0]
        name, named = self.choice(table, table.declarer, hands, open_to)
        for seat, stock in enumerate(self.uses_left):
            if seat == table.declarer or schedule.uses_of == "table":
                stock[name] -= 1
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

    def book(
        self, table: Table, left: int, revoked: int | None = None, *, played: bool = True
    ) -> DealRecord:
        """Reckon the deal, add it to the scores and return its record.

        ``revoked``: the seat that is proved not to have followed suit, if one is.
        ``played``: False for a contract whose points are split since nobody has doubled.
        """
        assert table.contract is not None
        rules = self.variant.contracts[table.contract]
        better = -1 if self.variant.objective == "lowest" else 1
        if isinstance(rules, LayoutContract):
            counted = [list(table.places)]
            points = [better * rules.payout[place - 1] for place in table.places]
        else:
            document, counted = reckon(self.variant, table, self.pack)
            points = [better * each for each in document]
        if not played:
            points = split(better * table_total(self.variant, table.contract, self.pack), table)
        if revoked is not None:
            whole = table_total(self.variant, table.contract, self.pack)
            settle_revoke(self.variant, points, counted, whole, revoked)
        side = settle(points, table.doubled)
        if not table.tied and not is_played_again(self.variant, self.turn, revoked is not None):
            side = [sum(pair) for pair in zip(side, fines(self.variant, table), strict=True)]
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
            extra=bool(table.tied),
            revoked=revoked,
        )


def play_game(
    variant: Variant,
    players: Sequence[Player],
    *,
    key: streams.Key,
    block: int = 0,
    replicate: int = 0,
    fixed: Sequence[Sequence[list[Card]]] = (),
) -> GameRecord:
    """Play a whole game with the cards of a run key and block; ``players`` by seat. ``fixed``:
    the hands of its first deals, where they are not those of the key."""
    return Game(variant, players, key=key, block=block, replicate=replicate, fixed=fixed).play()
