"""Which trump suit or start rank gets named, and what does naming bring?"""

import numpy as np
import polars as pl

from engine_ext.cards import Pack
from engine_ext.rules.spec import Variant
from pipeline.stats.estimate import Estimate
from pipeline.studies.analysis import Analysis
from pipeline.studies.naming import best_rule, gain, is_layout, shares
from reports.charts import Series, dots
from reports.frames import estimates, flat, frame, schema
from reports.plain import in_words
from reports.reading import Reading
from reports.section import Answer, Figure, Tables
from reports.studies import MOST_DRAWN, by, names_in, no_study, of, told, who
from reports.value import analyses, option_name
from reports.words import digits, figure, kinds, listed, percent, title

KEYS: dict[str, type[pl.DataType]] = {
    "entrant": pl.String,
    "contract": pl.String,
    "named": pl.String,
}


class ValueNaming:
    """Trump suits and start ranks: how often each is best, and what simple rules lose."""

    name = "value-naming"
    title = "Which trump suit or start rank to name"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Studies of value where something is named."""
        why = no_study(run, variant, "value")
        if why is None and all(not _open(one) for one in analyses(run, variant)):
            return "No trump suit or start rank is named in these rules."
        return why

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``named`` (``fits``: share of hands for which a trump suit or start rank is
        the best by half of the worlds; ``own``: share of the entrant's own choices of the
        contract) and ``rules`` (``lost``: points a deal that a rule loses against naming by the
        hand's worth, never signed).

        What one half of the worlds names, the other values. The unit of error is the block.
        """
        rules, found = run.rules(variant), analyses(run, variant)
        return {"named": _named(found, rules), "rules": _rules(found, rules)}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Dots for each contract in which something is named."""
        named, ways = tables["named"], tables["rules"]
        names = names_in(named)
        figures = [
            _figure(of(named, entrant=e, contract=c), e, c, f"{k}-{c}", rules)
            for k, e in enumerate(names[:MOST_DRAWN])
            for c in names_in(of(named, entrant=e), "contract")
        ]
        return Answer(
            told(names, lambda e: _finding(e, of(named, entrant=e), of(ways, entrant=e), rules)),
            tuple(figures),
            (
                in_words(
                    "Points a deal that a rule of naming loses against naming by the hand's worth",
                    ways,
                    rules,
                ),
                in_words("How often each is the best to name", named, rules),
            ),
            kinds([*estimates(named, "fits"), *estimates(ways, "lost")]),
        )


def _open(one: Analysis) -> list[int]:
    """Contracts in which something is named."""
    return [c for c, many in enumerate(np.bincount(one.worth.ties)) if many > 1]


def _named(found: list[Analysis], rules: Variant) -> pl.DataFrame:
    rows = []
    columns = schema(KEYS, "fits", "own")
    for one in found:
        for c in _open(one):
            for row in shares(one.worth, one.found.best_named, c):
                here: dict[str, object] = {
                    "entrant": one.study.entrant,
                    "contract": one.worth.contracts[c],
                    "named": _name(one, c, one.worth.options[row.option][1], rules),
                }
                own = {} if row.entrant is None else flat("own", row.entrant)
                rows.append(dict.fromkeys(columns) | here | flat("fits", row.best) | own)
    return frame(rows, columns)


def _name(one: Analysis, contract: int, param: int, rules: Variant) -> str:
    return option_name(rules, is_layout(one.study, one.worth, contract), param)


def _rules(found: list[Analysis], rules: Variant) -> pl.DataFrame:
    rows, pack = [], Pack(rules.deck)
    for one in found:
        every = np.arange(len(one.worth.blocks))
        for c in _open(one):
            namings = one.counted.namings[c]
            fixed = [n for n in namings if n.rule == "fixed"]
            always = fixed[best_rule(fixed, one.worth, every)]
            for n in (always, *(n for n in namings if n.rule != "fixed")):
                words = n.words(pack) or f"always {_name(one, c, n.param, rules)}"
                lost = gain(one.worth, one.found.best_named, n, c)
                rows.append(
                    {
                        "entrant": one.study.entrant,
                        "contract": one.worth.contracts[c],
                        "named": words,
                    }
                    | flat("lost", lost)
                )
    return frame(rows, schema(KEYS, "lost"))


def _figure(mine: pl.DataFrame, entrant: str, contract: str, name: str, rules: Variant) -> Figure:
    best, own = by(mine, "fits", "named"), by(mine, "own", "named")
    options = names_in(mine, "named")
    series = [Series("best for the hand", [best[o,] for o in options])]
    if own:
        series.append(Series(f"named by {entrant}", [own.get((o,)) for o in options]))
    drawing = dots(options, series, "% of hands", per_cent=True)
    caption = (
        f"{title(rules, contract)}: how often each is the best to name where everybody plays as "
        f"{entrant}, whatever the hand, and what {entrant} named when it chose the contract. "
        "Intervals are for the guesses as they were made: other deals would guess otherwise."
    )
    return Figure(f"value-naming-{name}", drawing, caption)


def _finding(entrant: str, named: pl.DataFrame, ways: pl.DataFrame, rules: Variant) -> str:
    said = []
    for contract in names_in(named, "contract"):
        best = by(of(named, contract=contract), "fits", "named")
        lost = by(of(ways, contract=contract), "lost", "named")
        order = sorted(best, key=lambda key: -best[key].value)
        always = next(key for key in lost if str(key[0]).startswith("always"))
        rule = min(lost, key=lambda key: lost[key].value)
        p = digits(lost.values())
        top = [f"{key[0]} ({percent(best[key].value)})" for key in order[:2]]
        said.append(
            f"in {title(rules, contract)} {listed(top)} are best most often; who always "
            f"names {str(always[0]).removeprefix('always ')} loses "
            f"{figure(lost[always], p, signed=False)} points a deal against naming by what the "
            f"hand is worth; the best rule to learn loses {_loss(lost[rule], p)}: {rule[0]}"
        )
    return f"{who(entrant)}, " + "; ".join(said) + "."


def _loss(e: Estimate, p: int) -> str:
    """A loss with its interval; a rule does better than a guess by few worlds at times."""
    if e.value <= 0:
        return f"nothing that can be seen, {figure(e, p, signed=False)}"
    return figure(e, p, signed=False)
