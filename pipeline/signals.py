"""What the operating system says meanwhile."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

INTERRUPTED = 130
"""Exit code."""
ONCE_S = 0.1
"""Signals in so short a time are one: who ends a process and its group, as ``timeout`` does,
sends the same twice."""
SHOW_CURSOR = b"\x1b[?25h"


@dataclass
class _Asked:
    """What somebody who pressed Ctrl-C waits for."""

    parts: int = 0
    """Parts under way that must not be cut."""
    waits: bool = False


_asked = _Asked()


@contextmanager
def interrupts() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end what is done meanwhile: the first raises ``KeyboardInterrupt``,
    so that it ends in order; the second ends the process at once, as a crash may at any time.

    Only the main thread hears them.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[float] = []

    def hear(_: int, __: object) -> None:
        now = time.monotonic()
        if heard and now - heard[0] < ONCE_S:
            return
        heard.append(now)
        if len(heard) > 1:
            _end_at_once()
        if not _asked.parts:
            raise KeyboardInterrupt
        _asked.waits = True

    before = {number: signal.signal(number, hear) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def held_back() -> Iterator[None]:
    """Let the first Ctrl-C come when this is done: for what takes a moment, and after which the
    driver must know what it did."""
    _asked.parts += 1
    try:
        yield
    finally:
        _asked.parts -= 1
    if _asked.waits and not _asked.parts:
        _asked.waits = False
        raise KeyboardInterrupt


@contextmanager
def sigterm_interrupts() -> Iterator[None]:
    """Let SIGTERM end what is done meanwhile as Ctrl-C does; only the main thread may say so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _end_at_once() -> None:
    """What is half-written has no final name, and the next who plays the run removes it."""
    if sys.stderr.isatty():
        os.write(2, SHOW_CURSOR)  # a progress bar hides it
    os._exit(INTERRUPTED)
