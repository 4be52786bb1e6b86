"""Integer matrices without rounding, for normal equations whose sums are integers."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Whole = list[list[int]]
"""A matrix of Python's integers, which have no largest one."""
Rows = Sequence[Sequence[int]]

HALF = 26
"""Bits of the lower half of a number whose products are summed."""
LARGEST = 1 << (2 * HALF)
"""``gram`` takes numbers smaller than this."""
ROWS = 512
"""Rows whose products of halves, each below 2^52, still add up in 64 bits."""


class Inverse(NamedTuple):
    """The inverse of a matrix: ``above / below``, entry by entry."""

    above: Whole
    below: int


def inverse(matrix: Sequence[Sequence[int]]) -> Inverse | None:
    """Inverse of a symmetric matrix without negative directions; None where it has none.

    Elimination in which every division leaves no rest. Source: E. H. Bareiss, Sylvester's
    identity and multistep integer-preserving Gaussian elimination, Mathematics of
    Computation 22, 1968.
    """
    size = len(matrix)
    rows = [[*map(int, row), *(int(i == k) for k in range(size))] for i, row in enumerate(matrix)]
    before = 1
    for p, chosen in enumerate(rows):
        pivot = chosen[p]
        # Without negative directions a zero here is a whole row of zeros: no inverse.
        if pivot == 0:
            return None
        for i, row in enumerate(rows):
            if i != p:
                factor = row[p]
                rows[i] = [
                    (pivot * a - factor * b) // before for a, b in zip(row, chosen, strict=True)
                ]
        before = pivot
    return Inverse([row[size:] for row in rows], before)


def product(a: Rows, b: Rows) -> Whole:
    """Matrix product."""
    columns = list(zip(*b, strict=True))
    return [[sum(x * y for x, y in zip(row, c, strict=True)) for c in columns] for row in a]


def gram(u: Ints) -> Whole:
    """Sum over rows of u_b u_b', from (B, k) numbers smaller than 2^52 in size.

    Each is cut into halves, so that sums of their products fit into 64 bits.
    """
    if u.size and int(np.abs(u).max()) >= LARGEST:
        raise OverflowError("numbers of 2^52 and more have products that do not fit")
    k = u.shape[1]
    total = [[0] * k for _ in range(k)]
    for first in range(0, len(u), ROWS):
        part = u[first : first + ROWS]
        high, low = part >> HALF, part & ((1 << HALF) - 1)
        mixed = high.T @ low
        halves = (high.T @ high, mixed + mixed.T, low.T @ low)
        hh, hl, ll = (half.tolist() for half in halves)
        for i in range(k):
            for j in range(k):
                total[i][j] += (hh[i][j] << (2 * HALF)) + (hl[i][j] << HALF) + ll[i][j]
    return total
