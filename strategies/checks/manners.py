"""Checks of what a strategy does besides answering: printing, everybody's generators, time."""

import ctypes
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import IO, Any

import numpy as np

from engine_ext.build import load
from strategies.checks.games import Example, asked_of, play, rules_of
from strategies.checks.subject import BrokenPromise, Subject
from strategies.decisions import QUESTIONS
from strategies.guard import MOST_TOLD
from strategies.offences import Generators, Kind, Offence
from strategies.watch import Watch

WATCHED = 2
"""Games of a variant that are watched."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What a strategy did besides answering, in one game."""

    offences: tuple[Offence, ...]
    written: str
    """To the file descriptors of standard output and error, past Python."""
    drew: bool
    """From the generators that everybody shares; of compiled ones the whole game tells."""


def prints_nothing(subject: Subject) -> None:
    """Not by ``print``, not by its libraries, not in compiled code."""
    for variant, block, seen in _seen(subject):
        _hold(variant, block, seen, "print", "printed ")
        if seen.written:
            raise BrokenPromise(Example(f"printed {seen.written!r}", variant, block))


def leaves_everybodys_random_numbers_alone(subject: Subject) -> None:
    """The module ``random`` and ``numpy.random`` are as they were."""
    for variant, block, seen in _seen(subject):
        _hold(variant, block, seen, "random", DREW)
        if seen.drew:
            raise BrokenPromise(Example(DREW, variant, block))


def changes_nothing_it_is_shown(subject: Subject) -> None:
    """What a view refuses to have changed is a foul already; its rules are looked at here."""
    for variant, block, seen in _seen(subject):
        _hold(variant, block, seen, "rules", "changed view.rules")


DREW = "drew from the module random or numpy.random"


def _hold(variant: str, block: int, seen: Behaviour, kind: Kind, what: str) -> None:
    """Raise ``BrokenPromise`` for the first offence of a kind."""
    for offence in seen.offences:
        if offence.kind == kind:
            place = (offence.deal, offence.seat, offence.question or None)
            raise BrokenPromise(Example(f"{what}{offence.what}", variant, block, *place))


def _seen(subject: Subject) -> Iterator[tuple[str, int, Behaviour]]:
    """Play some games of every variant under watch; each once for all checks."""
    for variant in subject.variants:
        for block in subject.games(variant)[:WATCHED]:
            key = (variant, block)
            if key not in subject.seen:
                subject.seen[key] = _watched(subject, variant, block)
            yield variant, block, subject.seen[key]


def _watched(subject: Subject, variant: str, block: int) -> Behaviour:
    watch = Watch(rules_of(variant), [subject.fresh()])
    before = Generators()
    with _written() as file:
        watch.play_games(**asked_of(variant, 1, [block]))
    with file:
        file.seek(0)
        text = file.read(MOST_TOLD).decode(errors="replace")
    drew = not before.same()
    before.put_back()
    return Behaviour(tuple(watch.offences), text, drew)


@contextmanager
def _written() -> Iterator[IO[bytes]]:
    """Catch what is written to file descriptors 1 and 2, by whatever code."""
    flush = ctypes.CDLL(None).fflush
    sys.stdout.flush()
    sys.stderr.flush()
    flush(None)
    file = tempfile.TemporaryFile()  # noqa: SIM115 (handed on)
    kept = os.dup(1), os.dup(2)
    os.dup2(file.fileno(), 1)
    os.dup2(file.fileno(), 2)
    try:
        yield file
    finally:
        flush(None)
        for number, old in zip((1, 2), kept, strict=True):
            os.dup2(old, number)
            os.close(old)


class Timed:
    """A strategy in Python whose decisions are timed."""

    def __init__(self, of: Any) -> None:
        self.n = 0
        self.total = 0.0
        self.longest = 0.0
        self.place: tuple[int | None, int | None, int] = (None, None, 0)
        """Deal, seat and question (its place in ``QUESTIONS``) of the longest."""
        self.batched = getattr(of, "batched", False)
        self.capsule_by_question = getattr(of, "capsule_by_question", {})
        for i, question in enumerate(QUESTIONS):
            if hasattr(of, question):
                setattr(self, question, partial(self._ask, i, getattr(of, question)))
        if hasattr(of, "new_game"):
            self.new_game = of.new_game

    def _ask(self, question: int, method: Callable[[Any], Any], view: Any) -> Any:
        began = time.perf_counter()
        answer = method(view)
        n = len(view) if self.batched else 1
        took = time.perf_counter() - began
        self.n += n
        self.total += took
        if took / n > self.longest:
            self.longest = took / n
            self.place = (None, None, question) if n > 1 else (*_place(view), question)
        return answer


def _place(view: Any) -> tuple[int, int]:
    deal, seat = np.asarray(view.deal), np.asarray(view.seat)
    return int(deal.flat[0]), int(seat.flat[0])


def keeps_to_its_time(subject: Subject) -> str:
    """Microseconds a decision, and whether the longest keeps to ``budget_ms``."""
    n, total, longest, worst = 0, 0.0, 0.0, Example("")
    for variant in subject.variants:
        inner: Any = subject.fresh()
        timed = load("strategies.timed").Timed(inner) if subject.info.compiled else Timed(inner)
        for block in subject.games(variant):
            play(variant, [timed], [block])
            if timed.longest > longest:
                longest = timed.longest
                deal, seat, question = timed.place
                worst = Example(_ms(longest), variant, block, deal, seat, QUESTIONS[question])
        n, total = n + timed.n, total + timed.total
    if subject.budget_ms is not None and longest * 1000 > subject.budget_ms:
        what = f"{worst.what}, want at most {subject.budget_ms:g} ms"
        raise BrokenPromise(replace(worst, what=what))
    return f"{1e6 * total / max(n, 1):,.2f} us a decision, the longest {_ms(longest)}"


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:,.3g} ms"
