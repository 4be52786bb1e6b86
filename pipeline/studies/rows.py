"""Rows of trials as they are made: arrays for each kind, put in order at the end."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.studies.designs import KINDS

Ints = npt.NDArray[np.int64]
ORDER = ("unit", "kind", "contract", "param", "who", "whom", "weight", "half", "n_left")
"""Keys of a row in the order that rows stand in; all but the first two have a usual value."""
USUAL = {"contract": -1, "param": -1, "who": -1, "whom": -1, "weight": 0, "half": -1, "n_left": 0}


class Rows(NamedTuple):
    """Rows of the units of one entrant; contracts and kinds by number."""

    keys: dict[str, Ints]
    """By name in ``ORDER``, (R,)."""
    n: Ints
    """(R,) trials summed."""
    points: Ints
    """(R, S) by role, or by seat where the kind says so."""
    squares: Ints
    """(R,) of role ``who``, or 0."""


class Collector:
    """Takes in rows of any kind, gives them out in order."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._keys: dict[str, list[Ints]] = {name: [] for name in ORDER}
        self._n: list[Ints] = []
        self._points: list[Ints] = []
        self._squares: list[Ints] = []

    def add(self, kind: str, n: Any, points: Ints, squares: Ints, unit: Ints, **keys: Any) -> None:
        """Take in rows of a kind; ``points`` (..., S) and all others of shapes that fit (...)."""
        shape = points.shape[:-1]
        values = USUAL | {"unit": unit, "kind": list(KINDS).index(kind)} | keys
        for name in ORDER:
            self._keys[name].append(_flat(values[name], shape))
        self._n.append(_flat(n, shape))
        self._points.append(points.reshape(-1, self._seats).astype(np.int64))
        self._squares.append(_flat(squares, shape))

    def rows(self) -> Rows:
        """All rows but those of no trial, in order."""
        keys = {name: _joined(parts) for name, parts in self._keys.items()}
        n = _joined(self._n)
        there = np.flatnonzero(n)
        order = there[np.lexsort([keys[name][there] for name in reversed(ORDER)])]
        points = np.concatenate(self._points or [np.empty((0, self._seats), np.int64)])
        return Rows(
            {name: values[order] for name, values in keys.items()},
            n[order],
            points[order],
            _joined(self._squares)[order],
        )


def _flat(values: Any, shape: tuple[int, ...]) -> Ints:
    return np.broadcast_to(np.asarray(values, np.int64), shape).reshape(-1)


def _joined(parts: Sequence[Ints]) -> Ints:
    return np.concatenate(parts or [np.empty(0, np.int64)])
