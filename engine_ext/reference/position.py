"""A deal of the twin set up anywhere in its course, and played on from there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine_ext.reference.cards import Card
from engine_ext.reference.doubling import is_split, speak
from engine_ext.reference.game import DealRecord, Game
from engine_ext.reference.layout import Layout
from engine_ext.reference.players import Player
from engine_ext.reference.schedule import Turn
from engine_ext.reference.table import Table, Trick
from engine_ext.reference.tricks import play_tricks
from engine_ext.rules.spec import TrickContract, Variant


@dataclass(frozen=True, kw_only=True)
class Position:
    """What lies on the table. Lists with an entry for each seat are by seat."""

    phase: str
    """What comes next: ``choose``, ``double`` or ``play``."""
    number: int
    """Of the deal in its game, from 0."""
    step: int
    """Its place in the schedule, deals played again not counted."""
    tied: frozenset[int]
    """Of an extra deal: the seats that it can make the winner."""
    first: int
    """The seat whose turn it is to declare, or to deal where the schedule is fixed."""
    contract: str | None
    named: str | None
    turn: int
    """Who leads the next trick, or moves next in a layout."""
    hands: Sequence[Sequence[Card]]
    owners: Sequence[int | None]
    """Who took each trick so far; None where it is not known."""
    taken: Sequence[Sequence[Card]]
    laid: Sequence[Card]
    out: Sequence[int]
    """Seats that have finished a layout, in order."""
    passes: int
    further: bool
    """The last card laid gives who is to move a further turn."""
    passed: Sequence[int]
    """How often each seat has passed a layout although it could have laid a card."""
    voids: Sequence[Sequence[str]]
    revokes: Sequence[tuple[int, Sequence[str]]]
    """Hidden: who has revoked, the first one first, and the suits not followed."""
    doubled: Sequence[frozenset[int]]
    duty_done: Sequence[int]
    leader: int | None = None
    """Who led the first trick, where the schedule does not say."""
    ban_lifted: bool = False
    """Cards played before have lifted the lead ban."""
    scores: Sequence[int]
    """Inside points: more is better."""
    uses_left: Sequence[Mapping[str, int]]


class Resumed:
    """One deal from a position on. ``table`` is what everybody sees, live."""

    def __init__(self, variant: Variant, position: Position, players: Sequence[Player]) -> None:
        self.variant = variant
        self.position = position
        self.game = Game(variant, players, key=(0, 0))
        self.game.scores = list(position.scores)
        self.game.duty_done[position.first] = list(position.duty_done)
        self.game.uses_left = [dict(uses) for uses in position.uses_left]
        pack, seats = self.game.pack, variant.seats
        self.laid, *groups = pack.told_apart([position.laid, *position.taken, *position.hands])
        self.taken, self.hands = groups[:seats], [pack.in_order(h) for h in groups[seats:]]
        given = position.contract if position.phase == "choose" else None
        extra = int(bool(position.tied))
        again = position.number - position.step
        self.game.turn = Turn(
            position.number, position.step, given, position.tied, again=again, extra=extra
        )
        self.table = self.game.new_table(position.number, position.first)
        self.put_on_the_table(self.table)

    def put_on_the_table(self, table: Table) -> None:
        """Lay out what has happened so far."""
        place = self.position
        if place.phase != "choose":
            table.contract, table.named = place.contract, place.named
        table.cards_left = [len(hand) for hand in self.hands]
        table.doubled = [set(seats) for seats in place.doubled]
        table.void = [set(suits) for suits in place.voids]
        table.laid = list(self.laid)
        table.passed = list(place.passed)
        table.ban_lifted = place.ban_lifted
        if place.leader is not None:
            table.leader = place.leader
        for number, seat in enumerate(place.out, start=1):
            table.places[seat] = number
        leader = table.leader
        for owner in place.owners:
            table.tricks.append(Trick(leader, owner=owner))
            leader = place.turn if owner is None else owner
        table.captured = [list(cards) for cards in self.taken]
        rules = None if table.contract is None else self.variant.contracts[table.contract]
        if isinstance(rules, TrickContract) and rules.face_up:
            visible = self.game.pack.pick(rules.face_up)
            table.face_up = [set(cards) & visible for cards in self.taken]

    def play(self) -> DealRecord:
        """Play to the end of the deal."""
        table, game = self.table, self.game
        if self.position.phase == "choose":
            table.contract, table.named = game.contract(table, self.hands)
            table.named = game.drawn_trump(table) or table.named
        bets = self.variant.doubling is not None and not self.position.tied
        if bets and self.position.phase != "play":
            speak(self.variant, table, self.hands, game.ask)
        assert table.contract is not None
        revoked = None
        if bets and self.position.phase != "play" and is_split(self.variant, table):
            return game.book(table, 0, played=False)
        if self.variant.contracts[table.contract].kind == "trick":
            # Tricks that are gone before the contract is named belong to nobody.
            turn, past = self.position.turn, self.position.revokes
            revoked = play_tricks(self.variant, table, self.hands, game.pack, game.ask, turn, past)
        else:
            table.tricks = []
            layout = Layout(self.variant, table, self.hands, game.pack, game.ask)
            layout.passes = self.position.passes
            layout.play(self.position.turn, further=self.position.further)
        return game.book(table, 0, revoked)
