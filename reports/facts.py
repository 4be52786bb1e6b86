"""What the head of a page says of its run."""

from typing import NamedTuple

from pipeline.manifest import Decided


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
