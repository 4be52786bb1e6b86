"""What spending a contract costs, when it is spent, and the bound nobody can pass.

The price of spending c when S is left is V(S) - V(S less c): what the deals to come lose by
not having it. Who spends the contract with the most worth less price plays the dynamic
program of :mod:`pipeline.stats.sets`.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from pipeline.stats.blocks import mean, moved, per_block, proportion_of, share
from pipeline.stats.estimate import Estimate
from pipeline.stats.sets import (
    Floats,
    Ints,
    Policy,
    Side,
    Solved,
    available,
    bonus_of,
    number_left,
    pick,
    reach,
    strides,
)

BATCHES = 20
"""Parts of the blocks whose medians tell of the error of the whole's."""
NEAR = 5
"""One hand in so many is near the median."""
MOST_THRESHOLDS = 1024
"""With more states, thresholds are told of the full set only."""


class Price(NamedTuple):
    """What spending ``contract`` costs, with ``left`` to choose from."""

    left: int
    contract: int
    price: Estimate


class Spent(NamedTuple):
    """How a contract is spent with ``left`` to choose from, it being one of them."""

    left: int
    contract: int
    share: Estimate
    """Of the choices in which it could be spent."""
    threshold: Estimate | None
    """Worth of a hand in it from which half of all hands spend it; None where not told."""


def curve(solved: Solved, uses: Sequence[int]) -> list[tuple[Estimate, Floats]]:
    """What 1, 2, ... contracts left are worth, over all ways of leaving so many; with the
    influence of each block, for differences."""
    left, out = number_left(uses), []
    for k in range(1, int(left.max()) + 1):
        at = np.flatnonzero(left == k)
        influence = solved.influence[0, at].mean(axis=0)
        out.append((moved(float(solved.value[0, at].mean()), influence), influence))
    return out


def prices(solved: Solved, uses: Sequence[int]) -> list[Price]:
    """Price of each contract by how many are left, over all ways of leaving so many with it."""
    left, step, out = number_left(uses), strides(uses), []
    for k in range(int(left.max()), 0, -1):
        for c in range(len(uses)):
            at = [int(s) for s in np.flatnonzero(left == k) if c in available(int(s), step)]
            after = [s - step[c] for s in at]
            value = (solved.value[0, at] - solved.value[-1, after]).mean()
            influence = solved.influence[0, at] - solved.influence[-1, after]
            if at:
                out.append(Price(k, c, moved(float(value), influence.mean(axis=0), contrast=True)))
    return out


def usual_prices(solved: Solved, uses: Sequence[int]) -> Floats:
    """(contracts,): the price of each, over the choices in which it comes to be an alternative
    to others; for a list to be learnt by heart."""
    step, left = strides(uses), number_left(uses)
    weight = reach(solved, uses, full(uses))
    cost, often = np.zeros(len(uses)), np.zeros(len(uses))
    for state in np.flatnonzero((weight > 0) & (left > 1)):
        for c in available(int(state), step):
            here = solved.value[0, state] - solved.value[-1, state - step[c]]
            cost[c] += weight[state] * here
            often[c] += weight[state]
    out: Floats = np.divide(cost, often, out=np.zeros(len(uses)), where=often > 0)
    return out


def full(uses: Sequence[int]) -> Floats:
    """(states,): weight 1 on having all contracts left."""
    start = np.zeros(strides(uses)[-1])
    start[-1] = 1
    return start


def spent(policy: Policy, solved: Solved, uses: Sequence[int], blocks: Ints) -> list[Spent]:
    """By how many are left and contract: how often it is spent, and from which worth on.

    States with so many left count as often as they are come to; that these weights are
    themselves estimated is not in the errors.
    """
    n_blocks = int(blocks[-1]) + 1
    depth, n = sum(uses) + 1, len(uses)
    often = np.zeros((depth, n, n_blocks))
    there = np.zeros((depth, n))
    parts = min(BATCHES, n_blocks)
    edges = np.zeros((depth, n, parts + 1))
    batches = blocks * parts // n_blocks
    for state, weight, k in _come_to(solved, uses):
        told = len(solved.picked) <= MOST_THRESHOLDS or k == depth - 1
        left, picked, rivals = _choices(policy, solved, uses, state, told)
        moves = _by_batch(policy, solved, uses, state, parts) if rivals else None
        for i, c in enumerate(left):
            for at in picked:
                share = weight / len(picked) * (at == i)
                often[k, c] += per_block(share, blocks, n_blocks)
            there[k, c] += weight
            if moves is not None:
                edges[k, c] += weight * _medians(rivals[i], i, moves, batches)
    in_block = np.bincount(blocks)
    return [
        _spent(k, c, often[k, c] / there[k, c], in_block, edges[k, c] / there[k, c])
        for k in range(depth - 1, 0, -1)
        for c in range(n)
        if there[k, c] > 0
    ]


