"""How strong each of many entrants is, who do not all meet at every table.

With more entrants than seats a plain mean of points depends on who sat at the table: a
strong entrant that met strong ones looks weak. So points are explained by who sat there,

    score - mean score of its table = theta_i - mean theta of its table + error,

by least squares over all seats of all games, theta summing to nothing. theta_i is the
points a game that entrant i has above an average one, of all entrants alike, at the same
table; theta_i - theta_k is what i has above k there. If strength adds up as the formula
says, this holds for any part of a schedule, whoever has met whom so far. If it does not,
theta is what comes nearest on the line-ups that were played.

Where all entrants sit at every table theta_i is the plain mean of the points above the
table. Where k entrants have met equally often at tables of S seats it is S (k - 1) / ((S -
1) k) times that: an entrant that is strong also lifts its table's mean, which it is
measured against.

A term for the seat would change nothing: with every rotation each entrant of a table has
each seat equally often, so seats drop out of the sums over a block.

Errors are those of blocks, as everywhere. With A_b the part of the normal equations of
block b and x_b its right side, u_b = x_b - A_b theta is what the block pulls at the
solution, and the covariance is G / (G - 1) A^-1 (sum u_b u_b') A^-1, the cluster sandwich.
Source: K.-Y. Liang and S. L. Zeger, Longitudinal data analysis using generalized linear
models, Biometrika 73, 1986.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.stats import joint, wild
from pipeline.stats.company import Met, reach
from pipeline.stats.estimate import (
    CONFIDENCE,
    Estimate,
    Sums,
    degrees,
    root,
    t_quantile,
    without_spread,
)
from pipeline.stats.exact import LARGEST, Whole, gram, inverse, product
from pipeline.stats.joint import Joint
from pipeline.stats.lineups import Played, changing, games_a_table, information, where
from pipeline.stats.simultaneous import Matrix, between, together

Ints = npt.NDArray[np.int64]

FINEST = 32
"""Bits after the point of the theta that residuals are made of: 2e-10 points."""
SPREAD = 128
"""Bits after the point of a covariance. Equal entries stay equal, so that what is
exactly nothing stays so."""
FEW = 30
"""Fewer blocks than this, where line-ups change, ask for the bootstrap of ``wild``."""
MOST_WILD = 8
"""Entrants whose pairs are told by the bootstrap; of more it would take minutes."""


class Fit(NamedTuple):
    """Strength of all entrants."""

    theta: tuple[Fraction, ...]
    """Points a game above an average entrant at the same table; sums to 0."""
    covariance: Matrix
    cells: tuple[Sums, ...]
    """What was counted of each: seat-games by block, and centred points."""
    blocks: int


def fit(played: Played | Met) -> Fit | None:
    """Least squares over all blocks, two or more; from the blocks or from sums over them the
    same to the last bit.

    None where tables do not link all entrants, not even by others who met both: then
    nothing is told of how they differ.
    """
    blocks = played.blocks
    if blocks < 2:
        raise ValueError("one block tells of no error: two or more are needed")
    left, sums = _equations(played)
    # The ones pick the solution that sums to nothing, and change no other.
    inverted = inverse([[value + 1 for value in row] for row in left])
    if inverted is None:
        return None
    above = [sum(a * x for a, x in zip(row, sums.x, strict=True)) for row in inverted.above]
    theta = tuple(Fraction(value, inverted.below) for value in above)
    bits = _bits(played, sums, theta)
    rounded = [round(value * (1 << bits)) for value in theta]
    if isinstance(played, Met):
        scatter = played.scatter(rounded, bits)
    else:
        scatter = gram(pulls(played, rounded, bits))
    meat = product(product(inverted.above, scatter), inverted.above)
    factor = Fraction(blocks, (blocks - 1) * inverted.below**2 << (2 * bits))
    covariance = [[_rounded(factor * value, SPREAD) for value in row] for row in meat]
    cells = tuple(sums.sums(i) for i in range(len(theta)))
    return Fit(theta, covariance, cells, blocks)


def _equations(played: Played | Met) -> tuple[Whole, Joint]:
    """Left side of the normal equations, and the sums that have the right one."""
    if isinstance(played, Met):
        return played.information(), played.sums
    k, games = played.x.shape[1], games_a_table(played)
    left: Whole = information(played.lineups, k, games).tolist()
    return left, joint.of_blocks(played.n, played.x)


def _bits(played: Played | Met, sums: Joint, theta: tuple[Fraction, ...]) -> int:
    """Bits after the point of the theta that residuals are made of, so that these can be squared
    in halves."""
    seats = played.seats if isinstance(played, Met) else played.lineups.shape[-1]
    games = played.games if isinstance(played, Met) else int(played.n.max())
    largest = reach(sums) + 2 * seats * games * (int(max(map(abs, theta))) + 1)
    bits = min(FINEST, LARGEST.bit_length() - 2 - largest.bit_length())
    if bits < 0:
        raise OverflowError(f"totals of {largest} in a block are too large to be squared")
    return bits


def pulls(played: Played, theta: list[int], bits: int) -> Ints:
    """(B, k): u_b, what each block pulls at the solution; both in units of 2^-bits points."""
    lineups, x, _ = played
    there = np.array(theta, np.int64)[lineups]
    expected = np.zeros_like(x)
    own = games_a_table(played) * (lineups.shape[-1] * there - there.sum(axis=2, keepdims=True))
    np.add.at(expected, where(lineups), own)
    return (x << bits) - expected


def _rounded(value: Fraction, bits: int) -> Fraction:
    return Fraction(round(value * (1 << bits)), 1 << bits)


def strengths(
    fitted: Fit, scale: Fraction | int = 1, confidence: float = CONFIDENCE
) -> list[Estimate]:
    """Simultaneous estimates of ``scale`` times theta, of all entrants.

    Degrees of freedom are the effective blocks of whoever had most byes less one: all
    blocks less one where nobody had any.
    """
    return together(fitted.theta, fitted.covariance, fitted.cells, scale, confidence)


def pairs(
    fitted: Fit, scale: Fraction | int = 1, confidence: float = CONFIDENCE
) -> dict[tuple[int, int], Estimate]:
    """Simultaneous estimates of ``scale`` times (theta_i - theta_k), for all i < k;
    ``simultaneous.ranks`` makes rank sets of them."""
    return between(fitted.theta, fitted.cells, fitted.covariance, scale, confidence)


def strengths_of_few(
    played: Played | Met, fitted: Fit, confidence: float = CONFIDENCE
) -> list[Estimate]:
    """:func:`strengths`; in few blocks of eight entrants or fewer each by :func:`claim`, at the
    level of Bonferroni, since a sandwich of few blocks is too narrow."""
    k = len(fitted.theta)
    if not _are_few(fitted):
        return strengths(fitted, confidence=confidence)
    each = 1 - (1 - confidence) / k
    return [claim(played, fitted, i, confidence=each) for i in range(k)]


def pairs_of_few(
    played: Played | Met, fitted: Fit, confidence: float = CONFIDENCE
) -> dict[tuple[int, int], Estimate]:
    """The same of :func:`pairs`."""
    found = pairs(fitted, confidence=confidence)
    if not _are_few(fitted):
        return found
    each = 1 - (1 - confidence) / len(found)
    return {(i, k): claim(played, fitted, i, k, confidence=each) for i, k in found}


def _are_few(fitted: Fit) -> bool:
    return wild.FEWEST <= fitted.blocks < FEW and len(fitted.theta) <= MOST_WILD


def claim(
    played: Played | Met,
    fitted: Fit,
    entrant: int,
    against: int | None = None,
    scale: Fraction | int = 1,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Estimate of ``scale`` times (theta_entrant - theta_against) alone, or of theta_entrant.

    Student t on effective blocks; in fewer than 30 blocks of changing line-ups, 6 of them
    effective at least, the interval of the wild cluster bootstrap. With fewer it would be too
    narrow, which t is not: its degrees of freedom are those of who had most byes. From sums over
    so few blocks there is no interval.
    """
    every = range(len(fitted.theta))
    weights = [
        (i == entrant) - (Fraction(1, len(every)) if against is None else (i == against))
        for i in every
    ]
    cov = fitted.covariance
    value = scale * sum(w * t for w, t in zip(weights, fitted.theta, strict=True))
    square = sum(weights[i] * weights[k] * cov[i][k] for i in every for k in every)
    cell = fitted.cells[entrant]
    if against is not None:
        cell = min(cell, fitted.cells[against], key=lambda c: c.n)
    if square <= 0:
        return without_spread(Fraction(value), cell, contrast=True)
    v, se, df = float(value), root(scale * scale * Fraction(square)), degrees(cell)
    half = se * t_quantile(df, confidence)
    alone = Estimate(v, se, v - half, v + half, cell.n, cell.blocks, df, "t")
    if fitted.blocks >= FEW or df + 1 < wild.FEWEST:
        return alone
    if isinstance(played, Met):
        return alone._replace(low=None, high=None, kind="none") if played.changing else alone
    if not changing(played):
        return alone
    return _by_bootstrap(alone, played, [float(scale * w) for w in weights], confidence)


def _by_bootstrap(
    alone: Estimate, played: Played, weights: list[float], confidence: float
) -> Estimate:
    """The same figure with the interval of the wild bootstrap."""
    games, k = games_a_table(played), played.x.shape[1]
    parts = np.array([information(tables[None], k, games) for tables in played.lineups])
    found = wild.interval(parts, played.x, np.array(weights), confidence)
    if found is None:
        return alone._replace(low=None, high=None, kind="none")
    return alone._replace(low=found[0], high=found[1], kind="wild")
