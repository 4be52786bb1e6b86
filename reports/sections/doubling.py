"""Does doubling pay? How often, by whom, and what the doubler got."""

from fractions import Fraction

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.discovery import marks
from pipeline.stats.estimate import Estimate, Sums, p_value, proportion, ratio
from reports.charts import Series, dots, heat
from reports.frames import estimates, flat, frame, schema
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.sections.seats import MARKED
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
    share,
    sign,
    title,
    whole,
)

Key = tuple[str, str, int, int]
"""Entrant, contract, role, target; "" and -1 for all."""

KEYS: dict[str, type[pl.DataType]] = {
    "entrant": pl.String,
    "contract": pl.String,
    "role": pl.Int64,
    "target": pl.Int64,
}


class Doubling:
    """Who doubles whom how often, and does it pay?"""

    name = "doubling"
    title = "Doubling"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Only where the rules have side bets and somebody made one."""
        if run.rules(variant).doubling is None:
            return "These rules have no doubling."
        if not run.cells(variant, "doubled"):
            return "No whole block of this variant was played, so nobody could double."
        if not run.cells(variant, "double_ev"):
            return "Nobody ever doubled, so there is no settlement to judge."
        return None

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``roles``, ``pairs``, ``entrants`` and ``redoubles``: how often of the
        times it was possible, and the mean settlement to who doubled (or redoubled),
        in the document's sign; null where it never happened.

        The unit of error is the block: bets of one deal, and of its other
        seatings, hang together. A settlement is after the play that the bet
        itself changed. ``marked`` by Benjamini-Hochberg, table by table.
        """
        rules = run.rules(variant)
        scale = Fraction(sign(rules))
        rate = _by_key(run, variant, "doubled")
        paid = _by_key(run, variant, "double_ev")
        again = _by_key(run, variant, "redouble")
        answered = _by_key(run, variant, "redouble_ev")
        every = (*rules.contracts, "")
        number_of = {contract: i for i, contract in enumerate(every)}
        order = sorted(rate, key=lambda k: (number_of[k[1]], k[2], k[3]))
        names = run.entrants()
        mine = [("", *key[1:]) for key in order if not key[0]]
        roles = [key for key in mine if key[2] >= 0 and key[3] == -1]
        pairs = [key for key in mine if key[1] and key[3] >= 0]
        whose = [(e, c, -1, -1) for e in (*names, "") for c in every if (e, c, -1, -1) in rate]
        replies = [("", c, -1, -1) for c in every if ("", c, -1, -1) in again]
        return {
            "roles": _table(roles, rate, paid, scale),
            "pairs": _table(pairs, rate, paid, scale),
            "entrants": _table(whose, rate, paid, scale),
            "redoubles": _table(replies, again, answered, scale),
        }

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Settlements as dots by contract and role, and a heat map of pairs."""
        listings = (
            _listing("By contract and role of the doubler", tables["roles"], rules),
            _listing("By contract and pair", tables["pairs"], rules),
            _listing("By entrant and contract", tables["entrants"], rules),
            _listing("Redoubles by contract", tables["redoubles"], rules, "redoubled"),
        )
        shown = [e for name in ("roles", "pairs", "entrants") for e in _known(tables[name], "paid")]
        rates = _known(tables["roles"], "rate")
        return Answer(
            _finding(tables["entrants"], tables["redoubles"], rules),
            (_dots(tables["roles"], rules), _pair_map(tables["pairs"], rules)),
            tuple(listing for listing in listings if listing.rows),
            (*kinds([*shown, *rates]), MARKED),
        )


def _by_key(run: Reading, variant: str, measure: str) -> dict[Key, Sums]:
    return {(c.entrant, c.contract, c.role, c.target): c.sums for c in run.cells(variant, measure)}


def _table(
    order: list[Key], rate: dict[Key, Sums], paid: dict[Key, Sums], scale: Fraction
) -> pl.DataFrame:
    ev = [ratio(paid[key], scale) if key in paid else None for key in order]
    marked = marks([None if e is None else p_value(e) for e in ev])
    rows: list[dict[str, object]] = []
    for key, e, mark in zip(order, ev, marked, strict=True):
        row: dict[str, object] = dict(zip(KEYS, key, strict=True)) | {"marked": mark}
        row |= flat("rate", proportion(rate[key]))
        rows.append(row | (flat("paid", e) if e is not None else {}))
    return frame(rows, schema({**KEYS, "marked": pl.Boolean}, "rate", "paid"))


def _paid(table: pl.DataFrame) -> list[Estimate | None]:
    """Settlements, None where there was no double."""
    return [e if e.value is not None else None for e in estimates(table, "paid")]


def _known(table: pl.DataFrame, name: str) -> list[Estimate]:
    return [e for e in estimates(table, name) if e.value is not None]


def _dots(roles: pl.DataFrame, rules: Variant) -> Figure:
    found = dict(zip(roles.select("contract", "role").rows(), _paid(roles), strict=True))
    contracts = [c for c in (*rules.contracts, "") if c in set(roles["contract"])]
    series = [
        Series(role_name(rules, role), [found.get((c, role)) for c in contracts])
        for role in range(rules.seats)
        if any(found.get((c, role)) for c in contracts)
    ]
    lines = [title(rules, c) if c else "all contracts" for c in contracts]
    drawing = dots(lines, series, f"mean settlement to the doubler ({better(rules)})")
    caption = (
        "What a double brought the seat that made it, by contract and role of the doubler; "
        f"{better(rules)}. Intervals on blocks, each for itself."
    )
    return Figure("doubling-roles", drawing, caption)


def _pair_map(pairs: pl.DataFrame, rules: Variant) -> Figure:
    found = dict(zip(pairs.select("contract", "role", "target").rows(), _paid(pairs), strict=True))
    marked = {
        (c, r, t)
        for c, r, t, mark in pairs.select("contract", "role", "target", "marked").rows()
        if mark
    }
    contracts = [c for c in rules.contracts if c in set(pairs["contract"])]
    columns = sorted({(r, t) for (_, r, t), e in found.items() if e is not None})
    cells = [[found.get((c, r, t)) for r, t in columns] for c in contracts]
    values = [[None if e is None else e.value for e in row] for row in cells]
    texts = [
        [
            "" if e is None else number(e.value, 1) + ("*" if (c, r, t) in marked else "")
            for e, (r, t) in zip(row, columns, strict=True)
        ]
        for c, row in zip(contracts, cells, strict=True)
    ]
    drawing = heat(
        [f"{r}\N{RIGHTWARDS ARROW}{t}" for r, t in columns],
        [title(rules, c) for c in contracts],
        values,
        texts,
        f"role of the doubler \N{RIGHTWARDS ARROW} role doubled (0 is the {first_role(rules)})",
        diverging=True,
    )
    caption = (
        "Mean settlement to the doubler for each pair; a star where it surely differs from "
        "nothing, empty where nobody doubled. Intervals are in the table."
    )
    return Figure("doubling-pairs", drawing, caption)


def _listing(caption: str, table: pl.DataFrame, rules: Variant, verb: str = "doubled") -> Listing:
    paid = _paid(table)
    p = digits(e for e in paid if e is not None)
    rows = []
    for row, rate, e in zip(
        table.iter_rows(named=True), estimates(table, "rate"), paid, strict=True
    ):
        rows.append(
            (
                title(rules, row["contract"]) if row["contract"] else "all",
                row["entrant"] or "all",
                role_name(rules, row["role"]) if row["role"] >= 0 else "all",
                role_name(rules, row["target"]) if row["target"] >= 0 else "all",
                share(rate),
                whole(rate.n),
                "never"
                if e is None
                else number(e.value, p, True) + (" *" if row["marked"] else ""),
                "" if e is None else interval(e, p, True),
                whole(0 if e is None else e.n),
            )
        )
    names = ("contract", "entrant", "role", "target")
    columns = (*names, f"{verb} (interval)", "times possible", "settlement", "interval", verb)
    # Columns that say "all" in every row say nothing.
    keep = [i for i in range(len(columns)) if i == 0 or i > 3 or any(r[i] != "all" for r in rows)]
    return Listing(
        caption, tuple(columns[i] for i in keep), tuple(tuple(r[i] for i in keep) for r in rows)
    )


def _finding(entrants: pl.DataFrame, redoubles: pl.DataFrame, rules: Variant) -> str:
    everybody = entrants.filter(pl.col("entrant") == "")
    total = everybody.filter(pl.col("contract") == "")
    rate, paid = estimates(total, "rate")[0], estimates(total, "paid")[0]
    by_contract = everybody.filter(pl.col("contract") != "")
    sure = by_contract.filter("marked")
    text = (
        f"Of the doubles that were possible {share(rate)} were made, and one brought the doubler "
        f"{figure(paid, digits([paid]))} points on average"
    )
    if sure.is_empty():
        text += "; in no contract does that surely differ from nothing."
    else:
        brought = [
            (title(rules, contract), sign(rules) * value)
            for contract, value in sure.select("contract", "paid_value").rows()
        ]
        paying = [name for name, points in brought if points > 0]
        costly = [name for name, points in brought if points < 0]
        parts = [f"it paid in {listed(paying)}"] if paying else []
        parts += [f"it cost in {listed(costly)}"] if costly else []
        text += f"; {', and '.join(parts)}."
    answers = redoubles.filter(pl.col("contract") == "")
    if answers.height and answers["paid_value"][0] is not None:
        again, got = estimates(answers, "rate")[0], estimates(answers, "paid")[0]
        text += (
            f" {share(again)} of the doubles that could be answered were redoubled, which brought "
            f"the redoubler {figure(got, digits([got]))} points."
        )
    return text
