"""From a study's trials to integer totals by block, the unit of every error.

Inside points throughout, more is better. Totals are integers, so that nothing depends on
the order of rows.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from pipeline.stats.estimate import Estimate, Sums, of_blocks, ratio
from pipeline.stats.simultaneous import Cross, covariance, together

Ints = npt.NDArray[np.int64]
Key = tuple[Any, ...]


class Totals(NamedTuple):
    """Block totals of one cell, a row a block."""

    blocks: Ints
    """Numbers of the blocks, (G,)."""
    n: Ints
    """Trials, (G,)."""
    points: Ints
    """Points by role or seat, (G, S)."""
    squares: Ints
    """Squared points of role 0, or of the role asked about, (G,)."""


def point_columns(seats: int) -> list[str]:
    """Names of the points' columns."""
    return [f"points_{k}" for k in range(seats)]


def points(role: int) -> pl.Expr:
    """Points of a role, wide enough to be added up."""
    return pl.col(f"points_{role}").cast(pl.Int64)


def totals(trials: pl.DataFrame, seats: int) -> Totals:
    """Totals by block of these trials together."""
    names = ["n", *point_columns(seats), "squares"]
    found = (
        trials.group_by("block").agg(pl.col(c).cast(pl.Int64).sum() for c in names).sort("block")
    )
    return Totals(
        found["block"].to_numpy().astype(np.int64),
        found["n"].to_numpy(),
        found.select(point_columns(seats)).to_numpy().reshape(len(found), seats),
        found["squares"].to_numpy(),
    )


def above(per_role: Ints) -> Ints:
    """Seats times what each role has above the mean of all: whole numbers that add up to 0."""
    return np.asarray(per_role.shape[1] * per_role - per_role.sum(axis=1, keepdims=True))


def sums_of(n: Ints, x: Ints) -> Sums:
    """Sums over blocks of totals ``x`` over counts ``n``."""
    return of_blocks(zip(n.tolist(), x.tolist(), strict=True))


def sums_by(
    trials: pl.DataFrame, keys: Sequence[str], x: pl.Expr, n: pl.Expr | None = None
) -> dict[Key, Sums]:
    """Sums over blocks of ``x`` over ``n``, for each cell that the keys name, in their order."""
    count = pl.col("n") if n is None else n
    found = (
        trials.group_by(*keys, "block")
        .agg(_n=count.cast(pl.Int64).sum(), _x=x.cast(pl.Int64).sum())
        .sort(*keys, "block")
        .select(*keys, "_n", "_x")
    )
    width = len(keys)
    return {
        key: of_blocks(row[width:] for row in rows)
        for key, rows in groupby(found.iter_rows(), lambda row: row[:width])
    }


def cross_of(n: Ints, x: Ints) -> Cross:
    """Products over blocks of figures measured on the same blocks, (G, K) each."""
    many, much = n.astype(object), x.astype(object)
    return Cross(*(_grid(a.T @ b) for a, b in ((much, much), (many, much), (many, many))))


def _grid(matrix: npt.NDArray[np.object_]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(cell) for cell in row) for row in matrix)


def jointly(n: Ints, x: Ints, scale: Fraction | int = 1) -> list[Estimate]:
    """Simultaneous estimates of ``scale`` times the ratios of the columns of ``x`` to ``n``.

    Where there is one block only there is no error: each figure for itself, without interval.
    """
    cells = [sums_of(n, x[:, k]) for k in range(x.shape[1])]
    if len(n) < 2:
        return [ratio(cell, scale) for cell in cells]
    counts = np.repeat(n[:, None], x.shape[1], axis=1)
    cov = covariance(cells, cross_of(counts, x), len(n))
    return together([Fraction(c.x, c.n) for c in cells], cov, cells, scale)


def by_name(frame: pl.DataFrame, column: str) -> Mapping[str, pl.DataFrame]:
    """The rows of each name in a column, names in order."""
    parts = frame.partition_by(column, as_dict=True, maintain_order=True)
    return {str(key[0]): parts[key] for key in sorted(parts)}
