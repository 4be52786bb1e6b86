"""How many blocks a question needs, before the first of them is played.

Everything is told from ``sigma``, the standard deviation of a block's value in points a game
(a pilot or an earlier run has it): a block of n rotations of one table is one value.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

from scipy import special

from pipeline.stats.anytime import factor
from pipeline.stats.estimate import CONFIDENCE, t_quantile
from pipeline.stats.sequential import LEAST, Sprt, bounds, scale
from pipeline.stats.walk import leaves

CAP = 4
"""A cap below so many times the expected blocks is hit often, and changes the test."""


def t_power(blocks: int, difference: float, sigma: float, confidence: float = CONFIDENCE) -> float:
    """Probability that the t interval after a fixed number of ``blocks`` >= 2 excludes 0 on the
    right side, if the truth is ``difference`` (noncentral t)."""
    df, shift = blocks - 1, abs(difference) / sigma * math.sqrt(blocks)
    return float(1 - special.nctdtr(df, shift, t_quantile(df, confidence)))


def t_blocks(
    difference: float, sigma: float, power: float = 0.95, confidence: float = CONFIDENCE
) -> int:
    """Fixed blocks after which the t interval excludes 0 with probability ``power``."""
    _above_0(difference=abs(difference), sigma=sigma)
    return _least(lambda blocks: t_power(blocks, difference, sigma, confidence) >= power)


def t_width_blocks(half: float, sigma: float, confidence: float = CONFIDENCE) -> int:
    """Fixed blocks for a t interval of ``half`` points a game on either side."""
    _above_0(half=half, sigma=sigma)
    return _least(lambda b: t_quantile(b - 1, confidence) * sigma / math.sqrt(b) <= half)


def anytime_blocks(
    half: float,
    sigma: float,
    planned: int | None = None,
    figures: int = 1,
    confidence: float = CONFIDENCE,
) -> int:
    """Blocks for an anytime interval of ``half`` points a game on either side.

    That is also about the mean number of blocks till it excludes 0 if the truth is ``half``
    (simulated: 0.90 to 1.02 of it).
    ``planned`` and ``figures`` as in :func:`pipeline.stats.anytime.band`; None: planned for
    just this, so that the answer is what to declare.
    """
    _above_0(half=half, sigma=sigma)
    alpha = (1 - confidence) / figures
    return _least(lambda b: sigma / math.sqrt(b) * factor(b, planned or b, alpha) <= half)


class Expected(NamedTuple):
    """Mean blocks till a test decides, by what the truth is."""

    at0: float
    """At ``delta0``."""
    middle: float
    """Half-way: where it takes longest."""
    at1: float
    """At ``delta1``."""


def sprt_blocks(rule: Sprt, sigma: float = 1.0, look: int = 1) -> Expected:
    """Mean blocks of the test, looked at every ``look`` blocks; ``sigma`` only counts in points.

    The LLR is taken for a normal walk with its drift and spread by block. For small differences,
    one look a block and errors of 5 % this is 5.3 (sigma / (delta1 - delta0))^2 at both ends and
    8.7 of the same in the middle.
    """
    ends = rule.delta0, (rule.delta0 + rule.delta1) / 2, rule.delta1
    return Expected(*(_crossing(rule, true, sigma, look)[0] for true in ends))


def sprt_passes(rule: Sprt, true: float, sigma: float = 1.0, look: int = 1) -> float:
    """Probability that the test ends with ``better`` if the truth is ``true``, in its unit.

    To within 0.02: that the variance is estimated too is not in it.
    """
    return _crossing(rule, true, sigma, look)[1]


def cap(expected: Expected) -> int:
    """The least cap in blocks that does not change the test: four times what is expected where
    it takes longest; of tests in the middle one in a hundred is still open then."""
    return math.ceil(CAP * max(expected))


def _crossing(rule: Sprt, true: float, sigma: float, look: int) -> tuple[float, float]:
    """Mean blocks till the LLR leaves its bounds, and probability that it leaves upwards."""
    drift, spread = _walk(rule, true, 1.0 if rule.unit == "sigma" else sigma)
    first = math.ceil(LEAST / look)
    looks, passes = leaves(look * drift, math.sqrt(look) * spread, *bounds(rule), first)
    return look * looks, passes


def _walk(rule: Sprt, true: float, sigma: float) -> tuple[float, float]:
    """Drift and standard deviation of the LLR by block, if blocks are normal.

    The LLR a block is a function f of the mean m and mean square q of blocks. Its drift is f at
    their truth; by the delta method its spread is that of f_m y + f_q y^2, with the slopes
    c / s^2 and -1 / (2 s^2) of the log likelihood whose best law has mean c and deviation s.
    """
    _above_0(sigma=sigma)
    square = sigma * sigma + true * true
    value, f_m, f_q = 0.0, 0.0, 0.0
    for sign, delta in ((-1, rule.delta0), (1, rule.delta1)):
        if rule.unit == "points":
            c, s = delta, math.hypot(sigma, true - delta)
        else:
            s = scale(true, square, delta)
            c = delta * s
        off = (square - 2 * c * true + c * c) / (2 * s * s)
        value += sign * (-math.log(s) - off)
        f_m += sign * c / (s * s)
        f_q -= sign / (2 * s * s)
    linear, curved = f_m + 2 * true * f_q, f_q
    return value, sigma * math.sqrt(linear**2 + 2 * curved**2 * sigma**2)


def _least(enough: Callable[[int], bool]) -> int:
    """The least number of blocks, two or more, that is enough; more always are."""
    high = 2
    while not enough(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _above_0(**said: float) -> None:
    for name, value in said.items():
        if not (value > 0 and math.isfinite(value)):
            raise ValueError(f"{name}: {value} is not above 0, and no number of blocks answers it")
