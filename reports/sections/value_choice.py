"""What does choosing well bring, and how good are simple ways of choosing?"""

import plotly.graph_objects as go
import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.estimate import Estimate, excludes, times
from pipeline.studies.analysis import Analysis
from pipeline.studies.ways import (
    ENTRANT,
    FLATTERED,
    ORDER,
    PROGRAM,
    PROPHET,
    SURPLUS,
    VALUE,
    WAYS,
    curves,
)
from reports.charts import MOST_SERIES, Series, lines
from reports.frames import estimates, flat, frame, schema
from reports.plain import in_words
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.studies import by, names_in, no_study, of, told, who
from reports.value import WAY_NAMES, analyses, shared
from reports.words import better, digits, figure, kinds, number, sign

KEYS: dict[str, type[pl.DataType]] = {"entrant": pl.String, "choosing": pl.String}


class ValueChoice:
    """Points of a dealership by way of choosing, on the same hands."""

    name = "value-choice"
    title = "What choosing well brings"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Studies of value only."""
        return no_study(run, variant, "value")

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``ways`` (``points`` of a declarer's deals together by way of choosing;
        ``over_order``: more than in any fixed order; ``behind``: less than
        the dynamic program) and ``curve``
        (``extra``: more than in any fixed order with so many contracts left, over all ways of
        leaving so many), in the document's sign.

        Every way chooses by one half of the worlds and is valued by the other, on the same
        hands, so differences have errors of their own. The unit of error is the block.
        """
        inside, found = sign(run.rules(variant)), analyses(run, variant)
        return {"ways": _ways(found, inside), "curve": _curve(found, inside)}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """The value of choice by contracts left, and the ways of choosing side by side."""
        ways, curve = tables["ways"], tables["curve"]
        names = names_in(ways)
        figures = [_by_way(of(curve, entrant=e), e, k, rules) for k, e in enumerate(names[:2])]
        if len(names) > 1:
            figures.append(_by_entrant(curve, names, rules))
        found = [*estimates(ways, "points"), *estimates(curve, "extra")]
        return Answer(
            told(names, lambda e: _finding(e, of(ways, entrant=e), rules)) + shared(rules),
            tuple(figures),
            (_ways_listing(ways, rules), in_words("Gain by contracts left", curve, rules)),
            kinds(found),
            _short(of(ways, entrant=names[0])) if names else "",
        )


def _short(ways: pl.DataFrame) -> str:
    """What choosing well is worth, for players."""
    more = by(ways, "over_order", "choosing").get((WAY_NAMES[PROGRAM],))
    if more is None or not excludes(more):
        return ""
    return (
        f"Choosing well is worth about {abs(more.value):.0f} points in all of a declarer's deals "
        "together, against playing his contracts in a fixed order."
    )


def _ways(found: list[Analysis], inside: int) -> pl.DataFrame:
    rows = []
    for one in found:
        base, best = one.totals[ORDER], one.totals[PROGRAM]
        for way in WAYS:
            if way not in one.totals:
                continue
            here = one.totals[way]
            rows.append(
                {"entrant": one.study.entrant, "choosing": WAY_NAMES[way]}
                | flat("points", times(here.estimate, inside))
                | flat("over_order", times(here.less(base).estimate, inside))
                | flat("behind", times(best.less(here).estimate, inside))
            )
    return frame(rows, schema(KEYS, "points", "over_order", "behind"))


def _curve(found: list[Analysis], inside: int) -> pl.DataFrame:
    rows = [
        {"entrant": one.study.entrant, "choosing": WAY_NAMES[way], "n_left": k}
        | flat("extra", times(gain.estimate, inside))
        for one in found
        for way, gains in curves(one.found).items()
        for k, gain in reversed(list(enumerate(gains, start=1)))
    ]
    return frame(rows, schema(KEYS | {"n_left": pl.Int64}, "extra"))


