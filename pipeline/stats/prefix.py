"""What a stop rule sees of a claim, and what it may decide.

A rule sees the blocks 0..B-1, all of them landed, never blocks by the order in which they
came: where good results come sooner, the first to arrive are the better ones, and a true
null would be refused several times as often as promised.
"""

from fractions import Fraction
from typing import Literal, NamedTuple

Decision = Literal["better", "worse", "not better", "equal", "identical", "best", "open"]
"""What a rule has come to; ``open`` is nothing yet, or inconclusive where the run ended so."""

ALIKE = 59
"""Blocks, all exactly alike, before a rule takes that for settled.

Players who differ in one block of twenty would have shown it by then with 95 %: 0.95^59 <
0.05. Two blocks alike, or sixteen, say next to nothing of players who rarely differ.
"""


class Prefix(NamedTuple):
    """A claim over the blocks 0..B-1, in exact numbers."""

    blocks: int
    mean: Fraction
    """Points a game in favour of the claim's entrant; more is better."""
    variance: Fraction
    """Maximum-likelihood variance of a block's value (sum of squares over B), points squared."""


def of(mean: Fraction, square: Fraction, blocks: int) -> Prefix:
    """The prefix of a mean whose exact variance is ``square``, G / (G - 1) * sum u^2 with
    G ``blocks`` as in :func:`pipeline.stats.estimate.variance`.

    Fewer than two blocks tell of no variance, whatever ``square`` says: it is 0.
    """
    return Prefix(blocks, mean, square * (blocks - 1) if blocks > 1 else Fraction(0))
