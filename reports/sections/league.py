"""Who is better? Points above the table, win share and place of every entrant."""

from fractions import Fraction
from typing import NamedTuple

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.block_totals import WIN
from pipeline.seating import changes_company
from pipeline.stats.estimate import clipped, proportion, ratio
from reports.charts import Series, dots
from reports.frames import estimates, flat, frame, schema
from reports.ranked import Ranked, ranked
from reports.reading import Reading
from reports.section import Answer, Figure, Tables
from reports.standings import lineup_listing, others_listing, standings_listing
from reports.words import (
    better,
    counted,
    digits,
    figure,
    kinds,
    listed,
    sign,
)

ABOVE = {
    "table": "the table's mean",
    "company": "the mean of the tables they sat at",
    "field": "the field on the same cards",
    "model": "an average entrant",
}
"""What points are above, in words."""
TOGETHER = (
    "All points hold together, and all differences that ranks and letters are made of: each has "
    "its equal part of the 5 % that may miss."
)


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
        """Tables ``standings`` (best first) and ``lineups``.

        Points are those of a game above the table's mean, in the document's sign; in
        ``candidates`` less those of the field on the same cards, in ``round_robin`` above an
        average entrant at the same table, by least squares. The unit of error is the block:
        the seatings of a block share its deals. Points have simultaneous intervals, and so
        have the differences that ranks and letters are made of.
        """
        rules = run.rules(variant)
        found = ranked(run, variant)
        return {
            "standings": _standings(run, variant, found),
            "lineups": _lineups(run, variant, found, Fraction(sign(rules), rules.seats)),
        }

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Dots with intervals, the standings, own against the others and line-ups."""
        standings = tables["standings"]
        points = estimates(standings, "points")
        entrants = standings["entrant"].to_list()
        measured = standings["measured"][0]
        drawing = dots(
            entrants,
            [Series("points", points)],
            f"points above {ABOVE[measured]} ({better(rules)})",
        )
        shown = [standings_listing(standings)]
        if measured == "table":
            shown.append(others_listing(standings, rules))
        if tables["lineups"].height > len(entrants):
            shown.append(lineup_listing(tables["lineups"]))
        every = [*points, *estimates(standings, "win"), *estimates(standings, "place")]
        shared = any(e.kind in ("anytime", "wild") for e in points) and len(points) > 1
        return Answer(
            _finding(standings, rules),
            (Figure(self.name, drawing, _caption(measured, rules)),),
            tuple(listing for listing in shown if listing.rows),
            (*kinds(every), *[TOGETHER] * shared),
        )


def _caption(measured: str, rules: Variant) -> str:
    way = better(rules)
    if measured == "field":
        return (
            "Points a game less those that the field alone makes in the same place on the same "
            f"cards, with intervals on blocks; {way}. Best first."
        )
    if measured == "company":
        return (
            "Points a game above the mean of the tables that a player sat at, the player included, "
            f"with intervals on evenings, or games where no evenings are told; {way}. Best first. "
            "Nobody turned seats or company, so these are results, not a measure of skill."
        )
    if measured == "model":
        return (
            "Points a game above an average one of all entrants at the same table, with intervals "
            "on blocks. Company changes from block to block, so points are explained by who sat "
            f"there (least squares); {way}. Best first."
        )
    return (
        "Points a game above the mean of the table, the entrant itself included, with "
        f"intervals on blocks; {way}. Best first. Less the mean of the other "
        f"{counted(rules.seats - 1, 'seat')} alone it is {rules.seats}/{rules.seats - 1} of "
        "that; a table has both."
    )


def _standings(run: Reading, variant: str, found: Ranked) -> pl.DataFrame:
    seats = run.rules(variant).seats
    wins = {c.entrant: c.sums for c in run.cells(variant, "win") if c.table == -1}
    places = {c.entrant: c.sums for c in run.cells(variant, "place") if c.table == -1}
    keys = {"entrant": pl.String, "best": pl.Int64, "worst": pl.Int64, "letters": pl.String}
    columns = schema(keys, "points", "win", "place")
    columns["measured"] = pl.String()
    return frame(
        [
            {"entrant": entrant, "best": best, "worst": worst, "letters": letters}
            | flat("points", estimate)
            | flat("win", proportion(wins[entrant], WIN))
            | flat("place", clipped(ratio(places[entrant], Fraction(1, 2)), 1, seats))
            | {"measured": found.measured}
            for entrant, estimate, (best, worst), letters in zip(
                found.entrants, found.points, found.spans, found.letters, strict=True
            )
        ],
        columns,
    )


def _lineups(run: Reading, variant: str, found: Ranked, scale: Fraction) -> pl.DataFrame:
    """Points above the table's mean by line-up, where line-ups stay what they are."""
    order = [*found.entrants, *(e for e in run.entrants() if e not in found.entrants)]
    cells = [c for c in run.cells(variant, "advantage") if c.table >= 0]
    if changes_company(run.config):
        cells = []
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


