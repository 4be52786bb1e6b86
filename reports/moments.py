"""Tables of a run whose end was not fixed before: intervals that hold at every moment.

Sections compute intervals for a fixed number of blocks. Who looks at a run that is still being
played, or that ended when its results said so, could have looked at a lucky moment; so all
their tables pass through here.
"""

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline import stopping
from pipeline.stats.anytime import band
from pipeline.stats.estimate import Estimate, clipped, excludes
from reports.columns import figures_of
from reports.frames import FIELDS, flat
from reports.plain import SHARES, known
from reports.reading import Reading
from reports.section import Answer, Tables

BY_LUCK = ("p", "f")
"""Columns of tests for a fixed number of blocks, and endings of their names: nothing is known of
them at a moment that was not."""
TESTED = ("differs", "apart")
"""Columns of words that such a test has the last word on."""
BENJAMINI = "Benjamini"
STARRED = (
    "* differs from nothing at every moment, over the whole table (each figure has its equal part "
    "of the 5 % that may miss)"
)
PLACES = "place"


def held(run: Reading, rules: Variant, tables: Tables) -> Tables:
    """The same tables with every interval of kind ``anytime``; marks by Bonferroni's level over
    the table, and none where a table has several figures; no p-values."""
    cells = max((table.height for table in tables.values()), default=0)
    planned = stopping.planned(run.config)
    kept = {name: _still_apart(table, planned, cells) for name, table in tables.items()}
    return {name: _held(run, rules, table) for name, table in kept.items()}


def told(answer: Answer) -> tuple[str, ...]:
    """Kinds of interval of such tables, in words."""
    return tuple(STARRED if BENJAMINI in kind else kind for kind in answer.kinds)


def _still_apart(table: pl.DataFrame, planned: int, cells: int) -> pl.DataFrame:
    """Of a table of rows that surely differ in two figures (``reports/roles.py``) those that do so
    at every moment, all ``cells`` they were found among taken together."""
    if "gap" not in table.columns or not {"high", "low"} <= set(figures_of(table)):
        return table
    found = []
    for pair in zip(known(table, "high"), known(table, "low"), strict=True):
        a, b = (None if e is None else band(e, planned, cells) for e in pair)
        bounds = [] if a is None or b is None else [(a.low, a.high), (b.low, b.high)]
        found.append(_no_overlap(bounds))
    return table.filter(pl.Series(found, dtype=pl.Boolean))


def _no_overlap(bounds: list[tuple[float | None, float | None]]) -> bool:
    ends = [(low, high) for low, high in bounds if low is not None and high is not None]
    if len(ends) < 2:
        return False
    (low, high), (other_low, other_high) = ends
    return low > other_high or other_low > high


def _held(run: Reading, rules: Variant, table: pl.DataFrame) -> pl.DataFrame:
    planned, names = stopping.planned(run.config), figures_of(table)
    changed: dict[str, pl.Series] = {}
    for name in names:
        before = known(table, name)
        together = sum(e is not None and e.kind == "max_t" for e in before)
        after = [_one(e, name, rules, planned, together) for e in before]
        changed |= _columns(table, name, after)
    if "marked" in table.columns:
        every = known(table, names[0]) if len(names) == 1 else [None] * table.height
        count = sum(e is not None for e in every)
        found = [e is not None and excludes(band(e, planned, count)) for e in every]
        changed["marked"] = pl.Series("marked", found, dtype=pl.Boolean)
    for column in table.columns:
        if column in TESTED and table.schema[column] == pl.Boolean:
            changed[column] = pl.Series(column, [False] * table.height, dtype=pl.Boolean)
        elif column in BY_LUCK or column.endswith("_p"):
            changed[column] = pl.Series(column, [None] * table.height, dtype=table.schema[column])
    return table.with_columns(*changed.values())


def _one(
    e: Estimate | None, name: str, rules: Variant, planned: int, together: int
) -> Estimate | None:
    """A figure held at every moment, cut to what is possible."""
    if e is None or e.kind in ("anytime", "identical", "none"):
        return e
    wide = band(e, planned, together if e.kind == "max_t" else 1)
    if name in SHARES:
        return clipped(wide)
    return clipped(wide, 1, rules.seats) if name == PLACES else wide


def _columns(table: pl.DataFrame, name: str, found: list[Estimate | None]) -> dict[str, pl.Series]:
    rows = [{} if e is None else flat(name, e) for e in found]
    return {
        column: pl.Series(column, [row.get(column) for row in rows], dtype=table.schema[column])
        for column in (f"{name}_{field}" for field in FIELDS)
    }
