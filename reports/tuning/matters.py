"""Which knobs matter: how far each moves the objectives, and which were left out of the search."""

from collections.abc import Iterable

import polars as pl

from pipeline.stats.estimate import Estimate
from pipeline.tuning.outcome import Outcome
from reports.charts import MOST_SERIES, Series, dots
from reports.frames import frame
from reports.section import Answer, Figure, Listing, Tables
from reports.tuning.wording import Aimed, aims
from reports.words import counted, listed, number

SENSED = pl.Schema(
    {
        "knob": pl.Int64,
        "knob_title": pl.String,
        "objective": pl.String,
        "step": pl.Float64,
        "frozen": pl.Boolean,
        "mu_star": pl.Float64,
        "mu_star_conf": pl.Float64,
        "sigma": pl.Float64,
        "first": pl.Float64,
        "first_conf": pl.Float64,
        "total": pl.Float64,
        "total_conf": pl.Float64,
    }
)
MOST_LINES = 20
"""Knobs in a drawing; of more those that move most."""
MOST_SHARES = 4
"""Objectives whose shares are drawn; of more the first."""
MORRIS = (
    "Morris: from points all over, one knob at a time is moved; the mean size of what that "
    "changes, reckoned for the knob's whole range, with a 95 % bootstrap interval"
)
SOBOL = (
    "Sobol: the share of an objective's ups and downs over all settings that a knob makes by "
    "itself, and with all that it does together with others, with 95 % bootstrap intervals"
)


class Matters:
    """Morris' screening and Sobol's shares."""

    name = "matters"
    title = "Which knobs matter"

    def missing(self, outcome: Outcome) -> str | None:
        """Where the file asks for no sensitivity."""
        return None if outcome.sensed else "The tuning file asks for no sensitivity."

    def compute(self, outcome: Outcome) -> Tables:
        """Table ``sensed``: a row for each knob and objective. ``mu_star`` and ``sigma`` in the
        objective's unit, ``first`` and ``total`` as shares of its variance; null where not
        asked for. Errors are half widths of 95 % intervals over resampled trajectories."""
        wanted = aims(outcome)
        rows: list[dict[str, object]] = [
            one.model_dump()
            | {
                "knob_title": outcome.settings[one.knob].title,
                "frozen": outcome.settings[one.knob].frozen,
                "step": wanted[one.objective].step,
            }
            for one in outcome.sensed
        ]
        return {"sensed": frame(rows, SENSED)}

    def render(self, tables: Tables, outcome: Outcome) -> Answer:
        """Effects in steps as dots, shares as dots, all of it as a table."""
        table, wanted = tables["sensed"], aims(outcome)
        screened, shared = table.drop_nulls("mu_star"), table.drop_nulls("total")
        figures = [_moves(screened, wanted)] if len(screened) else []
        asked = list(dict.fromkeys(shared["objective"]))
        figures += [
            _shares(shared.filter(objective=name), wanted[name], k)
            for k, name in enumerate(asked[:MOST_SHARES])
        ]
        kinds = [MORRIS] * bool(len(screened)) + [SOBOL] * bool(len(shared))
        frozen = [one.title for one in outcome.settings if one.frozen]
        return Answer(
            _finding(table, wanted, frozen),
            tuple(figures),
            (_listing(table, wanted),),
            tuple(kinds),
        )


def _half(value: float, half: float | None, per: float = 1.0) -> Estimate:
    """A figure with its half width, for drawings."""
    low, high = (None, None) if half is None else ((value - half) / per, (value + half) / per)
    return Estimate(value / per, None, low, high, 0, 0, 1.0, "none")


def _order(table: pl.DataFrame, by: pl.Expr) -> dict[int, str]:
    """Knobs and their titles, those that move an objective most first."""
    most = table.group_by("knob", "knob_title").agg(by.max().alias("most"))
    ordered = most.sort(["most", "knob"], descending=[True, False]).head(MOST_LINES)
    return dict(ordered.select("knob", "knob_title").iter_rows())


def _moves(table: pl.DataFrame, wanted: dict[str, Aimed]) -> Figure:
    """How far each knob moves the objectives."""
    knobs = _order(table, pl.col("mu_star") / pl.col("step"))
    names = [name for name in wanted if name in set(table["objective"])][:MOST_SERIES]
    cells = {
        (row["knob"], row["objective"]): _half(row["mu_star"], row["mu_star_conf"], row["step"])
        for row in table.iter_rows(named=True)
    }
    series = [Series(wanted[name].title, [cells.get((k, name)) for k in knobs]) for name in names]
    drawing = dots(list(knobs.values()), series, "moves the objective by so many steps")
    caption = (
        "How far each knob moves the objectives over all that it may be, in steps that one would "
        "care about. A knob at 0 does nothing."
    )
    return Figure("moves", drawing, caption)


def _shares(table: pl.DataFrame, aim: Aimed, k: int) -> Figure:
    """What each knob has of one objective's ups and downs."""
    knobs = _order(table, pl.col("total"))
    rows = {row["knob"]: row for row in table.iter_rows(named=True)}
    series = [
        Series(name, [_half(rows[at][key], rows[at][f"{key}_conf"]) for at in knobs])
        for name, key in (("by itself", "first"), ("with others", "total"))
    ]
    drawing = dots(
        list(knobs.values()), series, f"% of the ups and downs of {aim.title}", per_cent=True
    )
    caption = (
        f"{aim.title}: which knobs its ups and downs over all settings come from. Where the second "
        "mark lies far from the first, the knob works together with others."
    )
    return Figure(f"shares-{k}", drawing, caption)


def _listing(table: pl.DataFrame, wanted: dict[str, Aimed]) -> Listing:
    rows = tuple(
        (
            row["knob_title"],
            wanted[row["objective"]].title,
            _told(row["mu_star"], row["mu_star_conf"]),
            _told(row["sigma"], None),
            _told(row["first"], row["first_conf"]),
            _told(row["total"], row["total_conf"]),
            "yes" if row["frozen"] else "no",
        )
        for row in table.iter_rows(named=True)
    )
    heads = (
        "knob", "objective", "moves it by", "uneven by", "share by itself", "share with others",
        "left out of the search",
    )  # fmt: skip
    return Listing("What each knob does to each objective", heads, rows)


def _told(value: float | None, half: float | None) -> str:
    if value is None:
        return ""
    return f"{number(value, 3)}" + ("" if half is None else f" \N{PLUS-MINUS SIGN} {half:.3f}")


def _finding(table: pl.DataFrame, wanted: dict[str, Aimed], frozen: Iterable[str]) -> str:
    """The knob that matters most for each objective, and those that were left out."""
    lines = []
    for name, aim in wanted.items():
        mine = table.filter(objective=name)
        if mine["mu_star"].count():
            row = mine.sort("mu_star", descending=True, nulls_last=True).row(0, named=True)
            what = f"{number(row['mu_star'] / aim.step, 1)} steps over its range"
        elif mine["total"].count():
            row = mine.sort("total", descending=True, nulls_last=True).row(0, named=True)
            what = f"{number(100 * row['total'], 0)} % of its ups and downs, with others"
        else:
            continue
        lines.append(f"{aim.title} hangs most on {row['knob_title']} ({what}).")
    out = list(frozen)
    if out:
        lines.append(
            f"{counted(len(out), 'knob')} {'moves' if len(out) == 1 else 'move'} no objective and "
            f"kept the parent's setting in the search: {listed(out)}."
        )
    else:
        lines.append("No knob was left out of the search.")
    return "\n".join(lines)
