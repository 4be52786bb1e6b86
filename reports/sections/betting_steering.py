"""What changes once a double is on the table for all to see?"""

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.discovery import marks
from pipeline.stats.estimate import p_value, times
from pipeline.studies.bets import ALWAYS, EVERY, steered
from reports.charts import Series, dots
from reports.frames import estimates, flat, frame, schema
from reports.plain import in_words, known
from reports.reading import Reading
from reports.section import Answer, Figure, Tables
from reports.studies import (
    MOST_DRAWN,
    all_of,
    by,
    names_in,
    no_bets,
    of,
    studies,
    told,
    who,
)
from reports.words import MARKED, better, counted, digits, figure, kinds, listed, sign, title

COLUMNS = {
    "base": "played as without it",
    "aware": "played knowing of it",
    "whole": "with the doubler's other points",
    "steer": "what knowing changes",
}
KEYS: dict[str, type[pl.DataType]] = {
    "entrant": pl.String,
    "contract": pl.String,
    "stage": pl.String,
    "role": pl.Int64,
    "target": pl.Int64,
    "weight": pl.Int64,
    "marked": pl.Boolean,
}


class BettingSteering:
    """The same deals played with a bet on the table and without."""

    name = "betting-steering"
    title = "What a double changes in the play"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Studies of doubling only."""
        return no_bets(run, variant)

    def compute(self, run: Reading, variant: str) -> Tables:
        """Table ``steered``: a double (``weight`` 2: redoubled) of ``target`` by ``role`` (-1:
        one of the others, each alike) on the same deals, in the document's sign. ``base`` is
        what it pays played as without it, ``aware`` played knowing of it, ``whole`` all that
        the doubler has more than without it, ``steer`` is ``aware`` less ``base``.

        The unit of error is the block; ``marked`` where ``steer`` surely is something.
        """
        inside = sign(run.rules(variant))
        found = [(study.entrant, one) for study in studies(run, variant) for one in steered(study)]
        sure = marks([p_value(one.steer) for _, one in found])
        rows = [
            {
                "entrant": entrant,
                "contract": one.contract,
                "stage": one.stage,
                "role": one.doubler,
                "target": one.target,
                "weight": one.weight,
                "marked": mark and one.steer.value != 0,
            }
            | flat("base", times(one.base, inside))
            | flat("aware", times(one.aware, inside))
            | flat("whole", times(one.whole, inside))
            | flat("steer", times(one.steer, inside))
            for (entrant, one), mark in zip(found, sure, strict=True)
        ]
        return {"steered": frame(rows, schema(KEYS, *COLUMNS))}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Dots of the three figures for doubles of the declarer, a drawing for each entrant."""
        table = tables["steered"]
        names = names_in(table)
        once = of(table, role=EVERY, weight=1)
        nothing = all(e.kind == "identical" for e in estimates(table, "steer"))
        drawn = [
            _dots(of(once, entrant=e, stage=ALWAYS), e, k, rules)
            for k, e in enumerate(names[:MOST_DRAWN])
            if not of(once, entrant=e, stage=ALWAYS).is_empty()
        ]
        others = table.filter(pl.col("role") != EVERY)
        pairs = () if nothing else (in_words("By pair of roles", others, rules),)
        return Answer(
            told(names, lambda e: _finding(e, of(table, entrant=e), rules), rules),
            tuple(drawn),
            (
                in_words("One of the others doubles the declarer", of(table, role=EVERY), rules),
                *pairs,
            ),
            (*kinds(all_of(*(known(table, name) for name in COLUMNS))), MARKED),
        )


def _dots(mine: pl.DataFrame, entrant: str, k: int, rules: Variant) -> Figure:
    contracts = names_in(mine, "contract")
    series = []
    for name in ("base", "aware", "whole"):
        found = by(mine, name, "contract")
        series.append(Series(COLUMNS[name], [found.get((c,)) for c in contracts]))
    drawing = dots(
        [title(rules, c) for c in contracts], series, f"points a double ({better(rules)})"
    )
    caption = (
        f"{entrant}: what a double of the declarer brings in the contracts that he chose, on "
        f"the same deals played as without it and knowing of it; {better(rules)}. Each interval "
        "is for itself."
    )
    return Figure(f"betting-steering-{k}", drawing, caption)


def _finding(entrant: str, table: pl.DataFrame, rules: Variant) -> str:
    found = estimates(table, "steer")
    if all(e.kind == "identical" for e in found):
        return (
            f"{who(entrant)}, knowing of a double changes not a single card: it pays exactly what "
            "the same deals give without it."
        )
    mine = of(table, role=EVERY, weight=1, stage=ALWAYS, marked=True)
    if mine.is_empty():
        pairs = table.filter("marked").height
        more = f", though it shows for {counted(pairs, 'pair')} of roles" if pairs else ""
        return (
            f"{who(entrant)}, knowing of a double of the declarer changes nothing that shows{more}."
        )
    steer = by(mine, "steer", "contract")
    p = digits(steer.values())
    said = [f"{figure(e, p)} in {title(rules, str(key[0]))}" for key, e in steer.items()]
    return (
        f"{who(entrant)}, knowing of a double of the declarer changes what it pays: {listed(said)}."
    )
