"""What could not be played, in lines for people."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.cli.output import note, one_line

if TYPE_CHECKING:
    from pipeline.manifest import SetAside

MOST = 10
"""Shards that are told one by one."""


def note_set_aside(set_aside: "Sequence[SetAside]", folder: str) -> None:
    """On standard error: which shards were set aside and why, and what to do about it."""
    for line in lines(set_aside):
        note(line)
    note(f"incomplete: barbu resume {folder} tries them again")


def lines(set_aside: "Sequence[SetAside]") -> list[str]:
    """A line for each shard, the first of many."""
    told = [f"set aside: {one_line(str(one))}" for one in set_aside[:MOST]]
    more = len(set_aside) - MOST
    return [*told, f"and {more:,} more"] if more > 0 else told
