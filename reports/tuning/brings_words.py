"""What a tuning brings, in words: verdict by verdict, and what stands behind them."""

import polars as pl

from pipeline.stats.estimate import Estimate, times
from pipeline.tuning.outcome import Outcome
from reports.plain import known
from reports.tuning.topic import candidate_of, estimate_of, stays
from reports.tuning.wording import Aimed, changed, told
from reports.words import counted, digits, figure, listed, number

FIGURES = ("parent", "winner", "effect", "held", "gap")
VERDICTS = {
    "better": "surely better",
    "worse": "surely worse",
    "within gap": "no conclusion: less than what adapting players change",
    "open": "not decided",
    "alike": "exactly as before",
}
"""In the order in which findings tell them."""
SHORT = VERDICTS | {"within gap": "no conclusion"}
HELD = {
    "rescored": "the parent's games with points counted anew",
    "unadapted": "players whose play does not go by the points",
    "none": "",
}
"""How play was held still."""


def figures(table: pl.DataFrame) -> list[dict[str, Estimate]]:
    """Of each objective, by name, those that were measured."""
    columns = {name: known(table, name) for name in FIGURES}
    return [
        {name: e for name, found in columns.items() if (e := found[row]) is not None}
        for row in range(len(table))
    ]


def decimals(found: dict[str, Estimate]) -> int:
    """Digits of an objective's figures."""
    return digits((found[name] for name in ("parent", "winner", "effect")), most=4)


def in_words(table: pl.DataFrame, wanted: dict[str, Aimed], outcome: Outcome) -> tuple[str, str]:
    """Verdict by verdict; what play held still would have told; the luck of the search."""
    by_verdict: dict[str, list[str]] = {}
    for row, found in zip(table.iter_rows(named=True), figures(table), strict=True):
        p, title = decimals(found), wanted[row["objective"]].title
        old, new = (number(found[name].value, p) for name in ("parent", "winner"))
        by_verdict.setdefault(row["verdict"], []).append(f"{title} (from {old} to {new})")
    lines = [
        f"{_head(verdict)}: {listed(by_verdict[verdict])}."
        for verdict in VERDICTS
        if verdict in by_verdict
    ]
    if stays(outcome):
        lines.insert(0, _best(outcome))
    return "\n".join([*lines, *_held(table), *_luck(outcome)]), " ".join(lines)


def who(outcome: Outcome) -> str:
    """Whose figures stand beside the parent's."""
    return f"candidate {outcome.judged_number}" if stays(outcome) else "winner"


def _best(outcome: Outcome) -> str:
    """Where nothing is surely better: what was judged, and what it would change."""
    best = candidate_of(outcome, outcome.judged_number)
    return (
        f"These are the figures of the best that was tried, candidate {best.number} "
        f"({told(outcome, changed(outcome, best))}), which all in all is not surely better "
        "than the parent."
    )


def _head(verdict: str) -> str:
    if verdict == "within gap":
        return "No conclusion, since players who adapt change more than the rules bring"
    word = VERDICTS[verdict]
    return word[:1].upper() + word[1:]


def _held(table: pl.DataFrame) -> list[str]:
    """What stands beside the effects."""
    how = [HELD[kind] for kind in dict.fromkeys(table["held_by"]) if HELD[kind]]
    if not how:
        return []
    return [
        f"All this is of players who plan under the rules they play by. The adaptation gap is "
        f"what that changes against play held still: {listed(how, 'or')}."
    ]


def _luck(outcome: Outcome) -> list[str]:
    """How much better than the truth the search believed the candidate to be."""
    judged, found = candidate_of(outcome, outcome.judged_number), outcome.judged_loss
    if found is None:
        return []
    better = times(estimate_of(found), -1)
    return [
        f"All objectives weighed together, the search believed it {number(-judged.loss, 2)} steps "
        f"better than the parent; on the deals that judge it is {figure(better, 2)}. Who picks "
        f"the best of many picks luck as well: {_picked(outcome)}"
    ]


def _picked(outcome: Outcome) -> str:
    """How many met fresh deals, and how one of them was picked."""
    finalists = sum(one.fresh is not None for one in outcome.candidates if one.number)
    if finalists < 2:
        return "so it was measured anew, and no figure of the search counts."
    return (
        f"so {counted(finalists, 'finalist')} were measured anew, the best of them was picked, "
        "and what is said of it is from further deals that had no part in picking it."
    )
