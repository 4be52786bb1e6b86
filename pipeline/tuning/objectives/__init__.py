"""Every objective that rules can be tuned by, in the order in which pages show them.

A new one is a function in a file of this folder and its line in :data:`OBJECTIVES`.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

from pipeline.tuning.measured import Measured
from pipeline.tuning.results import Results

Needs = Literal["games", "choices", "skill", "moves"]
"""What has to be played: games; a ``value`` study; games with restricted players; games whose
moves are kept."""
Better = Literal["less", "more"]


class Objective(NamedTuple):
    """A figure that rules can be tuned by."""

    name: str
    title: str
    """For pages: ``Unfair seats``."""
    meaning: str
    """A sentence for people: what the figure is, in which unit, what it is at best."""
    unit: str
    """``percentage points squared``; empty for a share."""
    better: Better
    step: float
    """What difference one would care about, in the unit: objectives are weighed by it."""
    needs: Needs
    measure: Callable[[Results], Measured]
    why_not: Callable[[Results], str | None] | None = None
    """Why these results cannot tell, or None."""


OBJECTIVES: tuple[Objective, ...] = ()
