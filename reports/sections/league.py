"""Who is better? Points above the table, win share and place of every entrant."""

from fractions import Fraction
from typing import NamedTuple

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.block_totals import WIN
from pipeline.stats.estimate import Estimate, Sums, clipped, proportion, ratio, times
from pipeline.stats.simultaneous import covariance, differences, ranks, together
from reports.charts import Series, dots
from reports.frames import estimates, flat, frame, schema
from reports.reading import Reading
from reports.section import Answer, Figure, Tables
from reports.standings import (
    lineup_listing,
    others_listing,
    pair_listing,
    standings_listing,
    told_apart,
)
from reports.words import (
    better,
    counted,
    digits,
    figure,
    kinds,
    listed,
    sign,
)

Pairs = dict[tuple[int, int], Estimate]


class League:
    """Which entrants are better, and by how much?"""

    name = "league"
    title = "League table"

    def missing(self, run: Reading, variant: str) -> str | None:
        """A table of its own kind alone compares nobody."""
        if not run.cells(variant, "advantage"):
            return "No whole block of this variant was played."
        return None

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``standings`` (best first), ``pairs`` and ``lineups``.

        Points are those of a game above the table's mean, in the document's
        sign. The unit of error is the block: the seatings of a block share its
        deals. Standings and pairs each have simultaneous intervals where the
        games were recorded, else every figure its own.
        """
        rules = run.rules(variant)
        scale = Fraction(sign(rules), rules.seats)
        cells = {c.entrant: c.sums for c in run.cells(variant, "advantage") if c.table == -1}
        order = run.ranking(variant)
        points, pairs = _joint(run, variant, order, [cells[e] for e in order], scale)
        inner = {k: d if scale > 0 else times(d, -1) for k, d in pairs.items()}
        spans = ranks(len(order), inner) if pairs else [(1, len(order))] * len(order)
        return {
            "standings": _standings(run, variant, order, points, spans),
            "pairs": _pairs(order, pairs),
            "lineups": _lineups(run, variant, order, scale),
        }

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Dots with intervals, the standings, and the pairs on a click."""
        standings = tables["standings"]
        points = estimates(standings, "points")
        entrants = standings["entrant"].to_list()
        axis = f"points above the table's mean ({better(rules)})"
        drawing = dots(entrants, [Series("points", points)], axis)
        caption = (
            "Points a game above the mean of the table, the entrant itself included, with "
            f"intervals on blocks; {better(rules)}. Best first. Less the mean of the other "
            f"{counted(rules.seats - 1, 'seat')} alone it is {rules.seats}/{rules.seats - 1} of "
            "that; a table has both."
        )
        shown = [
            standings_listing(standings),
            others_listing(standings, rules),
            pair_listing(tables["pairs"]),
        ]
        if tables["lineups"].height > len(entrants):
            shown.append(lineup_listing(tables["lineups"]))
        every = [*points, *estimates(standings, "win"), *estimates(standings, "place")]
        return Answer(
            _finding(standings, tables["pairs"], rules),
            (Figure(self.name, drawing, caption),),
            tuple(listing for listing in shown if listing.rows),
            kinds(every),
        )


def _joint(
    run: Reading, variant: str, order: list[str], cells: list[Sums], scale: Fraction
) -> tuple[list[Estimate], Pairs]:
    """Points of each entrant, and differences of pairs; simultaneous if possible."""
    blocks = run.blocks(variant)
    cross = run.joint(variant, order) if blocks > 1 and len(order) > 1 else None
    if cross is None:
        return [ratio(cell, scale, contrast=True) for cell in cells], {}
    cov = covariance(cells, cross, blocks)
    means = [Fraction(cell.x, cell.n) for cell in cells]
    return together(means, cov, cells, scale), differences(cells, cov, scale)


