"""Positions for the slow twin: tables set up by hand, players that read a script."""

from collections.abc import Callable, Sequence
from typing import Any

from engine_ext.reference.cards import Card, Pack
from engine_ext.reference.game import Game
from engine_ext.reference.players import LowestTwin
from engine_ext.reference.streams import Dice, run_key
from engine_ext.reference.table import Option, Table, Trick, View
from engine_ext.reference.tricks import take
from engine_ext.rules.spec import Deck, TrickContract, Variant

KEY = run_key(1)
PACK52 = Pack(Deck(ranks=tuple("23456789TJQKA")))
PACK32 = Pack(Deck(ranks=tuple("789TJQKA")))


class Script(LowestTwin):
    """Chooses what it is told and makes the moves of a text, ``-`` is a pass; then lowest.

    ``seen`` keeps the views of its moves.
    """

    def __init__(self, moves: str = "", choice: Option | None = None) -> None:
        self.moves = iter(cards(moves))
        self.choice = choice
        self.seen: list[View] = []

    def choose(self, view: View, dice: Dice) -> Option:
        return self.choice or super().choose(view, dice)

    def lay(self, view: View, dice: Dice) -> Card | None:
        self.seen.append(view)
        move = next(self.moves, view.legal[0])
        return None if move == "-" else move


def cards(names: str) -> list[Card]:
    """Return the cards named in a text, separated by blanks."""
    return names.split()


def changed(variant: Variant, change: Callable[[dict[str, Any]], None]) -> Variant:
    """Return a variant with something changed in its file's tables."""
    table = variant.model_dump()
    change(table)
    return Variant.model_validate(table)


def table_of(variant: Variant, contract: str | None = None, declarer: int | None = None) -> Table:
    """Return an open table: deal 0, dealer 0, leader 0."""
    n = variant.seats
    return Table(
        deal=0,
        seats=n,
        dealer=0,
        declarer=declarer,
        leader=0,
        scores=[0] * n,
        uses_left=[{} for _ in range(n)],
        duty_done=[0] * n,
        contract=contract,
    )


def trick_of(leader: int, names: str, seats: int = 4) -> Trick:
    """Return a trick: cards in order, the first by ``leader``."""
    played = [((leader + i) % seats, card) for i, card in enumerate(cards(names))]
    return Trick(leader, played)


def reckoned(variant: Variant, contract: str, tricks: Sequence[tuple[int, str]]) -> list[int]:
    """Return the points, in the document's sign, of tricks given as (owner, cards in it)."""
    game = Game(variant, [LowestTwin()] * variant.seats, key=KEY)
    table = table_of(variant, contract)
    rules = variant.contracts[contract]
    assert isinstance(rules, TrickContract)
    for owner, names in tricks:
        trick = trick_of(0, names, variant.seats)
        trick.owner = owner
        table.tricks.append(trick)
        take(table, trick, rules, game.pack)
    return document(variant, game.book(table, 0).points)


def document(variant: Variant, points: Sequence[int]) -> list[int]:
    """Turn inside points into the document's sign, or back."""
    return [-p if variant.objective == "lowest" else p for p in points]
