"""Intervals that hold together: max-T over figures measured on the same blocks.

Entrants of a league share their deals, so their figures move together. The
joint covariance comes from integer cross sums over blocks; the critical value
is the quantile of the largest |t| of correlated figures, between one t quantile
and Bonferroni's.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.stats.estimate import (
    CONFIDENCE,
    Estimate,
    Sums,
    degrees,
    root,
    t_quantile,
    without_spread,
)

DRAWS = 40_000
"""Simulated tables behind a critical value; its own error is below one per cent."""
KEY = 20_201_130
"""Key of these draws: the same covariance always gives the same value."""


class Cross(NamedTuple):
    """Sums over blocks of products between figure i (rows) and k (columns)."""

    xx: tuple[tuple[int, ...], ...]
    """Sum of x_ib x_kb."""
    nx: tuple[tuple[int, ...], ...]
    """Sum of n_ib x_kb."""
    nn: tuple[tuple[int, ...], ...]
    """Sum of n_ib n_kb."""


Matrix = list[list[Fraction]]


def covariance(cells: Sequence[Sums], cross: Cross, blocks: int) -> Matrix:
    """Exact covariance of the ratios X_i / N_i; ``blocks`` of the run, >= 2.

    Entry (i, k) is G / (G - 1) * sum_b u_ib u_kb with u_ib = (x_ib - r_i n_ib) / N_i.
    """
    r = [Fraction(cell.x, cell.n) for cell in cells]
    factor = Fraction(blocks, blocks - 1)
    every = range(len(cells))
    return [
        [
            factor
            * (
                cross.xx[i][k]
                - r[i] * cross.nx[i][k]
                - r[k] * cross.nx[k][i]
                + r[i] * r[k] * cross.nn[i][k]
            )
            / (cells[i].n * cells[k].n)
            for k in every
        ]
        for i in every
    ]


def contrast_covariance(cov: Matrix, contrasts: Sequence[Sequence[int]]) -> Matrix:
    """Covariance of integer combinations of the figures, one a row of ``contrasts``."""
    # Most weights are 0: pairs have two others, and there are many pairs.
    sparse = [[(i, w) for i, w in enumerate(c) if w] for c in contrasts]
    every = range(len(cov))
    out: Matrix = []
    for row, weights in enumerate(sparse):
        half = [sum((w * cov[i][k] for i, w in weights), Fraction(0)) for k in every]
        rest = [sum((half[k] * w for k, w in c), Fraction(0)) for c in sparse[row:]]
        out.append([*(out[above][row] for above in range(row)), *rest])
    return out


def correlation(cov: Matrix) -> npt.NDArray[np.float64]:
    """Correlations of the figures that have any variance, (K, K)."""
    live = [i for i in range(len(cov)) if cov[i][i] > 0]
    roots = [root(cov[i][i]) for i in live]
    out = np.eye(len(live))
    for a, i in enumerate(live):
        for b, k in enumerate(live[:a]):
            rho = float(cov[i][k]) / (roots[a] * roots[b])
            out[a, b] = out[b, a] = min(1.0, max(-1.0, rho))
    return out


def critical_value(cov: Matrix, df: float, confidence: float = CONFIDENCE) -> float:
    """Quantile of max |t| over the figures: multivariate t by keyed simulation."""
    rho = correlation(cov)
    one = t_quantile(df, confidence)
    if len(rho) < 2:
        return one
    bonferroni = t_quantile(df, 1 - (1 - confidence) / len(rho))
    values, vectors = np.linalg.eigh(rho)
    factor = vectors * np.sqrt(np.clip(values, 0.0, None))
    rng = np.random.Generator(np.random.Philox(key=KEY))
    normal = rng.standard_normal((DRAWS, len(rho))) @ factor.T
    spread = np.sqrt(rng.chisquare(df, DRAWS) / df)
    largest = np.abs(normal).max(axis=1) / spread
    return min(bonferroni, max(one, float(np.quantile(largest, confidence))))


def together(
    values: Sequence[Fraction],
    cov: Matrix,
    cells: Sequence[Sums],
    scale: Fraction | int = 1,
    confidence: float = CONFIDENCE,
) -> list[Estimate]:
    """Simultaneous estimates of ``scale * values``, whose covariance is ``cov``.

    ``cells`` give counts and degrees of freedom; the smallest df serves all.
    """
    df = min(degrees(cell) for cell in cells)
    quantile = critical_value(cov, df, confidence)
    out = []
    for row, (value, cell) in enumerate(zip(values, cells, strict=True)):
        if cov[row][row] == 0:
            out.append(without_spread(scale * value, cell, contrast=True))
            continue
        v, se = float(scale * value), root(scale * scale * cov[row][row])
        half = se * quantile
        out.append(Estimate(v, se, v - half, v + half, cell.n, cell.blocks, df, "max_t"))
    return out


def differences(
    cells: Sequence[Sums],
    cov: Matrix,
    scale: Fraction | int = 1,
    confidence: float = CONFIDENCE,
) -> dict[tuple[int, int], Estimate]:
    """Simultaneous estimates of figure i less figure k, for all i < k."""
    means = [Fraction(cell.x, cell.n) for cell in cells]
    return between(means, cells, cov, scale, confidence)


def between(
    figures: Sequence[Fraction],
    cells: Sequence[Sums],
    cov: Matrix,
    scale: Fraction | int = 1,
    confidence: float = CONFIDENCE,
) -> dict[tuple[int, int], Estimate]:
    """The same for figures that are no means of their cells, whose covariance is ``cov``."""
    every = range(len(cells))
    pairs = [(i, k) for i in every for k in every if i < k]
    if not pairs:
        return {}
    rows = [[(j == i) - (j == k) for j in every] for i, k in pairs]
    values = [figures[i] - figures[k] for i, k in pairs]
    smaller = [min(cells[i], cells[k], key=lambda cell: cell.n) for i, k in pairs]
    joint = together(values, contrast_covariance(cov, rows), smaller, scale, confidence)
    return dict(zip(pairs, joint, strict=True))


def ranks(n: int, pairs: dict[tuple[int, int], Estimate]) -> list[tuple[int, int]]:
    """Best and worst possible rank of each figure, larger is better: one more
    than those surely better, and all less those surely worse."""
    better = [0] * n
    worse = [0] * n
    for (i, k), d in pairs.items():
        if d.low is not None and d.low > 0:
            worse[i] += 1
            better[k] += 1
        elif d.high is not None and d.high < 0:
            better[i] += 1
            worse[k] += 1
    return [(1 + better[i], n - worse[i]) for i in range(n)]
