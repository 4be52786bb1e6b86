"""A normal walk between two bounds: how long it takes to leave them, and on which side.

The logarithm of a likelihood ratio, looked at every so many blocks, is such a walk to good
approximation; so this is what a sequential test costs.
"""

import math

import numpy as np
import numpy.typing as npt
from scipy import special

OVERSHOOT = 0.5826
"""Mean overshoot of a walk over a far bound, in standard deviations of a step:
-zeta(1/2) / sqrt(2 pi) (D. Siegmund, Sequential Analysis, 1985, chapter 10)."""
FINE = 100
"""With bounds more steps apart than this the overshoot is all that tells it from a Brownian
motion."""

Floats = npt.NDArray[np.float64]


def leaves(
    drift: float, spread: float, low: float, high: float, first: float = 1.0
) -> tuple[float, float]:
    """Mean steps till a walk from 0 stands outside ``low`` < 0 < ``high``, and the probability
    that it does so above.

    Parameters
    ----------
    drift, spread : float
        Mean and standard deviation of a step, ``spread`` > 0.
    low, high : float
        The bounds.
    first : float
        Steps before the walk is looked at for the first time; after that, after each.
    """
    if (high - low) / spread > FINE:
        return _motion(drift, spread, low - OVERSHOOT * spread, high + OVERSHOOT * spread, first)
    return _steps(drift, spread, low, high, first)


def _motion(
    drift: float, spread: float, low: float, high: float, first: float
) -> tuple[float, float]:
    """Of a Brownian motion: Wald's identity and its exponential martingale."""
    h = 2 * drift / spread**2
    if abs(h) * (high - low) < 1e-9:
        return max(first, -low * high / spread**2), -low / (high - low)
    # Either form where its exponents are negative.
    above = (
        math.expm1(h * low) / math.expm1(-h * (high - low))
        if h > 0
        else 1 - math.expm1(h * high) / math.expm1(h * (high - low))
    )
    return max(first, (high * above + low * (1 - above)) / drift), above


def _steps(
    drift: float, spread: float, low: float, high: float, first: float
) -> tuple[float, float]:
    """Of steps: the integral equations N(x) = 1 + E N(x + step) and likewise for the side,
    over the points inside, by Gauss-Legendre quadrature (Nystrom's method)."""
    nodes, weights = np.polynomial.legendre.leggauss(math.ceil(3 * (high - low) / spread) + 40)
    x = low + (high - low) * (nodes + 1) / 2
    inner = weights * (high - low) / 2

    def lands(start: Floats, steps: float) -> Floats:
        off = (x - start[:, None] - drift * steps) / (spread * math.sqrt(steps))
        out: Floats = np.exp(-off * off / 2) / (spread * math.sqrt(2 * math.pi * steps))
        return inner * out

    def above(start: Floats, steps: float) -> Floats:
        return np.asarray(
            special.ndtr((start + drift * steps - high) / (spread * math.sqrt(steps)))
        )

    rest = np.eye(len(x)) - lands(x, 1.0)
    counts, ups = np.linalg.solve(rest, np.stack([np.ones(len(x)), above(x, 1.0)], axis=1)).T
    origin = np.zeros(1)
    start = lands(origin, first)[0]
    return first + float(start @ counts), float(above(origin, first)[0] + start @ ups)
