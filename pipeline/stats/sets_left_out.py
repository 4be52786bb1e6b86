"""The dynamic program of :mod:`pipeline.stats.sets` once more without each group of blocks.

The prices of contracts are solved anew each time, all groups side by side, since a state's
choices differ between them by a few hands alone.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.stats.sets import DECIMALS, MOST_STATES, Floats, Ints, Side, available, strides


class LeftOut(NamedTuple):
    """What all contracts together come to: row 0 with all hands, row g + 1 without group g."""

    value: Floats
    """(groups + 1,): for who chooses first."""
    first: Floats
    """(groups + 1, contracts): how often each is spent first, when all are left."""


def kept(group: Ints) -> Floats:
    """(groups + 1, hands): 1 where a hand counts, 0 in the group that is left out; from the
    group of each hand, from 0 and not descending."""
    every = np.arange(int(group[-1]) + 1)
    return np.vstack([np.ones(len(group)), group != every[:, None]])


def solve_left_out(
    sides: Sequence[Side], uses: Sequence[int], keep: Floats, turns: int = 1
) -> LeftOut:
    """Values under the program, everybody following it.

    Parameters
    ----------
    sides : sequence of Side
        Which half chooses, which values: (contracts, groups + 1, hands), or 1 in place of the
        groups where nothing of it is learnt from other hands.
    uses : sequence of int
        How often each contract may be spent in all.
    keep : float array of shape (groups + 1, hands)
        From :func:`kept`.
    turns : int
        Seats that share the contracts; 1 where each declarer has his own.

    Raises
    ------
    ValueError
        More than ``MOST_STATES`` ways of what may be left.
    """
    step = strides(uses)
    if step[-1] > MOST_STATES:
        raise ValueError(f"{step[-1]} ways of what may be left, at most {MOST_STATES}")
    value = np.zeros((turns, step[-1], len(keep)))
    share = np.zeros((0, len(keep)))
    left: list[int] = []
    for state in range(1, step[-1]):
        left = available(state, step)
        after = [state - step[c] for c in left]
        gain, share = _chosen(sides, left, value[-1, after], keep)
        for turn in range(turns):
            then = turns - 1 if turn == 0 else turn - 1
            # What who chooses gains on the table's mean, the others lose in equal parts.
            own = gain if turn == 0 else gain / (1 - turns)
            # Rounded, so that the order of a sum inside a library decides no choice.
            later = (share * value[then, after]).sum(axis=0)
            value[turn, state] = np.round(own + later, DECIMALS)
    first = np.zeros((len(keep), len(uses)))
    first[:, left] = share.T
    return LeftOut(value[0, -1], first)


def _chosen(
    sides: Sequence[Side], left: list[int], bonus: Floats, keep: Floats
) -> tuple[Floats, Floats]:
    """By row of ``keep``: mean worth of what is spent (rows,), and how often each of ``left``
    is (left, rows); ``bonus`` (left, rows) is what remains after it."""
    gain, share = np.zeros(len(keep)), np.zeros(bonus.shape)
    for side in sides:
        best = side.choose[left[0]] + bonus[0][:, None]
        at = np.zeros(best.shape, np.int8)
        for i in range(1, len(left)):
            here = side.choose[left[i]] + bonus[i][:, None]
            more = here > best
            np.maximum(best, here, out=best)
            # The last that is more than all before it, the first of equals.
            np.maximum(at, more.view(np.int8) * np.int8(i), out=at)
        gain += (keep * _at(side.value[left], at)).sum(axis=1)
        share += [np.where(at == i, keep, 0.0).sum(axis=1) for i in range(len(left))]
    hands = len(sides) * keep.sum(axis=1)
    return gain / hands, share / hands


def _at(value: Floats, at: npt.NDArray[np.int8]) -> Floats:
    """(rows, hands): of ``value`` (left, rows or 1, hands) the one that each hand spends."""
    whole = np.broadcast_to(value, (len(value), *at.shape))
    out: Floats = np.take_along_axis(whole, at[None].astype(np.intp), axis=0)[0]
    return out
