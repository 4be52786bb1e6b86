"""Strategies asked what they thought: every answer with what else was weighed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from engine_ext.batch import is_batched
from engine_ext.build import load
from strategies.alternatives import Alternative
from strategies.decisions import QUESTIONS, Strategy
from strategies.parts import PART_OF, parts_of


@dataclass(frozen=True)
class Thought:
    """One answer of a strategy and what it weighed."""

    question: str
    deal: int
    seat: int
    answer: object
    """As a strategy in Python gives it; None for a pass or a foul."""
    alternatives: tuple[Alternative, ...]
    """Nothing where there was nothing to weigh."""


@dataclass
class Listener:
    """Keeps what strategies thought."""

    thoughts: list[Thought] = field(default_factory=list)

    def listen(self, strategy: Strategy) -> Strategy:
        """Return the strategy, listened to if it explains itself; it answers as before."""
        if is_batched(strategy) or not searches(strategy):
            return strategy
        if hasattr(strategy, "capsule"):
            listened: Strategy = _compiled(strategy, self._heard_of(strategy))
            return listened
        python: Any = _Listened(strategy, self._heard_of(strategy))
        found: Strategy = python
        return found

    def _heard_of(self, strategy: Strategy) -> "Callable[[str, int, int, object], None]":
        def heard(question: str, deal: int, seat: int, answer: object) -> None:
            ask = _explains(strategy, question)
            found = tuple(ask()) if ask else ()
            self.thoughts.append(Thought(question, deal, seat, answer, found))

        return heard


def searches(strategy: Strategy) -> bool:
    """Whether it weighs answers and can tell how: such take their time."""
    return any(_explains(strategy, question) for question in QUESTIONS)


def _explains(strategy: Strategy, question: str) -> "Callable[[], list[Alternative]] | None":
    """Return the method that tells what was weighed at a question."""
    part = _part(strategy, question)
    if question not in getattr(part, "weighs", QUESTIONS):
        return None
    found: Callable[[], list[Alternative]] | None = getattr(part, "alternatives", None)
    return found


def _part(strategy: Strategy, question: str) -> Strategy:
    """Return who answers a question."""
    return parts_of(strategy).get(PART_OF.get(question, "play"), strategy)


def _compiled(strategy: Strategy, heard: "Callable[[str, int, int, object], None]") -> Any:
    return load("strategies.explaining").Explaining(strategy, heard)


class _Listened:
    """A strategy in Python that is listened to."""

    def __init__(self, of: Any, heard: "Callable[[str, int, int, object], None]") -> None:
        self._of = of
        inner = getattr(of, "capsule_by_question", {})
        if inner:
            self._listened = {q: _compiled(_part(of, q), heard) for q in inner}
            self.capsule_by_question = {q: one.capsule for q, one in self._listened.items()}
        if hasattr(of, "new_game"):
            self.new_game = of.new_game
        for question in QUESTIONS:
            if hasattr(of, question) and question not in inner:
                setattr(self, question, self._asked(question, heard))

    def _asked(self, question: str, heard: Any) -> Any:
        ask = getattr(self._of, question)

        def answer(view: Any) -> Any:
            said = ask(view)
            heard(question, view.deal, view.seat, said)
            return said

        return answer

    def __repr__(self) -> str:
        return repr(self._of)
