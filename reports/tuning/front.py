"""What gaining in one objective costs in the others."""

import json
from itertools import combinations
from typing import NamedTuple

import polars as pl

from pipeline.stats.estimate import Estimate
from pipeline.tuning.outcome import Candidate, Outcome
from reports.frames import estimates, flat, frame, schema
from reports.section import Answer, Figure, Listing, Tables
from reports.tuning import drawing
from reports.tuning.topic import estimate_of, stays
from reports.tuning.wording import Aimed, aims, changed, told
from reports.words import counted, digits, figure, kinds, number, whole

CANDIDATES = pl.Schema(
    {
        "candidate": pl.Int64,
        "who": pl.String,
        "settings": pl.String,
        "changes": pl.Int64,
        "fulfils": pl.Boolean,
        "front": pl.Boolean,
        "rounds": pl.Int64,
        "loss": pl.Float64,
        "fresh_loss": pl.Float64,
    }
)
FIGURES = schema({"candidate": pl.Int64, "objective": pl.String}, "searched", "fresh")
PULLS = pl.Schema({"objective": pl.String, "other": pl.String, "agreement": pl.Float64})
MOST_PAIRS = 6
"""Drawings; of more pairs those that pull against each other most."""
MOST_DRAWN = 2000
"""Candidates behind the front; of more the best."""
MOST_ROWS = 30
"""Candidates of the front in the page's table; of more the best."""


class Front:
    """Two objectives at a time."""

    name = "front"
    title = "What has to be traded"

    def missing(self, outcome: Outcome) -> str | None:
        """With one objective nothing is traded."""
        if len(outcome.file.objectives) > 1:
            return None
        return "There is one objective, so nothing has to be traded."

    def compute(self, outcome: Outcome) -> Tables:
        """Tables ``candidates`` (one row each; settings as JSON), ``figures`` (of each objective
        as the search saw it, and on fresh deals where it was measured there; the unit of error
        is a group of blocks) and ``pulls`` (rank correlation over the candidates of how good two
        objectives are: below 0 they pull against each other; null where one does not move)."""
        rows = [_row(outcome, one) for one in outcome.candidates]
        figures = [
            dict.fromkeys(FIGURES)
            | {"candidate": one.number, "objective": name}
            | flat("searched", estimate_of(found))
            | _fresh(one, name)
            for one in outcome.candidates
            for name, found in one.figures.items()
        ]
        return {
            "candidates": frame(rows, CANDIDATES),
            "figures": frame(figures, FIGURES),
            "pulls": frame(_pulls(outcome), PULLS),
        }

    def render(self, tables: Tables, outcome: Outcome) -> Answer:
        """A map for each pair of objectives, and the front as a table."""
        seen, wanted = _seen(tables, outcome), aims(outcome)
        pairs = _pairs(tables["pulls"])
        figures = [_map(seen, wanted[one], wanted[other], k) for k, (one, other) in pairs]
        front = [one for one in seen.told if one.front or one.who]
        front = sorted(front, key=lambda one: (not one.who, one.loss, one.number))
        shown = [e for name in wanted for e in seen.figures[name].values()]
        return Answer(
            _finding(tables, wanted, outcome),
            tuple(figures),
            (_listing(front, seen, wanted), *_agree(tables["pulls"], wanted)),
            kinds(shown),
        )


def _row(outcome: Outcome, one: Candidate) -> dict[str, object]:
    return {
        "candidate": one.number,
        "who": _who(outcome, one.number),
        "settings": json.dumps(changed(outcome, one), ensure_ascii=False),
        "changes": one.changes,
        "fulfils": one.fulfils,
        "front": one.front,
        "rounds": one.rounds,
        "loss": one.loss,
        "fresh_loss": one.fresh_loss,
    }


def _fresh(one: Candidate, objective: str) -> dict[str, object]:
    """The objective on fresh deals, where it was measured there."""
    found = (one.fresh or {}).get(objective)
    return {} if found is None else flat("fresh", estimate_of(found))


def _who(outcome: Outcome, number: int) -> str:
    if number == 0:
        return "parent"
    return "winner" if number == outcome.winner_number and not stays(outcome) else ""


def _pulls(outcome: Outcome) -> list[dict[str, object]]:
    """Whether what is good in one objective is good in the other, over all candidates."""
    wanted = aims(outcome)
    lacks = pl.DataFrame(
        {
            name: [aim.lacks(one.figures[name].value) for one in outcome.candidates]
            for name, aim in wanted.items()
        }
    )
    found: list[dict[str, object]] = []
    for one, other in combinations(wanted, 2):
        agreement = lacks.select(pl.corr(one, other, method="spearman").fill_nan(None)).item()
        found.append({"objective": one, "other": other, "agreement": agreement})
    return found


class Named(NamedTuple):
    """A candidate as it is told."""

    number: int
    who: str
    settings: str
    front: bool
    loss: float
    rounds: int


class Seen(NamedTuple):
    """All candidates with their figures by objective and number."""

    told: list[Named]
    figures: dict[str, dict[int, Estimate]]


def _pairs(pulls: pl.DataFrame) -> list[tuple[int, tuple[str, str]]]:
    """The pairs that are drawn, in the file's order, each with its place."""
    rows = list(pulls.with_row_index().iter_rows(named=True))
    if len(rows) > MOST_PAIRS:
        rows.sort(key=lambda row: (row["agreement"] is None, row["agreement"] or 0.0))
        rows = sorted(rows[:MOST_PAIRS], key=lambda row: row["index"])
    return [(k, (row["objective"], row["other"])) for k, row in enumerate(rows)]


