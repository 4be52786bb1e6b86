"""Whether contracts weigh alike: what each of them moves of the points ahead of the table.

Points ahead are a seat's points less the table's mean, so that what all get alike (a total
of -26 that somebody has to take) is nothing.
"""

from typing import TYPE_CHECKING

import numpy as np

from engine_ext.build import load
from pipeline.tuning.by_group import games_of, groups, per, plain
from pipeline.tuning.measured import Floats, Measured, jackknife
from pipeline.tuning.results import Played, Results

if TYPE_CHECKING:
    import engine_ext.measures as measures
else:
    measures = load("engine_ext.measures")

LEAST = 1e-3
"""A contract that moves no points counts as one with so much of the largest spread."""


def scale_balance(results: Results) -> Measured:
    """Standard deviation, over the contracts that were played, of ln SD of points ahead in a
    deal, side bets apart. 0 where all are alike; 0.1 is about a tenth more or less."""
    played = games_of(results)
    deals, squares, _ = _sums(played)

    def figure(sums: Floats) -> Floats:
        n, square = np.split(sums, 2, axis=1)
        spread = np.sqrt(per(square, n))
        logs = np.log(np.maximum(per(spread, spread.max(axis=1, keepdims=True)), LEAST))
        there = n > 0
        mean = per((logs * there).sum(axis=1, keepdims=True), there.sum(axis=1, keepdims=True))
        return np.sqrt(per((there * (logs - mean) ** 2).sum(axis=1), there.sum(axis=1)))

    return jackknife(np.hstack((deals, squares)), figure, played.blocks)


def largest_share(results: Results) -> Measured:
    """The largest share that a contract has in the variance of final points ahead.

    Shares are by covariance: what a contract brought in the game times what the game brought,
    over seats and games. With that of the side bets they add up to 1, and one may be negative
    where a contract takes back what others gave.
    """
    played = games_of(results)
    *_, parts = _sums(played)

    def figure(sums: Floats) -> Floats:
        return per(sums[:, :-1].max(axis=1), sums.sum(axis=1))

    return jackknife(parts, figure, played.blocks, leaps=True)


def _sums(played: Played) -> tuple[Floats, Floats, Floats]:
    group, n_groups = groups(played)
    return measures.scale_sums(
        plain(played.points),
        plain(played.side),
        plain(played.contract),
        played.n_deals,
        group,
        played.rules.n_contracts,
        n_groups,
    )
