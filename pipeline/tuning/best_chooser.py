"""The best chooser of a candidate's contracts: the dynamic program on the hands of a study.

One half of the worlds guesses what a hand is worth and chooses, the other half values. Few
worlds exaggerate how much hands differ, those of some contracts more than those of others, so
a guess is drawn towards what the option is worth on average, as much as the halves disagree.
That is learnt from the hands too, and anew without each group of dealerships.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from pipeline.stats.sets import DECIMALS, Floats, Ints, Side
from pipeline.stats.sets_left_out import kept, solve_left_out
from pipeline.studies.worth import Worth
from pipeline.tuning.measured import group_of
from pipeline.tuning.results import Choices

GROUPS = 20
"""Groups of dealerships at most: for each the prices are solved anew."""

TOLD_APART = 1e-9
"""Variance below which hands are all alike."""


class Chooser(NamedTuple):
    """What the best chooser does. Row 0: all dealerships, row g + 1: without group g."""

    contracts: tuple[str, ...]
    uses: Ints
    """(contracts,)"""
    first: Floats
    """(rows, contracts): how often each is spent first."""
    value: Floats
    """(rows,): points of a dealership."""
    mean: Floats
    """(rows, contracts): points of a deal, whatever the hand."""
    variance: Floats
    """(rows, contracts): of one deal's points."""
    blocks: int


def best_chooser(choices: Choices) -> Chooser:
    """Solved once for all objectives of the same choices."""
    worth = choices.worth
    made = blake2b(repr((worth.contracts, worth.uses, worth.turns, worth.options)).encode())
    for array in (worth.blocks, worth.points, worth.squares, worth.roles[:, 0]):
        made.update(np.ascontiguousarray(array).tobytes())
    return _solved(_Hands(made.digest(), worth))


@dataclass(frozen=True)
class _Hands:
    """Hands that are alike where their digests are."""

    digest: bytes
    worth: Worth = field(compare=False)


@lru_cache(maxsize=4)
def _solved(hands: _Hands) -> Chooser:
    worth = hands.worth
    keep = kept(group_of(worth.n_blocks, GROUPS)[worth.blocks])
    guess = guesses(worth, keep)
    found = [_side(worth, guess[a], a) for a in (0, 1)]
    program = solve_left_out([side for side, _ in found], worth.uses, keep, worth.turns)
    n = keep.sum(axis=1)
    mean = np.mean([(keep * own).sum(axis=2) for _, (own, _) in found], axis=0) / n
    square = np.mean([(keep * squares).sum(axis=2) for _, (_, squares) in found], axis=0) / n
    return Chooser(
        worth.contracts,
        np.array(worth.uses, np.int64),
        program.first,
        program.value,
        mean.T,
        (square - mean**2).T,
        worth.n_blocks,
    )


def guesses(worth: Worth, keep: Floats) -> Floats:
    """(2, options, rows, hands): worth as each half guesses it, drawn towards the option's mean.

    By how much: covariance of the halves by their variance, over the hands of each row of
    ``keep`` (rows, hands); 1 where they always agree, 0 where they tell nothing.
    """
    n = keep.sum(axis=1)
    one, two = worth.points
    total = ((one + two)[:, None] * keep).sum(axis=2) / n
    middle = total / 2
    both = ((one * two)[:, None] * keep).sum(axis=2) / n - middle**2
    spread = ((one**2 + two**2)[:, None] * keep).sum(axis=2) / (2 * n) - middle**2
    told = np.divide(both, spread, out=np.zeros_like(both), where=spread > TOLD_APART)
    told = np.round(np.clip(told, 0.0, 1.0), DECIMALS)[:, :, None]
    away = worth.points[:, :, None] - middle[:, :, None]
    out: Floats = np.round(middle[:, :, None] + told * away, DECIMALS)
    return out


def _side(worth: Worth, guess: Floats, half: int) -> tuple[Side, tuple[Floats, Floats]]:
    """What a half chooses, by its guess (options, rows, hands), valued by the other; and the
    declarer's points and their squares in one deal with what it names; (contracts, rows, hands)
    each."""
    ties = worth.ties
    choose, columns = [], []
    other = (worth.points[1 - half], worth.roles[1 - half, 0], worth.squares[1 - half])
    for contract in range(len(worth.contracts)):
        of = np.flatnonzero(ties == contract)
        best = guess[of].argmax(axis=0)
        choose.append(guess[of].max(axis=0))
        every = np.arange(best.shape[1])
        columns.append([figures[of][best, every] for figures in other])
    value, own, squares = (np.array(column) for column in zip(*columns, strict=True))
    return Side(np.array(choose), value), (own, squares)
