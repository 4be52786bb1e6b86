"""Do figures that were measured together differ from nothing at all? Hotelling's test.

Block totals are integers, so the matrix of their residuals is exact, and so is its rank:
figures that add up to nothing in every block need no special case. Source: H. Hotelling,
The generalization of Student's ratio, Annals of Mathematical Statistics 2, 1931.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

Row = list[Fraction]


class Verdict(NamedTuple):
    """Whether figures together differ from nothing."""

    p: float | None
    """Probability of as much by luck; None where blocks do not tell."""
    f: float | None
    df: int
    """Figures that can differ independently."""
    df_blocks: float
    blocks: int


def no_effect(n: npt.NDArray[np.int64], x: npt.NDArray[np.int64]) -> Verdict:
    """Test that all ratios X_k / N are 0, from totals ``x`` (G, K) over counts ``n`` (G,).

    The covariance is that of linearised blocks, as in ``estimate.py``; T^2 follows F with
    K' and B - K' degrees of freedom, K' the rank, B the effective number of blocks. Where
    nothing ever differs from nothing the figures are nothing, p = 1.
    """
    many, much = n.astype(object), x.astype(object)
    total, sums = int(many.sum()), much.sum(axis=0)
    blocks = int((n > 0).sum())
    apart = much * total - np.outer(many, sums)
    gram = apart.T @ apart
    rank, square = _quadratic(
        [[Fraction(int(v)) for v in row] for row in gram], [Fraction(int(v)) for v in sums]
    )
    effective = total * total / int((many * many).sum()) if total else 0.0
    if rank == 0:
        return Verdict(1.0 if square == 0 and blocks else None, None, 0, 0.0, blocks)
    left = effective - rank
    if square is None or left <= 0:
        return Verdict(None, None, rank, max(0.0, left), blocks)
    t2 = float(Fraction(blocks - 1, blocks) * square * total * total)
    f = t2 * left / (rank * (effective - 1))
    return Verdict(float(special.fdtrc(rank, left, f)), f, rank, left, blocks)


def no_difference(
    values: Sequence[Fraction], cov: Sequence[Row], blocks: int, effective: Fraction
) -> Verdict:
    """Test that all figures are 0, from their exact covariance.

    ``effective`` is Kish's number of blocks of the figure that is seen least, and takes the place
    of B in F's degrees of freedom.
    """
    rank, square = _quadratic(cov, list(values))
    if rank == 0:
        return Verdict(1.0 if square == 0 and blocks else None, None, 0, 0.0, blocks)
    left = float(effective) - rank
    if square is None or left <= 0:
        return Verdict(None, None, rank, max(0.0, left), blocks)
    f = float(square) * left / (rank * (float(effective) - 1))
    return Verdict(float(special.fdtrc(rank, left, f)), f, rank, left, blocks)


def _quadratic(matrix: Sequence[Row], vector: Row) -> tuple[int, Fraction | None]:
    """Rank of a symmetric matrix without negative directions, and v' M^-1 v on its range.

    None instead of the latter where the vector leaves the range: a figure without any
    spread that is not 0, of which blocks tell no error.
    """
    rows = [[*row, v] for row, v in zip(matrix, vector, strict=True)]
    rank, value = 0, Fraction(0)
    for k, row in enumerate(rows):
        if row[k] == 0:
            # Without negative directions a zero on the diagonal is a whole row of zeros.
            if row[-1] != 0:
                return rank + _rank_after(rows, k), None
            continue
        rank += 1
        value += row[-1] * row[-1] / row[k]
        for other in rows[k + 1 :]:
            factor = other[k] / row[k]
            for column in range(k, len(row)):
                other[column] -= factor * row[column]
    return rank, value


def _rank_after(rows: list[Row], k: int) -> int:
    """How many of the rows after ``k`` still have a direction of their own, at most."""
    return sum(row[i] != 0 for i, row in enumerate(rows) if i > k)
