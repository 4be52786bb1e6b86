"""Whether doubling is alive: how often seats double unasked, what it pays, what is answered.

A double that the duty made compulsory tells nothing of whether doubling is worth while. The
tables do not say which these were, but they follow exactly from the rules: duty less doubles
made, against the deals that the declarer has left.
"""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from engine_ext.build import load
from pipeline.tuning.by_group import games_of, groups, of_deals, per, plain, summed
from pipeline.tuning.measured import Floats, Ints, Measured, jackknife
from pipeline.tuning.results import Played, Results
from pipeline.tuning.schedule import is_main, is_step

if TYPE_CHECKING:
    import engine_ext.measures as measures
else:
    measures = load("engine_ext.measures")


def double_rate(results: Results) -> Measured:
    """Pairs doubled unasked, for each deal in which somebody may double."""
    played = games_of(results)
    group, n_groups = groups(played)
    may = summed(of_deals(played, group), n_groups, _may_double(played))
    unasked = bet_sums(played)[:, :1]
    return jackknife(np.hstack((may, unasked)), _ratio, played.blocks)


def double_value(results: Results) -> Measured:
    """Mean settlement, in points to the doubler, of a double made unasked: the difference of
    points before side bets, twice that where it was redoubled."""
    played = games_of(results)
    return jackknife(bet_sums(played)[:, :2], _ratio, played.blocks)


def redouble_rate(results: Results) -> Measured:
    """Share of all doubles that were answered."""
    played = games_of(results)
    return jackknife(bet_sums(played)[:, 2:], _ratio, played.blocks)


def bet_sums(played: Played) -> Ints:
    """(groups, 4): doubles made unasked, what these paid, all doubles, all answers."""
    bets, rules = played.bets, played.rules
    group, n_groups = groups(played)
    return measures.bet_sums(
        plain(bets.row),
        plain(bets.doubler),
        plain(bets.doubled),
        plain(bets.redoubled).view(np.uint8),
        plain(played.points),
        plain(played.declarer),
        played.n_deals,
        is_step(played).view(np.uint8),
        group,
        n_groups,
        rules.duty if rules.duty_forced else 0,
    )


def no_doubling(results: Results) -> str | None:
    """Why nothing can be said of doubles."""
    rules = games_of(results).rules
    return None if rules.has_doubling else "nobody may double in this variant"


def no_doubles(results: Results) -> str | None:
    """Why nothing can be said of what doubles pay."""
    why = no_doubling(results)
    if why is None and not bet_sums(games_of(results))[:, 0].any():
        return "nobody doubled unasked in these games"
    return why


def no_answers(results: Results) -> str | None:
    """Why nothing can be said of redoubles."""
    played, why = games_of(results), no_doubling(results)
    if why is not None:
        return why
    if not played.rules.redoubles:
        return "nobody may redouble in this variant"
    return None if len(played.bets.row) else "nobody doubled in these games"


def _ratio(sums: Floats) -> Floats:
    return per(sums[:, 1], sums[:, 0])


def _may_double(played: Played) -> npt.NDArray[np.bool_]:
    """(D,): whether anybody may double in the deal: nobody in one that plays out a tie."""
    rules = played.rules
    some = np.array([rules.targets[contract.tone + 1] != 0 for contract in rules.contracts])
    may: npt.NDArray[np.bool_] = some[played.contract] & is_main(played)
    return may
