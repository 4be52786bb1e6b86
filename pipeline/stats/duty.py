"""What the right to double is worth, and what it costs to owe doubles.

With h deals of a declarer left and q doubles of him owed, a deal comes whose double pays D:

    W(h, q) = E max(D + W(h - 1, (q - 1)+), W(h - 1, q)),    W(0, q) = penalty * q,

and where the rules force, no choice once q >= h. Whether to double is decided by what one
half of the re-deals says, the gain is what the other half says: else the best of two noisy
figures would always look better than it is.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.stats.blocks import Floats, moved, of_each
from pipeline.stats.estimate import Estimate

Ints = npt.NDArray[np.int64]


class Gains(NamedTuple):
    """What a double would pay in deals of one kind, one a row."""

    where: Ints
    """Which block it belongs to, counted from 0."""
    believed: Floats
    """By the half that decides; minus infinity where it tells nothing."""
    worth: Floats
    """By the other half; not a number where the rules allow no double."""


class State(NamedTuple):
    """What is left of a dealership is worth."""

    value: float
    influence: Floats
    """Of each block."""
    share: float
    """How often the deal at hand is doubled."""
    n: int


class Duty:
    """Worth of the deals left, by how many doubles are owed."""

    def __init__(
        self,
        gains: Mapping[int, Gains],
        blocks: int,
        most_owed: int,
        forced: bool = True,
        penalty: float = 0.0,
    ) -> None:
        self.blocks = blocks
        self.most_owed = most_owed
        self.forced = forced
        nothing = np.zeros(blocks)
        self.states = {
            (0, owed): State(penalty * owed, nothing, 0.0, 0) for owed in range(most_owed + 1)
        }
        self.deals = 0
        while self.deals + 1 in gains:
            self.deals += 1
            for owed in range(most_owed + 1):
                self.states[self.deals, owed] = self._state(gains[self.deals], owed)

    def _state(self, gains: Gains, owed: int) -> State:
        """One deal more; the states of fewer deals are known."""
        less = self.states[self.deals - 1, max(0, owed - 1)]
        same = self.states[self.deals - 1, owed]
        may = ~np.isnan(gains.worth)
        # At q = 0 both continuations are one, and their difference is exactly nothing.
        must = self.must(self.deals, owed)
        doubles = may & ((gains.believed > same.value - less.value) | must)
        paid = np.where(doubles, np.nan_to_num(gains.worth) + less.value, same.value)
        value, share = float(paid.mean()), float(doubles.mean())
        own = of_each(paid - value, gains.where, self.blocks)
        influence = own + share * less.influence + (1 - share) * same.influence
        return State(value, influence, share, len(paid))

    def worth(self, deals: int, owed: int) -> Estimate:
        """W(deals, owed)."""
        state = self.states[deals, owed]
        return moved(state.value, state.influence, state.n)

    def _less(self, deals: int, owed: int, fewer: int, n: int) -> Estimate:
        more, state = self.states[deals, fewer], self.states[deals, owed]
        value, influence = more.value - state.value, more.influence - state.influence
        return moved(value, influence, n, contrast=True)

    def price(self, deals: int, owed: int) -> Estimate:
        """W(deals, 0) - W(deals, owed): what owing them costs."""
        return self._less(deals, owed, 0, self.states[deals, owed].n)

    def bonus(self, deals: int, owed: int) -> Estimate:
        """What it is worth in the deals to come to owe one double less after this one.

        Double now if the double pays more than minus this. Nothing where none is owed.
        """
        n = self.states[deals, owed].n
        return self._less(deals - 1, owed, max(0, owed - 1), n)

    def must(self, deals: int, owed: int) -> bool:
        """Whether the rules leave no choice."""
        return self.forced and owed > 0 and owed >= deals
