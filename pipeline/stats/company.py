"""Who met whom in blocks whose line-ups change, as exact sums: all that the score model needs.

Line-ups seat each entrant once at most, so what block b pulls at a solution theta is linear in
which pairs shared a table there (T_ijb is 1 or 0),

    u_ib = x_ib - games sum over j of T_ijb (theta_i - theta_j),

and the sum of u_b u_b' over blocks is made of the sums of x_i x_j, x_i T_kl and T_ij T_kl. They
are integers, so that disjoint sets of blocks add up exactly, in any order. There are about k^4 / 8
of them, which is less than the blocks themselves only where entrants are few.
"""

from itertools import combinations
from math import isqrt
from typing import NamedTuple

import numpy as np

from pipeline.stats import joint
from pipeline.stats.exact import Whole, product
from pipeline.stats.joint import Joint, Square, added_squares
from pipeline.stats.lineups import Ints, Played, games_a_table

MOST = 24
"""Entrants, at most: of these there are 276 pairs and 38,226 pairs of pairs."""


class Met(NamedTuple):
    """Sums over complete blocks of k entrants and their P pairs, in the order of
    ``combinations``."""

    seats: int
    games: int
    """That each line-up played in a block."""
    sums: Joint
    """Of what each entrant made."""
    together: Square
    """(P, P) blocks in which both pairs shared a table, each pair one."""
    made: Square
    """(k, P) sums of the entrant's totals in blocks in which the pair shared a table."""

    @property
    def blocks(self) -> int:
        """Complete blocks."""
        return self.sums.blocks

    @property
    def reach(self) -> int:
        """No total of a block is larger in size."""
        return reach(self.sums)

    def information(self) -> Whole:
        """(k, k): left side of the normal equations, as :func:`pipeline.stats.lineups.information`
        makes it of all blocks."""
        k = len(self.sums.n)
        out = [[0] * k for _ in range(k)]
        for p, (i, j) in enumerate(combinations(range(k), 2)):
            met = self.games * self.together[p][p]
            out[i][j] = out[j][i] = -met
            out[i][i] += met
            out[j][j] += met
        return out

    def scatter(self, theta: list[int], bits: int) -> Whole:
        """(k, k): sum of u_b u_b', in units of 4^-bits; ``theta`` in units of 2^-bits."""
        k = len(theta)
        pull = [[0] * len(self.together) for _ in range(k)]
        for p, (i, j) in enumerate(combinations(range(k), 2)):
            pull[i][p] = self.games * (theta[i] - theta[j])
            pull[j][p] = -pull[i][p]
        turned = [list(column) for column in zip(*pull, strict=True)]
        mixed = product(self.made, turned)
        squared = product(product(pull, self.together), turned)
        return [
            [
                (self.sums.xx[i][j] << (2 * bits))
                - ((mixed[i][j] + mixed[j][i]) << bits)
                + squared[i][j]
                for j in range(k)
            ]
            for i in range(k)
        ]

    @property
    def changing(self) -> bool:
        """Whether some block has other line-ups than others."""
        met = [row[p] for p, row in enumerate(self.together)]
        return any(0 < n < self.blocks for n in met)


def reach(sums: Joint) -> int:
    """A number that no total of a block exceeds in size, by the sums alone."""
    return max(isqrt(sums.xx[i][i]) for i in range(len(sums.n))) + 1


def of_blocks(played: Played) -> Met:
    """Sums of blocks.

    Raises ``ValueError`` where somebody sits at a table twice, or there are too many entrants.
    """
    lineups, x, n = played
    blocks, k = x.shape
    if k > MOST:
        raise ValueError(f"{k} entrants (want at most {MOST})")
    seats = lineups.shape[-1]
    place = np.full((k, k), -1)
    pairs = list(combinations(range(k), 2))
    for p, (i, j) in enumerate(pairs):
        place[i, j] = place[j, i] = p
    shared = np.zeros((blocks, len(pairs)), np.int64)
    row = np.arange(blocks)[:, None]
    for a, b in combinations(range(seats), 2):
        pair = place[lineups[..., a], lineups[..., b]]
        if (pair < 0).any():
            raise ValueError("an entrant sits at a table twice")
        shared[row, pair] = 1
    exact = shared.astype(np.float64)  # counts of blocks are far below 2^53
    return Met(
        seats,
        games_a_table(played),
        joint.of_blocks(n, x),
        _square((exact.T @ exact).astype(np.int64)),
        _square(x.T @ shared),
    )


def add(a: Met, b: Met) -> Met:
    """The sums of two disjoint sets of blocks together."""
    if (a.seats, a.games) != (b.seats, b.games):
        raise ValueError("blocks of other tables do not add up")
    return Met(
        a.seats,
        a.games,
        joint.add(a.sums, b.sums),
        added_squares(a.together, b.together),
        added_squares(a.made, b.made),
    )


def _square(values: Ints) -> Square:
    return tuple(map(tuple, values.tolist()))
