"""What did a contract earn the declarer who chose it?"""

from fractions import Fraction

import plotly.graph_objects as go
import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.estimate import ratio
from reports.charts import MOST_SERIES, Series, dots, heat
from reports.frames import estimates, flat, frame, schema
from reports.grids import grid
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.sections.choice import MOST_MAPS, nobody_chose
from reports.words import (
    better,
    digits,
    empty_note,
    figure,
    interval,
    kinds,
    listed,
    number,
    sign,
    title,
    uses_note,
    whole,
)

ALL = -1
"""``left`` of rows over all choices."""


class Earned:
    """What did each contract earn its declarer, early and late?"""

    name = "earned"
    title = "What the choice earned"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Only where a declarer chooses."""
        return nobody_chose(run, variant, "earned")

    def compute(self, run: Reading, variant: str) -> Tables:
        """Table ``earned``: declarer's points by entrant, contract and how many were
        left (-1 for all), before and after side bets, in the document's sign; table
        ``above``: the same before side bets less the mean of the deal, over all choices.

        The unit of error is the block. Means are over the deals in which the
        contract was chosen, perhaps for its hand: not what it is worth on any hand.
        """
        rules = run.rules(variant)
        scale = Fraction(sign(rules))
        points = {(c.entrant, c.contract, c.n_left): c.sums for c in run.cells(variant, "earned")}
        scores = {
            (c.entrant, c.contract, c.n_left): c.sums for c in run.cells(variant, "earned_score")
        }
        number_of = {contract: i for i, contract in enumerate(rules.contracts)}
        names = {entrant: i for i, entrant in enumerate(run.ranking(variant))}
        order = sorted(
            (k for k in points if k[0]),
            key=lambda k: (names[k[0]], number_of[k[1]], k[2] != ALL, -k[2]),
        )
        keys = {"entrant": pl.String, "contract": pl.String, "n_left": pl.Int64}
        rows = [
            {"entrant": key[0], "contract": key[1], "n_left": key[2]}
            | flat("points", ratio(points[key], scale))
            | flat("score", ratio(scores[key], scale))
            for key in order
        ]
        less_mean = {
            (c.entrant, c.contract): c.sums for c in run.cells(variant, "role") if c.role == 0
        }
        above = [
            {"entrant": entrant, "contract": contract}
            | flat("points", ratio(less_mean[entrant, contract], scale / rules.seats))
            for entrant, contract, left in order
            if left == ALL
        ]
        pair = {"entrant": pl.String, "contract": pl.String}
        return {
            "earned": frame(rows, schema(keys, "points", "score")),
            "above": frame(above, schema(pair, "points")),
        }

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Dots by contract on two scales, then a heat map by how many were left."""
        earned, above = tables["earned"], tables["above"]
        overall = earned.filter(pl.col("n_left") == ALL)
        contracts = [c for c in rules.contracts if c in set(overall["contract"])]
        entrants = overall["entrant"].unique(maintain_order=True).to_list()
        bets = ", side bets included" if rules.doubling else ""
        caption = (
            f"The declarer's own points in the deals for which it chose the contract{bets}; "
            f"{better(rules)}. Intervals on blocks."
        )
        drawing = _dots(overall, "score", rules, f"declarer's points a deal{bets}")
        figures = [Figure(f"{self.name}-all", drawing, caption)]
        before = " before side bets," if rules.doubling else ""
        caption = (
            f"The same{before} less the mean of the deal: the scale of the declarer under Seat "
            f"advantage; {better(rules)}. Intervals on blocks."
        )
        drawing = _dots(above, "points", rules, "points above the deal's mean")
        figures.append(Figure(f"{self.name}-above", drawing, caption))
        mapped = entrants[:MOST_MAPS]
        several = earned.filter(pl.col("entrant").is_in(mapped) & (pl.col("n_left") != ALL))
        top = max((abs(e.value) for e in estimates(several, "score")), default=0) or 1.0
        figures += [_map(earned, rules, contracts, e, k, top) for k, e in enumerate(mapped)]
        shown = [*estimates(earned, "points"), *estimates(earned, "score")]
        listings = (_listing(earned, rules), _above_listing(above, rules))
        return Answer(_finding(earned, rules), tuple(figures), listings, kinds(shown))


def _dots(table: pl.DataFrame, name: str, rules: Variant, axis: str) -> go.Figure:
    """A line for each contract, a series for each entrant."""
    keys = table.select("entrant", "contract").rows()
    found = dict(zip(keys, estimates(table, name), strict=True))
    contracts = [c for c in rules.contracts if c in set(table["contract"])]
    entrants = table["entrant"].unique(maintain_order=True).to_list()[:MOST_SERIES]
    series = [Series(e, [found.get((e, c)) for c in contracts]) for e in entrants]
    return dots([title(rules, c) for c in contracts], series, f"{axis} ({better(rules)})")


