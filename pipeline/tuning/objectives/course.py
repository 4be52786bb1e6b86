"""Whether a game stays open: chances to win from deal to deal (:mod:`pipeline.tuning.chances`).

A moment is the table before a deal. Drama and decisiveness are those of Browne, "Evolutionary
Game Design" (2011), taken to more than two players by win probability.
"""

import numpy as np
import numpy.typing as npt

from pipeline.tuning.by_group import games_of, groups, per, summed
from pipeline.tuning.chances import SURE, Chances, chances_of
from pipeline.tuning.measured import Floats, Measured, jackknife
from pipeline.tuning.results import Results
from pipeline.tuning.winners import WIN, winners

BEHIND, GOOD, DEAD = 0.5, 0.8, 0.99
"""Chances: below the first a seat is behind; above the second the game is as good as won; from
the third on it is over."""


def drama(results: Results) -> Measured:
    """Mean, over moments in which who wins in the end had a chance below 1/2, of the root of
    what it lacked to that. Winners who share a game count by their share."""
    found = chances_of(games_of(results))
    chance = found.chance / SURE
    share = found.win[found.game] / WIN * (chance < BEHIND)
    lack = share * np.sqrt(np.maximum(BEHIND - chance, 0))
    return _of_moments(found, share.sum(axis=1), lack.sum(axis=1))


def decisiveness(results: Results) -> Measured:
    """Mean share of a game's deals that are played before a seat's chance is above 0.8; all of
    them where that only the last deal brought."""
    found = chances_of(games_of(results))
    good = found.chance.max(axis=1) > GOOD * SURE
    first = np.cumsum(found.n_deals) - found.n_deals
    number = np.arange(len(good)) - first[found.game]
    length = found.n_deals[found.game]
    before = np.minimum.reduceat(np.where(good, number, length), first)
    games = np.ones(len(before), np.int64)
    sums = summed(found.group, found.n_groups, games, before / found.n_deals)
    return jackknife(sums, _ratio, found.blocks)


def dead_deals(results: Results) -> Measured:
    """Share of deals that begin when a seat's chance is 0.99 or more."""
    found = chances_of(games_of(results))
    dead = found.chance.max(axis=1) >= DEAD * SURE
    return _of_moments(found, np.ones(len(dead), np.int64), dead)


def lead_changes(results: Results) -> Measured:
    """How often in a game a seat leads alone, by the totals after a deal, when the last one to
    do so was another."""
    played = games_of(results)
    group, n_groups = groups(played)
    games = np.ones(len(group), np.int64)
    sums = summed(group, n_groups, games, winners(played).lead_changes)
    return jackknife(sums, _ratio, played.blocks)


def _of_moments(found: Chances, n: npt.NDArray[np.generic], x: npt.NDArray[np.generic]) -> Measured:
    sums = summed(found.group[found.game], found.n_groups, n, x)
    return jackknife(sums, _ratio, found.blocks)


def _ratio(sums: Floats) -> Floats:
    return per(sums[:, 1], sums[:, 0])