def _finding(standings: pl.DataFrame, rules: Variant) -> str:
    points = estimates(standings, "points")
    entrants, letters = standings["entrant"].to_list(), standings["letters"].to_list()
    above = ABOVE[standings["measured"][0]]
    p = digits(points)
    if len(entrants) == 1:
        only = entrants[0]
        if standings["measured"][0] == "table":
            return f"Only {only} played, and so has the mean of its tables by definition."
        return f"{only} has {figure(points[0], p)} points a game against {above}."
    if standings["measured"][0] == "company":
        return (
            f"{entrants[0]} has most: {figure(points[0], p)} points a game against {above}. Who "
            "plays better is not told by it: people chose seats and company."
        )
    if all(e.kind == "identical" for e in points):
        return f"{listed(entrants)} are identical: every block gave each the same points."
    first = _first(standings)
    are = "is first" if len(first) == 1 else "are first together"
    if standings["measured"][0] == "table":
        above = "its tables' mean"
    lead = f"{listed(first)} {are} with {figure(points[0], p)} points a game"
    if not letters[0]:
        return (
            f"{lead} against {above}, but entrants cannot be compared with certainty: "
            "that takes more than one block, their totals or games, and tables that link them."
        )
    alike = set(letters[0].split() if " " in "".join(letters) else letters[0])
    open_ = [
        other
        for other, its in zip(entrants[1:], letters[1:], strict=True)
        if alike & set(its.split() if " " in "".join(letters) else its)
    ]
    if not open_:
        rest = "better than every other entrant, all comparisons taken together"
    elif len(set(letters)) == 1:
        rest = "but no two entrants can be told apart yet"
    else:
        rest = f"but cannot be told from {listed(open_, 'or')} yet"
    note = " (lower is better here)" if rules.objective == "lowest" else ""
    games, blocks = counted(points[0].n, "seat-game"), counted(points[0].blocks, "block")
    who = "It" if len(first) == 1 else entrants[0]
    return f"{lead} against {above}{note}, {rest}. {who} held {games} in {blocks}."


class Standing(NamedTuple):
    """Who is first in a variant."""

    entrant: str
    """Several, listed, if their points are equal."""
    sure: bool
    """Better than each of the others, all comparisons taken together."""


def standing(run: Reading, variant: str) -> Standing | None:
    """The first of the league table, None where nothing was played."""
    if League().missing(run, variant) is not None:
        return None
    found = ranked(run, variant)
    first = [
        name
        for name, e in zip(found.entrants, found.points, strict=True)
        if e.value == found.points[0].value
    ]
    return Standing(listed(first), len(found.entrants) > 1 and found.spans[0][1] == 1)


def _first(standings: pl.DataFrame) -> list[str]:
    """The first, and those with exactly its points."""
    points = estimates(standings, "points")
    entrants = standings["entrant"].to_list()
    return [name for name, e in zip(entrants, points, strict=True) if e.value == points[0].value]
