"""How much does a deal swing, with bets and without?"""

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.estimate import times
from pipeline.studies.risk import WAYS, risks
from reports.charts import MOST_SERIES, Series, dots
from reports.frames import flat, frame, schema
from reports.plain import in_words, known
from reports.reading import Reading
from reports.section import Answer, Figure, Tables
from reports.studies import all_of, by, names_in, no_bets, of, studies, told, who
from reports.words import better, digits, figure, kinds, number, sign

NAMES = dict(zip(WAYS, ("no bet", "one double", "the whole table"), strict=True))
KEYS: dict[str, type[pl.DataType]] = {
    "entrant": pl.String,
    "contract": pl.String,
    "bets": pl.String,
}


class BettingRisk:
    """Spread and worst deals of one of the others, by what it bets."""

    name = "betting-risk"
    title = "How much bets make a deal swing"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Studies of doubling only."""
        return no_bets(run, variant)

    def compute(self, run: Reading, variant: str) -> Tables:
        """Table ``risk``: a deal's score of one of the others in the contracts that the declarer
        chose (empty: all), by ``bets``: none, a double of the declarer, or of everybody whom
        one may double. ``mean``, ``deviation`` (standard) and ``worst``, the mean of the worst
        twentieth of its deals, in the document's sign.

        Played as without bets. The unit of error is the block.
        """
        inside = sign(run.rules(variant))
        rows = [
            {"entrant": study.entrant, "contract": one.contract, "bets": NAMES[one.way]}
            | flat("mean", times(one.mean, inside))
            | flat("deviation", one.deviation)
            | flat("worst", times(one.worst, inside))
            for study in studies(run, variant)
            for one in risks(study)
        ]
        return {"risk": frame(rows, schema(KEYS, "mean", "deviation", "worst"))}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Dots of the spread and of the worst deals, entrants side by side."""
        table = tables["risk"]
        names = names_in(table)
        whole = of(table, contract="")
        return Answer(
            told(names, lambda e: _finding(e, of(whole, entrant=e), rules), rules),
            (
                _dots(whole, names, "deviation", "standard deviation of a deal's score, points"),
                _dots(whole, names, "worst", f"mean of the worst 1 deal in 20 ({better(rules)})"),
            ),
            (in_words("Score of a deal by contract and bets", table, rules),),
            kinds(all_of(*(known(table, name) for name in ("mean", "deviation", "worst")))),
        )


def _dots(whole: pl.DataFrame, names: list[str], what: str, axis: str) -> Figure:
    found = by(whole, what, "entrant", "bets")
    ways = list(NAMES.values())
    series = [Series(e, [found.get((e, way)) for way in ways]) for e in names[:MOST_SERIES]]
    said = {
        "deviation": "How far a deal's score of one of the others lies from its mean, typically",
        "worst": "What one of the others scores in the worst twentieth of its deals",
    }
    caption = (
        f"{said[what]}, in the contracts that the declarer chose: without a bet, with a double of "
        "the declarer, and doubling everybody whom the rules allow. Each interval is for itself."
    )
    return Figure(f"betting-risk-{what}", dots(ways, series, axis), caption)


def _finding(entrant: str, whole: pl.DataFrame, rules: Variant) -> str:
    spread, bad = by(whole, "deviation", "bets"), by(whole, "worst", "bets")
    none, one, table = (spread[name,] for name in NAMES.values())
    worst = [bad[name,] for name in NAMES.values()]
    p = digits(worst)
    return (
        f"{who(entrant)}, a double of the declarer makes the score of a deal swing "
        f"{number(one.value / none.value, 1)} times as far (standard deviation "
        f"{figure(none, digits([none]), False)} without, {figure(one, digits([one]), False)} with "
        f"it), and doubling the whole table {number(table.value / none.value, 1)} times. The "
        f"worst 1 deal in 20 is {figure(worst[0], p)} without a bet, {figure(worst[1], p)} with "
        f"one and {figure(worst[2], p)} with the whole table."
    )
