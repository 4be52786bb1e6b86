"""In which contracts does an entrant win or lose his points?"""

from fractions import Fraction

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.discovery import marks
from pipeline.stats.estimate import Estimate, p_value, ratio
from reports.charts import Series, bars
from reports.frames import estimates, flat, frame, schema
from reports.reading import Reading
from reports.reading_deals import ALL, BETS, DECLARER, OTHERS, Source, lacks_deals, sources
from reports.section import Answer, Figure, Listing, Tables
from reports.studies import by, names_in, of, pay_map, starred
from reports.words import (
    MARKED,
    better,
    digits,
    figure,
    interval,
    kinds,
    listed,
    number,
    sign,
    title,
    whole,
)

MOST_NAMES = 8
"""Entrants in the map; every one is in the table."""
MOST_SAID = 2
"""Contracts that the finding names on either side."""
WHO = {ALL: "all", DECLARER: "declarer", OTHERS: "others", BETS: "side bets"}
COLUMNS: dict[str, type[pl.DataType]] = {"entrant": pl.String, "contract": pl.String}


class Skill:
    """Where are points won?"""

    name = "skill"
    title = "Where points are won"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Every run with a whole block can answer."""
        if not run.cells(variant, "points"):
            return "No whole block of this variant was played."
        return None

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``contracts`` (points a deal above the mean of the deal, in whatever role, by
        entrant and contract), ``others`` (the same where somebody else chose the contract) and
        ``won`` (what each contract, and side bets, bring to the entrant's points a game, by
        ``who`` chose it; all rows of an entrant with ``who`` empty and the bets add up to his
        points above the table's mean). In the document's sign, before side bets; ``marked`` by
        Benjamini-Hochberg over each table.

        The unit of error is the block. The latter two need the recorded deals. What a declarer
        makes stands under "What the choice earned".
        """
        rules = run.rules(variant)
        scale = Fraction(sign(rules), rules.seats)
        sums = {(c.entrant, c.contract): c.sums for c in run.cells(variant, "points")}
        order = run.ranking(variant)
        keys = [(e, c) for e in order for c in rules.contracts if (e, c) in sums]
        found = {key: ratio(sums[key], scale, contrast=True) for key in keys}
        every = [] if lacks_deals(run, variant) else sources(run, variant)
        place = {name: i for i, name in enumerate(order)}
        contracts = {"": len(rules.contracts)} | {c: i for i, c in enumerate(rules.contracts)}
        every.sort(key=lambda s: (place[s.entrant], contracts[s.contract], list(WHO).index(s.who)))
        elsewhere = {
            (s.entrant, s.contract): ratio(s.by_deal, scale, contrast=True)
            for s in every
            if s.who == OTHERS
        }
        return {
            "contracts": _table(found),
            "others": _table(elsewhere),
            "won": _won(every, scale),
        }

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """A map of contracts by entrants, and what each brings the first of them."""
        contracts, others, won = tables["contracts"], tables["others"], tables["won"]
        figures = [_map("skill-contracts", contracts, rules, "in whatever role")]
        if not others.is_empty():
            who = "where somebody else chose the contract"
            figures.append(_map("skill-others", others, rules, who))
        if not won.is_empty():
            figures.append(_bars(won, rules))
        lists = [_listing("Points a deal above its mean", contracts, rules)]
        if not others.is_empty():
            caption = "Points a deal above its mean, where somebody else chose the contract"
            lists.append(_listing(caption, others, rules))
        if not won.is_empty():
            lists.append(_won_listing(won, rules))
        shown = [e for table in tables.values() for e in estimates(table, "points")]
        return Answer(
            _finding(contracts, won, rules), tuple(figures), tuple(lists), (*kinds(shown), MARKED)
        )


def _table(found: dict[tuple[str, str], Estimate]) -> pl.DataFrame:
    marked = marks([p_value(e) for e in found.values()])
    rows = [
        {"entrant": entrant, "contract": contract, "marked": mark} | flat("points", e)
        for ((entrant, contract), e), mark in zip(found.items(), marked, strict=True)
    ]
    return frame(rows, schema({**COLUMNS, "marked": pl.Boolean}, "points"))


def _won(every: list[Source], scale: Fraction) -> pl.DataFrame:
    found = [ratio(s.by_game, scale, contrast=True) for s in every]
    marked = marks([p_value(e) for e in found])
    rows = [
        {"entrant": s.entrant, "contract": s.contract, "who": s.who, "marked": mark}
        | flat("points", e)
        for s, e, mark in zip(every, found, marked, strict=True)
    ]
    return frame(rows, schema({**COLUMNS, "who": pl.String, "marked": pl.Boolean}, "points"))


