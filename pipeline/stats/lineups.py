"""Who sat where in blocks whose line-ups change, and what they made there."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


class Played(NamedTuple):
    """Complete blocks of a run, in order of their index."""

    lineups: Ints
    """(B, T, S): entrants of each table, counted from 0, in any order."""
    x: Ints
    """(B, k): sum over seat-games of S times the score less the table's total."""
    n: Ints
    """(B, k): seat-games; 0 where an entrant had a bye."""

    @property
    def blocks(self) -> int:
        """Complete blocks."""
        return len(self.x)


def of_tables(entrant: npt.NDArray[np.uint8], n: Ints, x: Ints, entrants: int) -> Played:
    """What was played, from counts and centred totals of each member of each table (B, T, S)."""
    at = where(entrant)
    counts, totals = np.zeros((2, len(entrant), entrants), np.int64)
    np.add.at(counts, at, n)
    np.add.at(totals, at, x)
    return Played(entrant.astype(np.int64), totals, counts)


def games_a_table(played: Played) -> int:
    """Games that each line-up played in a block; checks that the arrays fit each other."""
    lineups, x, n = played
    blocks, k = x.shape
    if n.shape != x.shape or len(lineups) != blocks:
        raise ValueError("line-ups, totals and counts are not of the same blocks")
    if lineups.min() < 0 or lineups.max() >= k:
        raise ValueError(f"line-ups name entrants other than 0 to {k - 1}")
    seats = np.zeros_like(n)
    np.add.at(seats, where(lineups), 1)
    games = int(n.sum()) // lineups.size
    if games < 1 or not np.array_equal(n, games * seats):
        raise ValueError("counts are not those of the line-ups, the same games for each")
    if x.sum(axis=1).any():
        raise ValueError("points less the table's mean do not add up to nothing in a block")
    return games


def where(lineups: npt.NDArray[np.integer]) -> tuple[Ints, npt.NDArray[np.integer]]:
    """Block and entrant of each place of ``lineups``."""
    return np.arange(len(lineups))[:, None, None], lineups


def information(lineups: Ints, entrants: int, games: int) -> Ints:
    """(k, k): A, left side of the normal equations of these blocks.

    A table with counts c of its entrants adds ``games`` times S diag(c) - c c'.
    """
    seats = lineups.shape[-1]
    out = np.zeros((entrants, entrants), np.int64)
    np.add.at(out, (lineups[..., :, None], lineups[..., None, :]), -games)
    out[np.diag_indices(entrants)] += (
        games * seats * np.bincount(lineups.reshape(-1), minlength=entrants)
    )
    return out


def changing(played: Played) -> bool:
    """Whether some block has other line-ups than the first, in whatever order."""
    seated = [sorted(block) for block in np.sort(played.lineups, axis=2).tolist()]
    return any(block != seated[0] for block in seated)
