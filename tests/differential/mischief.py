"""One strategy written twice, for the engine and for the twin: often illegal, never silly.

Both draw the same numbers from the stream of the decision. Every second answer is drawn
from all that could be said at the table, allowed or not, so that fouls, defaults, passes,
lost turns and declined turns all happen. Both note every view they are shown.
"""

from collections.abc import Collection
from typing import Any

from engine_ext.reference.cards import Card
from engine_ext.reference.streams import Dice
from engine_ext.reference.table import Option, View
from engine_ext.rules.spec import Variant
from tests.differential.numbers import Numbers, Row, shown_by_engine, shown_by_twin


class EngineMischief:
    """The engine's side: answers in numbers."""

    def __init__(self, numbers: Numbers) -> None:
        self.deck: list[int] = [numbers.card(card) for card in numbers.pack.cards]
        self.n_contracts = len(numbers.contracts)
        self.seats = numbers.variant.seats
        self.seen: list[Row] = []

    def choose(self, view: Any) -> tuple[int, int]:
        self.seen.append(shown_by_engine("choose", view))
        if view.random.below(2) == 0:
            return view.random.below(self.n_contracts), view.random.below(4)
        choices = view.choices
        pair: tuple[int, int] = choices[view.random.below(len(choices))]
        return pair

    def double(self, view: Any) -> int:
        self.seen.append(shown_by_engine("double", view))
        if view.random.below(2) == 0:
            return int(view.random.below(2**self.seats))
        return int(view.may_double)

    def redouble(self, view: Any) -> int:
        self.seen.append(shown_by_engine("redouble", view))
        if view.random.below(2) == 0:
            return int(view.random.below(2**self.seats))
        return int(view.may_redouble)

    def play(self, view: Any) -> int:
        self.seen.append(shown_by_engine("play", view))
        if view.random.below(2) == 0:
            return self.deck[int(view.random.below(len(self.deck)))]
        return int(view.cards[view.random.below(len(view.cards))])

    def lay(self, view: Any) -> int | None:
        self.seen.append(shown_by_engine("lay", view))
        draw = view.random.below(4)
        if draw == 0:
            return None
        if draw == 1:
            return self.deck[int(view.random.below(len(self.deck)))]
        if draw == 2:
            hand = [card for card in self.deck if view.hand >> card & 1]
            return hand[int(view.random.below(len(hand)))]
        return int(view.cards[view.random.below(len(view.cards))])


class TwinMischief:
    """The twin's side: answers in names."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self.deck = numbers.pack.cards
        self.seen: list[Row] = []

    def note(self, question: str, view: View) -> None:
        self.seen.append(shown_by_twin(question, view, self.numbers))

    def choose(self, view: View, dice: Dice) -> Option:
        self.note("choose", view)
        if dice.below(2) == 0:
            return self.option(dice.below(len(self.numbers.contracts)), dice.below(4))
        return view.options[dice.below(len(view.options))]

    def option(self, contract: int, param: int) -> Option:
        """Return the option with these numbers; one that nobody offers if there is none."""
        name = self.numbers.contracts[contract]
        rules, pack = self.numbers.variant.contracts[name], self.numbers.pack
        if rules.kind == "trick" and rules.trump != "declarer":
            return name, None if param == 0 else "?"
        names = pack.ranks if rules.kind == "layout" else pack.suits
        return name, names[param] if param < len(names) else "?"

    def double(self, view: View, dice: Dice) -> Collection[int]:
        self.note("double", view)
        if dice.below(2) == 0:
            drawn = dice.below(2**view.table.seats)
            return [seat for seat in range(view.table.seats) if drawn >> seat & 1]
        return view.may_double

    def redouble(self, view: View, dice: Dice) -> Collection[int]:
        self.note("redouble", view)
        if dice.below(2) == 0:
            drawn = dice.below(2**view.table.seats)
            return [seat for seat in range(view.table.seats) if drawn >> seat & 1]
        return view.may_redouble

    def play(self, view: View, dice: Dice) -> Card:
        self.note("play", view)
        if dice.below(2) == 0:
            return self.deck[dice.below(len(self.deck))]
        return view.legal[dice.below(len(view.legal))]

    def lay(self, view: View, dice: Dice) -> Card | None:
        self.note("lay", view)
        draw = dice.below(4)
        if draw == 0:
            return None
        if draw == 1:
            return self.deck[dice.below(len(self.deck))]
        if draw == 2:
            return view.hand[dice.below(len(view.hand))]
        return view.legal[dice.below(len(view.legal))]


def both(variant: Variant) -> tuple[EngineMischief, TwinMischief]:
    """Return the two sides for a variant."""
    numbers = Numbers(variant)
    return EngineMischief(numbers), TwinMischief(numbers)
