"""How long a game is, and how often nobody wins it alone."""

import numpy as np

from pipeline.tuning.by_group import games_of, groups, per, summed
from pipeline.tuning.measured import Floats, Ints, Measured, jackknife
from pipeline.tuning.results import Results
from pipeline.tuning.winners import WIN, winners


def tie_rate(results: Results) -> Measured:
    """Share of games whose first place is shared at the end, also after deals for the tie."""
    played = games_of(results)
    shared = (winners(played).win.max(axis=1) < WIN).astype(np.int64)
    return _a_game(results, shared)


def deals(results: Results) -> Measured:
    """Mean deals of a game, those that play out a tie or are played again among them."""
    return _a_game(results, games_of(results).n_deals)


def turns(results: Results) -> Measured:
    """Mean cards and passes of a game, of all seats together."""
    played = games_of(results)
    if played.n_moves is None:
        raise ValueError("turns were asked of games whose moves were not kept")
    up_to = np.concatenate(([0], np.cumsum(played.n_moves, dtype=np.int64)))
    first = played.first_row
    return _a_game(results, up_to[first + played.n_deals] - up_to[first])


def no_moves(results: Results) -> str | None:
    """Why turns cannot be counted."""
    if games_of(results).n_moves is None:
        return 'moves of these games were not kept (want "plays" in `record`)'
    return None


def _a_game(results: Results, counts: Ints) -> Measured:
    played = games_of(results)
    group, n_groups = groups(played)

    def figure(sums: Floats) -> Floats:
        return per(sums[:, 1], sums[:, 0])

    games = np.ones(len(group), np.int64)
    return jackknife(summed(group, n_groups, games, counts), figure, played.blocks)
