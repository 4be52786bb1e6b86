"""What gaining in one objective costs in the others."""

import json
from itertools import combinations

import polars as pl

from pipeline.tuning.outcome import Candidate, Outcome
from reports.frames import flat, frame, schema
from reports.section import Answer, Tables
from reports.tuning.front_shown import agreements, listed_front, pair, seen_in
from reports.tuning.topic import estimate_of, stays
from reports.tuning.wording import Aimed, aims, changed
from reports.words import counted, kinds, number, whole

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
        seen, wanted = seen_in(tables, outcome), aims(outcome)
        pairs = _pairs(tables["pulls"])
        figures = [pair(seen, wanted[one], wanted[other], k) for k, (one, other) in pairs]
        front = [one for one in seen.told if one.front or one.who]
        front = sorted(front, key=lambda one: (not one.who, one.loss, one.number))
        shown = [e for name in wanted for e in seen.figures[name].values()]
        return Answer(
            _finding(tables, wanted, outcome),
            tuple(figures),
            (listed_front(front, seen, wanted), *agreements(tables["pulls"], wanted)),
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
    if stays(outcome):
        return "judged" if number == outcome.judged_number else ""
    return "winner" if number == outcome.winner_number else ""


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


def _pairs(pulls: pl.DataFrame) -> list[tuple[int, tuple[str, str]]]:
    """The pairs that are drawn, in the file's order, each with its place."""
    rows = list(pulls.with_row_index().iter_rows(named=True))
    if len(rows) > MOST_PAIRS:
        rows.sort(key=lambda row: (row["agreement"] is None, row["agreement"] or 0.0))
        rows = sorted(rows[:MOST_PAIRS], key=lambda row: row["index"])
    return [(k, (row["objective"], row["other"])) for k, row in enumerate(rows)]


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
