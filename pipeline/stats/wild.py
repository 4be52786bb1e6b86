"""Intervals from few blocks whose line-ups change: the wild cluster bootstrap.

A sandwich of few unequal clusters is too narrow. Here the sign of what each block pulls
at the solution is turned at random, with the figure held at the value that is tried; a
value is kept in the interval unless fewer than 5 in 100 such turns give a |t| as large as
the one seen. With 13 blocks or fewer all turns are tried, so nothing is random.
Source: A. C. Cameron, J. B. Gelbach and D. L. Miller, Bootstrap-based improvements for
inference with clustered errors, Review of Economics and Statistics 90, 2008.
"""

import math

import numpy as np
import numpy.typing as npt

from pipeline.stats.estimate import CONFIDENCE

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

ALL = 13
"""Up to so many blocks every turn of signs is tried, 4,096 at most."""
TURNS = 4_000
"""Turns drawn where there are more blocks."""
KEY = 20_261_201
"""Key of these draws: the same blocks always give the same interval."""
SAME = 1e-8
"""Relative size below which two |t| are one that was rounded twice."""
FINE = 1e-5
"""Where an end is found, in standard errors."""
FARTHEST = 1e9
"""Beyond so many standard errors there is no end."""
FEWEST = 6
"""Blocks that can exclude a value at 95 %: of 5 even the rarest turn is one in 16."""


def signs(blocks: int) -> Floats:
    """(R, blocks): turns of +1 and -1, the first of them none.

    Turning all gives the same |t|, so the first block is never turned.
    """
    if blocks <= ALL:
        codes = np.arange(1 << (blocks - 1))[:, None] << 1
        bits = codes >> np.arange(blocks) & 1
    else:
        rng = np.random.Generator(np.random.Philox(key=KEY))
        bits = rng.integers(0, 2, (TURNS, blocks))
        bits[0], bits[:, 0] = 0, 0
    return 1.0 - 2.0 * bits.astype(np.float64)


class Turned:
    """|t| of all turns of signs, for any value of the figure that is tried.

    All that depends on the value v is linear in d = (figure - v) / (c' A^-1 c): residuals
    under the restriction are u_b + d A_b A^-1 c.
    """

    def __init__(self, information: Ints, totals: Ints, contrast: Floats) -> None:
        whole = information.sum(axis=0).astype(np.float64)
        inverted = np.linalg.inv(whole + 1.0)
        theta = inverted @ totals.sum(axis=0)
        u = totals - information @ theta
        q = inverted @ contrast
        pull = information @ q
        self.value = float(contrast @ theta)
        self.per = float(contrast @ q)
        w = signs(len(totals))
        own, per = u @ q, pull @ q
        # What is left of each block in each turn, at d = 0 and for each d more.
        left = w * own - w @ (pull @ inverted @ u.T).T
        more = w * per - w @ (pull @ inverted @ pull.T).T
        self.figure = (w @ own, w @ per)
        self.square = [(x * y).sum(axis=1) for x, y in ((left, left), (left, more), (more, more))]
        self.norm = math.sqrt(float(np.square(own).sum()))
        blocks = len(totals)
        self.se = self.norm * math.sqrt(blocks / (blocks - 1))

    def p(self, v: float) -> float:
        """Share of turns whose |t| is as large as that seen, if the figure were ``v``."""
        d = (self.value - v) / self.per
        figure = np.abs(self.figure[0] + d * self.figure[1])
        square = self.square[0] + 2 * d * self.square[1] + d * d * self.square[2]
        # |t| without the division: there are turns without any spread.
        seen = abs(self.value - v) / self.norm
        return float(np.mean(figure >= seen * np.sqrt(np.maximum(square, 0.0)) * (1 - SAME)))


def interval(
    information: Ints, totals: Ints, contrast: Floats, confidence: float = CONFIDENCE
) -> tuple[float, float] | None:
    """Interval of contrast' theta, where theta solves sum A_b theta = sum x_b.

    ``information`` (B, k, k) are the A_b, ``totals`` (B, k) the x_b. None where so few
    blocks cannot exclude any value: fewer than six at 95 %.
    """
    turned = Turned(information, totals, contrast)
    wrong = 1 - confidence
    if turned.norm == 0:
        return None
    low, high = (_end(turned, wrong, side) for side in (-1, 1))
    return None if low is None or high is None else (low, high)


def _end(turned: Turned, wrong: float, side: int) -> float | None:
    """Where on this side values begin to be excluded; None if nowhere."""
    inside, outside = 0.0, 1.0
    while turned.p(turned.value + side * outside * turned.se) > wrong:
        inside, outside = outside, 2 * outside
        if outside > FARTHEST:
            return None
    while outside - inside > FINE:
        middle = (inside + outside) / 2
        if turned.p(turned.value + side * middle * turned.se) > wrong:
            inside = middle
        else:
            outside = middle
    return turned.value + side * outside * turned.se
