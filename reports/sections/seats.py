"""Is a seat an advantage? Points by entrant, role and contract, above the deal's mean."""

from fractions import Fraction
from itertools import product

import polars as pl

from engine_ext.rules.spec import ChoiceSchedule, Variant
from pipeline.stats.discovery import marks
from pipeline.stats.estimate import p_value, ratio
from reports.charts import Series, dots
from reports.frames import estimates, flat, frame, schema
from reports.reading import Reading
from reports.roles import apart
from reports.section import Answer, Figure, Listing, Tables
from reports.sections.choice import MOST_MAPS
from reports.words import (
    MARKED,
    better,
    counted,
    digits,
    figure,
    first_role,
    interval,
    kinds,
    listed,
    number,
    role_name,
    role_words,
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
        """Tables ``own`` (points of an entrant in a role above the mean of the deal, before
        side bets, best entrant first), ``apart`` (its best and worst role in each contract
        where the two surely differ), ``roles`` (all entrants together) and ``game`` (a game's
        score of a seat above the mean of the table). In the document's sign; ``marked`` by
        Benjamini-Hochberg over each table.

        The unit of error is the block. Over the roles of a contract, and over the
        seats, figures of all entrants together add up to nothing; those of one entrant add
        up to how good it is.
        """
        rules = run.rules(variant)
        scale = Fraction(sign(rules), rules.seats)
        sums = {(c.entrant, c.contract, c.role): c.sums for c in run.cells(variant, "role")}
        shape = list(product(rules.contracts, range(rules.seats)))
        order = [("", *key) for key in shape if ("", *key) in sums]
        whose = [(e, *key) for e in run.ranking(variant) for key in shape if (e, *key) in sums]
        found = [ratio(sums[key], scale) for key in order]
        mine = [ratio(sums[key], scale) for key in whose]
        keys = {"contract": pl.String, "role": pl.Int64}
        rows = [
            {"contract": contract, "role": role, "marked": mark} | flat("points", e)
            for (_, contract, role), e, mark in zip(
                order, found, marks([p_value(e) for e in found]), strict=True
            )
        ]
        owned = [
            {"entrant": entrant, "contract": contract, "role": role} | flat("points", e)
            for (entrant, contract, role), e in zip(whose, mine, strict=True)
        ]
        return {
            "own": frame(owned, schema({"entrant": pl.String, **keys}, "points")),
            "apart": apart(dict(zip(whose, mine, strict=True)), sign(rules)),
            "roles": frame(rows, schema({**keys, "marked": pl.Boolean}, "points")),
            "game": _game(run, variant, scale),
        }

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Dots for each role of each contract, entrant by entrant, and for each seat."""
        own, roles, game = tables["own"], tables["roles"], tables["game"]
        entrants = own["entrant"].unique(maintain_order=True).to_list()
        figures = [_own_figure(own, e, k, rules) for k, e in enumerate(entrants[:MOST_MAPS])]
        lists = [_listing("Points above the mean of the deal, by entrant and role", own, rules)]
        if len(entrants) > 1:
            lists.append(_listing("All entrants together, by role", roles, rules))
        shown = [e for table in (own, roles, game) for e in estimates(table, "points")]
        return Answer(
            "\n".join(
                (
                    _own_finding(tables["apart"], entrants, rules),
                    *([_finding(roles, rules)] if len(entrants) > 1 else []),
                    _game_finding(game, rules),
                )
            ),
            (*figures, _game_figure(game, rules)),
            (*lists, _game_listing(game)),
            (*kinds(shown), MARKED),
        )


def _own_finding(gaps: pl.DataFrame, entrants: list[str], rules: Variant) -> str:
    """For each entrant the contract in which its role matters most."""
    said = []
    for entrant in entrants[:MOST_MAPS]:
        mine = gaps.filter(pl.col("entrant") == entrant)
        if mine.is_empty():
            said.append(f"for {entrant} no two roles surely differ in any contract")
            continue
        top = mine.sort("gap", descending=True, maintain_order=True).head(1)
        high, low = estimates(top, "high")[0], estimates(top, "low")[0]
        p = digits([high, low])
        said.append(
            f"for {entrant} in {counted(mine.height, 'contract')}, most in "
            f"{title(rules, top['contract'][0])}: {figure(high, p)} as "
            f"{role_words(rules, top['best'][0])}, {figure(low, p)} as "
            f"{role_words(rules, top['worst'][0])}"
        )
    more = "; the others are in the table" if len(entrants) > MOST_MAPS else ""
    if gaps.is_empty() and not more:
        return f"The role decides nothing that shows: {'; '.join(said)}."
    return f"The role matters {'; '.join(said)}{more}."


def _own_figure(own: pl.DataFrame, entrant: str, k: int, rules: Variant) -> Figure:
    mine = own.filter(pl.col("entrant") == entrant)
    keys = mine.select("contract", "role").rows()
    found = dict(zip(keys, estimates(mine, "points"), strict=True))
    contracts = mine["contract"].unique(maintain_order=True).to_list()
    series = [
        Series(role_name(rules, role), [found.get((c, role)) for c in contracts])
        for role in range(rules.seats)
    ]
    axis = f"points above the deal's mean ({better(rules)})"
    drawing = dots([title(rules, c) for c in contracts], series, axis)
    bets = ", before side bets" if rules.doubling else ""
    caption = (
        f"{entrant}: points in each role above the mean of the deal{bets}; {better(rules)}. The "
        "dots of a line together say how good the entrant is, their distances what the role is "
        f"worth to it. Roles count in playing order from the {first_role(rules)}. "
        "Intervals on blocks, each for itself."
    )
    return Figure(f"seats-{k}", drawing, caption)


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


def _game_finding(game: pl.DataFrame, rules: Variant) -> str:
    sure = game.filter("marked")
    found = estimates(sure, "points")
    if not found:
        return "Over a whole game no seat surely differs from the mean of the table."
    said = [
        f"{name} {figure(e, digits(found))}"
        for name, e in zip(_seat_names(sure), found, strict=True)
    ]
    return f"Over a whole game the seat is worth points ({better(rules)}): {listed(said)}."


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


def _listing(caption: str, table: pl.DataFrame, rules: Variant) -> Listing:
    found = estimates(table, "points")
    p = digits(found)
    rows = tuple(
        (
            *([row["entrant"]] if "entrant" in row else []),
            title(rules, row["contract"]),
            role_name(rules, row["role"]),
            number(e.value, p, signed=True) + (" *" if row.get("marked") else ""),
            interval(e, p, signed=True),
            whole(e.n),
        )
        for row, e in zip(table.iter_rows(named=True), found, strict=True)
    )
    columns = ("contract", "role", "points", "interval", "deals")
    return Listing(caption, ("entrant", *columns) if "entrant" in table else columns, rows)


def _finding(roles: pl.DataFrame, rules: Variant) -> str:
    """Of all entrants together, which hold every role equally often."""
    contracts = roles["contract"].unique(maintain_order=True).to_list()
    sure = roles.filter("marked")
    chosen = (
        " The declarer's figure holds the right to choose as well as the seat."
        if isinstance(rules.schedule, ChoiceSchedule)
        else ""
    )
    if sure.is_empty():
        return (
            "All entrants together, in no contract does any role surely differ from the mean "
            f"of the deal.{chosen}"
        )
    top = sure.sort(pl.col("points_value").abs(), descending=True, maintain_order=True).head(1)
    e = estimates(top, "points")[0]
    who, where = role_words(rules, top["role"][0]), title(rules, top["contract"][0])
    helps = sign(rules) * e.value > 0
    return (
        f"All entrants together, the role matters in {sure['contract'].n_unique()} of "
        f"{counted(len(contracts), 'contract')}; "
        f"most for the {who} in {where}: {figure(e, digits([e]))} points a deal "
        f"against the mean, which is {'better' if helps else 'worse'}.{chosen}"
    )
