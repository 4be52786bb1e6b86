"""Intervals that hold at every moment, however often one looks and whenever one stops.

A 95 % interval of Student's t holds at one number of blocks that was fixed before. Who looks
at it block after block sees it miss the truth sooner or later in 40 of 100 runs. The sequence
here misses it, at any of all its moments, in 5 of 100 at most. It is wider for that, least so
near the number of blocks that was ``planned``.

It inverts the t likelihood ratio averaged over a normal law of standardised means: a
martingale under every normal law of blocks, so Ville's inequality bounds all moments at once,
exactly and from the second block on. Sources: H. Wang and A. Ramdas, Anytime-valid t-tests and
confidence sequences for Gaussian means with unknown variance (2024); with many blocks it is
the asymptotic sequence of I. Waudby-Smith and others, Time-uniform central limit theory (2024),
which needs no normal law.
"""

import math

from pipeline.stats.estimate import CONFIDENCE, Estimate


def tuning(planned: int, alpha: float) -> float:
    """Variance rho^2 of standardised means for which the sequence is narrowest at ``planned``
    blocks (Waudby-Smith and others, section 2)."""
    twice = -2 * math.log(alpha)
    return (twice + math.log(twice) + 1) / planned


def factor(blocks: float, planned: int, alpha: float) -> float:
    """What the standard error is multiplied by for the half-width of the sequence.

    Parameters
    ----------
    blocks : float
        Effective blocks, degrees of freedom plus one.
    planned : int
        Blocks at which the sequence shall be narrowest, 1 at least.
    alpha : float
        Probability that it ever misses the truth, below 0.5.

    Returns
    -------
    float
        Infinite while so few blocks bound nothing at all: below 29 of 1,000 planned, 9 of 64.
    """
    assert 0 < alpha < 0.5
    assert planned > 0
    if blocks <= 1:
        return math.inf
    grown = 1 + blocks * tuning(planned, alpha)
    # t^2 <= df (R - 1) / (1 - R / grown), R = (sqrt(grown) / alpha)^(2 / blocks)
    log_r = 2 / blocks * (math.log(grown) / 2 - math.log(alpha))
    beyond = -math.expm1(log_r - math.log(grown))
    if beyond <= 0:
        return math.inf
    return math.sqrt((blocks - 1) * math.expm1(log_r) / beyond)


def first(planned: int, alpha: float) -> int:
    """The least number of blocks with an interval at all."""
    blocks = 2
    while math.isinf(factor(blocks, planned, alpha)):
        blocks += 1
    return blocks


def band(
    estimate: Estimate, planned: int, figures: int = 1, confidence: float = CONFIDENCE
) -> Estimate:
    """The same figure with an interval that holds at every moment.

    Parameters
    ----------
    estimate : Estimate
        Any kind; what counts is its figure, error and degrees of freedom. A share must be
        cut to 0 and 1 again (:func:`pipeline.stats.estimate.clipped`).
    planned : int
        Blocks at which the interval shall be narrowest; declared before the first look.
    figures : int
        Claims that are watched together: all of their intervals hold, at all moments,
        with ``confidence`` (each gets an equal part of what may miss: Bonferroni).
    confidence : float
        Probability that nothing is ever missed.

    Returns
    -------
    Estimate
        Of kind ``anytime``; ``identical`` and ``none`` stay what they are, ``bound`` gets a
        bound that holds at every moment, and with too few blocks it is ``none``.
    """
    alpha = (1 - confidence) / figures
    if estimate.kind == "identical":
        return estimate
    if estimate.kind == "bound":
        return _bound(estimate, alpha)
    if estimate.se is None:
        return estimate._replace(low=None, high=None, kind="none")
    half = estimate.se * factor(estimate.df + 1, planned, alpha)
    if math.isinf(half):
        return estimate._replace(low=None, high=None, kind="none")
    value = estimate.value
    return estimate._replace(low=value - half, high=value + half, kind="anytime")


def _bound(estimate: Estimate, alpha: float) -> Estimate:
    """A bound on a share never seen, or always, that holds at every moment.

    Let p be the probability that a block shows it. The bound 1 - a^(1/G) falls below p at one
    number of blocks G, and it has missed only if none of these G showed it: (1 - p)^G < a. So
    at whatever moments one looks while it was never seen, a is the probability to miss; half
    of ``alpha`` is for that, half for the other side, where it was always seen.
    """
    assert estimate.low is not None
    assert estimate.high is not None
    width = estimate.high - estimate.low
    # 1 - width = (1 - CONFIDENCE)^(1 / effective blocks), whatever those were.
    log_one = math.log1p(-width) / math.log(1 - CONFIDENCE)
    wider = -math.expm1(log_one * math.log(alpha / 2))
    never = estimate.low == 0.0
    low, high = (0.0, wider) if never else (1 - wider, 1.0)
    return estimate._replace(low=low, high=high)
