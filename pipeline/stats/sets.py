"""What the contracts left are worth: a dynamic program over all that may be left.

A declarer sees his hand, then spends one of the contracts left. Its worth differs from
hand to hand, so that what is left is worth more than the contracts' averages together:

    V(nothing) = 0,  V(S) = mean over hands of  max over c in S of  q_c(hand) + V(S less c).

The worth q_c(hand) is itself a mean over few deals, and the largest of noisy figures is too
large. So what one half of them chooses is valued by the other half, and the halves swap.
The same recursion values any other rule of choosing; all of them on the same hands, so that
differences between them are far surer than each of them.

Where the whole table shares the contracts, the next seat chooses next: what is left is
worth something else to whoever chooses now, next, and so on, one value for each turn; what
the chooser gains on the table's mean, the others lose in equal parts.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

MOST_STATES = 65_536
"""Ways of what may be left; with more than these nothing is solved."""

DECIMALS = 9
"""Values are rounded to these, far below any error."""

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Side(NamedTuple):
    """One half of the deals chooses, the other says what was chosen."""

    choose: Floats
    """(contracts, hands): worth as the rule of choosing sees it."""
    value: Floats
    """(contracts, hands): worth by deals that the choice has not seen."""


class Policy(NamedTuple):
    """Spends the contract with the most ``choose`` less its price."""

    sides: Sequence[Side]
    prices: Floats | None = None
    """By contract; None: what spending it costs by the dynamic program."""


class Solved(NamedTuple):
    """Values of all that may be left, under one policy."""

    value: Floats
    """(turns, states): what a state comes to for who chooses after so many others."""
    picked: Floats
    """(states, contracts): how often each is spent by who chooses."""
    influence: Floats
    """(turns, states, blocks): how much each block's hands moved ``value``, mean 0."""


def strides(uses: Sequence[int]) -> list[int]:
    """What one use of each contract counts in the number of a state; last, the states.

    >>> strides([1, 2])
    [1, 2, 6]
    """
    out = [1]
    for n in uses:
        out.append(out[-1] * (n + 1))
    return out


