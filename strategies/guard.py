"""Strategies in Python are asked under watch: each offence is noted with who, where and when."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from math import inf
from time import perf_counter
from types import FrameType
from typing import Any

from engine_ext.batch import is_batched
from strategies.decisions import QUESTIONS
from strategies.offences import Generators, Kind, Offence, Shown

MOST_TOLD = 200
"""Characters of what was printed that are kept."""


class Late(BaseException):
    """A decision took longer than its budget. No ``Exception``: strategies may catch those."""


class Changed(Exception):
    """A strategy changed what it was shown."""


class Guard:
    """Asks strategies in Python, and notes what they do besides answering.

    What costs time is looked at only if it is in ``attentive``.
    """

    def __init__(self, shown: Shown, heard: list[str], *, budget_ms: float | None = None) -> None:
        self.attentive: set[Kind] = set()
        self.offences: list[Offence] = []
        self.heard = heard
        """What was printed so far."""
        self._shown = shown
        self._budget = self._most = inf if budget_ms is None else budget_ms / 1000
        self._since: float | None = None

    def ask(
        self, name: str, question: str, method: Callable[[Any], Any], view: Any, *, n: int = 0
    ) -> Any:
        """Ask a strategy, called ``name``; raise what makes its answer a foul.

        ``n``: rows of a batch, 0 for a single table.
        """
        note = partial(self._note, name, question, *_place(view, n))
        generators = None
        if "random" in self.attentive:
            Generators.seed(_words_of(view) if n else view.random.aside())
            generators = Generators()
        lines = len(self.heard)
        self._most = self._budget * max(n, 1)
        self._since = started = perf_counter()
        try:
            return method(view)
        except Late:
            pass  # told below
        finally:
            self._since = None
            took = perf_counter() - started
            if len(self.heard) > lines:
                note("print", repr("".join(self.heard[lines:]))[:MOST_TOLD])
            if generators is not None and not generators.same():
                note("random")
            if "rules" in self.attentive and not self._shown.same():
                self._shown.put_back()
                note("rules")
                raise Changed("the rules of a view are not to be changed")
            if took > self._most:
                told = f"{1000 * took:.0f} ms, want at most {1000 * self._most:g}"
                note("late", told)
                raise Late(told)

    def _note(
        self,
        name: str,
        question: str,
        deal: int | None,
        seat: int | None,
        kind: Kind,
        what: str = "",
    ) -> None:
        self.offences.append(Offence(name, kind, question, deal, seat, what))

    @contextmanager
    def ticking(self) -> Iterator[None]:
        """Break off a decision that does not come back; only the main thread can."""
        if self._budget == inf or threading.current_thread() is not threading.main_thread():
            yield
            return
        handler = signal.signal(signal.SIGALRM, self._tick)
        timer = signal.setitimer(signal.ITIMER_REAL, self._budget, self._budget)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, *timer)
            signal.signal(signal.SIGALRM, handler)

    def _tick(self, number: int, frame: FrameType | None) -> None:
        if self._since is not None and perf_counter() - self._since > self._most:
            raise Late


class Guarded:
    """A strategy in Python whose questions go through a guard."""

    def __init__(self, guard: Guard, strategy: Any, name: str) -> None:
        self._of = strategy
        self.batched = is_batched(strategy)
        self.capsule_by_question = getattr(strategy, "capsule_by_question", {})
        for question in QUESTIONS:
            method = getattr(strategy, question, None)
            if method is not None:
                ask = _ask_batch if self.batched else Guard.ask
                setattr(self, question, partial(ask, guard, name, question, method))
        if hasattr(strategy, "new_game"):
            self.new_game = strategy.new_game

    def __repr__(self) -> str:
        return repr(self._of)


def guarded(guard: Guard, strategy: Any, name: str) -> Any:
    """Return the strategy under guard; a compiled one as it is."""
    return strategy if hasattr(strategy, "capsule") else Guarded(guard, strategy, name)


def _ask_batch(guard: Guard, name: str, question: str, method: Any, views: Any) -> Any:
    return guard.ask(name, question, method, views, n=len(views))


def _place(view: Any, n: int) -> tuple[int | None, int | None]:
    """Deal and seat, where the question is about one table."""
    if n:
        return (int(view.deal[0]), int(view.seat[0])) if n == 1 else (None, None)
    return view.deal, view.seat


def _words_of(views: Any) -> tuple[int, ...]:
    """Words that follow from what one row is shown: a batch has no number of its own."""
    told = sha256()
    for name in ("deal", "seat", "hand", "legal", "played", "choices", "may_double", "scores"):
        told.update(getattr(views, name).tobytes())
    digest = told.digest()
    return tuple(int.from_bytes(digest[i : i + 8], "little") for i in range(0, 32, 8))
