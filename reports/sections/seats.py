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
        """Table ``roles``: points of a role above the mean of the deal, before side
        bets, in the document's sign; ``marked`` by Benjamini-Hochberg over the table.

        The unit of error is the block. Over the roles of a contract the figures
        add up to nothing.
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
        return {"roles": frame(rows, schema(keys, "points"))}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Dots for each role of each contract."""
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
        return Answer(
            _finding(roles, rules),
            (Figure(self.name, drawing, caption),),
            (_listing(roles, rules),),
            (*kinds(found), MARKED),
        )


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