def _standings(
    run: Reading,
    variant: str,
    order: list[str],
    points: list[Estimate],
    spans: list[tuple[int, int]],
) -> pl.DataFrame:
    seats = run.rules(variant).seats
    wins = {c.entrant: c.sums for c in run.cells(variant, "win") if c.table == -1}
    places = {c.entrant: c.sums for c in run.cells(variant, "place") if c.table == -1}
    keys = {"entrant": pl.String, "best": pl.Int64, "worst": pl.Int64}
    return frame(
        [
            {"entrant": entrant, "best": best, "worst": worst}
            | flat("points", estimate)
            | flat("win", proportion(wins[entrant], WIN))
            | flat("place", clipped(ratio(places[entrant], Fraction(1, 2)), 1, seats))
            for entrant, estimate, (best, worst) in zip(order, points, spans, strict=True)
        ],
        schema(keys, "points", "win", "place"),
    )


def _pairs(order: list[str], pairs: Pairs) -> pl.DataFrame:
    return frame(
        [
            {"entrant": order[i], "other": order[k]} | flat("difference", e)
            for (i, k), e in pairs.items()
        ],
        schema({"entrant": pl.String, "other": pl.String}, "difference"),
    )


def _lineups(run: Reading, variant: str, order: list[str], scale: Fraction) -> pl.DataFrame:
    cells = [c for c in run.cells(variant, "advantage") if c.table >= 0]
    cells.sort(key=lambda c: (c.table, order.index(c.entrant)))
    names = run.lineups(variant)
    return frame(
        [
            {"lineup": names[c.table], "entrant": c.entrant}
            | flat("points", ratio(c.sums, scale, contrast=True))
            for c in cells
        ],
        schema({"lineup": pl.String, "entrant": pl.String}, "points"),
    )


def _finding(standings: pl.DataFrame, pairs: pl.DataFrame, rules: Variant) -> str:
    points = estimates(standings, "points")
    entrants = standings["entrant"].to_list()
    p = digits(points)
    if len(entrants) == 1:
        return f"Only {entrants[0]} played, and so has the mean of its tables by definition."
    found = estimates(pairs, "difference")
    if found and all(told_apart(e) == "identical" for e in found):
        return f"{listed(entrants)} are identical: every block gave each the same points."
    first = _first(standings)
    are = "is first" if len(first) == 1 else "are first together"
    lead = f"{listed(first)} {are} with {figure(points[0], p)} points a game"
    if not found:
        return (
            f"{lead} against its tables' mean, but entrants cannot be compared with certainty: "
            "that takes the games table and more than one block."
        )
    behind = [e for row, e in zip(pairs["entrant"], found, strict=True) if row == entrants[0]]
    open_ = [
        other
        for other, e in zip(entrants[1:], behind, strict=True)
        if told_apart(e) != "told apart"
    ]
    apart = sum(told_apart(e) == "told apart" for e in found)
    if not open_:
        rest = "better than every other entrant, all comparisons taken together"
    elif apart == 0:
        rest = "but no two entrants can be told apart yet"
    else:
        rest = f"but cannot be told from {listed(open_, 'or')} yet"
    note = " (lower is better here)" if rules.objective == "lowest" else ""
    games, blocks = counted(points[0].n, "seat-game"), counted(points[0].blocks, "block")
    who = "It" if len(first) == 1 else entrants[0]
    return f"{lead} against its tables' mean{note}, {rest}. {who} held {games} in {blocks}."


class Standing(NamedTuple):
    """Who is first in a variant."""

    entrant: str
    """Several, listed, if their points are equal."""
    sure: bool
    """Better than each of the others, all comparisons taken together."""


def standing(run: Reading, variant: str) -> Standing | None:
    """The first of the league table, None where nothing was played."""
    league = League()
    if league.missing(run, variant) is not None:
        return None
    standings = league.compute(run, variant)["standings"]
    top = standings.row(0, named=True)
    return Standing(listed(_first(standings)), standings.height > 1 and top["worst"] == 1)


def _first(standings: pl.DataFrame) -> list[str]:
    """The first, and those with exactly its points."""
    points = estimates(standings, "points")
    entrants = standings["entrant"].to_list()
    return [name for name, e in zip(entrants, points, strict=True) if e.value == points[0].value]
