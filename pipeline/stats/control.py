"""Luck of the cards taken out of a figure by what others made of the same cards.

A control z is known of each block and has mean 0 whatever the strategies: what the datum, the
field alone on the same cards, made in the entrant's seat above the mean of its table. By seat
symmetry, each seat being drawn equally often, it is 0 in the mean. So y - c z has the mean of
y for every c that was fixed without looking at these blocks, and less spread if c is good.

With c from the very blocks it is used on the interval would be too narrow: of many controls
the best always seems good. There is no function here that does it. The coefficients come from
another run (``adjusted``), or those of each fold of blocks from all the others
(``cross_fitted``).
"""

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pipeline.stats import exact
from pipeline.stats.estimate import Estimate, ratio
from pipeline.stats.joint import of_blocks

Ints = npt.NDArray[np.int64]

UNIT = 1024
"""Coefficients are whole numbers of 1 / UNIT, so that adjusted totals are whole numbers."""
FOLDS = 8
"""Folds of ``cross_fitted``: block b is in fold b mod FOLDS."""


def coefficients(y: Ints, z: Ints) -> Ints:
    """(m,) least-squares coefficients of totals ``y`` (B,) on controls ``z`` (B, m), in 1 / UNIT.

    From exact sums, so the order of blocks does not matter. Raises ``ValueError`` where some
    control does not vary or is made of others, and where there are too few blocks.
    """
    blocks, m = z.shape
    if blocks < m + 2:
        raise ValueError(f"{blocks} blocks tell of no {m} coefficients: {m + 2} are needed")
    ones = np.ones((blocks, 1), np.int64)
    sums = exact.gram(np.concatenate([ones, y[:, None], z], axis=1))

    def about_mean(i: int, k: int) -> int:
        return int(blocks) * sums[i][k] - sums[0][i] * sums[0][k]

    controls = range(2, m + 2)
    solved = exact.inverse([[about_mean(i, k) for k in controls] for i in controls])
    if solved is None:
        raise ValueError("a control that does not vary, or is made of others, has no coefficient")
    right = [about_mean(i, 1) for i in controls]
    above = [sum(a * r for a, r in zip(row, right, strict=True)) for row in solved.above]
    return np.array([round(Fraction(UNIT * v, solved.below)) for v in above], np.int64)


def adjusted(y: Ints, z: Ints, c: Ints) -> Ints:
    """(B,) UNIT times (y - z c), with coefficients ``c`` (m,) in 1 / UNIT of another run."""
    return UNIT * y - z @ c


def cross_fitted(y: Ints, z: Ints, folds: int = FOLDS) -> Ints:
    """(B,) UNIT times (y - z c), where the c of a block come from the blocks of other folds.

    Blocks are in order of their index, from block 0 on.
    """
    fold = np.arange(len(y)) % folds
    out = np.zeros_like(y)
    for one in range(folds):
        here = fold == one
        out[here] = adjusted(y[here], z[here], coefficients(y[~here], z[~here]))
    return out


def estimate(n: Ints, values: Ints, scale: Fraction | int = 1) -> Estimate:
    """Estimate of ``scale`` times adjusted totals over counts ``n`` (B,): t on blocks."""
    sums = of_blocks(n[:, None], values[:, None]).sums(0)
    return ratio(sums, Fraction(scale, UNIT))
