"""Does doubling pay? How often, by whom, and what the doubler got, entrant by entrant."""

from fractions import Fraction

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.discovery import marks
from pipeline.stats.estimate import Estimate, Sums, p_value, proportion, ratio
from reports.bets import bets_finding
from reports.charts import MOST_SERIES, Series, dots, heat
from reports.frames import estimates, flat, frame, schema
from reports.grids import grid
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.sections.choice import MOST_MAPS
from reports.words import (
    MARKED,
    better,
    digits,
    empty_note,
    first_role,
    interval,
    kinds,
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
        """Tables ``entrants``, ``roles``, ``pairs`` and ``redoubles`` by entrant, best
        first, and ``pooled`` over all: how often of the times it was possible, and the mean
        settlement to who doubled (or redoubled), in the document's sign; null where it
        never happened. ``roles`` and ``pairs`` have the best placed entrants only.

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
        names = run.ranking(variant)
        place = {entrant: i for i, entrant in enumerate(names)}
        order = sorted(rate, key=lambda k: (place.get(k[0], -1), number_of[k[1]], k[2], k[3]))
        best = [key for key in order if key[0] in names[:MOST_MAPS] and key[1]]
        roles = [key for key in best if key[2] >= 0 and key[3] == -1]
        pairs = [key for key in best if key[3] >= 0]
        whose = [(e, c, -1, -1) for e in names for c in every if (e, c, -1, -1) in rate]
        replies = [(e, c, -1, -1) for e in names for c in every if (e, c, -1, -1) in again]
        pooled = [key for key in order if not key[0] and key[3] == -1]
        return {
            "entrants": _table(whose, rate, paid, scale),
            "roles": _table(roles, rate, paid, scale),
            "pairs": _table(pairs, rate, paid, scale),
            "redoubles": _table(replies, again, answered, scale),
            "pooled": _table(pooled if len(names) > 1 else [], rate, paid, scale),
        }

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Settlements as dots by contract and entrant, and a heat map of pairs for each."""
        entrants = tables["entrants"]["entrant"].unique(maintain_order=True).to_list()
        shown = entrants[:MOST_MAPS]
        few = f", the {len(shown)} best placed entrants" if len(shown) < len(entrants) else ""
        pool = "All entrants pooled, who may double differently, by contract and role"
        listings = (
            _listing("By entrant and contract", tables["entrants"], rules),
            _listing(f"By entrant, contract and role of the doubler{few}", tables["roles"], rules),
            _listing(f"By entrant, contract and pair{few}", tables["pairs"], rules),
            _listing("Redoubles by entrant and contract", tables["redoubles"], rules, "redoubled"),
            _listing(pool, tables["pooled"], rules),
        )
        found = [e for table in tables.values() for e in _known(table, "paid")]
        rates = _known(tables["entrants"], "rate")
        maps = [_pair_map(tables["pairs"], rules, e, k) for k, e in enumerate(shown)]
        return Answer(
            bets_finding(tables["entrants"], tables["redoubles"], rules),
            (_dots(tables["entrants"], rules), *(one for one in maps if one is not None)),
            tuple(listing for listing in listings if listing.rows),
            (*kinds([*found, *rates]), MARKED),
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


def _dots(table: pl.DataFrame, rules: Variant) -> Figure:
    found = dict(zip(table.select("entrant", "contract").rows(), _paid(table), strict=True))
    contracts = [c for c in (*rules.contracts, "") if c in set(table["contract"])]
    entrants = table["entrant"].unique(maintain_order=True).to_list()
    doubled = [e for e in entrants if any(found.get((e, c)) for c in contracts)]
    series = [Series(e, [found.get((e, c)) for c in contracts]) for e in doubled[:MOST_SERIES]]
    lines = [title(rules, c) if c else "all contracts" for c in contracts]
    drawing = dots(lines, series, f"mean settlement to the doubler ({better(rules)})")
    caption = (
        "What a double brought the entrant that made it, by contract; "
        f"{better(rules)}. Intervals on blocks, each for itself."
    )
    return Figure("doubling-entrants", drawing, caption)


def _pair_map(table: pl.DataFrame, rules: Variant, entrant: str, k: int) -> Figure | None:
    """One entrant's settlements by pair of roles; None if it never doubled."""
    pairs = table.filter(pl.col("entrant") == entrant)
    found = dict(zip(pairs.select("contract", "role", "target").rows(), _paid(pairs), strict=True))
    if not any(found.values()):
        return None
    marked = {
        (c, r, t)
        for c, r, t, mark in pairs.select("contract", "role", "target", "marked").rows()
        if mark
    }
    contracts = [c for c in rules.contracts if c in set(pairs["contract"])]
    top = max((abs(e.value) for e in _known(table, "paid")), default=0) or 1.0
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
    heads = [f"{r}\N{RIGHTWARDS ARROW}{t}" for r, t in columns]
    lines = [title(rules, c) for c in contracts]
    drawing = heat(
        heads,
        lines,
        values,
        texts,
        f"role of the doubler \N{RIGHTWARDS ARROW} role doubled (0 is the {first_role(rules)})",
        diverging=True,
        top=top,
        lowest=rules.objective == "lowest",
    )
    caption = (
        f"{entrant}: mean settlement to it as doubler for each pair of roles; {better(rules)}: "
        "blue is better than 0, orange worse. A star where it surely differs from 0."
        f"{empty_note(texts, 'it never doubled or the rules forbid it')}"
    )
    named = f"{entrant}: settlements by pair, with intervals"
    beside = grid(named, "contract", heads, lines, cells, signed=True)
    return Figure(f"doubling-pairs-{k}", drawing, caption, beside)


def _listing(caption: str, table: pl.DataFrame, rules: Variant, verb: str = "doubled") -> Listing:
    paid = _paid(table)
    p = digits(e for e in paid if e is not None)
    rows = []
    for row, rate, e in zip(
        table.iter_rows(named=True), estimates(table, "rate"), paid, strict=True
    ):
        rows.append(
            (
                row["entrant"] or "all",
                title(rules, row["contract"]) if row["contract"] else "all",
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
    names = ("entrant", "contract", "role", "target")
    columns = (*names, f"{verb} (interval)", "times possible", "settlement", "interval", verb)
    # Columns that say "all" in every row say nothing.
    keep = [i for i in range(len(columns)) if i > 3 or any(r[i] != "all" for r in rows)]
    return Listing(
        caption, tuple(columns[i] for i in keep), tuple(tuple(r[i] for i in keep) for r in rows)
    )
