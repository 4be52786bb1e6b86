"""Which chart tells a declarer what to play, without a computer?"""

import polars as pl

from engine_ext.cards import Pack
from engine_ext.rules.spec import Variant
from pipeline.stats.blocks import ratio_of
from pipeline.studies.analysis import Analysis
from pipeline.studies.chart import naming_of
from pipeline.studies.fitting import LEAST_BLOCKS
from pipeline.studies.naming import is_layout
from pipeline.studies.ways import CHART, ENTRANT, ORDER, PROGRAM, SURPLUS, VALUE
from reports.charts import Series, dots
from reports.frames import estimates, flat, frame, schema
from reports.plain import in_words
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.studies import MOST_DRAWN, by, names_in, no_study, of, told, who
from reports.value import WAY_NAMES, analyses, formula, option_name
from reports.words import kinds, percent, share, sign, title

KEYS: dict[str, type[pl.DataType]] = {"entrant": pl.String, "contract": pl.String}
LINES: dict[str, type[pl.DataType]] = KEYS | {
    "counted": pl.String,
    "points_each": pl.Float64,
    "points_base": pl.Float64,
    "points_price": pl.Float64,
    "naming": pl.String,
}


class ValueChart:
    """Whole-number counts of the hand to choose by, and how good they are."""

    name = "value-chart"
    title = "A chart to learn by heart"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Studies of value with enough blocks."""
        return no_study(run, variant, "value", LEAST_BLOCKS)

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``chart`` (a row for each thing counted: a hand is worth ``points_base`` and
        ``points_each`` for each of what is ``counted``, less ``points_price``, in the document's
        sign) and ``kept`` (part of what the dynamic program brings over a fixed order that a way
        of choosing keeps).

        Charts are judged on blocks that they have not seen. The unit of error is the block.
        """
        rules, found = run.rules(variant), analyses(run, variant)
        return {"chart": _chart(found, rules), "kept": _kept(found)}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """The chart and its proof."""
        chart, kept = tables["chart"], tables["kept"]
        names = names_in(chart)
        figures = (_proof(kept, names),) if len(kept) else ()
        return Answer(
            told(names, lambda e: _finding(e, of(kept, entrant=e))),
            figures,
            (
                *(_by_heart(of(chart, entrant=e), e, rules) for e in names[:MOST_DRAWN]),
                in_words("Worth and price apart, count by count", chart, rules),
                in_words("Share of the program's gain that a way of choosing keeps", kept, rules),
            ),
            kinds(estimates(kept, "kept")),
            _short(of(kept, entrant=names[0]), rules) if names else "",
        )


def _chart(found: list[Analysis], rules: Variant) -> pl.DataFrame:
    inside, pack, rows = sign(rules), Pack(rules.deck), []
    for one in found:
        for line in one.chart.lines if one.chart else ():
            naming = naming_of(line, one.counted)
            words = naming.words(pack)
            if naming.rule == "fixed":
                words = f"always {option_name(rules, _layout(one, line.contract), naming.param)}"
            key: dict[str, object] = {
                "entrant": one.study.entrant,
                "contract": one.worth.contracts[line.contract],
            }
            for name, weight in line.weights or (("", 0.0),):
                rows.append(
                    key
                    | {"counted": name, "points_each": inside * weight, "naming": words}
                    | {"points_base": inside * line.base, "points_price": inside * line.price}
                )
    return frame(rows, schema(LINES))


def _layout(one: Analysis, contract: int) -> bool:
    return is_layout(one.study, one.worth, contract)


def _kept(found: list[Analysis]) -> pl.DataFrame:
    rows = []
    for one in found:
        if one.kept is None:
            continue
        base, best = one.totals[ORDER], one.totals[PROGRAM].less(one.totals[ORDER])
        for way in (CHART, SURPLUS, ENTRANT, VALUE):
            if way in one.totals:
                gain = one.totals[way].less(base)
                part = ratio_of(gain.estimate, gain.influence, best.estimate, best.influence)
                rows.append(
                    {"entrant": one.study.entrant, "choosing": WAY_NAMES[way]} | flat("kept", part)
                )
    return frame(rows, schema({"entrant": pl.String, "choosing": pl.String}, "kept"))


def _proof(kept: pl.DataFrame, names: list[str]) -> Figure:
    """How much of what can be gained each way of choosing gains."""
    parts = by(kept, "kept", "entrant", "choosing")
    ways = names_in(kept, "choosing")
    series = [Series(e, [parts.get((e, way)) for way in ways]) for e in names]
    drawing = dots(ways, series, "% of what the best choice gains", per_cent=True)
    caption = (
        "How much of what the dynamic program gains over a fixed order each way of choosing "
        "gains; the chart on hands that it has not seen. Each interval is for itself."
    )
    return Figure("value-chart-kept", drawing, caption)


def _by_heart(mine: pl.DataFrame, entrant: str, rules: Variant) -> Listing:
    rows, times = [], _whole(mine)
    for contract in names_in(mine, "contract"):
        line = of(mine, contract=contract)
        each = line.select("counted", "points_each").rows()
        weights = [(counted, times * points) for counted, points in each if counted]
        score = times * (line["points_base"][0] - line["points_price"][0])
        rows.append((title(rules, contract), formula(score, weights), str(line["naming"][0])))
    named = any(row[2] for row in rows)
    heads = ("contract", "score of your hand", "suit or rank to name")
    caption = (
        f"{entrant}: {_how(rules)}. The score allows for the better hands that may "
        "still come; of equal scores either will do."
    )
    shown = tuple(rows) if named else tuple(row[:2] for row in rows)
    return Listing(caption, heads if named else heads[:2], shown, shown=True, first=True)


def _whole(mine: pl.DataFrame) -> int:
    """What makes whole numbers of all scores: they are only compared, so half points will do."""
    points = mine.select("points_each", pl.col("points_base") - pl.col("points_price"))
    return 1 if all(x % 1 == 0 for column in points for x in column) else 2


def _how(rules: Variant) -> str:
    most = "lowest" if rules.objective == "lowest" else "highest"
    return (
        "for each contract that you have left count the score of your hand, and play the one with "
        f"the {most}"
    )


def _short(kept: pl.DataFrame, rules: Variant) -> str:
    """How to use the chart and how far it goes, for players."""
    text = f"Choose by your hand, never in a fixed order: {_how(rules)}."
    part = by(kept, "kept", "choosing").get((WAY_NAMES[CHART],))
    if part is None:
        return text
    return f"{text} That brings {percent(part.value)} of what the best choice could."


def _finding(entrant: str, kept: pl.DataFrame) -> str:
    parts = by(kept, "kept", "choosing")
    if not parts:
        return f"{who(entrant)}, choosing brings nothing sure, so there is nothing to learn."
    said = (
        f"{who(entrant)}, somebody who plays by this chart gets "
        f"{share(parts[WAY_NAMES[CHART],])} of what choosing well brings over a fixed order, on "
        "hands that the chart has not seen"
    )
    own = parts.get((WAY_NAMES[ENTRANT],))
    return said + (f"; {entrant} itself gets {share(own)}." if own is not None else ".")
