"""What is each seat worth in each contract, with the contract imposed?"""

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.discovery import marks
from pipeline.stats.estimate import Estimate, p_value, times
from pipeline.studies.seat_worth import RoleWorth, role_worth
from reports.charts import MOST_SERIES, Series, bars
from reports.frames import estimates, flat, frame, schema
from reports.plain import in_words
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.studies import (
    MOST_DRAWN,
    by,
    by_luck,
    names_in,
    no_study,
    of,
    role_map,
    studies,
    told,
    who,
)
from reports.words import (
    MARKED,
    better,
    counted,
    digits,
    figure,
    first_role,
    kinds,
    listed,
    role_name,
    role_words,
    sign,
    title,
)

TESTS: dict[str, type[pl.DataType]] = {
    "entrant": pl.String,
    "contract": pl.String,
    "p": pl.Float64,
    "f": pl.Float64,
    "differs": pl.Boolean,
}


class SeatsRoles:
    """Points of each role above the deal's mean, every hand held by every role."""

    name = "seats-roles"
    title = "What each seat is worth"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Studies of seats only."""
        return no_study(run, variant, "seats")

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``roles`` (``points`` above the mean of the deal in the document's sign,
        ``sds`` the same in standard deviations of one score of role 0) and ``tests`` (whether
        the roles of a contract differ at all: Hotelling's test over block totals).

        The unit of error is the block. Over the roles of a contract figures add up to nothing.
        """
        rules = run.rules(variant)
        found = [(study.entrant, role_worth(study)) for study in studies(run, variant)]
        return {"roles": _roles(found, sign(rules)), "tests": _tests(found)}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """A map and bars for each entrant."""
        roles, tests = tables["roles"], tables["tests"]
        names = names_in(roles)
        figures: list[Figure] = []
        for k, entrant in enumerate(names[:MOST_DRAWN]):
            mine = of(roles, entrant=entrant)
            caption = (
                f"{entrant}: points of each role above the mean of the deal, the contract imposed."
            )
            figures.append(role_map(mine, "points", f"seats-map-{k}", caption, rules))
            figures.append(_bars(mine, entrant, k, rules))
        return Answer(
            told(
                names,
                lambda e: _finding(e, of(roles, entrant=e), of(tests, entrant=e), rules),
                rules,
            ),
            tuple(figures),
            (
                in_words("Points above the deal's mean, and in standard deviations", roles, rules),
                _tests_listing(tests, rules),
            ),
            (*kinds(estimates(roles, "points")), MARKED),
            _short(of(roles, entrant=names[0]), of(tests, entrant=names[0]), rules)
            if names
            else "",
        )


TONES = {"negative": "where points are bad", "positive": "where points are good"}
"""Kinds of contract, for players."""


def _short(roles: pl.DataFrame, tests: pl.DataFrame, rules: Variant) -> str:
    """Which place at the table is best and worst in each kind of contract, for players."""
    differs = names_in(of(tests, differs=True), "contract")
    places: dict[str, tuple[str, str]] = {}
    for tone, where in TONES.items():
        mine = [c for c in differs if rules.contracts[c].tone == tone]
        if not mine:
            continue
        # Contracts of large points must not speak for all: each counts by who is ahead.
        orders = [_ordered(_by_role(of(roles, contract=c), rules)) for c in mine]
        ahead = {role: sum(order.index(role) for order in orders) for role in orders[0]}
        worst, *_, best = sorted(ahead, key=lambda role: ahead[role])
        places[where] = role_words(rules, best), role_words(rules, worst)
    if len(places) > 1 and len(set(places.values())) == 1:
        (best_off, worst_off), *_ = places.values()
        both = f"{listed(list(places))} alike"
        return f"With the same cards the {best_off} is best off and the {worst_off} worst, {both}."
    said = [f"{where} the {b} is best off and the {w} worst" for where, (b, w) in places.items()]
    return f"With the same cards: {'; '.join(said)}." if said else ""


def _roles(found: list[tuple[str, list[RoleWorth]]], inside: int) -> pl.DataFrame:
    cells = [
        (entrant, worth, role, times(e, inside))
        for entrant, worths in found
        for worth in worths
        for role, e in enumerate(worth.roles)
    ]
    marked = marks([p_value(e) for *_, e in cells])
    rows = [
        {"entrant": entrant, "contract": worth.contract, "role": role, "marked": mark}
        | flat("sds", times(e, 1 / worth.sd if worth.sd else 0.0))
        | flat("points", e)
        for (entrant, worth, role, e), mark in zip(cells, marked, strict=True)
    ]
    keys: dict[str, type[pl.DataType]] = {"entrant": pl.String, "contract": pl.String}
    keys |= {"role": pl.Int64, "marked": pl.Boolean}
    return frame(rows, schema(keys, "sds", "points"))


