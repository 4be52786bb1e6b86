"""The duty to double: what a double pays with so many deals left, and what owing costs."""

import numpy as np

from pipeline.stats.duty import Duty, Gains
from pipeline.studies.bets import most_left
from pipeline.studies.chances import SCALE, Chances
from pipeline.studies.study import Study


def gains(study: Study, found: Chances) -> dict[int, Gains]:
    """Of each number of deals left, what a double of the declarer pays: every seat that might
    double him, each half judging in turn.

    Deals whose contract allows no double are rows as well, without a worth: a duty can not
    be done there.
    """
    chosen = study.of_kind("chosen")
    at = np.unique(chosen["block"].to_numpy())
    each = study.rules.seats - 1
    known = np.unique(chosen.filter(chosen["contract"].is_in(list(set(found.contract))))["block"])
    place = np.searchsorted(at, known)
    out = {}
    for left in range(1, most_left(study) + 1):
        rows = chosen.filter(chosen["n_left"] == left)
        if rows.is_empty():
            break
        mine = found.n_left == left
        closed = ~rows["contract"].is_in(list(set(found.contract)))
        shut = np.searchsorted(at, rows.filter(closed)["block"].to_numpy())
        shut = np.repeat(shut, 2 * each)
        where = place[found.block[mine]]
        out[left] = Gains(
            np.concatenate([where, where, shut]).astype(np.int64),
            np.concatenate(
                [found.believed[0][mine], found.believed[1][mine], np.full(len(shut), -np.inf)]
            ),
            np.concatenate(
                [
                    found.worth[1][mine] / SCALE,
                    found.worth[0][mine] / SCALE,
                    np.full(len(shut), np.nan),
                ]
            ),
        )
    return out


def duty(study: Study, found: Chances) -> Duty:
    """What the doubles of a declarer are worth to one of the others, by deals left and owed."""
    rules = study.numbers
    blocks = study.of_kind("chosen")["block"].n_unique()
    return Duty(
        gains(study, found),
        blocks,
        rules.duty,
        forced=bool(rules.duty_forced),
        penalty=rules.duty_penalty,
    )
