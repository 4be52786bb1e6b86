"""The nearest settings of knobs that add up as they must: an integer program.

Totals are sums over the knobs that set points once the others are settled, so whatever has
to hold of numbers is linear in one variable for each setting of each knob: 1 where it is taken.
The coefficients are read off rules that differ in one number, never written down here.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import gcd, lcm
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

IMPOSSIBLE = 2
"""How HiGHS ends where it has proved that nothing fulfils all rows."""
Floats = npt.NDArray[np.float64]


class Row(NamedTuple):
    """Something that must hold: low <= the sum of weights of the settings taken <= high."""

    weights: tuple[tuple[Fraction, ...], ...]
    """By knob, by setting."""
    low: Fraction | None
    high: Fraction | None


class Program:
    """Knobs of which each takes one setting, and what has to hold of them."""

    def __init__(self, sizes: Sequence[int], rows: Sequence[Row]) -> None:
        self.sizes = tuple(sizes)
        self.first = np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)
        one_each = np.repeat(np.arange(len(self.sizes)), self.sizes)
        n = int(self.first[-1])
        self._rows: list[tuple[Floats, float, float]] = [
            ((one_each == k).astype(float), 1.0, 1.0) for k in range(len(self.sizes))
        ]
        self._rows += [_whole(row) for row in rows]
        assert all(len(weights) == n for weights, _, _ in self._rows)

    def best(self, costs: Sequence[Sequence[float]]) -> list[int] | None:
        """Return the setting of each knob that costs least, or None where nothing holds.

        A setting that costs infinitely much is not taken.
        """
        if not self.sizes:
            return [] if all(low <= 0 <= high for _, low, high in self._rows) else None
        cost = np.array([c for knob in costs for c in knob])
        barred = np.isinf(cost)
        found = milp(
            np.where(barred, 0.0, cost),
            integrality=np.ones(len(cost), np.int64),
            bounds=Bounds(0.0, np.where(barred, 0.0, 1.0)),
            constraints=self._constraints(),
            # HiGHS' presolve gives up on one in a thousand of these, with a line on stdout, and
            # is no quicker.
            options={"mip_rel_gap": 0.0, "presolve": False},
        )
        if found.status == IMPOSSIBLE:
            return None
        assert found.success, found.message
        taken = [found.x[a:b] for a, b in pairwise(self.first)]
        return [int(np.argmax(share)) for share in taken]

    def forbid(self, taken: Mapping[int, int]) -> None:
        """Never again take all these settings (by knob) together."""
        weights = np.zeros(int(self.first[-1]))
        for knob, setting in taken.items():
            weights[self.first[knob] + setting] = 1.0
        self._rows.append((weights, -np.inf, len(taken) - 1.0))

    def _constraints(self) -> LinearConstraint:
        weights = csr_array(np.array([weights for weights, _, _ in self._rows]))
        low = np.array([low for _, low, _ in self._rows])
        high = np.array([high for _, _, high in self._rows])
        return LinearConstraint(weights, low, high)


def _whole(row: Row) -> tuple[Floats, float, float]:
    """A row in whole numbers as small as can be, since the solver takes 1e-6 for nothing.

    What every setting of a knob weighs alike is taken off it: one of them is always taken.
    """
    base = [min(knob, default=Fraction(0)) for knob in row.weights]
    flat = [w - low for knob, low in zip(row.weights, base, strict=True) for w in knob]
    total = sum(base, Fraction(0))
    limits = [None if limit is None else limit - total for limit in (row.low, row.high)]
    scale = lcm(*(w.denominator for w in (*flat, *(x for x in limits if x is not None))))
    whole = [int(w * scale) for w in flat]
    shared = gcd(*whole) or 1
    low, high = limits
    return (
        np.array([w // shared for w in whole], float),
        -np.inf if low is None else float(low * scale / shared),
        np.inf if high is None else float(high * scale / shared),
    )
