"""What is a hand worth, and which chart tells it without a computer?"""

import polars as pl

from engine_ext.cards import Pack
from engine_ext.rules.spec import Variant
from pipeline.stats.blocks import ratio_of
from pipeline.studies.analysis import LEAST_BLOCKS, Analysis, models
from pipeline.studies.chart import naming_of
from pipeline.studies.models import BOOSTED, COUNTS, LINEAR
from pipeline.studies.naming import is_layout
from pipeline.studies.ways import CHART, ENTRANT, ORDER, PROGRAM, SURPLUS, VALUE
from reports.charts import Series, dots
from reports.frames import estimates, flat, frame, schema
from reports.plain import in_words
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.studies import MOST_DRAWN, by, names_in, no_study, of, told, who
from reports.value import WAY_NAMES, analyses, formula, option_name, plain
from reports.words import better, kinds, percent, share, sign, title

KEYS: dict[str, type[pl.DataType]] = {"entrant": pl.String, "contract": pl.String}
MODELS = {
    LINEAR: "linear model, products of two features too",
    BOOSTED: "boosted trees",
    COUNTS: "the chart to learn by heart",
}
LINES: dict[str, type[pl.DataType]] = KEYS | {
    "counted": pl.String,
    "points_each": pl.Float64,
    "points_base": pl.Float64,
    "points_price": pl.Float64,
    "naming": pl.String,
}


class ValueHand:
    """How far the hand tells its worth; whole-number counts to choose by."""

    name = "value-hand"
    title = "What a hand is worth, and a chart to learn by heart"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Studies of value with enough blocks."""
        why = no_study(run, variant, "value")
        if why is None and run.blocks(variant) < LEAST_BLOCKS:
            return f"Fewer than {LEAST_BLOCKS} blocks teach nothing about hands."
        return why

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``chart`` (a row for each thing counted: a hand is worth ``points_base`` and
        ``points_each`` for each of what is ``counted``, less ``points_price``, in the document's
        sign), ``kept`` (part of what the dynamic program brings over a fixed order that a way of
        choosing keeps) and ``models`` (``ceiling``: part of the variance of one deal's points
        that the hand decides; ``seen``: part of that which a model sees; ``r2`` for one deal).

        Models and charts are judged on blocks that they have not seen. The unit of error is
        the block.
        """
        rules, found = run.rules(variant), analyses(run, variant)
        return {
            "chart": _chart(found, rules),
            "kept": _kept(found),
            "models": _models(found),
        }

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """The chart, its proof, and how much of a hand's worth there is to see."""
        chart, kept, seen = tables["chart"], tables["kept"], tables["models"]
        names = names_in(chart)
        figures = tuple(
            _seen(of(seen, entrant=e), e, k, rules) for k, e in enumerate(names[:MOST_DRAWN])
        )
        shown = [*estimates(kept, "kept"), *estimates(seen, "ceiling"), *estimates(seen, "seen")]
        return Answer(
            told(names, lambda e: _finding(e, of(kept, entrant=e), of(seen, entrant=e), rules)),
            figures,
            (
                *(_by_heart(of(chart, entrant=e), e, rules) for e in names[:MOST_DRAWN]),
                in_words("Share of the program's gain that a way of choosing keeps", kept, rules),
                in_words("How far hands tell their worth", seen, rules),
            ),
            kinds(shown),
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


def _models(found: list[Analysis]) -> pl.DataFrame:
    rows = []
    for one in found:
        for row in models(one):
            for model, words in MODELS.items():
                rows.append(
                    {
                        "entrant": one.study.entrant,
                        "contract": one.worth.contracts[row.contract],
                        "model": words,
                    }
                    | flat("ceiling", row.ceiling)
                    | flat("r2", row.r2[model])
                    | flat("seen", row.share[model])
                )
    return frame(rows, schema(KEYS | {"model": pl.String}, "ceiling", "r2", "seen"))


def _seen(mine: pl.DataFrame, entrant: str, k: int, rules: Variant) -> Figure:
    r2 = by(mine, "r2", "contract", "model")
    ceiling = by(of(mine, model=MODELS[LINEAR]), "ceiling", "contract")
    contracts = names_in(mine, "contract")
    series = [Series("decided by the hand (ceiling)", [ceiling[c,] for c in contracts])]
    series += [Series(m, [r2.get((c, m)) for c in contracts]) for m in MODELS.values()]
    drawing = dots(
        [title(rules, c) for c in contracts], series, "% of the variance of a deal", per_cent=True
    )
    caption = (
        f"{entrant}: how much of the luck of one deal the declarer's own hand decides, and how "
        "much of that models and the chart see, on deals that they have not seen. The rest lies "
        "in the others' cards."
    )
    return Figure(f"value-hand-{k}", drawing, caption)


def _by_heart(mine: pl.DataFrame, entrant: str, rules: Variant) -> Listing:
    rows = []
    for contract in names_in(mine, "contract"):
        line = of(mine, contract=contract)
        weights = [(c, w) for c, w in line.select("counted", "points_each").rows() if c]
        rows.append(
            (
                title(rules, contract),
                formula(line["points_base"][0], weights),
                plain(line["points_price"][0], signed=True),
            )
        )
    caption = (
        f"{entrant}: the chart to learn by heart. For each contract left work out what your hand "
        "is worth, take its price off, and spend the contract with the best figure "
        f"({better(rules)}).{_names(mine, rules)}"
    )
    return Listing(caption, ("contract", "worth", "price"), tuple(rows), shown=True)


def _names(mine: pl.DataFrame, rules: Variant) -> str:
    """What to name, contract by contract."""
    rows = (
        mine.filter(pl.col("naming") != "").select("contract", "naming").unique(maintain_order=True)
    )
    said = [f"In {title(rules, contract)} name {naming}." for contract, naming in rows.rows()]
    return "".join(f" {one}" for one in said)


def _finding(entrant: str, kept: pl.DataFrame, seen: pl.DataFrame, rules: Variant) -> str:
    parts = by(kept, "kept", "choosing")
    ceiling = by(of(seen, model=MODELS[LINEAR]), "ceiling", "contract")
    if not parts:
        return f"{who(entrant)}, choosing brings nothing sure, so there is nothing to learn."
    said = (
        f"{who(entrant)}, somebody who plays the chart by heart gets "
        f"{share(parts[WAY_NAMES[CHART],])} of what choosing brings over a fixed order, on hands "
        "that the chart has not seen"
    )
    own = parts.get((WAY_NAMES[ENTRANT],))
    said += f"; {entrant} itself gets {share(own)}." if own is not None else "."
    order = sorted(ceiling, key=lambda key: -ceiling[key].value)
    if order:
        most, least = title(rules, str(order[0][0])), title(rules, str(order[-1][0]))
        said += (
            f" The hand decides most in {most} ({percent(ceiling[order[0]].value)} of the luck of "
            f"a deal), least in {least} ({percent(ceiling[order[-1]].value)}): the rest is in the "
            "others' cards, and no skill in judging the hand finds it."
        )
    return said
