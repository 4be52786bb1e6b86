"""What the head of a page says of its run."""

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.manifest import Decided, SetAside

MOST = 10
"""Shards that were set aside and are told one by one."""


class Facts(NamedTuple):
    """What the head of a report says of the run."""

    digest: str
    """Empty while the run is not complete."""
    games: int
    deals: int
    fouls: int
    conduct: tuple[str, ...]
    """Who fouled, printed, or drew from everybody's random numbers: a line each."""
    version: str
    complete: bool
    """The run has ended, by its plan or by its stop rule."""
    decided: tuple[Decided, ...] = ()
    """The verdicts, of a complete run."""
    set_aside: tuple[str, ...] = ()
    """Of an incomplete run the shards that could not be played, and why: a line each."""


def told(set_aside: Sequence[SetAside]) -> tuple[str, ...]:
    """A line for each shard that could not be played, the first of many."""
    lines = tuple(map(str, set_aside[:MOST]))
    more = len(set_aside) - MOST
    return (*lines, f"and {more:,} more") if more > 0 else lines
