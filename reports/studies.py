"""What sections of studies share: whose they are, signs, maps of contracts, sentences."""

from collections.abc import Callable, Iterable, Sequence

import polars as pl

from engine_ext.rules.spec import ChoiceSchedule, Variant
from pipeline.stats.estimate import Estimate, excludes
from pipeline.studies.bets import ALWAYS, IMPOSED, STAGES
from pipeline.studies.study import Study
from reports.charts import heat
from reports.frames import estimates
from reports.grids import grid
from reports.reading import Reading
from reports.section import Figure
from reports.words import better, digits, number, role_name, sign, title

MOST_DRAWN = 4
"""Entrants with drawings and sentences of their own; every one is in the tables."""


def no_study(run: Reading, variant: str, design: str, least: int = 1) -> str | None:
    """Why the run cannot answer what a study of this design and size would, or None."""
    if run.config.design != design:
        return f"Only a study of {design} tells that."
    if not run.blocks(variant):
        return "No whole block of this variant was played."
    if run.blocks(variant) < least:
        return f"Fewer than {least} blocks teach nothing about hands."
    return None


def no_bets(run: Reading, variant: str) -> str | None:
    """Why the run says nothing of side bets, or None."""
    if run.rules(variant).doubling is None:
        return "These rules have no doubling."
    return no_study(run, variant, "doubling")


def studies(run: Reading, variant: str) -> list[Study]:
    """The study of each entrant, as the run file lists them."""
    return [run.study(variant, entrant) for entrant in run.entrants()]


def names_in(table: pl.DataFrame, column: str = "entrant") -> list[str]:
    """What stands in a column, each once, as it comes."""
    return [str(one) for one in table[column].unique(maintain_order=True)]


def of(table: pl.DataFrame, **keys: object) -> pl.DataFrame:
    """The rows with these keys."""
    return table.filter(*(pl.col(name) == value for name, value in keys.items()))


def by(table: pl.DataFrame, name: str, *keys: str) -> dict[tuple[object, ...], Estimate]:
    """Estimates by their keys; rows without one are left out."""
    pairs = zip(table.select(keys).rows(), estimates(table, name), strict=True)
    return {key: e for key, e in pairs if e.value is not None}


def starred(table: pl.DataFrame, *keys: str) -> set[tuple[object, ...]]:
    """Keys of the rows that surely differ from 0, all of the table taken together."""
    return set(of(table, marked=True).select(keys).rows())


def surely(e: Estimate | None, rules: Variant) -> int:
    """1 if the figure is surely good for whose points it is, -1 if surely bad, else 0."""
    if e is None or not excludes(e):
        return 0
    return 1 if sign(rules) * e.value > 0 else -1


def by_luck(p: float | None) -> str:
    """A probability of as much by luck, for a table."""
    if p is None:
        return "unsaid"
    return "below 0.0001" if p < 1e-4 else number(p, 4)


def told(names: Sequence[str], sentence: Callable[[str], str], rules: Variant | None = None) -> str:
    """A line for each entrant, the first few; of a single one the page says who it is."""
    lines = [sentence(name) for name in names[:MOST_DRAWN]]
    if rules is not None and rules.objective == "lowest" and lines:
        lines[-1] += " Of points here the lower are the better."
    if len(names) == 1:
        rest = lines[0].removeprefix(f"{who(names[0])}, ")
        # A name at the beginning stays as it is written.
        return rest if rest == lines[0] else rest[:1].upper() + rest[1:]
    if len(names) > MOST_DRAWN:
        lines.append("The others are in the tables.")
    return "\n".join(lines)


def who(entrant: str) -> str:
    """How a sentence about a table of one entrant begins."""
    return f"Where everybody plays as {entrant}"


def stage_names(rules: Variant) -> dict[str, str]:
    """Stages of a dealership as columns of a map."""
    schedule = rules.schedule
    most = sum(schedule.uses.values()) if isinstance(schedule, ChoiceSchedule) else 1
    last = max(1, most // 3)
    first, middle, late = STAGES
    return {
        IMPOSED: "any hand, imposed",
        ALWAYS: "chosen",
        first: "his first choice",
        middle: "in between",
        late: f"of his last {last}" if last > 1 else "his last",
    }


def pay_map(
    name: str,
    columns: Sequence[str],
    lines: Sequence[str],
    cells: Sequence[Sequence[Estimate | None]],
    stars: Sequence[Sequence[bool]],
    axis: str,
    caption: str,
    rules: Variant,
    corner: str = "contract",
) -> Figure:
    """A map of points that may be good or bad, its figures with intervals beside it; the
    ``corner`` says what lines are."""
    shown = [e for row in cells for e in row if e is not None]
    p = min(1, digits(shown))
    texts = [
        [
            "" if e is None else number(e.value, p, True) + "*" * star
            for e, star in zip(r, s, strict=True)
        ]
        for r, s in zip(cells, stars, strict=True)
    ]
    drawing = heat(
        columns,
        lines,
        [[None if e is None else e.value for e in row] for row in cells],
        texts,
        axis,
        diverging=True,
        top=max((abs(e.value) for e in shown), default=0) or 1.0,
        lowest=rules.objective == "lowest",
    )
    text = (
        f"{caption} Blue is good, orange bad; {better(rules)}. A star where it surely differs "
        "from 0."
    )
    if any(e is None for row in cells for e in row):
        text += " A cell is empty where nothing was counted."
    beside = grid(
        f"{caption.rstrip('.')}, with intervals", corner, columns, lines, cells, signed=True
    )
    return Figure(name, drawing, text, beside)


def role_map(table: pl.DataFrame, figure: str, name: str, caption: str, rules: Variant) -> Figure:
    """A map of what each role has in each contract, from a table with stars."""
    points, stars = by(table, figure, "contract", "role"), starred(table, "contract", "role")
    contracts, every = names_in(table, "contract"), range(rules.seats)
    return pay_map(
        name,
        [role_name(rules, role) for role in every],
        [title(rules, c) for c in contracts],
        [[points.get((c, role)) for role in every] for c in contracts],
        [[(c, role) in stars for role in every] for c in contracts],
        "role in playing order",
        caption,
        rules,
    )


def all_of(*columns: Iterable[Estimate | None]) -> list[Estimate]:
    """Every figure there is, for the kinds of intervals."""
    return [e for column in columns for e in column if e is not None and e.kind is not None]
