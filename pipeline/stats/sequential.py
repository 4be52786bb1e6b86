"""The gate: a generalised sequential probability ratio test of a claim.

H0 says that the claim's mean is ``delta0`` or less, H1 that it is ``delta1`` or more. The
variance is not known, so either hypothesis takes the one that suits it best, and the
logarithm of the ratio of both likelihoods (LLR) is followed block by block until it leaves
Wald's bounds. Sources: A. Wald, Sequential Analysis (1947); M. Van den Bergh, The generalised
sequential probability ratio test (2020), whose unit ``sigma`` is the normalised one of
chess-engine testing.
"""

import math
from fractions import Fraction
from typing import Literal, NamedTuple

from pipeline.stats.prefix import ALIKE, Decision, Prefix

LEAST = 16
"""Blocks before anything is decided: with fewer the variance is not known well enough."""

Unit = Literal["points", "sigma"]


class Sprt(NamedTuple):
    """A declared test; ``delta0`` < ``delta1``, ``alpha`` + ``beta`` < 1."""

    delta0: float
    delta1: float
    alpha: float = 0.05
    """Probability of ``better`` at ``delta0``, at most."""
    beta: float = 0.05
    """Probability of ``not better`` at ``delta1``, at most."""
    unit: Unit = "points"
    """Of both deltas: ``points`` a game, or ``sigma``, standard deviations of a block's value."""


class Look(NamedTuple):
    """What the test says of a prefix."""

    decision: Decision
    statistic: float | None
    """LLR, natural logarithm; None where it is not defined: too few blocks, none that differ."""


def bounds(rule: Sprt) -> tuple[float, float]:
    """Wald's bounds of the LLR: H0 is accepted at the first or below, H1 at the second or above.

    They are meant for a walk that hits them. Ours jumps over, the further the more blocks lie
    between two looks, and each jump makes both errors smaller than declared, never larger. So
    looking seldom costs some blocks (:func:`pipeline.stats.power.sprt_blocks` counts them) and
    needs no correction; one that moved the bounds inwards would lean on an estimated variance.
    """
    assert rule.delta0 < rule.delta1
    assert min(rule.alpha, rule.beta) > 0
    assert rule.alpha + rule.beta < 1
    return math.log(rule.beta / (1 - rule.alpha)), math.log((1 - rule.beta) / rule.alpha)


def scale(mean: float, square: float, t: float) -> float:
    """Standard deviation of the likeliest normal law with mean = t sd, from the data's mean and
    mean square: the positive root of s^2 + t mean s = square."""
    root = math.hypot(t * mean, 2 * math.sqrt(square))
    # Of the two forms of the same root the one that does not subtract near numbers.
    return (root - t * mean) / 2 if t * mean <= 0 else 2 * square / (root + t * mean)


def llr(prefix: Prefix, rule: Sprt) -> float | None:
    """Log likelihood ratio of H1 to H0; None below :data:`LEAST` blocks or without variance.

    In points it is B/2 log((v + (m - delta0)^2) / (v + (m - delta1)^2)), exact up to the
    logarithm.
    """
    b, m, v = prefix
    if b < LEAST or v == 0:
        return None
    if rule.unit == "points":
        off0, off1 = m - Fraction(rule.delta0), m - Fraction(rule.delta1)
        return b / 2 * math.log((v + off0 * off0) / (v + off1 * off1))
    # Only the ratio of mean to root mean square counts; the rest of the scale cancels.
    u = math.copysign(math.sqrt(m * m / (v + m * m)), m)
    return b * (_suits(u, rule.delta1) - _suits(u, rule.delta0))


def _suits(u: float, t: float) -> float:
    """Log likelihood a block, up to a constant, of mean = t sd where the data's root mean square
    is 1 and their mean ``u``."""
    s = scale(u, 1.0, t)
    return -math.log(s) + t * u / (2 * s) - t * t / 2


def decide(prefix: Prefix, rule: Sprt) -> Look:
    """What the test comes to: ``better`` (H1), ``not better`` (H0), ``identical`` or ``open``."""
    low, high = bounds(rule)
    if prefix.blocks >= LEAST and prefix.variance == 0:
        return Look(_without_variance(prefix, rule), None)
    value = llr(prefix, rule)
    if value is None or low < value < high:
        return Look("open", value)
    return Look("better" if value >= high else "not better", value)


def _without_variance(prefix: Prefix, rule: Sprt) -> Decision:
    """Where all blocks are exactly alike there is nothing to divide by: once there are enough
    of them, the hypothesis that lies nearer has it."""
    if prefix.blocks < ALIKE:
        return "open"
    if prefix.mean == 0:
        return "identical"
    # In units of a deviation that is nothing, any mean above 0 is beyond every delta.
    middle = Fraction(0)
    if rule.unit == "points":
        middle = (Fraction(rule.delta0) + Fraction(rule.delta1)) / 2
    if prefix.mean == middle:
        return "open"
    return "better" if prefix.mean > middle else "not better"
