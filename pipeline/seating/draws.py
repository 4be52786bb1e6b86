"""What schedules draw: shuffles at positions of a stream of their own (docs/seeds.md)."""

import threading
from collections.abc import Iterator
from itertools import chain, islice

import numpy as np

Key = tuple[int, int]
"""The run key."""

_SCHEDULE = 2
"""Domain of the schedule's draws."""
_REPLICATE = 1 << 40
"""Counter word c2 of replicate 1; a number below 2^16 added to it is its field for deals."""

ORDERS = 1 * _REPLICATE
"""Circular orders of design ``table``."""
NAMES = 2 * _REPLICATE
"""Which entrant bears which number in a cycle of ``round_robin``."""
TURNS = 3 * _REPLICATE
"""In which sequence a base round of ``round_robin`` is turned."""
PLACES = 4 * _REPLICATE
"""Places of the first entrant of ``mix``, by head count in the field for deals."""
SEATS = 5 * _REPLICATE
"""Seats of a candidate that plays one rotation a block."""
SEARCH = 6 * _REPLICATE
"""Search for base rounds: under key (0, 0), by seats in the field for deals."""


def shuffled(key: Key, purpose: int, c1: int, n: int) -> list[int]:
    """0..n-1 in an order drawn from the schedule's stream at position ``c1``.

    For i = 0, 1, ... the element at i is exchanged with the one at i + j, j drawn
    uniformly from 0..n-i-1 (:func:`below`).
    """
    drawn = chain(_first(key, purpose, c1, n), islice(words(key, purpose, c1), n, None))
    items = list(range(n))
    for i in range(n - 1):
        j = below(drawn, n - i)
        items[i], items[i + j] = items[i + j], items[i]
    return items


def below(drawn: Iterator[int], n: int) -> int:
    """A number uniform in 0..n-1, by multiply and reject, one 64-bit word a try."""
    high, low = divmod(next(drawn) * n, 2**64)
    while low < 2**64 % n:
        high, low = divmod(next(drawn) * n, 2**64)
    return high


def words(key: Key, purpose: int, c1: int, at_once: int = 4) -> Iterator[int]:
    """The 64-bit words at a position, without end; ``at_once`` are made ahead."""
    counter = np.array([0, c1, purpose, _SCHEDULE], np.uint64)
    cipher = np.random.Philox(key=np.array(key, np.uint64), counter=counter)
    while True:
        yield from cipher.random_raw(at_once).tolist()


class _Cipher(threading.local):
    """One for each thread: to make one takes far longer than to set it to a position."""

    def __init__(self) -> None:
        self.philox = np.random.Philox(key=np.zeros(2, np.uint64))
        self.state = self.philox.state


_cipher = _Cipher()


def _first(key: Key, purpose: int, c1: int, n: int) -> list[int]:
    """The first ``n`` of the words at a position."""
    state = _cipher.state
    state["state"]["key"][:] = key
    state["state"]["counter"][:] = (0, c1, purpose, _SCHEDULE)
    state["buffer_pos"] = len(state["buffer"])  # nothing is left of another position
    _cipher.philox.state = state
    return [*_cipher.philox.random_raw(n).tolist()]
