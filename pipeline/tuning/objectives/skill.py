"""What skill is worth: players who lack something, one at a table of full ones each.

A restriction that costs nothing shows a skill that the rules do not ask for; one that costs
everything, that they ask for nothing else.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pipeline.tuning import winners
from pipeline.tuning.by_group import per, summed
from pipeline.tuning.measured import Floats, Ints, Measured, group_of, jackknife
from pipeline.tuning.results import FULL, Played, Results


class Seats(NamedTuple):
    """What R restricted players made in their B games each, S seats at a table."""

    ahead: Ints
    """(B, R) S times the points ahead of the table's mean."""
    others: Ints
    """(B, R) sum of the squares of that, of the full players at his table."""
    win: Ints
    """(B, R) share of the win in 1/2520."""
    seats: int


def restricted_gap(results: Results) -> Measured:
    """Mean over restricted players of 1/S less their share of games won, percentage points."""
    return _of_gaps(results, lambda gaps, _: np.asarray(gaps.mean(axis=1)))


def restricted_balance(results: Results) -> Measured:
    """Of the restriction that is nearest to costing nothing, or all games that one wins among
    equals, how far it is from that; percentage points."""
    return _of_gaps(
        results, lambda gaps, most: np.minimum(gaps, most - gaps).min(axis=1), leaps=True
    )


def skill_share(results: Results) -> Measured:
    """Share of the variance of one game's points ahead that is due to who plays, full and
    restricted players equally often; luck alone brings 0."""
    found = _seats(results)
    ones = np.ones(len(found.ahead), np.int64)
    others = found.seats - 1

    def figure(sums: Floats) -> Floats:
        mean, square, of_full = np.split(sums[:, 1:] / sums[:, :1], 3, axis=1)
        own = (square - mean**2).sum(axis=1)
        # What one lacks, each of the others has an equal part of.
        full = (of_full / others - (mean / others) ** 2).mean(axis=1)
        kinds = np.column_stack([np.zeros(len(mean)), mean])
        by_who = kinds.var(axis=1)
        return per(by_who, by_who + (own + full) / kinds.shape[1])

    return _jackknife(found, (ones, found.ahead, found.ahead**2, found.others), figure)


def nobody_lacks(results: Results) -> str | None:
    """Why nobody shows what skill is worth, or None."""
    return "no restricted players were played" if results.skill is None else None


def _of_gaps(
    results: Results, figure: Callable[[Floats, float], Floats], *, leaps: bool = False
) -> Measured:
    """A figure of how much less than an equal share restricted players win, (m, R), and of the
    most that they could lack; percentage points."""
    found = _seats(results)
    most = 100 / found.seats
    ones = np.ones(len(found.win), np.int64)

    def of_sums(sums: Floats) -> Floats:
        return figure(most - 100 * per(sums[:, 1:], sums[:, :1] * winners.WIN), most)

    return _jackknife(found, (ones, found.win), of_sums, leaps=leaps)


def _jackknife(
    found: Seats,
    columns: tuple[Ints, ...],
    figure: Callable[[Floats], Floats],
    *,
    leaps: bool = False,
) -> Measured:
    blocks = len(found.ahead)
    group = group_of(blocks)
    return jackknife(summed(group, int(group[-1]) + 1, *columns), figure, blocks, leaps=leaps)


def _seats(results: Results) -> Seats:
    """Games by block and restricted player."""
    played = results.skill
    if played is None:
        raise ValueError("an objective about skill was asked without restricted players")
    lacks = played.entrant != played.labels.index(FULL)
    assert (lacks.sum(axis=1) == 1).all(), "one at a table of full ones"
    every = np.arange(len(lacks))
    seat = lacks.argmax(axis=1)
    kinds, kind = np.unique(played.entrant[every, seat], return_inverse=True)
    order = np.lexsort((kind, played.block))
    assert len(order) == played.blocks * len(kinds), "each of them once in a block"
    shape = (played.blocks, len(kinds))
    ahead = _ahead(played)
    own = ahead[every, seat]
    others = (ahead**2).sum(axis=1) - own**2
    win = winners.winners(played).win[every, seat]
    return Seats(
        own[order].reshape(shape),
        others[order].reshape(shape),
        win[order].reshape(shape),
        played.entrant.shape[1],
    )


def _ahead(played: Played) -> Ints:
    """(G, S) S times the points ahead of the table's mean."""
    score = played.score.astype(np.int64)
    ahead: Ints = score.shape[1] * score - score.sum(axis=1, keepdims=True)
    return ahead
