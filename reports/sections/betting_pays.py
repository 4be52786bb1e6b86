"""Does it pay to double the declarer: blindly, and once he has chosen his contract?"""

from collections.abc import Iterable

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.discovery import marks
from pipeline.stats.estimate import Estimate, p_value, times
from pipeline.studies.bets import ALWAYS, EVERY, IMPOSED, STAGES, Bet, blind, selected
from reports.frames import estimates, flat, frame, schema
from reports.plain import in_words
from reports.reading import Reading
from reports.section import Answer, Figure, Tables
from reports.studies import (
    MOST_DRAWN,
    by,
    names_in,
    no_bets,
    of,
    pay_map,
    stage_names,
    starred,
    studies,
    surely,
    told,
    who,
)
from reports.words import MARKED, digits, figure, kinds, listed, sign, title

KEYS: dict[str, type[pl.DataType]] = {
    "entrant": pl.String,
    "contract": pl.String,
    "stage": pl.String,
    "role": pl.Int64,
    "target": pl.Int64,
    "marked": pl.Boolean,
}


class BettingPays:
    """What a double brings before anybody looks at his hand."""

    name = "betting-pays"
    title = "Does a double of the declarer pay?"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Studies of doubling only."""
        return no_bets(run, variant)

    def compute(self, run: Reading, variant: str) -> Tables:
        """Table ``bets``: what a double of ``target`` by ``role`` (-1: one of the others, each
        alike) pays, in the document's sign, by contract and ``stage``: blind (every contract
        imposed), chosen (by the declarer), and of these first, middle and late ones.

        Played as without bets. The unit of error is the block; ``marked`` over the table.
        """
        rules = run.rules(variant)
        found = [
            (study.entrant, bet)
            for study in studies(run, variant)
            for bet in [*blind(study), *selected(study)]
        ]
        return {"bets": _table(found, sign(rules))}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """A map of contracts and stages for each entrant, pairs in a table."""
        bets = tables["bets"]
        declarer = of(bets, role=EVERY)
        names = names_in(bets)
        return Answer(
            told(names, lambda e: _finding(e, of(declarer, entrant=e), rules), rules),
            tuple(
                _map(of(declarer, entrant=e), e, k, rules) for k, e in enumerate(names[:MOST_DRAWN])
            ),
            (
                in_words("One of the others doubles the declarer", declarer, rules),
                in_words("By pair of roles", bets.filter(pl.col("role") != EVERY), rules),
            ),
            (*kinds(estimates(bets, "pays")), MARKED),
        )


def _table(found: Iterable[tuple[str, Bet]], inside: int) -> pl.DataFrame:
    cells = [(entrant, bet, times(bet.pays, inside)) for entrant, bet in found]
    marked = marks([p_value(e) for *_, e in cells])
    rows = [
        {
            "entrant": entrant,
            "contract": bet.contract,
            "stage": bet.stage,
            "role": bet.doubler,
            "target": bet.target,
            "marked": mark,
        }
        | flat("pays", e)
        for (entrant, bet, e), mark in zip(cells, marked, strict=True)
    ]
    return frame(rows, schema(KEYS, "pays"))


def _map(mine: pl.DataFrame, entrant: str, k: int, rules: Variant) -> Figure:
    pays = by(mine, "pays", "contract", "stage")
    stars = starred(mine, "contract", "stage")
    columns = {s: name for s, name in stage_names(rules).items() if any(k[1] == s for k in pays)}
    contracts = [c for c in (*rules.contracts, "") if any(k[0] == c for k in pays)]
    return pay_map(
        f"betting-pays-{k}",
        list(columns.values()),
        [title(rules, c) if c else "all contracts" for c in contracts],
        [[pays.get((c, stage)) for stage in columns] for c in contracts],
        [[(c, stage) in stars for stage in columns] for c in contracts],
        "when the contract is played",
        f"{entrant}: points that a double of the declarer brings, whatever the doubler holds.",
        rules,
    )


def _finding(entrant: str, table: pl.DataFrame, rules: Variant) -> str:
    pays = by(table, "pays", "contract", "stage")
    contracts = [c for c in rules.contracts if (c, IMPOSED) in pays]

    stars = starred(table, "contract", "stage")

    def where(stage: str, way: int) -> list[str]:
        """Contracts with a star in this column of the map, for good (1) or bad (-1)."""
        return [
            title(rules, c)
            for c in contracts
            if (c, stage) in stars and surely(pays[c, stage], rules) == way
        ]

    lines = [
        f"{who(entrant)}, a double of the declarer made without a look at the hand "
        f"{_verdict(where(IMPOSED, 1), where(IMPOSED, -1))}, "
        "had he to play each contract with whatever he holds."
    ]
    whole = pays.get(("", ALWAYS))
    if whole is not None:
        lines.append(
            f"But he chooses: against what he chose it brings {figure(whole, digits([whole]))} "
            f"points a double, and {_verdict(where(ALWAYS, 1), where(ALWAYS, -1))}."
        )
    lines.append(_when(pays, rules))
    return " ".join(line for line in lines if line)


def _verdict(gains: list[str], costs: list[str]) -> str:
    parts = []
    if gains:
        parts.append(f"surely pays in {listed(gains)}")
    if costs:
        parts.append(f"surely costs in {listed(costs)}")
    return " but ".join(parts) or "is not sure to pay or to cost in any contract"


def _when(pays: dict[tuple[object, ...], Estimate], rules: Variant) -> str:
    """First choices against the last ones."""
    first, late = pays.get(("", STAGES[0])), pays.get(("", STAGES[2]))
    if first is None or late is None:
        return ""
    q = digits([first, late])
    both = (
        f"{figure(first, q)} against what he chooses first, {figure(late, q)} against what he "
        "kept for the end"
    )
    gap = sign(rules) * (late.value - first.value)
    # The two share no deal, but blocks: their error is at most both together.
    se = None if first.se is None or late.se is None else first.se + late.se
    p = p_value(first._replace(value=gap, se=se, df=min(first.df, late.df)))
    if p is None or p > 0.05:
        return f"Whether his first choice is worse to double than his last is not sure: {both}."
    worse = "first" if gap > 0 else "last"
    return f"His {worse} choices are the worst to double: {both}."
