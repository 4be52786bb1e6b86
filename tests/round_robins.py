"""Games of many entrants drawn from a known law: what several tests share."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.stats.lineups import Played

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Games(NamedTuple):
    """Every game of some blocks."""

    lineups: Ints
    """(B, T, S) entrants."""
    points: Ints
    """(B, T, R, S) scores by seat; in rotation r member m of the line-up has seat (m + r) mod S."""
    entrants: int

    def seated(self) -> Ints:
        """(B, T, R, S) who has each seat."""
        rotations = range(self.points.shape[2])
        return np.stack([np.roll(self.lineups, r, axis=2) for r in rotations], axis=2)


def drawn_lineups(rng: np.random.Generator, k: int, seats: int, blocks: int) -> Ints:
    """(B, T, S) a new partition into tables in each block; the rest have a bye."""
    used = k // seats * seats
    drawn = np.array([rng.permutation(k)[:used] for _ in range(blocks)])
    return drawn.reshape(blocks, -1, seats)


def games_of(
    rng: np.random.Generator,
    theta: Floats,
    seats: int,
    blocks: int,
    lineups: Ints | None = None,
    of_block: float = 8.0,
    of_game: float = 20.0,
    of_cards: float = 40.0,
) -> Games:
    """Scores are strength, the cards of the seat, how the entrant likes the deal, and luck.

    The first three are the same at all tables and in all rotations of a block.
    """
    k = len(theta)
    if lineups is None:
        lineups = drawn_lineups(rng, k, seats, blocks)
    likes = rng.normal(0, of_block, (blocks, k))
    cards = rng.normal(0, of_cards, (blocks, 1, 1, seats))
    shape = (*lineups.shape[:2], seats, seats)
    games = Games(lineups, np.zeros(shape, np.int64), k)
    who = games.seated()
    skill = theta[who] + likes[np.arange(blocks)[:, None, None, None], who]
    points = np.rint(skill + cards + rng.normal(0, of_game, shape)).astype(np.int64)
    return games._replace(points=points)


def played(games: Games) -> Played:
    """Totals of each block."""
    blocks, seats = len(games.lineups), games.lineups.shape[2]
    who = games.seated()
    centred = seats * games.points - games.points.sum(axis=3, keepdims=True)
    x, n = np.zeros((2, blocks, games.entrants), np.int64)
    at = np.arange(blocks)[:, None, None, None], who
    np.add.at(x, at, centred)
    np.add.at(n, at, 1)
    return Played(games.lineups, x, n)


def exploded(games: Games) -> tuple[Floats, Floats, Floats, Ints]:
    """A row for each seat-game: points above the table; who, less the table's mean; the seat,
    likewise; the block."""
    seats = games.lineups.shape[2]
    y = games.points - games.points.mean(axis=3, keepdims=True)
    x = np.eye(games.entrants)[games.seated()]
    x = x - x.mean(axis=3, keepdims=True)
    at = np.broadcast_to(np.eye(seats) - 1 / seats, (*y.shape, seats))
    block = np.broadcast_to(np.arange(len(y))[:, None, None, None], y.shape)
    rows = y.size
    return y.reshape(rows), x.reshape(rows, -1), at.reshape(rows, -1), block.reshape(rows)
