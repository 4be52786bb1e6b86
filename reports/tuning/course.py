"""How the winner was found: the course of the search, its method, and why it ended."""

import polars as pl

from pipeline.tuning.outcome import Candidate, Outcome
from reports.frames import frame
from reports.section import Answer, Figure, Listing, Tables
from reports.tuning import drawing
from reports.tuning.wording import changed, told
from reports.words import counted, number, whole

COURSE = pl.Schema(
    {
        "candidate": pl.Int64,
        "settings": pl.String,
        "fulfils": pl.Boolean,
        "rounds": pl.Int64,
        "loss": pl.Float64,
        "best_loss": pl.Float64,
    }
)
FINALISTS = pl.Schema(
    {
        "candidate": pl.Int64,
        "settings": pl.String,
        "loss": pl.Float64,
        "fresh_loss": pl.Float64,
        "picked": pl.Boolean,
    }
)
METHODS = {
    "tpe": "a tree-structured Parzen estimator (TPE), which proposes what resembles the good more "
    "than the bad",
    "nsga2": "NSGA-II, which crosses candidates of the front",
    "every": "all that there are, one after the other",
}
MOST_DRAWN = 4000
"""Candidates that are drawn; of more the first, and those that got further deals."""
BARE = (
    "steps lost against the parent, all objectives weighed together: the search's own figure, "
    "without an interval. What counts was measured on fresh deals"
)


class Course:
    """Losses by candidate."""

    name = "course"
    title = "How it was found"

    def missing(self, outcome: Outcome) -> str | None:
        """Where nothing was looked at but the parent."""
        if len(outcome.candidates) > 1:
            return None
        return "No candidate was looked at but the parent."

    def compute(self, outcome: Outcome) -> Tables:
        """Tables ``course`` (steps lost by each candidate, and the least so far among those that
        fulfil all that must hold) and ``finalists`` (the same on fresh deals beside it). The
        search's losses have no error here; that of the winner stands in ``brings``."""
        best: float | None = None
        rows: list[dict[str, object]] = []
        for one in outcome.candidates:
            if one.fulfils and (best is None or one.loss < best):
                best = one.loss
            rows.append(_row(outcome, one) | {"best_loss": best})
        finalists = [
            _row(outcome, one)
            | {"fresh_loss": one.fresh_loss, "picked": one.number == outcome.judged_number}
            for one in outcome.candidates
            if one.fresh_loss is not None
        ]
        kept = [{key: row[key] for key in FINALISTS} for row in finalists]
        return {"course": frame(rows, COURSE), "finalists": frame(kept, FINALISTS)}

    def render(self, tables: Tables, outcome: Outcome) -> Answer:
        """Candidates by number, the best so far as stairs, the finalists as a table."""
        finalists = tables["finalists"]
        listings = [_listing(finalists)] if len(finalists) else []
        return Answer(
            _finding(tables["course"], outcome),
            (_drawn(tables["course"], finalists),),
            tuple(listings),
            (BARE,),
        )


def _row(outcome: Outcome, one: Candidate) -> dict[str, object]:
    return {
        "candidate": one.number,
        "settings": told(outcome, changed(outcome, one)),
        "fulfils": one.fulfils,
        "rounds": one.rounds,
        "loss": one.loss,
    }


def _drawn(table: pl.DataFrame, finalists: pl.DataFrame) -> Figure:
    further = pl.col("rounds") > 0
    shown = table.filter(further | (pl.int_range(pl.len()) < MOST_DRAWN))
    groups = [
        _group("candidates", drawing.BEHIND, shown.filter(~further), "loss"),
        _group("with further deals", drawing.FRONT, shown.filter(further), "loss"),
        _group("on fresh deals", drawing.WINNER, finalists, "fresh_loss"),
    ]
    stairs = table.drop_nulls("best_loss").filter(
        (pl.col("best_loss") != pl.col("best_loss").shift()).fill_null(value=True)
        | (pl.int_range(pl.len()) == pl.len() - 1)
    )
    picture = drawing.course(
        [one for one in groups if one.x],
        stairs.select("candidate", "best_loss").rows(),
        "steps lost against the parent (less is better)",
    )
    caption = (
        "Steps that each candidate loses against the parent, who stands at 0; below 0 it gains. "
        "The line is the best so far. Stars are finalists on fresh deals: where they stand higher "
        "than their own mark, the search had been lucky with them."
    )
    return Figure("course", picture, caption)


def _group(name: str, mark: drawing.Mark, table: pl.DataFrame, loss: str) -> drawing.Group:
    texts = [f"{n}, {what}" for n, what in table.select("candidate", "settings").iter_rows()]
    return drawing.Group(name, mark, list(table["candidate"]), list(table[loss]), texts)


def _listing(finalists: pl.DataFrame) -> Listing:
    rows = tuple(
        (
            f"{row['candidate']}{', parent' * (row['candidate'] == 0)}",
            row["settings"],
            number(row["loss"], 2, signed=True),
            number(row["fresh_loss"], 2, signed=True),
            "picked" if row["picked"] else "",
        )
        for row in finalists.sort("fresh_loss", "candidate").iter_rows(named=True)
    )
    heads = ("candidate", "what it changes", "steps lost in the search", "on fresh deals", "")
    return Listing(
        "Finalists on fresh deals, where one of them was picked", heads, rows, shown=True
    )


def _finding(table: pl.DataFrame, outcome: Outcome) -> str:
    search = outcome.file.search
    others = table.filter(pl.col("candidate") > 0)
    looked, further = len(others), len(others.filter(pl.col("rounds") > 0))
    told = f"{counted(looked, 'candidate')} beside the parent, proposed by {METHODS[search.method]}"
    told = told if search.method != "every" else f"{counted(looked, 'candidate')}, all there are"
    deals = (
        f"{counted(further, 'candidate')} that {'was' if further == 1 else 'were'} not surely "
        f"worse than the best got further deals."
    )
    best = table.filter(pl.col("fulfils")).sort("loss", "candidate")
    led = ""
    if len(best):
        row = best.row(0, named=True)
        led = (
            f" The best to the search was candidate {whole(row['candidate'])}, "
            f"{number(row['loss'], 2, signed=True)} steps."
        )
    return f"{told}. {deals}{led}\n{_ended(outcome)}\n{_how(outcome)}"


def _ended(outcome: Outcome) -> str:
    search = outcome.file.search
    if outcome.stopped == "spent":
        return f"It ended when the {whole(search.candidates)} candidates of the file were spent."
    if outcome.stopped == "patience":
        return (
            f"It ended when {whole(search.patience or 0)} candidates in a row had brought nothing "
            "that is surely better."
        )
    return "It ended when every candidate had been looked at."


def _how(outcome: Outcome) -> str:
    """Whether candidates were played."""
    if outcome.by == "rescoring":
        return (
            "No candidate had to be played for the search: play does not go by what may change, so "
            "the points of the parent's stored games were counted anew, exactly."
        )
    played = "Each candidate was played, by players who plan under its rules."
    if outcome.why_played is None:
        return played
    return f"{played} Why stored games could not tell: {outcome.why_played.rstrip('.')}."
