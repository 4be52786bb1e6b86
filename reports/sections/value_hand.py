"""How much of what a contract will bring does the hand tell?"""

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.studies.analysis import Analysis, models
from pipeline.studies.fitting import LEAST_BLOCKS
from pipeline.studies.models import BOOSTED, COUNTS, LINEAR
from reports.charts import Series, dots
from reports.frames import estimates, flat, frame, schema
from reports.plain import in_words
from reports.reading import Reading
from reports.section import Answer, Figure, Tables
from reports.studies import MOST_DRAWN, by, names_in, no_study, of, told, who
from reports.value import analyses
from reports.words import kinds, percent, title

KEYS: dict[str, type[pl.DataType]] = {"entrant": pl.String, "contract": pl.String}
MODELS = {
    LINEAR: "linear model, products of two features too",
    BOOSTED: "boosted trees",
    COUNTS: "the chart to learn by heart",
}


class ValueHand:
    """How far the hand tells its worth, and how much of that is seen."""

    name = "value-hand"
    title = "How much the hand decides"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Studies of value with enough blocks."""
        return no_study(run, variant, "value", LEAST_BLOCKS)

    def compute(self, run: Reading, variant: str) -> Tables:
        """Table ``models`` (``ceiling``: part of the variance of one deal's points that the hand
        decides; ``seen``: part of that which a model sees; ``r2`` for one deal).

        Models are judged on blocks that they have not seen. The unit of error is the block.
        """
        return {"models": _models(analyses(run, variant))}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """How much of a hand's worth there is to see, and is seen."""
        seen = tables["models"]
        names = names_in(seen)
        figures = tuple(
            _seen(of(seen, entrant=e), e, k, rules) for k, e in enumerate(names[:MOST_DRAWN])
        )
        return Answer(
            told(names, lambda e: _finding(e, of(seen, entrant=e), rules)),
            figures,
            (in_words("How far hands tell their worth", seen, rules),),
            kinds([*estimates(seen, "ceiling"), *estimates(seen, "seen")]),
        )


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


def _finding(entrant: str, seen: pl.DataFrame, rules: Variant) -> str:
    ceiling = by(of(seen, model=MODELS[LINEAR]), "ceiling", "contract")
    order = sorted(ceiling, key=lambda key: -ceiling[key].value)
    if not order:
        return f"{who(entrant)}, there is no contract of which hands tell anything."
    most, least = title(rules, str(order[0][0])), title(rules, str(order[-1][0]))
    return (
        f"{who(entrant)}, the declarer's own hand decides most in {most} "
        f"({percent(ceiling[order[0]].value)} of the luck of a deal), least in {least} "
        f"({percent(ceiling[order[-1]].value)}): the rest is in the others' cards, and no skill "
        "in judging the hand finds it."
    )
