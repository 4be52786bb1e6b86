"""Players of the twin: the five questions, and a few simple ways to answer them."""

from collections.abc import Collection
from typing import Protocol

from engine_ext.reference.cards import Card
from engine_ext.reference.streams import Dice
from engine_ext.reference.table import Option, View


class Player(Protocol):
    """Answers five questions from a view; ``dice`` are the numbers of this decision."""

    def choose(self, view: View, dice: Dice) -> Option:
        """Return one of ``view.options``."""

    def double(self, view: View, dice: Dice) -> Collection[int]:
        """Return seats of ``view.may_double``, with all of ``view.must_double``."""

    def redouble(self, view: View, dice: Dice) -> Collection[int]:
        """Return seats of ``view.may_redouble``."""

    def play(self, view: View, dice: Dice) -> Card:
        """Return a card of ``view.legal``."""

    def lay(self, view: View, dice: Dice) -> Card | None:
        """Return a card of ``view.legal``, or None to pass where ``view.may_pass``."""


class LowestTwin:
    """Takes the first option, bets nothing but its duty, plays the first legal card."""

    def choose(self, view: View, dice: Dice) -> Option:
        """Return the first option."""
        return view.options[0]

    def double(self, view: View, dice: Dice) -> Collection[int]:
        """Return what duty says."""
        return view.must_double

    def redouble(self, view: View, dice: Dice) -> Collection[int]:
        """Return nobody."""
        return ()

    def play(self, view: View, dice: Dice) -> Card:
        """Return the first legal card in the order of the pack."""
        return view.legal[0]

    def lay(self, view: View, dice: Dice) -> Card | None:
        """Return the first card that fits in the order of the pack."""
        return view.legal[0]


class HighestTwin(LowestTwin):
    """Takes the last option, doubles and redoubles everybody, plays the last legal card."""

    def choose(self, view: View, dice: Dice) -> Option:
        """Return the last option."""
        return view.options[-1]

    def double(self, view: View, dice: Dice) -> Collection[int]:
        """Return everybody."""
        return view.may_double

    def redouble(self, view: View, dice: Dice) -> Collection[int]:
        """Return everybody."""
        return view.may_redouble

    def play(self, view: View, dice: Dice) -> Card:
        """Return the last legal card in the order of the pack."""
        return view.legal[-1]

    def lay(self, view: View, dice: Dice) -> Card | None:
        """Return the last card that fits in the order of the pack."""
        return view.legal[-1]


class RandomTwin:
    """The strategy ``random.v1``: every choice uniform, one double in four, never a pass."""

    def choose(self, view: View, dice: Dice) -> Option:
        """Return any option, each as likely."""
        return view.options[dice.below(len(view.options))]

    def double(self, view: View, dice: Dice) -> Collection[int]:
        """Return what duty says, and each other seat with probability 1/4."""
        free = sorted(view.may_double - view.must_double)
        return {seat for seat in free if dice.below(4) == 0} | view.must_double

    def redouble(self, view: View, dice: Dice) -> Collection[int]:
        """Return each seat with probability 1/2."""
        return {seat for seat in sorted(view.may_redouble) if dice.below(2) == 0}

    def play(self, view: View, dice: Dice) -> Card:
        """Return any legal card; drawn even where there is only one."""
        return view.legal[dice.below(len(view.legal))]

    def lay(self, view: View, dice: Dice) -> Card | None:
        """Return any card that fits."""
        return view.legal[dice.below(len(view.legal))]