def uses_left(state: int, uses: Sequence[int]) -> list[int]:
    """How often each contract may still be spent in ``state``."""
    step = strides(uses)
    return [state // a % (b // a) for a, b in pairwise(step)]


def number_left(uses: Sequence[int]) -> Ints:
    """(states,): how many contracts are left in each state."""
    states = np.arange(strides(uses)[-1])
    return sum((states // a % (b // a) for a, b in pairwise(strides(uses))), np.zeros_like(states))


def solve(
    policy: Policy,
    uses: Sequence[int],
    blocks: Ints,
    turns: int = 1,
    others: Solved | None = None,
) -> Solved:
    """Values of every state under ``policy``.

    Parameters
    ----------
    policy : Policy
        How who has turn 0 chooses, with its hands: all of one block together.
    uses : sequence of int
        How often each contract may be spent in all.
    blocks : int array of shape (hands,)
        Block of each hand, from 0, not descending, none left out.
    turns : int
        Seats that share the contracts; 1 where each declarer has his own.
    others : Solved, optional
        Values by which the others choose where they do not follow ``policy``.

    Raises
    ------
    ValueError
        More than :data:`MOST_STATES` states.
    """
    step = strides(uses)
    if step[-1] > MOST_STATES:
        raise ValueError(f"{step[-1]} ways of what may be left, at most {MOST_STATES}")
    table = _Table(policy, step, blocks, turns)
    for state in range(1, step[-1]):
        table.fill(state, others)
    return Solved(table.value, table.picked, table.influence)


class _Table:
    """The states solved so far."""

    def __init__(self, policy: Policy, step: list[int], blocks: Ints, turns: int) -> None:
        n, states = len(step) - 1, step[-1]
        self.policy, self.step, self.turns = policy, step, turns
        self.starts = np.flatnonzero(np.r_[True, np.diff(blocks) > 0])
        self.hands = len(blocks)
        self.value = np.zeros((turns, states))
        self.picked = np.zeros((states, n))
        self.influence = np.zeros((turns, states, len(self.starts)))

    def fill(self, state: int, others: Solved | None) -> None:
        left = available(state, self.step)
        after = [state - self.step[c] for c in left]
        last = self.turns - 1
        mine = _bonus(self.policy, left, self.value[last][after])
        how = self._follow(left, after, mine, range(1 if others else self.turns))
        self.picked[state, left] = how
        if others is not None and self.turns > 1:
            self._follow(left, after, others.value[last][after], range(1, self.turns))

    def _follow(
        self, left: list[int], after: list[int], bonus: Floats, turns: Sequence[int]
    ) -> Floats:
        """Choose in all hands and add up; returns how often each of ``left`` is chosen."""
        last, state = self.turns - 1, after[0] + self.step[left[0]]
        gains, chosen = np.zeros(self.hands), []
        for side in self.policy.sides:
            at, gain = pick(side, left, bonus)
            gains += gain
            chosen.append(at)
        many = len(chosen)
        often = sum((np.bincount(at, minlength=len(left)) for at in chosen), np.zeros(len(left)))
        share: Floats = often / (many * self.hands)
        for turn in turns:
            then = last if turn == 0 else turn - 1
            worth, later = gains if turn == 0 else gains / -last, self.value[then][after]
            for at in chosen:
                worth = worth + later[at]
            worth = worth / many
            # Rounded, so that the order of a sum inside a library decides no choice.
            mean = round(float(worth.mean()), DECIMALS)
            per_block = np.add.reduceat(worth - mean, self.starts)
            self.value[turn, state] = mean
            self.influence[turn, state] = per_block * (len(self.starts) / self.hands)
            self.influence[turn, state] += share @ self.influence[then][after]
        return share


def available(state: int, step: Sequence[int]) -> list[int]:
    """The contracts that may still be spent in ``state``."""
    return [c for c, (a, b) in enumerate(pairwise(step)) if state % b >= a]


def pick(side: Side, left: Sequence[int], bonus: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Which of ``left`` (its place there) each hand spends, and what that is worth.

    The first of equals is spent.
    """
    at = np.zeros(side.value.shape[1], dtype=np.int8)
    best = side.choose[left[0]] + bonus[0]
    for i in range(1, len(left)):
        here = side.choose[left[i]] + bonus[i]
        more = here > best
        np.maximum(best, here, out=best)
        # The last that is more than all before it; four times as fast as setting where it is.
        np.maximum(at, more.view(np.int8) * np.int8(i), out=at)
    gain: Floats = side.value[np.array(left)[at], np.arange(len(at))]
    return at, gain


def _bonus(policy: Policy, left: list[int], after: Floats) -> Floats:
    return after if policy.prices is None else -policy.prices[left]


def bonus_of(policy: Policy, solved: Solved, left: list[int], after: list[int]) -> Floats:
    """What a policy adds to the worth of each of ``left`` before it compares them."""
    return _bonus(policy, left, solved.value[-1][after])


def in_order(sides: Sequence[Side]) -> Policy:
    """Spends the contracts in their order, whatever the hand."""
    n = len(sides[0].value)
    same = [Side(np.zeros_like(side.choose), side.value) for side in sides]
    return Policy(same, np.arange(n, dtype=np.float64))


def by_value(sides: Sequence[Side]) -> Policy:
    """Spends what the hand is worth most in."""
    return Policy(sides, np.zeros(len(sides[0].value)))


def by_surplus(sides: Sequence[Side]) -> Policy:
    """Spends where the hand is furthest above the contract's own average."""
    return Policy(sides, averages(sides))


def averages(sides: Sequence[Side]) -> Floats:
    """(contracts,): mean worth over hands."""
    total = np.zeros(len(sides[0].value))
    for side in sides:
        total += side.value.mean(axis=1)
    return total / len(sides)


def reach(solved: Solved, uses: Sequence[int], start: Floats) -> Floats:
    """(states,): how often each state is come to from the weights ``start``."""
    weight, step = start.copy(), strides(uses)
    for state in range(len(weight) - 1, 0, -1):
        if weight[state]:
            for c in available(state, step):
                weight[state - step[c]] += weight[state] * solved.picked[state, c]
    return weight