def _map(name: str, table: pl.DataFrame, rules: Variant, who: str) -> Figure:
    entrants = names_in(table)
    shown = entrants[:MOST_NAMES]
    there = set(names_in(table, "contract"))
    contracts = [c for c in rules.contracts if c in there]
    points, stars = (
        by(table, "points", "contract", "entrant"),
        starred(table, "contract", "entrant"),
    )
    bets = ", before side bets" if rules.doubling else ""
    more = "" if len(entrants) == len(shown) else " The best placed; all are in the table."
    return pay_map(
        name,
        shown,
        [title(rules, c) for c in contracts],
        [[points.get((c, e)) for e in shown] for c in contracts],
        [[(c, e) in stars for e in shown] for c in contracts],
        "entrant",
        f"Points a deal above the mean of the deal{bets}, {who}.{more}",
        rules,
    )


def _bars(won: pl.DataFrame, rules: Variant) -> Figure:
    """What each contract brings the first entrant, by who chose it."""
    first = names_in(won)[0]
    mine = of(won, entrant=first)
    found = by(mine, "points", "contract", "who")
    contracts = [c for c in rules.contracts if (c, ALL) in found]
    parts = [who for who in (DECLARER, OTHERS) if any((c, who) in found for c in contracts)]
    names = {DECLARER: "it chose the contract", OTHERS: "somebody else did", ALL: "points"}
    lines = [title(rules, c) for c in contracts]
    series = [
        Series(names[who], [found.get((c, who)) for c in contracts]) for who in parts or [ALL]
    ]
    if ("", BETS) in found:
        lines.append("side bets")
        nothing: list[Estimate | None] = [None] * len(contracts)
        series = [Series(one.name, [*one.figures, None]) for one in series]
        series.append(Series("side bets", [*nothing, found["", BETS]]))
    drawing = bars(lines, series, f"points a game ({better(rules)})")
    caption = (
        f"What each contract brings {first}, in points a game; all bars together are its points "
        f"above the table's mean; {better(rules)}. Intervals on blocks, each for itself."
    )
    return Figure("skill-won", drawing, caption)


def _listing(caption: str, table: pl.DataFrame, rules: Variant) -> Listing:
    found = estimates(table, "points")
    p = digits(found)
    rows = tuple(
        (
            row["entrant"],
            title(rules, row["contract"]),
            number(e.value, p, signed=True) + " *" * row["marked"],
            interval(e, p, signed=True),
            whole(e.n),
        )
        for row, e in zip(table.iter_rows(named=True), found, strict=True)
    )
    bets = ", before side bets" if rules.doubling else ""
    return Listing(f"{caption}{bets}", ("entrant", "contract", "points", "interval", "deals"), rows)


def _won_listing(won: pl.DataFrame, rules: Variant) -> Listing:
    found = estimates(won, "points")
    p = digits(found)
    rows = tuple(
        (
            row["entrant"],
            title(rules, row["contract"]) if row["contract"] else "side bets",
            "" if row["who"] == BETS else WHO[row["who"]],
            number(e.value, p, signed=True) + " *" * row["marked"],
            interval(e, p, signed=True),
        )
        for row, e in zip(won.iter_rows(named=True), found, strict=True)
    )
    columns = ("entrant", "from", "who chose", "points a game", "interval")
    return Listing("What contracts and side bets bring to the points of a game", columns, rows)


def _finding(contracts: pl.DataFrame, won: pl.DataFrame, rules: Variant) -> str:
    """Where the first entrant wins his points, and where he loses some."""
    first = names_in(contracts)[0]
    note = ""
    if won.is_empty():
        mine, per = of(contracts, entrant=first), "a deal"
        note = " Deals were not looked through, so what contracts add to a game is not told."
    else:
        mine, per = of(won, entrant=first).filter(pl.col("who").is_in([ALL, BETS])), "a game"
    names = [title(rules, c) if c else "side bets" for c in mine["contract"]]
    found = estimates(mine, "points")
    ranked = sorted(
        (k for k, mark in enumerate(mine["marked"]) if mark),
        key=lambda k: -sign(rules) * found[k].value,
    )

    def said(some: list[int]) -> str:
        return listed([f"{names[k]} {figure(found[k], digits([found[k]]))}" for k in some])

    good = [k for k in ranked if sign(rules) * found[k].value > 0][:MOST_SAID]
    bad = [k for k in reversed(ranked) if sign(rules) * found[k].value < 0][:MOST_SAID]
    lines = []
    if good:
        lines.append(f"{first} wins most points {per} in {said(good)}")
    if bad:
        lines.append(f"{'it' if good else first} loses in {said(bad)}")
    if not lines:
        lines.append(f"In no single contract does {first} surely make more or less than the others")
    return f"{'; '.join(lines)} ({better(rules)}).{note}"
