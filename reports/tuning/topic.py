"""What a section of a tuning's page is: as ``reports.section`` has it, of an outcome.

``compute`` gives small tables, ``render`` shows them in words and drawings.
"""

from typing import Protocol

from pipeline.stats.estimate import Estimate
from pipeline.tuning.outcome import Candidate, Figure, Outcome
from reports.section import Answer, Tables


class Topic(Protocol):
    """One question about a tuning."""

    name: str
    """Lower case, for ids and file names."""
    title: str

    def missing(self, outcome: Outcome) -> str | None:
        """Why the outcome cannot answer, or None."""

    def compute(self, outcome: Outcome) -> Tables:
        """The tables; points in the document's sign."""

    def render(self, tables: Tables, outcome: Outcome) -> Answer:
        """Words, drawings and listings of these tables; the outcome names things."""


def estimate_of(figure: Figure) -> Estimate:
    """A figure as sections and drawings know it; blocks are all that was counted."""
    return Estimate(
        figure.value,
        figure.se,
        figure.low,
        figure.high,
        figure.blocks,
        figure.blocks,
        figure.df,
        figure.kind,
    )


def stays(outcome: Outcome) -> bool:
    """Whether the rules stay as they are: nothing better was found."""
    return not outcome.winner_number


def candidate_of(outcome: Outcome, number: int) -> Candidate:
    """The candidate of that number."""
    return next(one for one in outcome.candidates if one.number == number)
