"""What the winner's rules bring, on deals that the search has not seen."""

from collections.abc import Sequence

import polars as pl

from pipeline.stats.estimate import Estimate, times
from pipeline.tuning.outcome import Outcome
from reports.charts import Series, dots
from reports.frames import estimates, flat, frame, schema
from reports.plain import known
from reports.section import Answer, Figure, Listing, Tables
from reports.tuning.brings_words import FIGURES, SHORT, decimals, figures, in_words, who
from reports.tuning.topic import estimate_of
from reports.tuning.wording import Aimed, aims
from reports.words import figure, kinds, number

KEYS: dict[str, type[pl.DataType]] = {
    "objective": pl.String,
    "wanted": pl.String,
    "step": pl.Float64,
    "verdict": pl.String,
    "held_by": pl.String,
    "searched": pl.Float64,
}
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
        finding, short = in_words(table, wanted, outcome)
        return Answer(
            finding,
            (_drawn(table, wanted),),
            (
                _answers(table, wanted, who(outcome)),
                _intervals(table, wanted, who(outcome)),
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
    for row, found in zip(table.iter_rows(named=True), figures(table), strict=True):
        p, aim = decimals(found), wanted[row["objective"]]
        parent, winner = (number(found[name].value, p) for name in ("parent", "winner"))
        effect = _told(found["effect"], p)
        gap = _told(found.get("gap"), p)
        rows.append((aim.title, aim.wanted, parent, winner, effect, gap, SHORT[row["verdict"]]))
    heads = ("objective", "wanted", "parent", who, "effect", "adaptation gap", "verdict")
    caption = "What it brings, on deals that the search has not seen"
    return Listing(caption, heads, tuple(rows), shown=True, first=True)


def _told(e: Estimate | None, p: int, signed: bool = True) -> str:
    """A figure with its interval; of one that is nothing in every block that it is."""
    if e is None:
        return NEVER
    return EXACTLY if e.kind == "identical" else figure(e, p, signed)


def _intervals(table: pl.DataFrame, wanted: dict[str, Aimed], who: str) -> Listing:
    """What stands there without its interval, or in the drawing alone."""
    rows = []
    for row, found in zip(table.iter_rows(named=True), figures(table), strict=True):
        p = decimals(found)
        cells = [
            _told(found.get(name), p, signed=name == "held")
            for name in ("parent", "winner", "held")
        ]
        rows.append((wanted[row["objective"]].title, *cells))
    heads = ("objective", "parent", who, "effect with play held still")
    return Listing("The figures behind it, with their intervals", heads, tuple(rows))


def _meanings(table: pl.DataFrame, wanted: dict[str, Aimed]) -> Listing:
    """What the objectives are, for who does not know them by heart."""
    rows = tuple(
        (aim.title, aim.meaning, aim.unit or "none", f"{aim.step:g}", f"{aim.weight:g}")
        for aim in (wanted[name] for name in table["objective"])
    )
    heads = ("objective", "what it is", "unit", "a step", "weight")
    return Listing("What the objectives are", heads, rows)
