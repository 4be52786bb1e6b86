"""Who is told apart from whom? Differences of all pairs, each with its interval."""

import math
from itertools import product

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.estimate import Estimate, excludes, times
from reports.charts import heat
from reports.frames import estimates, flat, frame, schema
from reports.grids import grid
from reports.ranked import ranked
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.words import better, counted, digits, figure, interval, kinds, listed, number

MOST_FIGURES = 10
"""Entrants up to which cells of the map have their figures inside; more have only colours."""
MOST_GRID = 16
"""Entrants up to which the table has the shape of the map."""
PALEST = 0.4
"""Depth of colour of a difference that is sure and next to nothing."""
MOST_NAMES = 5
"""Entrants up to which columns have names; of more they have numbers."""
TOGETHER = (
    "All differences of the table lie inside their intervals together; colour and the words "
    "told apart stand only where an interval excludes 0."
)


class Pairs:
    """Which differences between two entrants are sure?"""

    name = "pairs"
    title = "Pairs of entrants"

    def missing(self, run: Reading, variant: str) -> str | None:
        """It takes two entrants, and sums of both over the same blocks."""
        if not run.cells(variant, "advantage"):
            return "No whole block of this variant was played."
        found = ranked(run, variant)
        if len(found.entrants) < 2:
            return "There is one entrant only."
        if not found.pairs:
            return "Pairs are compared from two blocks on, at tables that link all entrants."
        return None

    def compute(self, run: Reading, variant: str) -> Tables:
        """Table ``pairs``: points a game of the one less those of the other, the better placed
        first, in the document's sign.

        The unit of error is the block, in which both have the same deals; intervals hold
        together. A candidate that left a race is compared on the blocks up to then.
        """
        found = ranked(run, variant)
        rows = [
            {"entrant": found.entrants[i], "other": found.entrants[k]} | flat("difference", e)
            for (i, k), e in found.pairs.items()
        ]
        return {
            "pairs": frame(rows, schema({"entrant": pl.String, "other": pl.String}, "difference"))
        }

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """A map of line less column, and the pairs as a list."""
        pairs = tables["pairs"]
        found = estimates(pairs, "difference")
        shown = [*kinds(found), *[TOGETHER] * (len(found) > 1)]
        return Answer(
            _finding(pairs, found), (_map(pairs, rules),), (_listing(pairs),), tuple(shown)
        )


def _map(pairs: pl.DataFrame, rules: Variant) -> Figure:
    names, cells = _matrix(pairs)
    shown = [e for row in cells for e in row if e is not None]
    p = max(0, min(1, digits(shown)))
    top = max((abs(e.value) for e in shown if excludes(e)), default=0) or 1.0
    heads = names if len(names) <= MOST_NAMES else [str(1 + i) for i in range(len(names))]
    lines = names if len(names) <= MOST_NAMES else [f"{i} {n}" for i, n in enumerate(names, 1)]
    inside = len(names) <= MOST_FIGURES
    drawing = heat(
        heads,
        lines,
        [[None if e is None else _shade(e, top) for e in row] for row in cells],
        [[number(e.value, p, True) if e and inside else "" for e in row] for row in cells],
        "less the entrant of the column",
        diverging=True,
        top=1.0,
        lowest=rules.objective == "lowest",
    )
    told = [
        [
            "" if e is None else f"{names[i]} less {names[k]}: {_said(e, p)}"
            for k, e in enumerate(row)
        ]
        for i, row in enumerate(cells)
    ]
    drawing.update_traces(
        customdata=told,
        hovertemplate="%{customdata}<extra></extra>",
        textfont={"size": 13 if len(names) <= MOST_NAMES else 10},
    )
    if not inside:
        drawing.update_layout(height=90 + 20 * len(names))
        drawing.update_traces(xgap=1, ygap=1)
    caption = (
        "Points a game of the line's entrant less those of the column's, best first; "
        f"{better(rules)}. Blue where the line's entrant is surely better, orange where it is "
        "surely worse, grey where they are not told apart."
    )
    if heads is not names:
        caption += " Columns are numbered as lines are."
    if len(names) > MOST_GRID:
        return Figure("pairs", drawing, caption)
    label = "Differences of pairs, with intervals"
    return Figure("pairs", drawing, caption, grid(label, "less", heads, lines, cells, signed=True))


def _shade(e: Estimate, top: float) -> float:
    """Nothing where entrants are not told apart; the least sure difference is seen well."""
    if not excludes(e):
        return 0.0
    return math.copysign(PALEST + (1 - PALEST) * abs(e.value) / top, e.value)


def _matrix(pairs: pl.DataFrame) -> tuple[list[str], list[list[Estimate | None]]]:
    """Names in order, and line less column for each two of them."""
    names = list(dict.fromkeys([*pairs["entrant"], *pairs["other"]]))
    found = dict(
        zip(pairs.select("entrant", "other").rows(), estimates(pairs, "difference"), strict=True)
    )
    turned = {(b, a): times(e, -1) for (a, b), e in found.items()}
    both = found | turned
    cells = [[both.get((a, b)) for b in names] for a in names]
    assert all((a, b) in both for a, b in product(names, names) if a != b)
    return names, cells


def _listing(pairs: pl.DataFrame) -> Listing:
    """Each pair, the better one first."""
    found = estimates(pairs, "difference")
    p = digits(found)
    rows = tuple(
        (f"{row['entrant']} less {row['other']}", *_cells(e, p), told_apart(e))
        for row, e in zip(pairs.iter_rows(named=True), found, strict=True)
    )
    columns = ("pair", "points a game", "interval", "")
    return Listing("Differences of pairs, on the same blocks", columns, rows)


def _cells(e: Estimate, p: int) -> tuple[str, str]:
    return number(e.value, p, signed=True), interval(e, p, signed=True)


def _said(e: Estimate, p: int) -> str:
    value, within = _cells(e, p)
    return f"{value} ({within}), {told_apart(e)}"


def told_apart(e: Estimate) -> str:
    """Whether a difference is sure, in words."""
    if e.kind == "identical" and e.value == 0:
        return "identical"
    return "told apart" if excludes(e) else "not told apart"


def _finding(pairs: pl.DataFrame, found: list[Estimate]) -> str:
    names = list(dict.fromkeys([*pairs["entrant"], *pairs["other"]]))
    if all(told_apart(e) == "identical" for e in found):
        return f"{listed(names)} are identical: every block gave each the same points."
    apart = sum(told_apart(e) == "told apart" for e in found)
    e, row = found[0], pairs.row(0, named=True)
    if len(found) == 1:
        p = digits(found)
        return (
            f"{row['entrant']} less {row['other']}: {_said(e, p)}, on {counted(e.blocks, 'block')}."
        )
    lead = f"{apart} of {counted(len(found), 'pair')} are told apart"
    if not apart:
        return f"Of {counted(len(found), 'pair')} none is told apart yet."
    far = max(found, key=lambda e: abs(e.value) if excludes(e) else -1.0)
    widest = pairs.row(found.index(far), named=True)
    return (
        f"{lead}, all comparisons taken together; the largest sure difference is that of "
        f"{widest['entrant']} less {widest['other']}, {figure(far, digits([far]))} "
        "points a game."
    )
