"""Neighbours and orders in words and maps."""

from collections.abc import Iterator

import polars as pl

from engine_ext.rules.spec import Variant
from reports.frames import estimates
from reports.reading_games import ORDER
from reports.section import Figure, Listing, Tables
from reports.studies import MOST_DRAWN, by, by_luck, names_in, of, pay_map
from reports.words import better, digits, figure, interval, number, sign, whole

MOST_NAMES = 8
"""Entrants in a map; every one is in the table."""
SIDES = {"before": "directly before", "after": "directly after"}
TESTED = {
    "seats": "seat over a game",
    "before": "who sits directly before",
    "after": "who sits directly after",
    ORDER: "order of the whole table",
}
UNTESTED = "not tested as a whole, which takes more blocks, and their number fixed beforehand"


def finding(tables: Tables, rules: Variant) -> str:
    """Do the seats matter, do neighbours, and which most?"""
    tests, cells, orders = tables["tests"], tables["cells"], tables["orders"]
    told = dict(zip(tests["what"], tests.iter_rows(named=True), strict=True))
    lines = [
        f"{_of_seats(told['seats'])} What each is worth stands under Seat advantage.",
        *_of_neighbours(told, cells, rules),
    ]
    if not orders.is_empty():
        lines.append(_most(told.get(ORDER), orders, rules, "The order of the table"))
    return "\n".join(lines)


def _of_seats(test: dict[str, object]) -> str:
    p = test["p"]
    if p is None:
        return f"Whether the seats differ over a game is {UNTESTED}."
    luck = by_luck(float(str(p)))
    if test["marked"]:
        return f"Over a whole game the seats differ (p {luck})."
    return f"Over a whole game the seats do not surely differ (p {luck})."


def _of_neighbours(
    told: dict[str, dict[str, object]], cells: pl.DataFrame, rules: Variant
) -> Iterator[str]:
    if cells.is_empty():
        yield "Nobody has two different neighbours in the same company, so neighbours tell nothing."
        return
    for side, where in SIDES.items():
        mine = of(cells, side=side)
        if not mine.is_empty():
            yield _most(told.get(side), mine, rules, f"Who sits {where}")


def _most(test: dict[str, object] | None, table: pl.DataFrame, rules: Variant, subject: str) -> str:
    """One sentence: whether it matters at all, and where most."""
    said = "is not tested as a whole: there are too many figures"
    if test is not None:
        p = test["p"]
        luck = "" if p is None else f" (p {by_luck(float(str(p)))})"
        if p is None:
            said = f"is {UNTESTED}"
        elif test["marked"]:
            said = f"matters{luck}"
        else:
            said = f"does not surely matter{luck}"
    sure = of(table, marked=True)
    if sure.is_empty():
        return f"{subject} {said}; no single figure surely differs from nothing."
    top = sure.sort(pl.col("points_value").abs(), descending=True, maintain_order=True).head(1)
    row, e = top.row(0, named=True), estimates(top, "points")[0]
    place = (
        f"in the order {row['lineup']}"
        if "lineup" in row
        else f"with {row['other']} {SIDES[row['side']]}"
    )
    return (
        f"{subject} {said}; most for {row['entrant']} {place}: {figure(e, digits([e]))} points a "
        f"game, which is {'better' if sign(rules) * e.value > 0 else 'worse'} than its mean."
    )


def maps(tables: Tables, rules: Variant) -> tuple[Figure, ...]:
    """A map for each side of the first companies; of one figure alone the seats' test."""
    cells = tables["cells"]
    found = []
    for k, company in enumerate(names_in(cells, "company")[:MOST_DRAWN]):
        for side in SIDES:
            mine = of(cells, company=company, side=side)
            if not mine.is_empty():
                found.append(_map(mine, f"neighbours-{side}-{k}", company, side, rules))
    return tuple(found)


def _map(mine: pl.DataFrame, name: str, company: str, side: str, rules: Variant) -> Figure:
    entrants, there = names_in(mine)[:MOST_NAMES], names_in(mine, "other")
    # Both ways in the same order, as far as the same names stand there.
    others = sorted(there, key=lambda o: entrants.index(o) if o in entrants else len(entrants))
    others = others[:MOST_NAMES]
    points = by(mine, "points", "entrant", "other")
    stars = set(of(mine, marked=True).select("entrant", "other").rows())
    where = f" ({company})" if company else ""
    against = "whenever these two share a table" if not company else "in this company"
    more = "" if mine["entrant"].n_unique() <= MOST_NAMES else " The best placed; all in the table."
    return pay_map(
        name,
        others,
        entrants,
        [[points.get((e, o)) for o in others] for e in entrants],
        [[(e, o) in stars for o in others] for e in entrants],
        f"who sits {SIDES[side]}",
        f"Points a game by who sits {SIDES[side]} in playing order{where}, less the entrant's mean "
        f"{against}.{more}",
        rules,
        corner="entrant",
    )


def tables_in_words(tables: Tables, rules: Variant) -> tuple[Listing, ...]:
    """The tests, neighbours and orders."""
    tests, cells, orders = tables["tests"], tables["cells"], tables["orders"]
    rows = tuple(
        (
            TESTED[row["what"]],
            "unsaid" if row["p"] is None else by_luck(row["p"]) + " *" * row["marked"],
            "" if row["f"] is None else number(row["f"], 2),
            whole(row["df"]),
            whole(row["blocks"]),
        )
        for row in tests.iter_rows(named=True)
    )
    heads = ("what", "p", "F", "figures that can differ", "blocks")
    found = [Listing("Does it matter at all?", heads, rows, shown=True)]
    if not cells.is_empty():
        alone = "in the same company" if any(cells["company"]) else "whenever both share a table"
        what = f"Points a game by neighbour, less the mean {alone} ({better(rules)})"
        found.append(_listing(what, cells, ("company", "entrant", "side", "other")))
    if not orders.is_empty():
        what = f"Points a game by order of the table, less the mean of all orders ({better(rules)})"
        found.append(_listing(what, orders, ("entrant", "lineup")))
    return tuple(found)


def _listing(caption: str, table: pl.DataFrame, keys: tuple[str, ...]) -> Listing:
    shown = [key for key in keys if key != "company" or any(table["company"])]
    found = estimates(table, "points")
    p = digits(found)
    names = {"company": "table", "other": "neighbour", "lineup": "order", "side": "side"}
    rows = tuple(
        (
            *(SIDES.get(row[key], row[key]) if key == "side" else row[key] for key in shown),
            number(e.value, p, signed=True) + " *" * row["marked"],
            interval(e, p, signed=True),
            whole(e.n),
        )
        for row, e in zip(table.iter_rows(named=True), found, strict=True)
    )
    columns = (*(names.get(key, key) for key in shown), "points", "interval", "seat-games")
    return Listing(caption, columns, rows)
