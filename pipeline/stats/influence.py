"""Errors of figures that are no ratio of sums: spread, tails, values of a decision tree.

A block's influence on a figure is how much the figure would move if that block weighed a
little more; the error of the figure is that of the mean of the influences. Their sum is
nothing by construction. Source: Huber and Ronchetti, Robust Statistics, chapter 1.
"""

import math

import numpy as np
import numpy.typing as npt

from pipeline.stats.estimate import Estimate, t_quantile

Floats = npt.NDArray[np.float64]
TAIL = 0.05
"""Share of the worst deals in the mean of the tail."""


def estimate_of(value: float, influence: Floats, n: int, contrast: bool = False) -> Estimate:
    """A figure with a t interval from the influence of each block, (G,); ``n`` was counted.

    With ``contrast`` a figure that is nothing in every block is exactly nothing.
    """
    blocks = len(influence)
    if blocks < 2:
        return Estimate(value, None, None, None, n, blocks, 0.0, "none")
    square = math.fsum(v * v for v in influence.tolist())
    if square == 0:
        if contrast and value == 0:
            return Estimate(0.0, 0.0, 0.0, 0.0, n, blocks, blocks - 1.0, "identical")
        return Estimate(value, None, None, None, n, blocks, blocks - 1.0, "none")
    se = math.sqrt(square / (blocks * (blocks - 1)))
    half = se * t_quantile(blocks - 1.0)
    return Estimate(value, se, value - half, value + half, n, blocks, blocks - 1.0, "t")


def by_block(values: Floats, where: npt.NDArray[np.int64], blocks: int) -> Floats:
    """Influence of each block from that of single observations, which stand in block ``where``."""
    total = np.zeros(blocks)
    np.add.at(total, where, values)
    return total * (blocks / len(values))


def deviation(values: Floats, where: npt.NDArray[np.int64], blocks: int) -> Estimate:
    """Standard deviation of the observations."""
    mean = math.fsum(values.tolist()) / len(values)
    squares = (values - mean) ** 2
    variance = math.fsum(squares.tolist()) / len(values)
    sd = math.sqrt(variance)
    if sd == 0:
        return Estimate(0.0, None, None, None, len(values), blocks, 0.0, "none")
    return estimate_of(sd, by_block((squares - variance) / (2 * sd), where, blocks), len(values))


def worst(
    values: Floats, where: npt.NDArray[np.int64], blocks: int, tail: float = TAIL
) -> Estimate:
    """Mean of the lowest ``tail`` of the observations (conditional value at risk)."""
    order = np.sort(values)
    edge = float(order[math.ceil(tail * len(order)) - 1])
    short = np.maximum(edge - values, 0.0)
    value = edge - math.fsum(short.tolist()) / (tail * len(values))
    influence = by_block(edge - value - short / tail, where, blocks)
    return estimate_of(value, influence - influence.mean(), len(values))