def _come_to(solved: Solved, uses: Sequence[int]) -> Iterator[tuple[int, float, int]]:
    """States that are come to from the full set, how often, and how many are left."""
    left, weight = number_left(uses), reach(solved, uses, full(uses))
    for state in np.flatnonzero(weight > 0):
        if state:
            yield int(state), float(weight[state]), int(left[state])


def _spent(k: int, c: int, often: Floats, in_block: Ints, edges: Floats) -> Spent:
    hands = int(in_block.sum())
    # The last contract left is spent for certain: that needs no bound.
    told = (proportion_of if k > 1 else share)(often, in_block.astype(np.float64), hands)
    threshold = None
    if edges.any():
        spread = edges[1:] - edges[1:].mean()
        threshold = moved(float(edges[0]), spread, hands)._replace(blocks=len(in_block))
    return Spent(k, c, told, threshold)


class _Rivals(NamedTuple):
    """What each hand's best other contract is worth, its price off, a contract's own put on."""

    worth: Floats
    """(sides, hands): from which worth on the contract would be spent."""
    which: Ints
    """(sides, hands): the place of the other among those left."""


def _choices(
    policy: Policy, solved: Solved, uses: Sequence[int], state: int, told: bool
) -> tuple[list[int], list[npt.NDArray[np.int8]], list[_Rivals]]:
    """Contracts left, which of them each side spends, and for each, if that is to be told, the
    worth from which on it would be spent, given the hand's worth in the others."""
    step = strides(uses)
    left = available(state, step)
    bonus = bonus_of(policy, solved, left, [state - step[c] for c in left])
    picked = [pick(side, left, bonus)[0] for side in policy.sides]
    if not told or len(left) < 2:
        return left, picked, []
    worth = np.array([side.choose[left] + bonus[:, None] for side in policy.sides])
    second, best = np.moveaxis(np.argpartition(worth, len(left) - 2, axis=1)[:, -2:], 1, 0)
    rivals = []
    for i in range(len(left)):
        which = np.where(best == i, second, best)
        there = np.take_along_axis(worth, which[:, None], axis=1)[:, 0]
        rivals.append(_Rivals(there - bonus[i], which))
    return left, picked, rivals


def _by_batch(
    policy: Policy, solved: Solved, uses: Sequence[int], state: int, parts: int
) -> Floats:
    """(contracts left, parts): how much each batch of blocks moves what is left after each."""
    step = strides(uses)
    moves = solved.influence[-1, [state - step[c] for c in available(state, step)]]
    if policy.prices is not None:
        return np.zeros((len(moves), parts))
    n_blocks = moves.shape[1]
    batches = np.arange(n_blocks) * parts // n_blocks
    starts = np.searchsorted(batches, np.arange(parts))
    return np.add.reduceat(moves, starts, axis=1) / np.bincount(batches)


def _medians(rivals: _Rivals, own: int, moves: Floats, batches: Ints) -> Floats:
    """Median over all hands, then over those of each batch at the prices of that batch.

    Prices move it as far as the hands near the median have the one rival or the other.
    """
    parts = moves.shape[1]
    middle = float(np.median(rivals.worth))
    by_distance = np.argsort(np.abs(rivals.worth - middle), axis=None, kind="stable")
    near = rivals.which.ravel()[by_distance[: max(1, rivals.worth.size // NEAR)]]
    often = np.bincount(near, minlength=len(moves)) / len(near)
    shift = often @ moves - moves[own]
    starts = np.searchsorted(batches, np.arange(1, parts))
    each = np.split(rivals.worth, starts, axis=1)
    moved_by = [float(np.median(part)) + by for part, by in zip(each, shift, strict=True)]
    return np.array([middle, *moved_by])


def prophet(worth: Floats, uses: Sequence[int], blocks: Ints) -> Floats:
    """(blocks,): worth of the best matching of a block's hands to its contracts, as if all
    hands were known at once.

    ``worth`` (contracts, hands) is what it is matched and valued by, so its noise adds to it:
    no way of choosing is better, and a true prophet is worse.
    """
    columns = np.repeat(np.arange(len(uses)), uses)
    starts = np.flatnonzero(np.r_[True, np.diff(blocks) > 0])
    out = []
    for hands in np.split(worth, starts[1:], axis=1):
        costs = hands[columns]
        rows, matched = linear_sum_assignment(costs, maximize=True)
        out.append(float(costs[rows, matched].sum()))
    return np.array(out)


def prophet_bound(sides: Sequence[Side], uses: Sequence[int], blocks: Ints) -> Estimate:
    """The prophet's mean, by all deals of a hand at once."""
    worth = np.mean([side.choose for side in sides], axis=0)
    return mean(prophet(worth, uses, blocks))
