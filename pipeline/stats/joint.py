"""Exact sums over blocks of several figures that share the blocks.

A figure i has a count n_ib and a total x_ib in each block b. These sums are all that
intervals of the figures, of their differences and of whole tables need; they are integers,
so the sums of disjoint sets of blocks add up exactly, in any order.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.stats.estimate import Sums
from pipeline.stats.simultaneous import Cross

Row = tuple[int, ...]
Square = tuple[Row, ...]

SAFE = 2**62
"""Sums below this are made in 64 bits; larger ones in Python's own integers."""


class Joint(NamedTuple):
    """Sums over blocks of k figures."""

    blocks: int
    """Blocks that were counted."""
    there: Row
    """(k,) blocks in which each figure occurs: n_ib > 0."""
    n: Row
    """(k,) sums of counts."""
    x: Row
    """(k,) sums of totals."""
    xx: Square
    """(k, k) sums of x_ib x_jb."""
    nx: Square
    """(k, k) sums of n_ib x_jb."""
    nn: Square
    """(k, k) sums of n_ib n_jb."""

    def sums(self, i: int) -> Sums:
        """The sums of one figure alone."""
        return Sums(
            self.there[i], self.n[i], self.x[i], self.nn[i][i], self.xx[i][i], self.nx[i][i]
        )

    def cross(self) -> Cross:
        """Products between figures, for :func:`pipeline.stats.simultaneous.covariance`."""
        return Cross(self.xx, self.nx, self.nn)

    def only(self, chosen: "tuple[int, ...] | list[int]") -> "Joint":
        """The sums of some of the figures, in the order given."""

        def row(values: Row) -> Row:
            return tuple(values[i] for i in chosen)

        def square(values: Square) -> Square:
            return tuple(row(values[i]) for i in chosen)

        return Joint(
            self.blocks,
            row(self.there),
            row(self.n),
            row(self.x),
            square(self.xx),
            square(self.nx),
            square(self.nn),
        )


def of_blocks(n: npt.NDArray[np.int64], x: npt.NDArray[np.int64]) -> Joint:
    """Sums of blocks from counts and totals, both (blocks, k) integers.

    Raises ``ValueError`` where nothing was counted but a total is there.
    """
    if n.shape != x.shape or n.ndim != 2:
        raise ValueError(f"counts {n.shape} and totals {x.shape} must be (blocks, figures)")
    if (n < 0).any() or (x[n == 0] != 0).any():
        raise ValueError("a figure that was not counted in a block cannot have a total there")
    largest = max(int(np.abs(x).max(initial=0)), int(n.max(initial=0)), 1)
    wide: Any = np.int64 if largest * largest * max(1, len(n)) < SAFE else object
    m, y = n.astype(wide), x.astype(wide)
    return Joint(
        len(n),
        _row((n > 0).sum(axis=0)),
        _row(m.sum(axis=0)),
        _row(y.sum(axis=0)),
        _square(y.T @ y),
        _square(m.T @ y),
        _square(m.T @ m),
    )


def nothing(k: int) -> Joint:
    """The sums of no block."""
    row = (0,) * k
    square = (row,) * k
    return Joint(0, row, row, row, square, square, square)


def can_be(sums: Joint) -> bool:
    """Whether some blocks have such sums: the square of a sum is at most that of its squares times
    how many there are."""
    squares = (
        (one[i] ** 2, sums.blocks * both[i][i])
        for one, both in ((sums.n, sums.nn), (sums.x, sums.xx))
        for i in range(len(one))
    )
    return all(square <= most for square, most in squares)


def add(a: Joint, b: Joint) -> Joint:
    """The sums of two disjoint sets of blocks together."""
    return Joint(
        a.blocks + b.blocks,
        _added(a.there, b.there),
        _added(a.n, b.n),
        _added(a.x, b.x),
        added_squares(a.xx, b.xx),
        added_squares(a.nx, b.nx),
        added_squares(a.nn, b.nn),
    )


def added_squares(a: Square, b: Square) -> Square:
    """Their sum, entry by entry."""
    return tuple(_added(p, q) for p, q in zip(a, b, strict=True))


def _added(a: Row, b: Row) -> Row:
    return tuple(p + q for p, q in zip(a, b, strict=True))


def _row(values: npt.NDArray[Any]) -> Row:
    return tuple(int(v) for v in values)


def _square(values: npt.NDArray[Any]) -> Square:
    return tuple(_row(v) for v in values)
