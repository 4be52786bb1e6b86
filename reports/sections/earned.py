"""What did a contract earn the declarer who chose it?"""

from fractions import Fraction

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.estimate import ratio
from reports.charts import MOST_SERIES, Series, dots, heat
from reports.frames import estimates, flat, frame, schema
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.sections.choice import MOST_MAPS, nobody_chose
from reports.words import better, digits, figure, interval, kinds, number, sign, title, whole

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
        left (-1 for all), before and after side bets, in the document's sign.

        The unit of error is the block. Means are over the deals in which the
        contract was chosen, whose hands suited it: not what it is worth on any hand.
        """
        rules = run.rules(variant)
        scale = Fraction(sign(rules))
        points = {(c.entrant, c.contract, c.left): c.sums for c in run.cells(variant, "earned")}
        scores = {
            (c.entrant, c.contract, c.left): c.sums for c in run.cells(variant, "earned_score")
        }
        number_of = {contract: i for i, contract in enumerate(rules.contracts)}
        names = {entrant: i for i, entrant in enumerate(run.entrants())}
        order = sorted(
            (k for k in points if k[0]),
            key=lambda k: (names[k[0]], number_of[k[1]], k[2] != ALL, -k[2]),
        )
        keys = {"entrant": pl.String, "contract": pl.String, "left": pl.Int64}
        rows = [
            {"entrant": key[0], "contract": key[1], "left": key[2]}
            | flat("points", ratio(points[key], scale))
            | flat("score", ratio(scores[key], scale))
            for key in order
        ]
        return {"earned": frame(rows, schema(keys, "points", "score"))}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Dots by contract, then a heat map by how many were left."""
        earned = tables["earned"]
        overall = earned.filter(pl.col("left") == ALL)
        contracts = [c for c in rules.contracts if c in set(overall["contract"])]
        entrants = overall["entrant"].unique(maintain_order=True).to_list()
        found = dict(
            zip(
                overall.select("entrant", "contract").rows(),
                estimates(overall, "score"),
                strict=True,
            )
        )
        series = [
            Series(entrant, [found.get((entrant, contract)) for contract in contracts])
            for entrant in entrants[:MOST_SERIES]
        ]
        what = "score" if rules.doubling else "points"
        axis = f"declarer's {what} a deal ({better(rules)})"
        drawing = dots([title(rules, c) for c in contracts], series, axis)
        bets = ", side bets included" if rules.doubling else ""
        caption = (
            f"Mean {what} of the declarer in the deals for which the contract was chosen{bets}; "
            f"{better(rules)}. Intervals on blocks."
        )
        figures = [Figure(f"{self.name}-all", drawing, caption)]
        figures += [
            _map(earned, rules, contracts, e, k) for k, e in enumerate(entrants[:MOST_MAPS])
        ]
        scores = estimates(earned, "score")
        return Answer(
            _finding(overall, rules), tuple(figures), (_listing(earned, rules),), kinds(scores)
        )


def _map(
    earned: pl.DataFrame, rules: Variant, contracts: list[str], entrant: str, k: int
) -> Figure:
    mine = earned.filter((pl.col("entrant") == entrant) & (pl.col("left") != ALL))
    scores = estimates(mine, "score")
    found = dict(zip(mine.select("contract", "left").rows(), scores, strict=True))
    lefts = sorted({left for _, left in found}, reverse=True)
    cells = [[found.get((c, left)) for left in lefts] for c in contracts]
    values = [[None if e is None else e.value for e in row] for row in cells]
    largest = max((abs(v) for row in values for v in row if v is not None), default=0)
    p = 0 if largest >= 20 else 1
    texts = [["" if e is None else number(e.value, p) for e in row] for row in cells]
    drawing = heat(
        [str(left) for left in lefts],
        [title(rules, contract) for contract in contracts],
        values,
        texts,
        "contracts left to choose from",
        diverging=True,
    )
    caption = (
        f"{entrant}: the declarer's mean by how many contracts were left; {better(rules)}. "
        "Intervals are in the table."
    )
    return Figure(f"earned-{k}", drawing, caption)


def _listing(earned: pl.DataFrame, rules: Variant) -> Listing:
    points, scores = estimates(earned, "points"), estimates(earned, "score")
    p = digits(scores)
    rows = tuple(
        (
            row["entrant"],
            title(rules, row["contract"]),
            "all" if row["left"] == ALL else str(row["left"]),
            number(one.value, p),
            interval(one, p),
            *((number(score.value, p), interval(score, p)) if rules.doubling else ()),
            whole(one.n),
        )
        for row, one, score in zip(earned.iter_rows(named=True), points, scores, strict=True)
    )
    bets = ("with side bets", "interval") if rules.doubling else ()
    columns = ("entrant", "contract", "left", "points", "interval", *bets, "deals")
    return Listing("What the declarer earned", columns, rows)


def _finding(overall: pl.DataFrame, rules: Variant) -> str:
    said = []
    entrants = overall["entrant"].unique(maintain_order=True).to_list()
    for entrant in entrants[:MOST_MAPS]:
        mine = overall.filter(pl.col("entrant") == entrant)
        scores = [sign(rules) * e.value for e in estimates(mine, "score")]
        shown = estimates(mine, "score")
        best = max(range(len(scores)), key=scores.__getitem__)
        worst = min(range(len(scores)), key=scores.__getitem__)
        p = digits(shown)
        names = [title(rules, c) for c in mine["contract"]]
        if best == worst:
            said.append(f"{entrant} declared {names[best]} only: {figure(shown[best], p)} a deal")
        else:
            said.append(
                f"{entrant} did best in {names[best]}, {figure(shown[best], p)} a deal, "
                f"and worst in {names[worst]}, {figure(shown[worst], p)}"
            )
    if len(entrants) > MOST_MAPS:
        said.append("the others are in the table")
    return (
        f"{'; '.join(said)}. A contract is chosen with a hand that suits it, "
        "so these are not what it is worth on any hand."
    )
