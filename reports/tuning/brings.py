"""What the winner's rules bring, on deals that the search has not seen."""

from collections.abc import Sequence

import polars as pl

from pipeline.stats.estimate import Estimate, times
from pipeline.tuning.outcome import Outcome
from reports.charts import Series, dots
from reports.frames import estimates, flat, frame, schema
from reports.plain import known
from reports.section import Answer, Figure, Listing, Tables
from reports.tuning.topic import candidate_of, estimate_of, stays
from reports.tuning.wording import Aimed, aims, changed, told
from reports.words import counted, digits, figure, kinds, listed, number

KEYS: dict[str, type[pl.DataType]] = {
    "objective": pl.String,
    "wanted": pl.String,
    "step": pl.Float64,
    "verdict": pl.String,
    "held_by": pl.String,
    "searched": pl.Float64,
}
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
NEVER = "not measured"
EXACTLY = "0, exactly"


class Brings:
    """Effects, adaptation gaps and verdicts."""

    name = "brings"
    title = "What it brings"

    def missing(self, outcome: Outcome) -> str | None:
        """Where nothing was measured anew."""
        return None if outcome.effects else "Nothing was found that was worth measuring anew."

    def compute(self, outcome: Outcome) -> Tables:
        """Table ``effects``: each objective of parent and winner on fresh deals, the difference
        on the same deals, the same with play held still, and the gap between the two. The unit
        of error is a group of blocks."""
        wanted = aims(outcome)
        rows = []
        for one in outcome.effects:
            aim = wanted[one.objective]
            row: dict[str, object] = {
                "objective": one.objective,
                "wanted": aim.wanted,
                "step": aim.step,
                "verdict": one.verdict,
                "held_by": one.held_by,
                "searched": one.searched,
            }
            for name in FIGURES:
                found = getattr(one, name)
                row |= {} if found is None else flat(name, estimate_of(found))
            rows.append(dict.fromkeys(COLUMNS) | row)
        return {"effects": frame(rows, COLUMNS)}

    def render(self, tables: Tables, outcome: Outcome) -> Answer:
        """Effects in steps as dots, and the figures themselves."""
        table, wanted = tables["effects"], aims(outcome)
        shown = [e for name in FIGURES for e in known(table, name) if e is not None]
        finding, short = _finding(table, wanted, outcome)
        return Answer(
            finding,
            (_drawn(table, wanted),),
            (
                _answers(table, wanted, _who(outcome)),
                _intervals(table, wanted, _who(outcome)),
                _meanings(table, wanted),
            ),
            kinds(shown),
            short,
        )


COLUMNS = schema(KEYS, *FIGURES)


def _drawn(table: pl.DataFrame, wanted: dict[str, Aimed]) -> Figure:
    """Effects of all objectives on one scale, what is wanted to the right."""
    names = list(table["objective"])
    parents = [e.value for e in estimates(table, "parent")]

    def in_steps(found: Sequence[Estimate | None]) -> list[Estimate | None]:
        return [
            None if e is None else times(e, wanted[name].steps(1.0, parent))
            for name, parent, e in zip(names, parents, found, strict=True)
        ]

    series = [Series("players adapt", in_steps(known(table, "effect")))]
    held = known(table, "held")
    if any(held):
        series.append(Series("play held still", in_steps(held)))
    believed = [_bare(value) for value in table["searched"]]
    series.append(Series("as the search believed", in_steps(believed)))
    drawing = dots(
        [wanted[name].title for name in names],
        series,
        "what it brings, in steps (to the right: as wanted)",
    )
    caption = (
        "How far each objective moves from the parent's rules to the new ones, in steps that one "
        "would care about: to the right of 0 is what was wanted. Circles are the answer. Where "
        "they stand far from the figure with play held still, players answer to the rules; where "
        "they fall short of what the search believed, the search had been lucky."
    )
    return Figure("effects", drawing, caption)


def _bare(value: float) -> Estimate:
    """A figure that is told without its error."""
    return Estimate(value, None, None, None, 0, 0, 1.0, "none")


def _answers(table: pl.DataFrame, wanted: dict[str, Aimed], who: str) -> Listing:
    """What one reads first: the figures, what moves them, and the verdict."""
    rows = []
    for row, found in zip(table.iter_rows(named=True), _figures(table), strict=True):
        p, aim = _decimals(found), wanted[row["objective"]]
        parent, winner = (number(found[name].value, p) for name in ("parent", "winner"))
        effect = EXACTLY if row["verdict"] == "alike" else figure(found["effect"], p)
        gap = figure(found["gap"], p) if "gap" in found else NEVER
        rows.append((aim.title, aim.wanted, parent, winner, effect, gap, SHORT[row["verdict"]]))
    heads = ("objective", "wanted", "parent", who, "effect", "adaptation gap", "verdict")
    caption = "What it brings, on deals that the search has not seen"
    return Listing(caption, heads, tuple(rows), shown=True, first=True)


def _intervals(table: pl.DataFrame, wanted: dict[str, Aimed], who: str) -> Listing:
    """What stands there without its interval, or in the drawing alone."""
    rows = []
    for row, found in zip(table.iter_rows(named=True), _figures(table), strict=True):
        p = _decimals(found)
        cells = [
            figure(found[name], p, signed=name == "held") if name in found else NEVER
            for name in ("parent", "winner", "held")
        ]
        rows.append((wanted[row["objective"]].title, *cells))
    heads = ("objective", "parent", who, "effect with play held still")
    return Listing("The figures behind it, with their intervals", heads, tuple(rows))


def _figures(table: pl.DataFrame) -> list[dict[str, Estimate]]:
    """Of each objective, by name, those that were measured."""
    columns = {name: known(table, name) for name in FIGURES}
    return [
        {name: e for name, found in columns.items() if (e := found[row]) is not None}
        for row in range(len(table))
    ]


def _decimals(found: dict[str, Estimate]) -> int:
    return digits((found[name] for name in ("parent", "winner", "effect")), most=4)


def _meanings(table: pl.DataFrame, wanted: dict[str, Aimed]) -> Listing:
    """What the objectives are, for who does not know them by heart."""
    rows = tuple(
        (aim.title, aim.meaning, aim.unit or "none", f"{aim.step:g}", f"{aim.weight:g}")
        for aim in (wanted[name] for name in table["objective"])
    )
    heads = ("objective", "what it is", "unit", "a step", "weight")
    return Listing("What the objectives are", heads, rows)


def _finding(table: pl.DataFrame, wanted: dict[str, Aimed], outcome: Outcome) -> tuple[str, str]:
    """Verdict by verdict; what play held still would have told; the luck of the search."""
    by_verdict: dict[str, list[str]] = {}
    for row, found in zip(table.iter_rows(named=True), _figures(table), strict=True):
        p, title = _decimals(found), wanted[row["objective"]].title
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


def _who(outcome: Outcome) -> str:
    """Whose figures stand beside the parent's."""
    return f"candidate {outcome.judged_number}" if stays(outcome) else "winner"


def _best(outcome: Outcome) -> str:
    """Where nothing is surely better: what was judged, and what it would change."""
    best = candidate_of(outcome, outcome.judged_number)
    return (
        f"These are the figures of the best that was tried, candidate {best.number} "
        f"({told(outcome, changed(outcome, best))}), which is not surely better than the parent."
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
