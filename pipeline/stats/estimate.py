"""A mean with its error, from integer sums over blocks.

A cell of a table is a total X of something over a count N, both sums over
blocks. Blocks are independent, what is inside one is not: the seatings of a
deal share its cards. So the error of r = X / N comes from the blocks' residuals
x_b - r n_b, whose sum of squares needs five integers only. Everything is exact
until the last step, so that estimates do not depend on how a run was cut.
"""

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Literal, NamedTuple

from scipy import special

CONFIDENCE = 0.95
"""Level of every interval, unless a caller says otherwise."""

Kind = Literal["t", "max_t", "anytime", "wild", "identical", "bound", "none"]
"""How an interval came about; :data:`KINDS` says it in words."""

KINDS: dict[str, str] = {
    "t": "95 % interval of this one figure: Student t on blocks",
    "max_t": "95 % simultaneous intervals: all figures of the table are inside theirs together",
    "anytime": "holds at every moment: 95 % confidence sequence, however often one looks",
    "wild": "95 % interval of this one figure: wild cluster bootstrap on few blocks",
    "identical": "exactly nothing in every block, so the figure has no error",
    "bound": "never or always seen: 95 % bound from the number of blocks",
    "none": "no interval: too few blocks, or none that differ, tell of no error",
}


class Sums(NamedTuple):
    """Integer sums over the blocks in which a cell occurs."""

    blocks: int
    """Blocks in which it occurs: n_b > 0."""
    n: int
    """Sum of counts n_b."""
    x: int
    """Sum of totals x_b."""
    nn: int
    """Sum of n_b squared."""
    xx: int
    """Sum of x_b squared."""
    nx: int
    """Sum of n_b x_b."""


class Estimate(NamedTuple):
    """A figure, never without its error."""

    value: float
    se: float | None
    """Standard error; None where blocks do not tell."""
    low: float | None
    high: float | None
    n: int
    """What was counted: games, deals, choices; the section says which."""
    blocks: int
    df: float
    """Degrees of freedom of the t interval."""
    kind: Kind


def add(parts: Iterable[Sums]) -> Sums:
    """Sums of disjoint sets of blocks together (shards of a run)."""
    columns = zip(*parts, strict=True)
    totals = [sum(column) for column in columns]
    return Sums(*totals) if totals else Sums(0, 0, 0, 0, 0, 0)


def of_blocks(pairs: Iterable[tuple[int, int]]) -> Sums:
    """Sums of (n_b, x_b), one pair a block; blocks with n_b = 0 must have x_b = 0."""
    b = n = x = nn = xx = nx = 0
    for n_b, x_b in pairs:
        if n_b < 0 or (n_b == 0 and x_b != 0):
            raise ValueError(f"a block of count {n_b} cannot have total {x_b}")
        b += n_b > 0
        n, x, nn, xx, nx = n + n_b, x + x_b, nn + n_b * n_b, xx + x_b * x_b, nx + n_b * x_b
    return Sums(b, n, x, nn, xx, nx)


def effective_blocks(sums: Sums) -> Fraction:
    """Kish's effective number of blocks, N^2 / sum n_b^2: all of them where each
    counts alike, fewer where some carry most of the count."""
    return Fraction(sums.n * sums.n, sums.nn)


def degrees(sums: Sums) -> float:
    """Degrees of freedom: effective blocks less one, at least one.

    Blocks in which the cell does not occur say nothing about how much its
    blocks differ, so they do not count; else a bet seen three times in a
    million blocks would get the quantile of a million.
    """
    return max(1.0, float(effective_blocks(sums)) - 1)


def variance(sums: Sums) -> Fraction:
    """Exact variance of X / N: G / (G - 1) * sum (x_b - r n_b)^2 / N^2, G >= 2."""
    r = Fraction(sums.x, sums.n)
    residual = sums.xx - 2 * r * sums.nx + r * r * sums.nn
    return Fraction(sums.blocks, sums.blocks - 1) * residual / (sums.n * sums.n)


def t_quantile(df: float, confidence: float = CONFIDENCE) -> float:
    """Two-sided quantile of Student's t: half of 1 - confidence on either side."""
    return float(special.stdtrit(df, (1 + confidence) / 2))


