"""Several runs' tables in words: side by side, with the differences that surely are some."""

from typing import NamedTuple

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.discovery import marks
from pipeline.stats.estimate import Estimate, excludes, p_value, times
from reports.charts import MOST_SERIES, Series, dots
from reports.columns import FIGURES, MORE, figures_of, keys_of
from reports.plain import SHARES, cells, head, known, word
from reports.section import Answer, Figure, Listing, Tables
from reports.words import counted, digits, figure, kinds

MOST_LINES = 24
"""Lines of a drawing; of a longer table the first are drawn."""
STARRED = (
    "* the runs differ: Benjamini-Hochberg over the table, 5 % of the marks expected false; where "
    "intervals hold at every moment, by these"
)


class Gap(NamedTuple):
    """A figure of a run less that of the first."""

    what: str
    run: int
    first: int
    estimate: Estimate
    name: str


def answer(tables: Tables, rules: Variant, how: str) -> Answer:
    """Every table of the runs side by side, the first one drawn."""
    gaps, every, listings = [], [], []
    for table_name, table in tables.items():
        for name in [n for n in figures_of(table) if not n.endswith(MORE)]:
            listing, sure, count = _listing(f"{head(table_name)}: {head(name)}", table, name, rules)
            listings.append(listing)
            gaps += sure
            every.append(count)
    drawn = _figure(tables, rules)
    shown = [e for t in tables.values() for n in figures_of(t) for e in known(t, n) if e]
    return Answer(
        _finding(gaps, sum(every)), (drawn,), tuple(listings), (*kinds(shown), how, STARRED)
    )


def _listing(
    caption: str, table: pl.DataFrame, name: str, rules: Variant
) -> tuple[Listing, list[Gap], int]:
    """A line for each key with a column for each run and difference; the gaps that surely
    are some, and how many gaps there are."""
    keys = [key for key in keys_of(table) if key != "run"]
    runs = table["run"].unique(maintain_order=True).to_list()
    found = _by_key(table, keys, name)
    more = _by_key(table, keys, name + MORE)
    order = list(dict.fromkeys(table.select(keys).rows()))
    pairs = {(run, key): e for run in runs[1:] for key in order if (e := more[run].get(key))}
    tests = [p_value(e) for e in pairs.values()]
    # What holds at every moment holds for the table together, and has no p.
    tests = [None if e.kind == "anytime" else p for e, p in zip(pairs.values(), tests, strict=True)]
    marked = {
        pair
        for (pair, e), mark in zip(pairs.items(), marks(tests), strict=True)
        if mark or (e.kind == "anytime" and excludes(e))
    }
    columns = [[word(k, key[i], rules) for key in order] for i, k in enumerate(keys)]
    columns += [cells(name, [found[run].get(key) for key in order]) for run in runs]
    for run in runs[1:]:
        told = cells(name, [more[run].get(key) for key in order], signed=True)
        columns.append(
            [c + " *" * ((run, key) in marked) for c, key in zip(told, order, strict=True)]
        )
    heads = [head(key) for key in keys] + [f"run {run}" for run in runs]
    heads += [f"run {run} less run {runs[0]}" for run in runs[1:]]
    gaps = []
    for (run, key), _ in sorted(zip(pairs, tests, strict=True), key=lambda x: x[1] or 0.0):
        if (run, key) in marked:
            said = ", ".join(word(k, v, rules) for k, v in zip(keys, key, strict=True))
            gaps.append(Gap(f"{head(name)} of {said}", run, runs[0], pairs[run, key], name))
    rows = tuple(zip(*columns, strict=True))
    return Listing(caption, tuple(heads), rows, shown=len(rows) <= 12), gaps, len(pairs)


Key = tuple[object, ...]


def _by_key(
    table: pl.DataFrame, keys: list[str], name: str
) -> dict[int, dict[Key, Estimate | None]]:
    """Estimates by run and key."""
    found: dict[int, dict[Key, Estimate | None]] = {}
    for run, key, e in zip(
        table["run"], table.select(keys).rows(), known(table, name), strict=True
    ):
        found.setdefault(run, {})[key] = e
    return found


def _finding(gaps: list[Gap], count: int) -> str:
    if not gaps:
        return f"In none of {counted(count, 'figure')} that the runs share do they surely differ."
    top = min(gaps, key=lambda gap: p_value(gap.estimate) or 0.0)
    e = times(top.estimate, 100) if top.name in SHARES else top.estimate
    return (
        f"In {len(gaps)} of {counted(count, 'figure')} that the runs share they surely differ; "
        f"the surest: {top.what}, run {top.run} less run {top.first} "
        f"{figure(e, digits([e]))}."
    )


def _figure(tables: Tables, rules: Variant) -> Figure:
    """The first figure of the first table, a line for each key and a dot for each run."""
    table = next(iter(tables.values()))
    name = figures_of(table)[0]
    keys = [key for key in keys_of(table) if key != "run"]
    runs = table["run"].unique(maintain_order=True).to_list()[:MOST_SERIES]
    order = list(dict.fromkeys(table.select(keys).rows()))
    found = _by_key(table, keys, name)
    vary = [i for i in range(len(keys)) if len({key[i] for key in order}) > 1] or [0]
    lines = [", ".join(word(keys[i], key[i], rules) for i in vary) for key in order]
    series = [
        Series(f"run {run}", [found[run].get(key) for key in order[:MOST_LINES]]) for run in runs
    ]
    per_cent = name in SHARES
    drawing = dots(lines[:MOST_LINES], series, head(name), per_cent)
    rest = f" The first {MOST_LINES} of {len(order)} lines." if len(order) > MOST_LINES else ""
    what = FIGURES.get(name, head(name))
    caption = f"{what[:1].upper()}{what[1:]}; each run with the interval of its own.{rest}"
    return Figure("runs", drawing, caption)