def _seen(tables: Tables, outcome: Outcome) -> Seen:
    figures: dict[str, dict[int, Estimate]] = {}
    table = tables["figures"]
    for number_, name, found in zip(
        table["candidate"], table["objective"], estimates(table, "searched"), strict=True
    ):
        figures.setdefault(name, {})[number_] = found
    named = [
        Named(
            row["candidate"],
            row["who"],
            told(outcome, json.loads(row["settings"])),
            row["front"],
            row["loss"],
            row["rounds"],
        )
        for row in tables["candidates"].iter_rows(named=True)
    ]
    return Seen(named, figures)


def _map(seen: Seen, one: Aimed, other: Aimed, k: int) -> Figure:
    """All candidates by two objectives; what matters lies above the rest."""
    rest = sorted((each for each in seen.told if not each.front), key=lambda each: each.loss)
    marks = (
        ("candidates", drawing.BEHIND, [each for each in rest if not each.who][:MOST_DRAWN]),
        ("front", drawing.FRONT, [each for each in seen.told if each.front and not each.who]),
        ("parent", drawing.PARENT, [each for each in seen.told if each.who == "parent"]),
        ("winner", drawing.WINNER, [each for each in seen.told if each.who == "winner"]),
    )
    groups = [
        drawing.Group(
            name,
            mark,
            [seen.figures[one.name][each.number].value for each in them],
            [seen.figures[other.name][each.number].value for each in them],
            [f"{each.number}, {each.settings}" for each in them],
        )
        for name, mark, them in marks
        if them
    ]
    left = f" Of the others the best {whole(MOST_DRAWN)} are drawn." * (len(rest) > MOST_DRAWN)
    caption = (
        f"Each mark is a candidate: {one.title} and {other.title}, as the search measured them. "
        f"{_corner(one, other)}{left}"
    )
    return Figure(f"pair-{k}", drawing.scatter(groups, one.scale, other.scale), caption)


def _corner(one: Aimed, other: Aimed) -> str:
    """Where one would like to be."""
    sides = {"less": ("left", "bottom"), "more": ("right", "top")}
    if isinstance(one.aim, float) or isinstance(other.aim, float):
        return f"Best is {_best(one, 0)} and {_best(other, 1)}."
    return f"The best place is at the {sides[other.aim][1]} {sides[one.aim][0]}."


def _best(aim: Aimed, axis: int) -> str:
    if isinstance(aim.aim, float):
        return f"near {aim.aim:g} {('across', 'upward')[axis]}"
    sides = {"less": ("to the left", "low"), "more": ("to the right", "high")}
    return sides[aim.aim][axis]


def _listing(front: list[Named], seen: Seen, wanted: dict[str, Aimed]) -> Listing:
    """The front with what each candidate changes and all its figures."""
    shown = front[:MOST_ROWS]
    decimals = {
        name: digits((seen.figures[name][one.number] for one in shown), most=4) for name in wanted
    }
    rows = tuple(
        (
            f"{one.number}, {one.who}" if one.who else str(one.number),
            one.settings,
            *(figure(seen.figures[n][one.number], p, signed=False) for n, p in decimals.items()),
            number(one.loss, 2, signed=True),
            str(one.rounds),
        )
        for one in shown
    )
    heads = ("candidate", "what it changes", *(aim.title for aim in wanted.values()))
    left = f" (the best {MOST_ROWS} of {len(front)})" * (len(front) > MOST_ROWS)
    caption = f"Parent, winner and the front{left}, as the search measured them"
    return Listing(caption, (*heads, "steps lost", "rounds"), rows, shown=True)


def _agree(pulls: pl.DataFrame, wanted: dict[str, Aimed]) -> tuple[Listing, ...]:
    """Of many pairs: which go together and which do not."""
    rows = tuple(
        (
            wanted[one].title,
            wanted[other].title,
            "one does not move" if agreement is None else number(agreement, 2, signed=True),
        )
        for one, other, agreement in pulls.rows()
    )
    caption = "Whether objectives go together (+1) or pull against each other (\N{MINUS SIGN}1)"
    return (Listing(caption, ("objective", "and", "agreement"), rows),)


def _finding(tables: Tables, wanted: dict[str, Aimed], outcome: Outcome) -> str:
    candidates, pulls = tables["candidates"], tables["pulls"].drop_nulls("agreement")
    front = candidates.filter("front")
    n = len(front)
    told = (
        f"Of {counted(len(candidates), 'candidate')}, the parent among them, "
        f"{whole(n)} {'stands' if n == 1 else 'stand'} on the front: none other is better in one "
        "objective and no worse in the rest."
    )
    if not stays(outcome):
        there = "is" if len(front.filter(who="winner")) else "is not"
        told += f" The winner {there} one of them."
    if n == 1:
        return f"{told} Nothing has to be traded: one candidate is the best in all objectives."
    if len(pulls):
        one, other, agreement = pulls.sort("agreement", maintain_order=True).row(0)
        names = f"{wanted[one].title} and {wanted[other].title}"
        told += (
            f"\n{names} pull against each other most: what mends one tends to harm the other "
            f"(rank correlation {number(agreement, 2, signed=True)})."
            if agreement < 0
            else "\nNo two objectives pull against each other: what mends one tends to mend the "
            "others as well."
        )
    return told