def _tests(found: list[tuple[str, list[RoleWorth]]]) -> pl.DataFrame:
    cells = [(entrant, worth) for entrant, worths in found for worth in worths]
    sure = marks([worth.verdict.p for _, worth in cells])
    rows: list[dict[str, object]] = [
        {
            "entrant": entrant,
            "contract": worth.contract,
            "p": worth.verdict.p,
            "f": worth.verdict.f,
            "differs": mark,
        }
        for (entrant, worth), mark in zip(cells, sure, strict=True)
    ]
    return frame(rows, schema(TESTS))


def _bars(mine: pl.DataFrame, entrant: str, k: int, rules: Variant) -> Figure:
    sds = by(mine, "sds", "contract", "role")
    contracts = names_in(mine, "contract")
    series = [
        Series(role_name(rules, role), [sds.get((c, role)) for c in contracts])
        for role in range(min(rules.seats, MOST_SERIES))
    ]
    drawing = bars(
        [title(rules, c) for c in contracts], series, f"standard deviations ({better(rules)})"
    )
    caption = (
        f"{entrant}: the same in standard deviations of one score of the {first_role(rules)}, so "
        "that contracts of large and small points can be compared; 1 would be as much as luck "
        f"moves a score in a deal. {better(rules).capitalize()}. Each interval is for itself."
    )
    return Figure(f"seats-bars-{k}", drawing, caption)


def _finding(entrant: str, roles: pl.DataFrame, tests: pl.DataFrame, rules: Variant) -> str:
    differs = names_in(of(tests, differs=True), "contract")
    of_all = counted(tests.height, "contract")
    start = f"{who(entrant)}, with the same cards in every seat,"
    if tests["p"].null_count() == tests.height:
        return f"{start} whether any is worth more the blocks do not tell."
    if not differs:
        return f"{start} no seat is surely worth more than another in any of {of_all}."
    points = {c: _by_role(of(roles, contract=c), rules) for c in differs}
    most = max(differs, key=lambda c: max(points[c].values()) - min(points[c].values()))
    order, shown = _ordered(points[most]), _shown(of(roles, contract=most))
    p = digits(shown.values())
    return (
        f"{start} the seat matters in {len(differs)} of {of_all} (Hotelling's test). Most in "
        f"{title(rules, most)}: {figure(shown[order[-1]], p)} for the "
        f"{role_words(rules, order[-1])}, {figure(shown[order[0]], p)} for the "
        f"{role_words(rules, order[0])}. {_best_places(points, rules)}"
    )


def _shown(table: pl.DataFrame) -> dict[int, Estimate]:
    return dict(zip(table["role"].to_list(), estimates(table, "points"), strict=True))


def _by_role(table: pl.DataFrame, rules: Variant) -> dict[int, float]:
    """Points of each role, more is better."""
    return {role: sign(rules) * e.value for role, e in _shown(table).items()}


def _ordered(points: dict[int, float]) -> list[int]:
    return sorted(points, key=lambda role: points[role])


def _best_places(points: dict[str, dict[int, float]], rules: Variant) -> str:
    """Which role is best and worst in which contracts."""
    parts = []
    for word, place in (("Best", -1), ("worst", 0)):
        where: dict[int, list[str]] = {}
        for contract, of_role in points.items():
            where.setdefault(_ordered(of_role)[place], []).append(title(rules, contract))
        # The role of most contracts comes last, and they need not be named one by one.
        *few, most = sorted(where, key=lambda role: (len(where[role]), -role))
        rest = "all others" if few else f"all {len(points)}"
        named = {role: listed(where[role]) for role in few}
        named[most] = rest if len(where[most]) > 1 else listed(where[most])
        told = [f"the {role_words(rules, role)} in {which}" for role, which in named.items()]
        parts.append(f"{word} off is {listed(told)}")
    return "; ".join(parts) + "."


def _tests_listing(tests: pl.DataFrame, rules: Variant) -> Listing:
    rows = tuple(
        (
            row["entrant"],
            title(rules, row["contract"]),
            by_luck(row["p"]),
            "surely" if row["differs"] else "not surely",
        )
        for row in tests.iter_rows(named=True)
    )
    caption = "Do the roles differ at all? Probability of as much by luck, if they did not"
    return Listing(caption, ("entrant", "contract", "probability", "differ"), rows)
