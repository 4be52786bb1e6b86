"""How well does the entrant choose?"""

import numpy as np
import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.blocks import mean, per_block
from pipeline.stats.estimate import excludes
from pipeline.stats.regret import BLUNDER, CLASSES, INACCURACY, MISTAKE
from pipeline.studies.analysis import Analysis
from pipeline.studies.ways import Judged, classes, judged, mean_lost
from reports.charts import MOST_SERIES, Series, dots, lines
from reports.frames import estimates, flat, frame, schema
from reports.plain import in_words
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.studies import by, names_in, no_study, of, told
from reports.value import analyses
from reports.words import digits, figure, kinds, number, percent, title

KEYS: dict[str, type[pl.DataType]] = {"entrant": pl.String}
WHAT = {
    "all": "all choices",
    "naming": "of it, trump suit or start rank alone",
    "hindsight": "hindsight: the best that these very cards allowed",
}


class ValueRegret:
    """Points that an entrant's choices lose, before the others' cards are known."""

    name = "value-regret"
    title = "How well the entrant chooses"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Studies of value in which somebody chose."""
        why = no_study(run, variant, "value")
        if why is None and all(judged(one.found) is None for one in analyses(run, variant)):
            return "No choice of the entrants is known."
        return why

    def compute(self, run: Reading, variant: str) -> Tables:
        """Points lost against the dynamic program, never signed: ``lost`` a dealership, ``left``
        and ``contract`` a choice, by contracts left and by the one chosen; ``classes``, the
        ``share`` of choices by how much they lose.

        The best is found by one half of the worlds and valued by the other. The unit of error
        is the block.
        """
        found = [(one, judged(one.found)) for one in analyses(run, variant)]
        known = [(one, lost) for one, lost in found if lost is not None]
        return {
            "lost": _lost(known),
            "classes": _classes(known),
            "left": _by_left(known),
            "contract": _by_contract(known),
        }

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Loss by contracts left and by contract; how many choices are mistakes."""
        lost, sizes = tables["lost"], tables["classes"]
        names = names_in(lost)
        figures = (_left_figure(tables["left"], names), _contract_figure(tables, names, rules))
        shown = [*estimates(lost, "lost"), *estimates(sizes, "share")]
        return Answer(
            told(names, lambda e: _finding(e, of(lost, entrant=e), of(sizes, entrant=e))),
            figures,
            (
                _listing(lost, rules),
                in_words("Choices by how much they lose", sizes, rules),
                in_words("Points lost a choice, by contracts left", tables["left"], rules),
                in_words("Points lost a choice, by the contract chosen", tables["contract"], rules),
            ),
            kinds(shown),
        )


Known = list[tuple[Analysis, Judged]]


def _lost(known: Known) -> pl.DataFrame:
    rows = []
    for one, lost in known:
        whole = np.unique(lost.blocks)
        for what, points in (
            ("all", lost.points),
            ("naming", lost.naming),
            ("hindsight", lost.hindsight),
        ):
            total = per_block(points, lost.blocks, one.worth.n_blocks)[whole]
            rows.append(
                {"entrant": one.study.entrant, "what": WHAT[what]}
                | flat("lost", mean(total, len(points), contrast=True))
            )
    return frame(rows, schema(KEYS | {"what": pl.String}, "lost"))


def _classes(known: Known) -> pl.DataFrame:
    rows = [
        {"entrant": one.study.entrant, "size": size} | flat("share", e)
        for one, lost in known
        for size, e in zip(CLASSES, classes(lost, one.worth.n_blocks), strict=True)
    ]
    return frame(rows, schema(KEYS | {"size": pl.String}, "share"))


def _by_left(known: Known) -> pl.DataFrame:
    rows = []
    for one, lost in known:
        for left in sorted(set(lost.n_left.tolist()), reverse=True):
            e = mean_lost(lost, lost.n_left == left, one.worth.n_blocks)
            rows.append({"entrant": one.study.entrant, "n_left": left} | flat("lost", e))
    return frame(rows, schema(KEYS | {"n_left": pl.Int64}, "lost"))


def _by_contract(known: Known) -> pl.DataFrame:
    rows = []
    for one, lost in known:
        for c, contract in enumerate(one.worth.contracts):
            # The last contract left is no choice.
            mine = (lost.contract == c) & (lost.n_left > 1)
            if mine.any():
                e = mean_lost(lost, mine, one.worth.n_blocks)
                rows.append({"entrant": one.study.entrant, "contract": contract} | flat("lost", e))
    return frame(rows, schema(KEYS | {"contract": pl.String}, "lost"))


def _left_figure(left: pl.DataFrame, names: list[str]) -> Figure:
    points = by(left, "lost", "entrant", "n_left")
    lefts = sorted({int(str(k)) for _, k in points}, reverse=True)
    series = [Series(e, [points.get((e, k)) for k in lefts]) for e in names[:MOST_SERIES]]
    drawing = lines([float(k) for k in lefts], series, "contracts left", "points lost a choice")
    caption = (
        "Points that a choice loses on average against the dynamic program, by how many contracts "
        "were left; with one left, what naming its trump suit or start rank loses."
    )
    return Figure("value-regret-left", drawing, caption)


def _contract_figure(tables: Tables, names: list[str], rules: Variant) -> Figure:
    points = by(tables["contract"], "lost", "entrant", "contract")
    contracts = names_in(tables["contract"], "contract")
    series = [Series(e, [points.get((e, c)) for c in contracts]) for e in names[:MOST_SERIES]]
    drawing = dots([title(rules, c) for c in contracts], series, "points lost a choice")
    caption = "The same by the contract that was chosen, while there was a choice."
    return Figure("value-regret-contract", drawing, caption)


def _listing(lost: pl.DataFrame, rules: Variant) -> Listing:
    plain = in_words(
        "Points lost a dealership. Hindsight counts luck as mistakes: it knows every card, so it "
        "is no measure of choosing",
        lost,
        rules,
    )
    return Listing(plain.caption, ("entrant", "what", "points", "choices"), plain.rows, shown=True)


def _finding(entrant: str, lost: pl.DataFrame, sizes: pl.DataFrame) -> str:
    points = by(lost, "lost", "what")
    whole, naming = points[WHAT["all"],], points[WHAT["naming"],]
    shares = by(sizes, "share", "size")
    p = digits([whole])
    if not excludes(whole) or whole.value <= 0:
        return (
            f"By its choices {entrant} loses nothing that can be seen, {figure(whole, p)} points."
        )
    said = (
        f"By its choices {entrant} loses {figure(whole, p, signed=False)} points a dealership"
        + f", of which {number(naming.value, p)} by the trump suit or start rank that it names"
        * (naming.kind != "identical")
        + ". "
    )
    wrong = sum(shares[size,].value for size in CLASSES[1:])
    if not wrong:
        return said + "No single choice of it is surely wrong: luck may explain what each loses."
    return said + (
        f"{percent(wrong)} of its choices are surely wrong: {percent(shares['blunder',].value)} "
        f"lose {BLUNDER} standard deviations of the contract's points or more (a blunder), "
        f"{percent(shares['mistake',].value)} at least {MISTAKE} (a mistake), "
        f"{percent(shares['inaccuracy',].value)} at least {INACCURACY} (an inaccuracy). The others "
        "are fine, or luck may explain what they lose."
    )
