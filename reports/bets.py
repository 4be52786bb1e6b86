"""What an entrant's doubles and redoubles brought it, in sentences."""

import polars as pl

from engine_ext.rules.spec import Variant
from reports.frames import estimates
from reports.words import better, counted, digits, figure, listed, share, sign, title

MOST_TOLD = 4
"""Entrants of a finding; every one is in the tables."""


def bets_finding(entrants: pl.DataFrame, redoubles: pl.DataFrame, rules: Variant) -> str:
    """A sentence or two for each entrant, best placed first."""
    names = entrants["entrant"].unique(maintain_order=True).to_list()
    said = [
        _finding_of(
            entrant,
            entrants.filter(pl.col("entrant") == entrant),
            redoubles.filter(pl.col("entrant") == entrant),
            rules,
        )
        for entrant in names[:MOST_TOLD]
    ]
    if len(names) > MOST_TOLD:
        said.append("The others are in the table.")
    return "\n".join(said)


def _finding_of(entrant: str, mine: pl.DataFrame, redoubles: pl.DataFrame, rules: Variant) -> str:
    total = mine.filter(pl.col("contract") == "")
    rate, paid = estimates(total, "rate")[0], estimates(total, "paid")[0]
    if total["paid_value"][0] is None:
        text = f"{entrant} never doubled, {counted(rate.n, 'time')} that it could."
    else:
        text = (
            f"{entrant} made {share(rate)} of the doubles that it could, and one brought it "
            f"{figure(paid, digits([paid]))} points on average ({better(rules)})"
            f"{_where(mine.filter(pl.col('contract') != ''), rules)}."
        )
    answers = redoubles.filter(pl.col("contract") == "")
    if answers.height and answers["paid_value"][0] is not None:
        again, got = estimates(answers, "rate")[0], estimates(answers, "paid")[0]
        text += (
            f" It redoubled {share(again)} of the doubles that it could answer, which brought it "
            f"{figure(got, digits([got]))} points."
        )
    return text


def _where(by_contract: pl.DataFrame, rules: Variant) -> str:
    """In which contracts doubles surely paid or cost."""
    points_of = [
        (title(rules, contract), sign(rules) * value)
        for contract, value in by_contract.filter("marked").select("contract", "paid_value").rows()
    ]
    brought = (
        ("paid", [name for name, points in points_of if points > 0]),
        ("cost", [name for name, points in points_of if points < 0]),
    )
    parts = [f"it {did} in {_these(names, len(by_contract))}" for did, names in brought if names]
    if not parts:
        return "; in no contract does that surely differ from nothing"
    return f"; {', and '.join(parts)}"


def _these(names: list[str], of: int) -> str:
    return f"each of the {of} contracts" if len(names) == of > 1 else listed(names)
