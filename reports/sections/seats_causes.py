"""Why is a seat worth what it is: its place in the play, the choice of contract, side bets?"""

import polars as pl

from engine_ext.rules.spec import ChoiceSchedule, Variant
from pipeline.stats.estimate import Estimate, times
from pipeline.studies.seat_worth import Causes, causes
from reports.charts import Series, bars
from reports.frames import flat, frame, schema
from reports.plain import in_words, known
from reports.reading import Reading
from reports.section import Answer, Figure, Tables
from reports.studies import (
    MOST_DRAWN,
    all_of,
    by,
    names_in,
    no_study,
    of,
    studies,
    surely,
    told,
    who,
)
from reports.words import better, digits, figure, kinds, role_name, role_words, sign

CAUSES = {
    "lead": "place in the play",
    "choice": "choice of contract",
    "bets": "side bets",
    "whole": "all together",
}


class SeatsCauses:
    """Points of each role, taken apart into what makes them."""

    name = "seats-causes"
    title = "Why a seat is worth it"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Where nobody chooses, the place in the play is all there is."""
        if not isinstance(run.rules(variant).schedule, ChoiceSchedule):
            return "Nobody chooses a contract here, so the place in the play is all there is."
        return no_study(run, variant, "seats")

    def compute(self, run: Reading, variant: str) -> Tables:
        """Table ``causes``: points a deal above the mean in the document's sign. ``lead`` is
        with contracts imposed, as often each as it was chosen; ``choice`` is what the
        declarer's own choice of them adds; ``bets`` are side bets; together ``whole``.

        The unit of error is the block; all four are of the same blocks and add up exactly.
        """
        inside = sign(run.rules(variant))
        rows = [
            {"entrant": study.entrant, "role": cause.role} | _flat(cause, inside)
            for study in studies(run, variant)
            for cause in causes(study)
        ]
        keys = {"entrant": pl.String, "role": pl.Int64}
        return {"causes": frame(rows, schema(keys, *CAUSES))}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Bars of the causes for each role, a drawing for each entrant."""
        table = tables["causes"]
        names = names_in(table)
        return Answer(
            told(names, lambda e: _finding(e, of(table, entrant=e), rules), rules),
            tuple(
                _bars(of(table, entrant=e), e, k, rules) for k, e in enumerate(names[:MOST_DRAWN])
            ),
            (in_words("Points a deal above the mean, by role and cause", table, rules),),
            kinds(all_of(*(known(table, name) for name in CAUSES))),
        )


def _flat(cause: Causes, inside: int) -> dict[str, object]:
    row: dict[str, object] = {}
    for name in CAUSES:
        e: Estimate | None = getattr(cause, name)
        row |= {} if e is None else flat(name, times(e, inside))
    return row


def _bars(table: pl.DataFrame, entrant: str, k: int, rules: Variant) -> Figure:
    roles = table["role"].to_list()
    found = {name: by(table, name, "role") for name in CAUSES}
    series = [
        Series(words, [found[name].get((role,)) for role in roles])
        for name, words in CAUSES.items()
        if found[name]
    ]
    drawing = bars(
        [role_name(rules, role) for role in roles], series, f"points a deal ({better(rules)})"
    )
    caption = (
        f"{entrant}: points a deal of each role above the mean, and where they come from; "
        f"{better(rules)}. The same deals with contracts imposed, then chosen, then with bets. "
        "Each interval is for itself."
    )
    return Figure(f"seats-causes-{k}", drawing, caption)


def _finding(entrant: str, table: pl.DataFrame, rules: Variant) -> str:
    """Of the declarer, then who of the others is best off in the end."""
    found = {name: by(table, name, "role") for name in CAUSES}
    shown = {name: cells[0,] for name, cells in found.items() if (0,) in cells}
    p = digits(shown.values())
    parts = [
        f"{figure(shown[name], p)} by {words}"
        for name, words in (
            ("lead", "being first to play"),
            ("choice", "choosing the contract"),
            ("bets", "side bets"),
        )
        if name in shown
    ]
    better_off = {1: "surely gains", -1: "surely loses", 0: "neither surely gains nor loses"}
    verdict = better_off[surely(shown.get("whole"), rules)]
    others = [
        (sign(rules) * e.value, int(str(key[0])), e) for key, e in found["whole"].items() if key[0]
    ]
    text = (
        f"{who(entrant)}, a declarer {verdict} against the mean of the table: "
        f"{figure(shown['whole'], p)} points a deal, made of {', '.join(parts)}."
    )
    if others:
        _, role, e = max(others)
        text += f" Of the others the {role_words(rules, role)} does best, {figure(e, p)}."
    return text
