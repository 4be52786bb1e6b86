"""The listings of the league: standings, own against the others, line-ups."""

import polars as pl

from engine_ext.rules.spec import Variant
from reports.frames import estimates
from reports.section import Listing
from reports.words import digits, interval, number, whole


def standings_listing(standings: pl.DataFrame) -> Listing:
    """The league table itself: points, win share and place, best first."""
    points, wins, places = (estimates(standings, n) for n in ("points", "win", "place"))
    p, q = digits(points), digits(places)
    lettered = any(standings["letters"])
    rows = []
    for row, one, win, place in zip(
        standings.iter_rows(named=True), points, wins, places, strict=True
    ):
        span = (
            str(row["best"]) if row["best"] == row["worst"] else f"{row['best']} to {row['worst']}"
        )
        rows.append(
            (
                row["entrant"],
                span,
                *([row["letters"]] if lettered else []),
                number(one.value, p, signed=True),
                interval(one, p, signed=True),
                f"{number(100 * win.value, 1)} %",
                interval(win, 1, scale=100),
                number(place.value, q),
                interval(place, q),
                whole(one.n),
            )
        )
    columns = (
        "entrant",
        "ranks possible",
        *(["letters"] if lettered else []),
        "points",
        "interval",
        "win share",
        "interval, %",
        "mean place",
        "interval",
        "seat-games",
    )
    caption = "Standings" + ": who shares a letter is not told apart" * lettered
    return Listing(caption, columns, tuple(rows), shown=True)


def others_listing(standings: pl.DataFrame, rules: Variant) -> Listing:
    """Own less the mean of the n - 1 others: n / (n - 1) of own less the mean of all n."""
    points = estimates(standings, "points")
    p = digits(points)
    rows = tuple(
        (
            entrant,
            *(
                cell
                for scale in (1.0, rules.seats / (rules.seats - 1))
                for cell in (
                    number(scale * e.value, p, signed=True),
                    interval(e, p, signed=True, scale=scale),
                )
            ),
        )
        for entrant, e in zip(standings["entrant"], points, strict=True)
    )
    columns = ("entrant", "less the table's mean", "interval", "less the others' mean", "interval")
    return Listing("Points against the table and against the others alone", columns, rows)


def lineup_listing(lineups: pl.DataFrame) -> Listing:
    """What each entrant made in each line-up."""
    found = estimates(lineups, "points")
    p = digits(found)
    rows = tuple(
        (
            row["lineup"],
            row["entrant"],
            number(e.value, p, signed=True),
            interval(e, p, signed=True),
            whole(e.n),
        )
        for row, e in zip(lineups.iter_rows(named=True), found, strict=True)
    )
    columns = ("line-up", "entrant", "points", "interval of each figure", "seat-games")
    return Listing("Points by line-up", columns, rows)