def root(square: Fraction) -> float:
    """Square root of an exact number that is not negative."""
    return math.sqrt(float(square))


def ratio(
    sums: Sums,
    scale: Fraction | int = 1,
    confidence: float = CONFIDENCE,
    quantile: float | None = None,
    contrast: bool = False,
) -> Estimate:
    """Estimate of scale * X / N with a t interval on blocks.

    ``scale`` turns stored units into printed ones; a negative one turns the
    sign and with it the interval. ``quantile`` replaces the t quantile, for
    simultaneous intervals. No count at all is the caller's mistake.

    Where no two blocks differ they tell of no error: fourteen deals in which the king
    never fell do not make 0 a certainty. Only a ``contrast``, what one entrant has more
    than others on the same deals, is exactly nothing if it is so in every block.
    """
    if sums.n <= 0:
        raise ValueError("nothing was counted in this cell, so it has no mean")
    value = scale * Fraction(sums.x, sums.n)
    if sums.blocks < 2:
        return Estimate(float(value), None, None, None, sums.n, sums.blocks, 0.0, "none")
    df = degrees(sums)
    square = scale * scale * variance(sums)
    if square == 0:
        return without_spread(value, sums, contrast)
    se = root(square)
    half = se * (t_quantile(df, confidence) if quantile is None else quantile)
    v = float(value)
    kind: Kind = "t" if quantile is None else "max_t"
    return Estimate(v, se, v - half, v + half, sums.n, sums.blocks, df, kind)


def without_spread(value: Fraction, sums: Sums, contrast: bool) -> Estimate:
    """Estimate of a figure that is the same in every block, two or more."""
    df = degrees(sums)
    if contrast and value == 0:
        return Estimate(0.0, 0.0, 0.0, 0.0, sums.n, sums.blocks, df, "identical")
    return Estimate(float(value), None, None, None, sums.n, sums.blocks, df, "none")


def proportion(sums: Sums, per: int = 1, confidence: float = CONFIDENCE) -> Estimate:
    """Estimate of a share X / (per N) between 0 and 1.

    Where the event was never seen, or always, residuals vanish but the truth
    need not be 0 or 1: a block that shows it has probability p with
    (1 - p)^G > 1 - confidence for all p below the bound.
    """
    plain = ratio(sums, Fraction(1, per), confidence)
    return bounded(plain, float(effective_blocks(sums)), confidence)


def bounded(plain: Estimate, effective: float, confidence: float = CONFIDENCE) -> Estimate:
    """A share with its interval cut to 0 and 1, or its bound where it is 0 or 1 itself."""
    value = round(plain.value, 12)
    if value not in (0.0, 1.0) or plain.blocks < 2:
        return clipped(plain)
    bound = 1 - (1 - confidence) ** (1 / effective)
    low, high = (0.0, bound) if value == 0.0 else (1 - bound, 1.0)
    return plain._replace(value=value, se=None, low=low, high=high, kind="bound")


def clipped(estimate: Estimate, low: float = 0.0, high: float = 1.0) -> Estimate:
    """The same with its interval cut to the values that are possible."""
    if estimate.low is None or estimate.high is None:
        return estimate
    return estimate._replace(low=max(low, estimate.low), high=min(high, estimate.high))


def times(e: Estimate, factor: float) -> Estimate:
    """The figure and its error in other units; a negative factor turns the interval round."""
    low, high = (None if x is None else factor * x for x in (e.low, e.high))
    if factor < 0:
        low, high = high, low
    se = None if e.se is None else abs(factor) * e.se
    return e._replace(value=factor * e.value, se=se, low=low, high=high)


def p_value(estimate: Estimate, null: float = 0.0) -> float | None:
    """Two-sided p of the t test that the figure is ``null``; None where blocks do not tell."""
    if estimate.se is None:
        return None
    if estimate.se == 0:
        return float(estimate.value == null)
    t = abs(estimate.value - null) / estimate.se
    return float(2 * special.stdtr(estimate.df, -t))


def excludes(estimate: Estimate, null: float = 0.0) -> bool:
    """Whether the interval lies on one side of ``null``."""
    if estimate.low is None or estimate.high is None:
        return False
    return estimate.low > null or estimate.high < null
