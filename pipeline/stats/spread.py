"""How far single deals spread: standard deviation and tail, with errors by block."""

import math

import numpy as np
import numpy.typing as npt

from pipeline.stats.blocks import Floats, moved, of_each
from pipeline.stats.estimate import Estimate

TAIL = 0.05
"""Share of the worst deals in the mean of the tail."""


def deviation(values: Floats, where: npt.NDArray[np.int64], blocks: int) -> Estimate:
    """Standard deviation of the observations; ``where`` says the block of each, from 0."""
    mean = math.fsum(values.tolist()) / len(values)
    squares = (values - mean) ** 2
    variance = math.fsum(squares.tolist()) / len(values)
    sd = math.sqrt(variance)
    if sd == 0:
        return Estimate(0.0, None, None, None, len(values), blocks, 0.0, "none")
    e = moved(sd, of_each((squares - variance) / (2 * sd), where, blocks), len(values))
    return e if e.low is None else e._replace(low=max(0.0, e.low))


def worst(
    values: Floats, where: npt.NDArray[np.int64], blocks: int, tail: float = TAIL
) -> Estimate:
    """Mean of the lowest ``tail`` of the observations (conditional value at risk)."""
    order = np.sort(values)
    edge = float(order[math.ceil(tail * len(order)) - 1])
    short = np.maximum(edge - values, 0.0)
    value = edge - math.fsum(short.tolist()) / (tail * len(values))
    influence = of_each(edge - value - short / tail, where, blocks)
    return moved(value, influence - influence.mean(), len(values))
