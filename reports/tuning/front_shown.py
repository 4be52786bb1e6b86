"""Candidates by two objectives at a time, and the front as a table."""

import json
from typing import NamedTuple

import polars as pl

from pipeline.stats.estimate import Estimate
from pipeline.tuning.outcome import Outcome
from reports.frames import estimates
from reports.section import Figure, Listing, Tables
from reports.tuning import drawing
from reports.tuning.wording import Aimed, told
from reports.words import digits, figure, number, whole

MOST_DRAWN = 2000
"""Candidates behind the front; of more the best."""
MOST_ROWS = 30
"""Candidates of the front in the page's table; of more the best."""


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


def seen_in(tables: Tables, outcome: Outcome) -> Seen:
    """What the tables ``candidates`` and ``figures`` tell."""
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


def pair(seen: Seen, one: Aimed, other: Aimed, k: int) -> Figure:
    """All candidates by two objectives; what matters lies above the rest."""
    rest = sorted((each for each in seen.told if not each.front), key=lambda each: each.loss)
    marks = (
        ("candidates", drawing.BEHIND, [each for each in rest if not each.who][:MOST_DRAWN]),
        ("front", drawing.FRONT, [each for each in seen.told if each.front and not each.who]),
        ("parent", drawing.PARENT, [each for each in seen.told if each.who == "parent"]),
        ("winner", drawing.WINNER, [each for each in seen.told if each.who == "winner"]),
        ("judged", drawing.JUDGED, [each for each in seen.told if each.who == "judged"]),
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


def listed_front(front: list[Named], seen: Seen, wanted: dict[str, Aimed]) -> Listing:
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
    caption = f"Parent, what was judged, and the front{left}, as the search measured them"
    return Listing(caption, (*heads, "steps lost", "rounds"), rows, shown=True)


def agreements(pulls: pl.DataFrame, wanted: dict[str, Aimed]) -> tuple[Listing, ...]:
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
