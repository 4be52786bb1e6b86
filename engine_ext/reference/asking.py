"""Putting the questions: who is asked what, which decision it is, and what a foul is.

Each question put to a seat in a deal is a decision of that seat, counted from 0; it fixes
the seat's random numbers. An answer outside what is allowed is a foul: it is counted
against the seat, and a default takes its place so that the deal goes on.
"""

from collections.abc import Collection, Sequence

from engine_ext.reference.cards import Card, Pack, meant
from engine_ext.reference.players import Player
from engine_ext.reference.streams import Dice, Key
from engine_ext.reference.table import Option, View


class Asker:
    """The players of one game, their fouls, and their decisions in the deal being played."""

    def __init__(
        self, pack: Pack, players: Sequence[Player], key: Key, block: int, replicate: int = 0
    ) -> None:
        self.pack = pack
        self.players = players
        self.key = key
        self.block = block
        self.replicate = replicate
        self.fouls = [0 for _ in players]
        self.decisions = [0 for _ in players]

    def new_deal(self) -> None:
        """Count the decisions from 0 again."""
        self.decisions = [0 for _ in self.players]

    def _dice(self, view: View) -> Dice:
        decision = self.decisions[view.seat]
        self.decisions[view.seat] += 1
        return Dice(self.key, self.block, view.table.deal, view.seat, decision, self.replicate)

    def _foul(self, view: View) -> None:
        self.fouls[view.seat] += 1

    def contract(self, view: View) -> Option:
        """Ask for a contract; by default the first one left with the first thing to name."""
        answer = self.players[view.seat].choose(view, self._dice(view))
        if answer not in view.options:
            self._foul(view)
            return view.options[0]
        return answer

    def doubles(self, view: View) -> set[int]:
        """Ask whom the seat doubles; by default those whom it must."""
        answer = set(self.players[view.seat].double(view, self._dice(view)))
        if not view.must_double <= answer <= view.may_double:
            self._foul(view)
            return set(view.must_double)
        return answer

    def redoubles(self, view: View) -> set[int]:
        """Ask whom the seat doubles back; by default nobody."""
        answer = set(self.players[view.seat].redouble(view, self._dice(view)))
        if not answer <= view.may_redouble:
            self._foul(view)
            return set()
        return answer

    def card(self, view: View, slips: Collection[Card] = ()) -> Card:
        """Ask for a card to a trick; by default the lowest legal one by rank.

        ``slips``: cards beyond those that the table cannot object to.
        """
        allowed = [*view.legal, *slips]
        answer = meant(self.players[view.seat].play(view, self._dice(view)), allowed)
        if answer not in allowed:
            self._foul(view)
            return self.pack.lowest(view.legal)
        return answer

    def move(self, view: View, may_lose_turn: bool) -> Card | None:
        """Ask for a move of a layout, None to pass; by default the lowest card that fits.

        ``may_lose_turn``: a card of the hand that does not fit is no foul, it is handed
        back to the caller, who makes the seat lose its turn.
        """
        answer = meant(self.players[view.seat].lay(view, self._dice(view)), view.hand)
        if answer in view.legal or (answer is None and view.may_pass):
            return answer
        if may_lose_turn and answer in view.hand:
            return answer
        self._foul(view)
        return self.pack.lowest(view.legal)