def _by_way(mine: pl.DataFrame, entrant: str, k: int, rules: Variant) -> Figure:
    gain = by(mine, "extra", "choosing", "n_left")
    lefts = sorted({left for _, left in gain}, key=lambda left: -int(str(left)))
    series = [
        Series(WAY_NAMES[way], [gain.get((WAY_NAMES[way], left)) for left in lefts])
        for way in (PROGRAM, SURPLUS, VALUE)
    ]
    caption = (
        f"{entrant}: points that choosing brings more than any fixed order in the deals to come, "
        f"by how many contracts are left ({better(rules)}). With one left there is no choice."
    )
    return Figure(f"value-curve-{k}", _drawn(lefts, series), caption)


def _by_entrant(curve: pl.DataFrame, names: list[str], rules: Variant) -> Figure:
    gain = by(of(curve, choosing=WAY_NAMES[PROGRAM]), "extra", "entrant", "n_left")
    lefts = sorted({left for _, left in gain}, key=lambda left: -int(str(left)))
    series = [Series(e, [gain.get((e, left)) for left in lefts]) for e in names[:MOST_SERIES]]
    caption = (
        "The same for each entrant's table, choices by the dynamic program: what choosing brings "
        f"depends on how the cards are played ({better(rules)})."
    )
    return Figure("value-curves", _drawn(lefts, series), caption)


def _drawn(lefts: list[object], series: list[Series]) -> go.Figure:
    return lines(
        [float(str(left)) for left in lefts],
        series,
        "contracts left",
        "points more than any fixed order",
    )


def _ways_listing(ways: pl.DataFrame, rules: Variant) -> Listing:
    plain = in_words(
        "Points of a declarer's deals together, by way of choosing; the prophet and the program "
        "that chooses and values by the same deals are too good to be true, nobody gets more",
        ways,
        rules,
    )
    heads = ("entrant", "way of choosing", "points", "more than any order", "program more", "hands")
    return Listing(plain.caption, heads, plain.rows, shown=True)


def _finding(entrant: str, ways: pl.DataFrame, rules: Variant) -> str:
    points, more = by(ways, "points", "choosing"), by(ways, "over_order", "choosing")
    short = by(ways, "behind", "choosing")
    best, order = points[WAY_NAMES[PROGRAM],], points[WAY_NAMES[ORDER],]
    p = digits([best])
    said = (
        f"{who(entrant)}, a declarer who spends his contracts in any fixed order gets "
        f"{figure(order, p)} points in all his deals together; who always spends the one that "
        f"this hand is best for, with a view to the deals to come, gets {figure(best, p)}."
    )
    now, surplus = points[WAY_NAMES[VALUE],], points[WAY_NAMES[SURPLUS],]
    gain, part = more[WAY_NAMES[PROGRAM],], more[WAY_NAMES[SURPLUS],]
    # Parts of a gain that may be none mean nothing.
    if excludes(gain) and sign(rules) * gain.value > 0:
        gives = f"{100 * part.value / gain.value:.0f} % of the gain"
    else:
        gives = number(surplus.value, p, True)
    said += (
        f" Taking what is best now gives {number(now.value, p, True)}; taking what is furthest "
        f"above its own average gives {gives}."
    )
    own = short.get((WAY_NAMES[ENTRANT],))
    if own is not None and own.se is not None:
        mine = figure(points[WAY_NAMES[ENTRANT],], p)
        if excludes(own) and sign(rules) * own.value > 0:
            left = number(abs(own.value), p)
            said += f" {entrant} itself leaves {left} points of that on the table ({mine})."
        else:
            said += f" {entrant} itself does as well, as far as can be told ({mine})."
    return said + _bracket(points, p)


def _bracket(points: dict[tuple[object, ...], Estimate], p: int) -> str:
    """How far the true value may be above what few deals of each hand find."""
    high = points.get((WAY_NAMES[FLATTERED],))
    if high is None:
        return ""
    return (
        " Who knew exactly what his hand is worth would do a little better, but not as well as "
        f"{number(high.value, p, True)}; not even a prophet who knows all hands to come does "
        f"better than {number(points[WAY_NAMES[PROPHET],].value, p, True)}."
    )
