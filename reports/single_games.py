"""What single games tell of an entrant: sums over games of what it had above its tables' means.

Totals of a block have the squares of each member of a line-up, not the products of two. That
is enough where an entrant holds one seat of a table, or all but one: members' points above
the table's mean add up to nothing, so the others' are his with the other sign.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.config import EVENINGS, RunConfig
from pipeline.figures import ranked
from pipeline.seating import candidates, changes_company
from pipeline.stats.estimate import Sums
from pipeline.totals import BlockTable, Ints

Alone = tuple[Sums, ...]
"""Sums over games, a game in place of a block, by table: how much tables differ is no luck. In
``candidates`` those of the candidate and those of the datum; with deals of their own both would
be independent. Empty where totals do not tell."""


def net_of_company(blocks: BlockTable, theta: Sequence[Fraction]) -> BlockTable:
    """The blocks less what everybody was to make by the strength of who sat there: what luck and
    play did beyond it. To the nearest unit of a total, so that sums stay exact."""
    seats = blocks.n.shape[2]
    strength = np.array([round(seats * value) for value in theta], np.int64)[blocks.entrant]
    total = strength.sum(axis=2, keepdims=True)
    due = np.rint(strength - total / seats).astype(np.int64)
    n, x = blocks.n, blocks.x
    xx = blocks.xx - 2 * due * x + n * due * due
    first, entrant, *_, win, place = blocks
    return BlockTable(first, entrant, n, x - n * due, xx, win, place)


def of_games(config: RunConfig, blocks: BlockTable) -> tuple[Alone, ...]:
    """The same of every ranked entrant."""
    if config.design == "candidates":
        return tuple(_candidate(config, blocks, one) for one in candidates(config))
    return tuple(_anywhere(config, blocks, one) for one in ranked(config))


def _candidate(config: RunConfig, blocks: BlockTable, one: int) -> Alone:
    known = candidates(config)
    place = (blocks.entrant[:, 1] == known[0]).argmax(axis=1)
    rows, table = np.arange(len(blocks)), 1 + known.index(one)
    parts = []
    for t in (table, 0):
        at = rows, t, place
        played = blocks.n[rows, table, place] > 0
        games, x, xx = (np.where(played, a[at], 0) for a in (blocks.n, blocks.x, blocks.xx))
        parts.append(_sums(games, np.ones_like(games), x, xx))
    return tuple(parts)


def _anywhere(config: RunConfig, blocks: BlockTable, one: int) -> Alone:
    seats = blocks.n.shape[2]
    mine = blocks.entrant == one
    held = mine.sum(axis=2)
    games = np.where(held > 0, blocks.n.max(axis=2), 0)
    x = np.where(mine, blocks.x, 0).sum(axis=2)
    if ((games > 0) & (held > 1) & (held < seats - 1)).any():
        return ()
    own, others = (np.where(who, blocks.xx, 0).sum(axis=2) for who in (mine, ~mine))
    xx = np.where(held == 1, own, np.where(held > 0, others, 0))
    if changes_company(config) or config.design == EVENINGS:
        return (_sums(games, held, x, xx),)
    return tuple(
        _sums(games[:, t], held[:, t], x[:, t], xx[:, t])
        for t in range(games.shape[1])
        if games[:, t].any()
    )


def _sums(games: Ints, held: npt.NDArray[Any], x: Ints, xx: Ints) -> Sums:
    """Of tables with so many games, in each of which the entrant holds so many seats."""
    held = held.astype(np.int64)
    return Sums(
        int(games.sum()),
        int((games * held).sum()),
        int(x.sum()),
        int((games * held * held).sum()),
        int(xx.sum()),
        int((held * x).sum()),
    )
