"""What choices cost, before the cards of the others are known.

The regret of a choice is the most that any choice with this hand comes to, contracts left
included, less what the one made comes to. The best is found by one half of the deals and
valued by the other, so that luck among many alternatives does not make a mistake of a good
choice; a single regret may then come out below nothing, their mean is right.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.stats.sets import Floats, Ints, Side, Solved, strides

INACCURACY, MISTAKE, BLUNDER = 0.05, 0.15, 0.4
"""Regret in standard deviations of one deal's points in the contract chosen."""
CLASSES = ("fine", "inaccuracy", "mistake", "blunder")


class Choices(NamedTuple):
    """What was chosen, one a hand, with what was left."""

    state: Ints
    contract: Ints
    value: Floats
    """(2, hands): worth of what was chosen, by the half that values the side's choice."""
    noise: Floats
    """(hands,): standard error of its worth by all deals."""


class Regret(NamedTuple):
    """Regret of each choice."""

    points: Floats
    error: Floats
    """Standard error of each, deals of two contracts taken as apart; a half that would choose
    the same adds none."""


def regret(
    sides: Sequence[Side], noise: Floats, solved: Solved, uses: Sequence[int], made: Choices
) -> Regret:
    """Regret of each hand's choice.

    ``noise`` (contracts, hands) is the standard error of a hand's worth by all deals.
    """
    step = np.array(strides(uses))
    n, hands = len(uses), np.arange(len(made.state))
    then = solved.value[-1]
    bonus = np.full((n, len(hands)), -np.inf)
    for c in range(n):
        may = made.state % step[c + 1] >= step[c]
        bonus[c, may] = then[made.state[may] - step[c]]
    own = bonus[made.contract, hands]
    points, square = np.zeros(len(hands)), np.zeros(len(hands))
    for a, side in enumerate(sides):
        best = np.argmax(side.choose + bonus, axis=0)
        # Worth and what comes later apart, so that the choice made has exactly no regret.
        lost = side.value[best, hands] - made.value[a] + (bonus[best, hands] - own)
        points += lost
        other = np.square(noise[best, hands]) + np.square(made.noise)
        square += np.where(lost == 0, 0.0, other)
    return Regret(points / len(sides), np.sqrt(square / len(sides)))


def class_of(found: Regret, deviation: Floats) -> npt.NDArray[np.int8]:
    """Class of each choice, as a place in :data:`CLASSES`.

    ``deviation`` is that of one deal's points in the contract chosen. What luck may explain
    (the 95 % interval of the regret holds 0) is fine.
    """
    sure = found.points > 1.96 * found.error
    size = found.points / np.where(deviation > 0, deviation, np.inf)
    at = np.searchsorted((INACCURACY, MISTAKE, BLUNDER), size, side="right")
    return np.where(sure, at, 0).astype(np.int8)


def hindsight(
    dealt: Floats, chosen: Floats, solved: Solved, uses: Sequence[int], made: Choices
) -> Floats:
    """What the best choice would have brought on the deal as it was, luck included."""
    step = np.array(strides(uses))
    then = solved.value[-1]
    out: Floats = np.full(len(made.state), -np.inf)
    for c in range(len(uses)):
        may = made.state % step[c + 1] >= step[c]
        here = dealt[c] + then[np.where(may, made.state - step[c], 0)]
        out = np.maximum(out, np.where(may, here, -np.inf))
    out -= chosen + then[made.state - step[made.contract]]
    return out
