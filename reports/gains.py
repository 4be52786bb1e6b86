"""What the same deals in all seatings are worth: the spread of single games against blocks.

Were every game played on deals of its own, the square of a figure's standard error would be
the sum over games of what each adds, squared; with blocks it is the sum over blocks. Their ratio
is the gain: how many games on independent deals tell as much as one that was played. Both
are sums over blocks, so the gain has an error on blocks like any ratio; pieces of up to many
blocks serve for it.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pipeline.stats.blocks import share
from pipeline.stats.estimate import Estimate, Sums
from reports.prefixes import Piece
from reports.single_games import Alone


class Gain(NamedTuple):
    """Of one figure, in points a game."""

    gain: Estimate
    sd_game: float
    """Standard deviation of the figure of one game."""
    sd_block: float
    """Standard deviation of the figure of one block."""
    games: int
    """In which the entrant sat."""


def of_entrant(
    parts: tuple[Piece, ...], total: Piece, i: int, seats: int, less_datum: bool = False
) -> Gain | None:
    """The gain of a ranked entrant's figure; None where all blocks are alike, or totals of
    blocks do not tell of its single games.

    ``total`` is all parts together; ``less_datum``: a candidate's.
    """
    if not all(part.alone[i] for part in parts if part.entrants.n[i]) or not total.alone[i]:
        return None
    sums = total.entrants.sums(i)
    r = Fraction(sums.x, sums.n)
    means = [Fraction(one.x, one.n) for one in total.alone[i]]
    games = [_square_of(part.alone[i], means) for part in parts if part.alone[i]]
    blocks = [_square(part.entrants.sums(i), r) for part in parts if part.alone[i]]
    if sum(blocks) == 0:
        return None
    # Of a candidate and its datum the variances of a game add up, over tables they are shared.
    played = sum(one.blocks for one in total.alone[i]) // (2 if less_datum else 1)
    count = total.alone[i][0].nn if less_datum else sum(one.nn for one in total.alone[i])
    return _gain(games, blocks, sum(games) / Fraction(count), sums, played, seats)


def _gain(
    games: list[Fraction],
    blocks: list[Fraction],
    single: Fraction,
    sums: Sums,
    played: int,
    seats: int,
) -> Gain:
    found = share(np.array([float(g) for g in games]), np.array([float(b) for b in blocks]))
    e = found._replace(n=played, blocks=sums.blocks)
    if e.low is not None:
        e = e._replace(low=max(0.0, e.low))
    block = sum(blocks) / Fraction(sums.nn)
    return Gain(e, float(single) ** 0.5 / seats, float(block) ** 0.5 / seats, played)


def _square_of(parts: Alone, means: list[Fraction]) -> Fraction:
    return sum((_square(one, mean) for one, mean in zip(parts, means, strict=True)), Fraction(0))


def _square(sums: Sums, r: Fraction) -> Fraction:
    """Sum of (x - r n) squared."""
    return sums.xx - 2 * r * sums.nx + r * r * sums.nn
