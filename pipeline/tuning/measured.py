"""A figure of an objective with all that its error, and that of a difference, needs.

Whatever an objective is (a spread of logarithms, an entropy, the answer of a dynamic program),
its error comes from leaving out one group of blocks after the other: the delete-a-group
jackknife. Candidates are measured on the same deals, so the pseudo-values of two of them go
group by group, and the error of their difference is that of these differences.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.stats.estimate import CONFIDENCE, Estimate, t_quantile
from pipeline.stats.prefix import ALIKE

GROUPS = 100
"""Groups of blocks at most; consecutive stretches of equal length."""

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Measured(NamedTuple):
    """What an objective came to. Its value is the mean of ``parts``."""

    parts: Floats
    """(groups,): pseudo-values G * all - (G - 1) * all but the group, so that their mean has
    lost its bias of order 1 / blocks; of a figure that leaps moved to have the value of all."""
    blocks: int
    """Blocks that were counted."""

    @property
    def value(self) -> float:
        """The figure; its first-order bias is taken off unless it leaps."""
        return float(self.parts.mean())


def group_of(blocks: int, groups: int = GROUPS) -> Ints:
    """(blocks,): group of each block, from 0; each block its own where there are few."""
    n = blocks if blocks < 2 * groups else groups
    return np.arange(blocks, dtype=np.int64) * n // max(1, blocks)


def jackknife(
    sums: npt.ArrayLike,
    figure: Callable[[Floats], npt.ArrayLike],
    blocks: int,
    *,
    leaps: bool = False,
) -> Measured:
    """From sums by group, (groups, k), and the function that makes (m, k) sums to (m,) values;
    ``leaps`` as in :func:`of_left_out`."""
    table = np.asarray(sums, np.float64)
    total = table.sum(axis=0)
    left_out = np.asarray(figure(total - table), np.float64)
    whole = float(np.asarray(figure(total[None]))[0])
    return of_left_out(whole, left_out, blocks, leaps=leaps)


def of_left_out(
    whole: float, left_out: npt.ArrayLike, blocks: int, *, leaps: bool = False
) -> Measured:
    """From the value of all blocks and those without each group in turn, (groups,).

    ``leaps``: a choice or a largest of several, which passes from one to another at once. There
    the mean of the pseudo-values strays farther than their spread tells, so they are moved to
    have the value of all blocks, and its bias stays.
    """
    without = np.asarray(left_out, np.float64)
    n = len(without)
    if leaps:
        return Measured(whole + (n - 1) * (without.mean() - without), blocks)
    return Measured(n * whole - (n - 1) * without, blocks)


def estimate(measured: Measured, confidence: float = CONFIDENCE) -> Estimate:
    """The figure with Student's interval on groups; no interval from fewer than two."""
    return _estimate(measured.parts, measured.blocks, confidence, "none")


def less(one: Measured, other: Measured) -> Measured:
    """Group by group what ``one`` has more than ``other``; ``ValueError`` where their deals
    cannot be the same."""
    if len(one.parts) != len(other.parts):
        raise ValueError(f"{len(one.parts)} and {len(other.parts)} groups are not the same deals")
    return Measured(one.parts - other.parts, one.blocks)


def contrast(found: Measured, confidence: float = CONFIDENCE) -> Estimate:
    """Of what :func:`less` found, with an interval of its own.

    Nothing in every group, of ``ALIKE`` blocks or more: 0 without error, kind ``identical``.
    Alike in fewer there is no interval: what happens seldom may not have happened yet.
    """
    return _estimate(found.parts, found.blocks, confidence, "identical")


def difference(one: Measured, other: Measured, confidence: float = CONFIDENCE) -> Estimate:
    """How much more ``one`` is than ``other`` on the same deals, as :func:`contrast`."""
    return contrast(less(one, other), confidence)


def side(found: Estimate) -> int:
    """On which side of 0 a difference surely lies: 1 above, -1 below, 0 where it may be either.

    One that is the same in every block has no interval; it takes ``ALIKE`` blocks to be sure.
    """
    if found.low is None or found.high is None:
        return int(np.sign(found.value)) if found.blocks >= ALIKE else 0
    return int(found.low > 0) - int(found.high < 0)


def _estimate(parts: Floats, blocks: int, confidence: float, if_zero: str) -> Estimate:
    n, value = len(parts), float(parts.mean()) if len(parts) else 0.0
    spread = float(parts.std(ddof=1)) if n > 1 else 0.0
    if blocks >= ALIKE and not parts.any() and if_zero == "identical":
        return Estimate(0.0, 0.0, 0.0, 0.0, blocks, blocks, max(1.0, n - 1.0), "identical")
    if n < 2 or spread == 0:
        return Estimate(value, None, None, None, blocks, blocks, max(1.0, n - 1.0), "none")
    se = spread / n**0.5
    half = t_quantile(n - 1, confidence) * se
    return Estimate(value, se, value - half, value + half, blocks, blocks, n - 1.0, "t")
