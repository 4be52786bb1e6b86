"""Whether a seat is better than another before any card is dealt.

Seat 0 deals or declares first. Both figures are squares, so that seats that are alike give 0
and not the luck of the deals: the jackknife takes off what luck alone adds, and a fair table
comes out a little above or a little below 0.
"""

import numpy as np

from pipeline.tuning.by_group import games_of, groups, per, summed
from pipeline.tuning.measured import Floats, Measured, jackknife
from pipeline.tuning.results import Results
from pipeline.tuning.winners import WIN, winners


def seat_fairness(results: Results) -> Measured:
    """Mean over seats of (share of games won - 1/S) squared, in percentage points squared."""
    played = games_of(results)
    group, n_groups = groups(played)
    games = np.ones(len(group), np.int64)

    def figure(sums: Floats) -> Floats:
        shares = per(sums[:, 1:], sums[:, :1] * WIN)
        return np.asarray(((100 * (shares - 1 / shares.shape[1])) ** 2).mean(axis=1))

    return jackknife(summed(group, n_groups, games, winners(played).win), figure, played.blocks)


def seat_points(results: Results) -> Measured:
    """Share of the variance of points ahead that the seat alone makes, in per cent: the mean
    over seats of (mean points ahead of the table) squared, by the mean of all squares."""
    played = games_of(results)
    group, n_groups = groups(played)
    score = played.score.astype(np.int64)
    ahead = score.shape[1] * score - score.sum(axis=1, keepdims=True)
    squares = (ahead.astype(np.float64) ** 2).sum(axis=1)
    games = np.ones(len(group), np.int64)

    def figure(sums: Floats) -> Floats:
        means = per(sums[:, 2:], sums[:, :1])
        return 100 * per((means**2).sum(axis=1), per(sums[:, 1], sums[:, 0]))

    return jackknife(summed(group, n_groups, games, squares, ahead), figure, played.blocks)
