"""Estimates from what each block adds to a figure, where that is no mean of integers.

A smooth function of means over blocks (a value of a dynamic program, a ratio, a share of
variance explained) moves by the sum of what its blocks move it: their influence. So its
error comes from their spread, and that of a difference of two figures on the same blocks
from the spread of the differences.
"""

import math

import numpy as np
import numpy.typing as npt

from pipeline.stats.estimate import CONFIDENCE, Estimate, t_quantile

Floats = npt.NDArray[np.float64]


def moved(value: float, influence: Floats, n: int = 0, confidence: float = CONFIDENCE) -> Estimate:
    """Estimate of a figure from the influence of each block, whose mean is 0.

    ``n`` is what was counted; blocks if 0.
    """
    blocks = len(influence)
    n = n or blocks
    if blocks < 2:
        return Estimate(value, None, None, None, n, blocks, 0.0, "none")
    square = float(np.square(influence).sum()) / (blocks * (blocks - 1))
    if square <= 1e-24 * max(1.0, value * value):
        return unmoved(value, n, blocks)
    se, df = math.sqrt(square), float(blocks - 1)
    half = se * t_quantile(df, confidence)
    return Estimate(value, se, value - half, value + half, n, blocks, df, "t")


def unmoved(value: float, n: int, blocks: int) -> Estimate:
    """A figure that is the same in every block: nothing at all, or no error is told."""
    if abs(value) < 1e-12:
        return Estimate(0.0, 0.0, 0.0, 0.0, n, blocks, float(blocks - 1), "identical")
    return Estimate(value, None, None, None, n, blocks, float(blocks - 1), "none")


def mean(per_block: Floats, n: int = 0) -> Estimate:
    """Estimate of the mean of a figure that each block has once."""
    value = float(per_block.mean())
    return moved(value, per_block - value, n)


def quotient(above: Floats, below: Floats) -> tuple[float, Floats]:
    """Sum of ``above`` over sum of ``below``, block by block, and its influence."""
    r = float(above.sum() / below.sum())
    return r, (above - r * below) * (len(above) / float(below.sum()))


def share(above: Floats, below: Floats, n: int = 0) -> Estimate:
    """Estimate of sum of ``above`` over sum of ``below``; blocks differ in both."""
    value, influence = quotient(above, below)
    return moved(value, influence, n)


def ratio_of(a: Estimate, ia: Floats, b: Estimate, ib: Floats) -> Estimate:
    """Estimate of a / b, two figures moved by the same blocks."""
    r = a.value / b.value
    return moved(r, (ia - r * ib) / b.value, a.n)


def per_block(figures: Floats, blocks: npt.NDArray[np.int64], n_blocks: int) -> Floats:
    """Sums of ``figures`` by block."""
    out: Floats = np.bincount(blocks, weights=figures, minlength=n_blocks).astype(np.float64)
    return out
