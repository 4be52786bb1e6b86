"""What a section of a report is: one question, small tables first, then words.

``compute`` gives the tables, ``render`` only shows them; tests look at the
tables. A section that cannot answer says why, and the page goes on.
"""

from dataclasses import dataclass
from typing import Protocol

import plotly.graph_objects as go
import polars as pl

from engine_ext.rules.spec import Variant
from reports.reading import Reading

Tables = dict[str, pl.DataFrame]
"""Small tables by name: figures with their errors, one row a thing."""


@dataclass(frozen=True)
class Listing:
    """A table in words and figures; the first column heads the rows."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    shown: bool = False
    """Stands in the page at once; others open on a click."""
    first: bool = False
    """Stands before the drawings."""


@dataclass(frozen=True)
class Figure:
    """A drawing and the sentence under it."""

    name: str
    """Lower case; becomes part of the drawing's id in the page."""
    drawing: go.Figure
    caption: str
    """What it shows, readable without seeing it."""
    beside: Listing | None = None
    """Its figures as a table, beside it on a wide screen: of a map, see ``grids.grid``."""


@dataclass(frozen=True)
class Answer:
    """What a section has to say."""

    finding: str
    """The answer in a few sentences made from the tables, perhaps on several lines."""
    figures: tuple[Figure, ...]
    listings: tuple[Listing, ...]
    kinds: tuple[str, ...]
    """What its intervals are, in words."""
    short: str = ""
    """What a player should keep of it, without a word of statistics, for the top of the page;
    empty where there is nothing of the kind."""


class Section(Protocol):
    """One question about one variant of a run."""

    name: str
    """Lower case, for ids and file names."""
    title: str

    def missing(self, run: Reading, variant: str) -> str | None:
        """Why the run cannot answer, or None."""

    def compute(self, run: Reading, variant: str) -> Tables:
        """The tables; figures in the document's sign."""

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Words, drawings and listings of these tables, nothing else."""
