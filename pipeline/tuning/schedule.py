"""Which deals of a game are those of its schedule: not played again, nor for a tie."""

import numpy as np
import numpy.typing as npt

from pipeline.tuning.by_group import of_deals
from pipeline.tuning.measured import Ints
from pipeline.tuning.results import Played

Flags = npt.NDArray[np.bool_]


def n_main(played: Played) -> Ints:
    """(G,) deals of each game but those that play out a tie, which come last."""
    rules = played.rules
    if rules.extra_contract < 0:
        return played.n_deals
    if not _again(played).any():
        return np.minimum(played.n_deals, rules.n_deals)
    onward = _within(played, ~_again(played))
    main = onward - ~_again(played) < rules.n_deals
    return np.add.reduceat(main.astype(np.int64), played.first_row)


def number(played: Played) -> Ints:
    """(D,) number of each deal in its game, from 0."""
    return np.arange(len(played.contract)) - of_deals(played, played.first_row)


def is_main(played: Played) -> Flags:
    """(D,) whether a deal is none that plays out a tie."""
    return number(played) < of_deals(played, n_main(played))


def is_step(played: Played) -> Flags:
    """(D,) whether the schedule goes on by the deal: not where a revoke stopped it and its
    contract is played again."""
    return is_main(played) & ~_again(played)


def _again(played: Played) -> Flags:
    """(D,) whether the contract is played again, were all deals of the schedule: a game has no
    more such deals than the schedule has deals."""
    rules = played.rules
    if played.revoked is None or not rules.honour or not rules.revoke_replays:
        return np.zeros(len(played.contract), bool)
    revoked = played.revoked >= 0
    return revoked & (_within(played, revoked) <= rules.n_deals)


def _within(played: Played, flags: Flags) -> Ints:
    """(D,) how many deals of the game up to this one are so."""
    up_to = np.concatenate(([0], np.cumsum(flags)))
    return up_to[1:] - of_deals(played, up_to[played.first_row])
