"""Is a seat an advantage? Points by role and contract, above the deal's mean."""

from fractions import Fraction

import polars as pl

from engine_ext.rules.spec import ChoiceSchedule, Variant
from pipeline.stats.discovery import marks
from pipeline.stats.estimate import p_value, ratio
from reports.charts import Series, dots
from reports.frames import estimates, flat, frame, schema
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.words import (
    better,
    digits,
    figure,
    first_role,
    interval,
    kinds,
    listed,
    number,
    role_name,
    sign,
    title,
    whole,
)


class Seats:
    """Which roles do better than the table, contract by contract?"""

    name = "seats"
    title = "Seat advantage"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Every run with a whole block can answer."""
        if not run.cells(variant, "role"):
            return "No whole block of this variant was played."
        return None

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``roles``: points of a role above the mean of the deal, before side
        bets; and ``game``: a game's score of a seat above the mean of the table. In
        the document's sign; ``marked`` by Benjamini-Hochberg over each table.

        The unit of error is the block. Over the roles of a contract, and over the
        seats, the figures add up to nothing.
        """
        rules = run.rules(variant)
        scale = Fraction(sign(rules), rules.seats)
        cells = {(c.contract, c.role): c.sums for c in run.cells(variant, "role") if not c.entrant}
        order = [
            (contract, role)
            for contract in rules.contracts
            for role in range(rules.seats)
            if (contract, role) in cells
        ]
        found = [ratio(cells[key], scale) for key in order]
        marked = marks([p_value(e) for e in found])
        keys = {"contract": pl.String, "role": pl.Int64, "marked": pl.Boolean}
        rows = [
            {"contract": contract, "role": role, "marked": mark} | flat("points", e)
            for (contract, role), e, mark in zip(order, found, marked, strict=True)
        ]
        return {"roles": frame(rows, schema(keys, "points")), "game": _game(run, variant, scale)}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Dots for each role of each contract, and for each seat of a game."""
        roles = tables["roles"]
        found = estimates(roles, "points")
        by_key = dict(zip(roles.select("contract", "role").rows(), found, strict=True))
        contracts = roles["contract"].unique(maintain_order=True).to_list()
        series = [
            Series(role_name(rules, role), [by_key.get((c, role)) for c in contracts])
            for role in range(rules.seats)
        ]
        axis = f"points above the deal's mean ({better(rules)})"
        drawing = dots([title(rules, c) for c in contracts], series, axis)
        caption = (
            f"Points of each role above the mean of the deal; {better(rules)}. Roles count in "
            f"playing order from the {first_role(rules)}. Intervals on blocks, each for itself."
        )
        game = tables["game"]
        return Answer(
            f"{_finding(roles, rules)} {_game_finding(game)}",
            (Figure(self.name, drawing, caption), _game_figure(game, rules)),
            (_listing(roles, rules), _game_listing(game)),
            (*kinds([*found, *estimates(game, "points")]), MARKED),
        )


def _game(run: Reading, variant: str, scale: Fraction) -> pl.DataFrame:
    cells = sorted(run.cells(variant, "seat"), key=lambda c: c.role)
    found = [ratio(c.sums, scale) for c in cells]
    marked = marks([p_value(e) for e in found])
    rows = [
        {"seat": c.role, "marked": mark} | flat("points", e)
        for c, e, mark in zip(cells, found, marked, strict=True)
    ]
    return frame(rows, schema({"seat": pl.Int64, "marked": pl.Boolean}, "points"))


def _seat_names(game: pl.DataFrame) -> list[str]:
    return [f"seat {seat}" for seat in game["seat"]]


def _game_finding(game: pl.DataFrame) -> str:
    sure = game.filter("marked")
    found = estimates(sure, "points")
    if not found:
        return "Over a whole game no seat surely differs from another."
    said = [
        f"{name} {figure(e, digits(found))}"
        for name, e in zip(_seat_names(sure), found, strict=True)
    ]
    return f"Over a whole game the seat is worth points: {listed(said)}."


def _game_figure(game: pl.DataFrame, rules: Variant) -> Figure:
    lines = [f"{name} (first)" if i == 0 else name for i, name in enumerate(_seat_names(game))]
    axis = f"points a game above the table's mean ({better(rules)})"
    drawing = dots(lines, [Series("points", estimates(game, "points"))], axis)
    caption = (
        "Score of a whole game by seat, above the mean of the table; seat 0 deals or declares "
        f"first; {better(rules)}. Intervals on blocks, each for itself."
    )
    return Figure("seats-game", drawing, caption)


def _game_listing(game: pl.DataFrame) -> Listing:
    found = estimates(game, "points")
    p = digits(found)
    rows = tuple(
        (
            name,
            number(e.value, p, signed=True) + (" *" if mark else ""),
            interval(e, p, signed=True),
            whole(e.n),
        )
        for name, e, mark in zip(_seat_names(game), found, game["marked"], strict=True)
    )
    return Listing("Points a game by seat", ("seat", "points", "interval", "games"), rows)


MARKED = "* differs from nothing: Benjamini-Hochberg, 5 % of the marks expected false"


def _listing(roles: pl.DataFrame, rules: Variant) -> Listing:
    found = estimates(roles, "points")
    p = digits(found)
    rows = tuple(
        (
            title(rules, row["contract"]),
            role_name(rules, row["role"]),
            number(e.value, p, signed=True) + (" *" if row["marked"] else ""),
            interval(e, p, signed=True),
            whole(e.n),
        )
        for row, e in zip(roles.iter_rows(named=True), found, strict=True)
    )
    columns = ("contract", "role", "points", "interval", "deals")
    return Listing("Points above the mean of the deal, by role", columns, rows)


def _finding(roles: pl.DataFrame, rules: Variant) -> str:
    contracts = roles["contract"].unique(maintain_order=True).to_list()
    sure = roles.filter("marked")
    chosen = (
        " The declarer's figure holds the right to choose as well as the seat."
        if isinstance(rules.schedule, ChoiceSchedule)
        else ""
    )
    if sure.is_empty():
        return f"In no contract does any role surely differ from the mean of the deal.{chosen}"
    top = sure.sort(pl.col("points_value").abs(), descending=True, maintain_order=True).head(1)
    e = estimates(top, "points")[0]
    who, where = role_name(rules, top["role"][0]), title(rules, top["contract"][0])
    helps = sign(rules) * e.value > 0
    after = "" if top["role"][0] == 0 else f" the {first_role(rules)}"
    return (
        f"The seat matters in {sure['contract'].n_unique()} of {len(contracts)} contracts; "
        f"most for the {who}{after} in {where}: {figure(e, digits([e]))} points a deal "
        f"against the mean, which is {'better' if helps else 'worse'}.{chosen}"
    )