def _map(
    earned: pl.DataFrame, rules: Variant, contracts: list[str], entrant: str, k: int, top: float
) -> Figure:
    """``top``: where the colours end, the same for every entrant."""
    mine = earned.filter((pl.col("entrant") == entrant) & (pl.col("n_left") != ALL))
    scores = estimates(mine, "score")
    found = dict(zip(mine.select("contract", "n_left").rows(), scores, strict=True))
    lefts = sorted({left for _, left in found}, reverse=True)
    cells = [[found.get((c, left)) for left in lefts] for c in contracts]
    values = [[None if e is None else e.value for e in row] for row in cells]
    p = 0 if top >= 20 else 1
    texts = [["" if e is None else number(e.value, p) for e in row] for row in cells]
    columns, lines = [str(left) for left in lefts], [title(rules, c) for c in contracts]
    drawing = heat(
        columns,
        lines,
        values,
        texts,
        "contracts left to choose from",
        diverging=True,
        top=top,
        lowest=rules.objective == "lowest",
    )
    bets = ", side bets included," if rules.doubling else ""
    caption = (
        f"{entrant} as declarer: own points{bets} by how many contracts were left; "
        f"{better(rules)}: blue is better than 0, orange worse."
        f"{empty_note(texts, 'the contract was never chosen')}{uses_note(rules)}"
    )
    named = f"{entrant}: points by contracts left, with intervals"
    return Figure(f"earned-{k}", drawing, caption, grid(named, "contract", columns, lines, cells))


def _listing(earned: pl.DataFrame, rules: Variant) -> Listing:
    points, scores = estimates(earned, "points"), estimates(earned, "score")
    p = digits(scores)
    rows = tuple(
        (
            row["entrant"],
            title(rules, row["contract"]),
            "all" if row["n_left"] == ALL else str(row["n_left"]),
            number(one.value, p),
            interval(one, p),
            *((number(score.value, p), interval(score, p)) if rules.doubling else ()),
            whole(one.n),
        )
        for row, one, score in zip(earned.iter_rows(named=True), points, scores, strict=True)
    )
    bets = ("with side bets", "interval") if rules.doubling else ()
    columns = ("entrant", "contract", "contracts left", "points", "interval", *bets, "deals")
    return Listing("The declarer's own points", columns, rows)


def _above_listing(above: pl.DataFrame, rules: Variant) -> Listing:
    found = estimates(above, "points")
    p = digits(found)
    rows = tuple(
        (
            row["entrant"],
            title(rules, row["contract"]),
            number(e.value, p, signed=True),
            interval(e, p, signed=True),
            whole(e.n),
        )
        for row, e in zip(above.iter_rows(named=True), found, strict=True)
    )
    columns = ("entrant", "contract", "points", "interval", "deals")
    bets = ", before side bets" if rules.doubling else ""
    return Listing(f"The declarer's points above the deal's mean{bets}", columns, rows)


def _order_fixed(earned: pl.DataFrame, entrant: str) -> bool:
    """Whether an entrant chose the same contract whenever as many were left."""
    mine = earned.filter((pl.col("entrant") == entrant) & (pl.col("n_left") != ALL))
    return bool(mine["n_left"].n_unique() == mine.height)


def _finding(earned: pl.DataFrame, rules: Variant) -> str:
    said = []
    overall = earned.filter(pl.col("n_left") == ALL)
    entrants = overall["entrant"].unique(maintain_order=True).to_list()
    for entrant in entrants[:MOST_MAPS]:
        mine = overall.filter(pl.col("entrant") == entrant)
        scores = [sign(rules) * e.value for e in estimates(mine, "score")]
        shown = estimates(mine, "score")
        best = max(range(len(scores)), key=scores.__getitem__)
        worst = min(range(len(scores)), key=scores.__getitem__)
        p = digits(shown)
        names = [title(rules, c) for c in mine["contract"]]
        if len(names) == 1:
            said.append(f"{entrant} declared {names[best]} only: {figure(shown[best], p)} a deal")
        elif scores[best] == scores[worst]:
            same = figure(shown[best], p)
            said.append(f"{entrant} earned the same in each contract, {same} a deal")
        else:
            said.append(
                f"{entrant} did best in {names[best]}, {figure(shown[best], p)} a deal, "
                f"and worst in {names[worst]}, {figure(shown[worst], p)}"
            )
    if len(entrants) > MOST_MAPS:
        said.append("the others are in the table")
    text = f"{'; '.join(said)}."
    if overall["contract"].n_unique() == 1:
        return text
    fixed = [entrant for entrant in entrants if _order_fixed(earned, entrant)]
    if fixed:
        text += f" {listed(fixed[:MOST_MAPS])} chose in the same order whatever the hand."
    if len(fixed) < len(entrants):
        text += (
            " Where the choice varies it may follow the hand, "
            "so these are not what a contract is worth on any hand."
        )
    return text
