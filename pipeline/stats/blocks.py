"""Estimates from what each block adds to a figure, where that is no mean of integers.

A smooth function of means over blocks (a value of a dynamic program, a ratio, a share of
variance explained) moves by the sum of what its blocks move it: their influence. So its
error comes from their spread, and that of a difference of two figures on the same blocks
from the spread of the differences. Source: Huber and Ronchetti, Robust Statistics, chapter 1.
"""

import math

import numpy as np
import numpy.typing as npt

from pipeline.stats.estimate import Estimate, bounded, t_quantile

Floats = npt.NDArray[np.float64]


def moved(value: float, influence: Floats, n: int = 0, contrast: bool = False) -> Estimate:
    """Estimate of a figure with a t interval from the influence of each block, whose mean is 0.

    ``influence`` (blocks,) is in the unit of the figure; ``n`` is what was counted, blocks if
    0. A ``contrast`` that is nothing in every block is exactly nothing, as in ``ratio``.
    """
    blocks = len(influence)
    n, df = n or blocks, float(blocks - 1)
    if blocks < 2:
        return Estimate(value, None, None, None, n, blocks, 0.0, "none")
    square = float(np.square(influence).sum()) / (blocks * (blocks - 1))
    # What rounding leaves of figures that are the same in every block.
    if square <= 1e-24 * max(1.0, value * value):
        if contrast and abs(value) < 1e-12:
            return Estimate(0.0, 0.0, 0.0, 0.0, n, blocks, df, "identical")
        return Estimate(value, None, None, None, n, blocks, df, "none")
    se = math.sqrt(square)
    half = se * t_quantile(df)
    return Estimate(value, se, value - half, value + half, n, blocks, df, "t")


def mean(per_block: Floats, n: int = 0, contrast: bool = False) -> Estimate:
    """Estimate of the mean of a figure that each block has once."""
    value = float(per_block.mean())
    return moved(value, per_block - value, n, contrast)


def quotient(above: Floats, below: Floats) -> tuple[float, Floats]:
    """Sum of ``above`` over sum of ``below``, block by block, and its influence."""
    r = float(above.sum() / below.sum())
    return r, (above - r * below) * (len(above) / float(below.sum()))


def share(above: Floats, below: Floats, n: int = 0, contrast: bool = False) -> Estimate:
    """Estimate of sum of ``above`` over sum of ``below``; blocks differ in both."""
    value, influence = quotient(above, below)
    return moved(value, influence, n, contrast)


def proportion_of(above: Floats, below: Floats, n: int = 0) -> Estimate:
    """Estimate of a share between 0 and 1; of blocks without any ``below`` nothing is told.

    Never or always seen it has the bound of ``estimate.proportion``.
    """
    there = below > 0
    e = share(above[there], below[there], n)
    return bounded(e, float(below.sum()) ** 2 / float(np.square(below).sum()))


def ratio_of(a: Estimate, ia: Floats, b: Estimate, ib: Floats) -> Estimate:
    """Estimate of a / b, two figures moved by the same blocks."""
    r = a.value / b.value
    return moved(r, (ia - r * ib) / b.value, a.n)


def per_block(figures: Floats, blocks: npt.NDArray[np.int64], n_blocks: int) -> Floats:
    """(n_blocks,): sums of ``figures`` (one an observation, its block in ``blocks``)."""
    out: Floats = np.bincount(blocks, weights=figures, minlength=n_blocks).astype(np.float64)
    return out


def of_each(figures: Floats, blocks: npt.NDArray[np.int64], n_blocks: int) -> Floats:
    """(n_blocks,): influence of each block on a figure, from that of each observation."""
    return per_block(figures, blocks, n_blocks) * (n_blocks / len(figures))
