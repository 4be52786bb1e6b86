"""Tournaments as bare numbers: laws of block totals, paths of prefixes, order of arrival.

The formulas stand here a second time, over whole arrays, so that thousands of runs take
seconds; the tests hold them to `pipeline.stats` where a run ends.
"""

import heapq
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.stats import prefix
from pipeline.stats.estimate import of_blocks, variance
from pipeline.stats.sequential import Sprt, bounds
from tests.runs import played, rows, small

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
GAMES = 4
"""Games of a block: four rotations."""


class Law(NamedTuple):
    """Of block totals, in points; ``mean`` and ``sd`` of a block's value in points a game."""

    draw: Callable[[np.random.Generator, tuple[int, int]], Ints]
    mean: float
    sd: float


@cache
def near_normal() -> Law:
    """Totals of skew -0.04 about 0, as of two heuristics with the same choice of contracts."""
    shape = 4 / 0.04**2
    sd = 45.2

    def draw(rng: np.random.Generator, size: tuple[int, int]) -> Ints:
        standard: Floats = (shape - rng.gamma(shape, size=size)) / shape**0.5
        return np.rint(sd * standard).astype(np.int64)

    return Law(draw, 0.0, (sd**2 + 1 / 12) ** 0.5 / GAMES)


@cache
def tournament() -> Law:
    """Totals of a real tournament, drawn again: duck's points above random's tables."""
    config = small(("barbu_fr_reussite",), blocks=400, design="gauntlet", lineups=())
    totals = np.zeros(400, dtype=np.int64)
    with TemporaryDirectory() as folder:
        for game in rows(played(config, Path(folder) / "run")[0], "games"):
            scores = [game[f"score_{seat}"] for seat in range(GAMES)]
            mine = [game[f"entrant_{seat}"] == "duck.v1" for seat in range(GAMES)].index(True)
            totals[game["block"]] += GAMES * scores[mine] - sum(scores)

    def draw(rng: np.random.Generator, size: tuple[int, int]) -> Ints:
        return rng.choice(totals, size)

    return Law(draw, float(totals.mean()) / GAMES, float(totals.std()) / GAMES)


class Paths(NamedTuple):
    """Means and likeliest variances of the first 1, 2, ... blocks of each run, in points a game."""

    n: Floats
    mean: Floats
    variance: Floats

    @property
    def se(self) -> Floats:
        """Standard errors; infinite for one block."""
        with np.errstate(divide="ignore", invalid="ignore"):
            out: Floats = np.where(self.n > 1, np.sqrt(self.variance / (self.n - 1)), np.inf)
        return out


def paths(totals: Ints) -> Paths:
    """All prefixes of each row of (runs, blocks) totals."""
    n = np.arange(1, totals.shape[1] + 1, dtype=np.float64)
    mean = totals.cumsum(axis=1) / n
    spread = np.maximum((totals * totals).cumsum(axis=1) / n - mean * mean, 0.0)
    return Paths(n, mean / GAMES, spread / GAMES**2)


def ratios(p: Paths, rule: Sprt) -> Floats:
    """LLR of every prefix."""
    m, v = p.mean, p.variance
    if rule.unit == "points":
        with np.errstate(divide="ignore", invalid="ignore"):
            off0, off1 = (m - rule.delta0) ** 2, (m - rule.delta1) ** 2
            return np.asarray(p.n / 2 * np.log((v + off0) / (v + off1)))
    square = v + m * m

    def suits(t: float) -> Floats:
        s = (np.sqrt(t * t * m * m + 4 * square) - t * m) / 2
        return np.asarray(-np.log(s) - (square - 2 * t * s * m + (t * s) ** 2) / (2 * s * s))

    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(p.n * (suits(rule.delta1) - suits(rule.delta0)))


class Ends(NamedTuple):
    """Where each run ended: blocks, all of them where it did not, and on which side."""

    blocks: Ints
    better: npt.NDArray[np.bool_]
    open: npt.NDArray[np.bool_]


def ends(llr: Floats, rule: Sprt, look: int = 1, least: int = 16) -> Ends:
    """First look at which the LLR is outside its bounds."""
    low, high = bounds(rule)
    n = np.arange(1, llr.shape[1] + 1)
    looked = (n >= least) & (n % look == 0)
    out = looked & ((llr <= low) | (llr >= high))
    at = np.where(out.any(axis=1), out.argmax(axis=1), llr.shape[1] - 1)
    last = llr[np.arange(len(llr)), at]
    still = ~out.any(axis=1)
    return Ends(at + 1, (last >= high) & ~still, still)


def exact(totals: Ints) -> prefix.Prefix:
    """The prefix of these blocks, as a rule gets it."""
    if len(totals) == 0:
        return prefix.Prefix(0, Fraction(0), Fraction(0))
    sums = of_blocks((GAMES, int(x)) for x in totals)
    square = variance(sums) if len(totals) > 1 else Fraction(0)
    return prefix.of(Fraction(sums.x, sums.n), square, sums.blocks)


def arrivals(durations: Floats, workers: int) -> Ints:
    """Blocks by the order in which they are done: each worker takes the next when it is free."""
    free = [0.0] * workers
    done = np.empty(len(durations))
    for block, duration in enumerate(durations.tolist()):
        done[block] = free[0] + duration
        heapq.heapreplace(free, done[block])
    return np.argsort(done, kind="stable")
