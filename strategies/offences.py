"""What a strategy in Python does besides answering, and how it is noticed.

It prints, draws from generators that are everybody's, changes what it is shown, or thinks
for too long. None of this is a wrong answer by itself; all of it can make a run that nobody can
repeat.
"""

import io
import random
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, fields
from typing import Any, Literal, TextIO

import numpy as np

from engine_ext.rules.resolve import VariantNumbers

Kind = Literal["print", "random", "rules", "late"]
KINDS: dict[Kind, str] = {
    "print": "printed",
    "random": "drew from everybody's random numbers (the module random, numpy.random)",
    "rules": "changed the rules it was shown",
    "late": "thought for longer than budget_ms",
}
"""What is noticed, in words that go on after the strategy's name."""


@dataclass(frozen=True, slots=True)
class Offence:
    """Something of this happened once."""

    strategy: str
    kind: Kind
    question: str
    """Method that was asked; empty where nobody was."""
    deal: int | None
    seat: int | None
    what: str = ""
    """The text that was printed, or how long it took."""

    def __str__(self) -> str:
        where = "" if self.deal is None else f" in deal {self.deal}, seat {self.seat}"
        asked = f", asked to {self.question}{where}" if self.question else ""
        return f"{self.strategy} {KINDS[self.kind]}{asked}{': ' if self.what else ''}{self.what}"


class Generators:
    """The states of the random generators that a whole process shares."""

    def __init__(self) -> None:
        self._python = random.getstate()
        self._numpy: Any = np.random.get_state()

    def same(self) -> bool:
        """Whether nobody has drawn from them since."""
        now: Any = np.random.get_state()
        return (
            self._python == random.getstate()
            and bool((self._numpy[1] == now[1]).all())
            and self._numpy[2:] == now[2:]
        )

    def put_back(self) -> None:
        """Set them as they were."""
        random.setstate(self._python)
        np.random.set_state(self._numpy)

    @staticmethod
    def seed(words: tuple[int, ...]) -> None:
        """Have them start from these 64-bit words."""
        random.seed(sum(word << 64 * i for i, word in enumerate(words)))
        np.random.seed([word >> shift & 0xFFFFFFFF for word in words for shift in (0, 32)])


class Shown:
    """The numbers of the rules, which strategies see, as they were."""

    def __init__(self, numbers: VariantNumbers) -> None:
        self._numbers = numbers
        self._kept = deepcopy(numbers)

    def same(self) -> bool:
        """Whether nobody has changed them since."""
        return self._numbers == self._kept

    def put_back(self) -> None:
        """Set them as they were."""
        fresh = deepcopy(self._kept)
        for field in fields(fresh):
            object.__setattr__(self._numbers, field.name, getattr(fresh, field.name))


class Listener(io.TextIOBase):
    """Stands for standard output or error, and keeps what one thread writes there."""

    def __init__(self, real: TextIO, *, aloud: bool) -> None:
        self.heard: list[str] = []
        self._real = real
        self._thread = threading.get_ident()
        self._aloud = aloud

    def writable(self) -> bool:
        """It is."""
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """As the stream it stands for."""
        return getattr(self._real, "encoding", "utf-8")

    def write(self, text: str) -> int:
        """Keep the text; pass on what others write, or all where it is to be heard."""
        if threading.get_ident() != self._thread:
            return self._real.write(text)
        self.heard.append(text)
        if self._aloud:
            self._real.write(text)
        return len(text)

    @property
    def buffer(self) -> Any:
        """Bytes go where they would have gone."""
        return self._real.buffer

    def flush(self) -> None:
        """Flush the stream it stands for."""
        self._real.flush()

    def fileno(self) -> int:
        """As the stream it stands for."""
        return self._real.fileno()


@contextmanager
def listening(*, aloud: bool) -> Iterator[list[str]]:
    """Keep what this thread prints meanwhile; ``aloud``: show it on standard error too."""
    before = sys.stdout, sys.stderr
    listener = Listener(sys.stderr, aloud=aloud)
    sys.stdout = sys.stderr = listener
    try:
        yield listener.heard
    finally:
        sys.stdout, sys.stderr = before
