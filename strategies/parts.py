"""Strategies put together of others by name: ``play=duck.v1, choose=random.v1``.

``play`` answers for cards of tricks and layouts, ``choose`` for the contract, ``double`` for
doubles and redoubles. A part that is left out is answered by what ``play`` names. Compiled
parts alone make a compiled strategy; with one in Python among them the engine asks each in its
own way.
"""

from collections.abc import Mapping
from typing import Any

from engine_ext.batch import is_batched
from engine_ext.build import load
from strategies.decisions import QUESTIONS, Strategy
from strategies.spec import PARTS, ParameterError

PART_OF = {"choose": "choose", "double": "double", "redouble": "double"}
"""By question the part that answers it; all others ``play`` does."""


def put_together(named: Mapping[str, Strategy]) -> Strategy:
    """Return the strategy that the parts make; ``play`` is among them.

    Parts that are equal to ``play`` are left out of its name; where nothing else is left it is
    that strategy itself. Raises ``ParameterError`` for parts that cannot be asked together.
    """
    one_each: dict[str, Strategy] = {}
    parts = {
        part: one_each.setdefault(repr(strategy), strategy)
        for part, strategy in ((part, named.get(part, named["play"])) for part in PARTS)
    }
    if len(one_each) == 1:
        return parts["play"]
    named_alike = {part for part in PARTS[1:] if parts[part] is parts["play"]}
    full_name = ", ".join(f"{p}={s!r}" for p, s in parts.items() if p not in named_alike)
    draws = _draws(one_each)
    if all(hasattr(strategy, "capsule") for strategy in one_each.values()):
        composed: Strategy = load("strategies.composed").Composed(parts, full_name, draws)
        return composed
    batched = [is_batched(strategy) for strategy in one_each.values()]
    if any(batched) and not all(batched):
        which = {is_batched(parts[part]): part for part in reversed(PARTS)}
        raise ParameterError(
            f"{which[True]}: {parts[which[True]]!r} is batched, {which[False]}: "
            f"{parts[which[False]]!r} is not: batched ones go with batched ones"
        )
    mixed: Any = Together(parts, full_name, draws)
    answers: Strategy = mixed
    return answers


def parts_of(strategy: object) -> dict[str, Strategy]:
    """By part who answers, of a strategy that was put together; of others nothing."""
    parts: dict[str, Strategy] = getattr(strategy, "parts", {})
    return parts if isinstance(strategy, Together) or _is_composed(strategy) else {}


def is_timed(strategy: object) -> bool:
    """Whether it says, or a part of it, that its games cannot be replayed."""
    own = bool(getattr(strategy, "timed", False))
    return own or any(is_timed(part) for part in parts_of(strategy).values())


class Together:
    """Strategies of which some are in Python, each asked for its part."""

    def __init__(self, parts: dict[str, Strategy], full_name: str, draws: bool | None) -> None:
        self.parts = parts
        self.full_name = full_name
        self.draws = draws
        self.batched = is_batched(parts["play"])
        self.capsule_by_question: dict[str, object] = {}
        """By question, where a compiled part answers it: the engine asks that directly."""
        for question in QUESTIONS:
            part: Any = parts[PART_OF.get(question, "play")]
            if hasattr(part, "capsule"):
                self.capsule_by_question[question] = part.capsule
            elif hasattr(part, question):
                setattr(self, question, getattr(part, question))
        # Only a strategy that has the method is told of new games, and has memory.
        told = {id(p): p.new_game for p in parts.values() if hasattr(p, "new_game")}
        if told:
            self._told = list(told.values())
            self.new_game = self._new_game

    def _new_game(self) -> None:
        for new_game in self._told:
            new_game()

    def __repr__(self) -> str:
        return self.full_name


def _is_composed(strategy: object) -> bool:
    return isinstance(strategy, load("strategies.composed").Composed)


def _draws(strategies: Mapping[str, Strategy]) -> bool | None:
    """Whether any draws: surely, surely not, or None if one does not say."""
    said = [getattr(strategy, "draws", None) for strategy in strategies.values()]
    if True in said:
        return True
    return None if None in said else False
