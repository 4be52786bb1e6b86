"""When should a declarer who was doubled double back?"""

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.discovery import marks
from pipeline.stats.estimate import p_value, times
from pipeline.studies.answers import EVERY_BIN, redoubles
from reports.charts import MOST_SERIES, Series, lines
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
    starred,
    studies,
    surely,
    told,
    who,
)
from reports.words import MARKED, better, digits, figure, kinds, listed, sign, title

KEYS: dict[str, type[pl.DataType]] = {
    "entrant": pl.String,
    "contract": pl.String,
    "strength": pl.Int64,
    "strengths": pl.Int64,
    "marked": pl.Boolean,
}


class BettingAnswers:
    """What a redouble pays by strength of the declarer's hand."""

    name = "betting-answers"
    title = "When to double back"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Where somebody doubles the declarer, who may answer."""
        why = no_bets(run, variant)
        if why is not None:
            return why
        rules = run.rules(variant).doubling
        if rules is None or not rules.redoubles or rules.declarer == "nobody":
            return "The declarer may not answer a double here."
        if not any(redoubles(study) for study in studies(run, variant)):
            return "Nobody would ever double the declarer, so there is nothing to answer."
        return None

    def compute(self, run: Reading, variant: str) -> Tables:
        """Table ``answers``: what a redouble ``pays`` the declarer by contract (empty: all) and
        ``strength`` of his hand among those that were doubled (-1: any; 1 the weakest of
        ``strengths``); ``share`` of doubles that half of his worlds would answer, and the
        ``gain`` of answering those, for each double received. In the document's sign.

        Only worlds count in which the entrant would double him. The unit of error is the block.
        """
        inside = sign(run.rules(variant))
        found = [(s.entrant, one) for s in studies(run, variant) for one in redoubles(s)]
        marked = marks([p_value(one.pays) for _, one in found])
        rows = [
            {
                "entrant": entrant,
                "contract": one.contract,
                "strength": one.bin if one.bin == EVERY_BIN else one.bin + 1,
                "strengths": one.of,
                "marked": mark,
            }
            | flat("share", one.share)
            | flat("gain", times(one.rule, inside))
            | flat("pays", times(one.pays, inside))
            for (entrant, one), mark in zip(found, marked, strict=True)
        ]
        return {"answers": frame(rows, schema(KEYS, "share", "gain", "pays"))}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Curves by strength for each entrant."""
        table = tables["answers"]
        names = names_in(table)
        return Answer(
            told(names, lambda e: _finding(e, of(table, entrant=e), rules), rules),
            tuple(
                _curves(of(table, entrant=e), e, k, rules) for k, e in enumerate(names[:MOST_DRAWN])
            ),
            (in_words("What a redouble pays the declarer, by strength of his hand", table, rules),),
            (*kinds(all_of(known(table, "pays"), known(table, "gain"))), MARKED),
        )


def _curves(table: pl.DataFrame, entrant: str, k: int, rules: Variant) -> Figure:
    pays = by(table, "pays", "contract", "strength")
    contracts = [c for c in rules.contracts if any(key[0] == c for key in pays)]
    x = list(range(1, int(table["strengths"][0]) + 1))
    series = [
        Series(title(rules, c), [pays.get((c, one)) for one in x]) for c in contracts[:MOST_SERIES]
    ]
    axis = "strength of the declarer's hand, 1 the weakest of those doubled"
    drawing = lines(x, series, axis, f"points a redouble ({better(rules)})")
    caption = (
        f"{entrant}: what it pays the declarer to double back, by strength of his hand, in the "
        f"worlds in which he would be doubled; {better(rules)}. Each interval is for itself."
    )
    return Figure(f"betting-answers-{k}", drawing, caption)


def _finding(entrant: str, table: pl.DataFrame, rules: Variant) -> str:
    if table.is_empty():
        return f"{who(entrant)}, nobody would ever double the declarer."
    any_hand = of(table, contract="", strength=EVERY_BIN)
    whole, gain = estimates(any_hand, "pays")[0], estimates(any_hand, "gain")[0]
    of_all = int(table["strengths"][0])
    pays, stars = by(table, "pays", "contract", "strength"), starred(table, "contract", "strength")
    good = {key for key in stars if surely(pays[key], rules) > 0}
    groups: dict[int, list[str]] = {}
    for c in rules.contracts:
        if (c, EVERY_BIN) in pays:
            groups.setdefault(_from_top(good, c, of_all), []).append(title(rules, c))
    said = [
        f"in {listed(groups[k])} " + ("always" if k == of_all else f"with the best {k} of {of_all}")
        for k in sorted(groups, reverse=True)
        if k
    ]
    chart = f"It surely pays {'; '.join(said)}" if said else "With no strength does it surely pay"
    never = groups.get(0, [])
    rest = f", and is not shown to pay with any hand in {listed(never)}" if said and never else ""
    return (
        f"{who(entrant)}, a declarer who doubles back whenever he is doubled gets "
        f"{figure(whole, digits([whole]))} points each time; by what half of his worlds say, "
        f"{figure(gain, digits([gain]))} for each double received. {chart}{rest}."
    )


def _from_top(good: set[tuple[object, ...]], c: str, of_all: int) -> int:
    """With how many of the strongest parts of the hands a redouble surely pays."""
    best = 0
    while best < of_all and (c, of_all - best) in good:
        best += 1
    return best
