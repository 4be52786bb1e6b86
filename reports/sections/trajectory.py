"""How did the claim go while blocks came in, and where did its rule stop?"""

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline import stopping
from pipeline.figures import unit
from pipeline.seating import changes_company
from pipeline.stats import sequential
from pipeline.stats.estimate import Estimate, excludes, times
from pipeline.verdict import opponent
from reports.claims import Subject, estimate_of, is_seated, subject, test_of
from reports.frames import estimates, flat, frame, schema
from reports.paths import path, walk
from reports.prefixes import Piece, prefixes
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.sections.verdict import NOBODY
from reports.words import MINUS, better, counted, digits, interval, kinds, number, sign, whole

MOST_LINES = 20
"""Lines of the table; all points are in the files of the tables."""
BLOCKS = "blocks from the first on"


class Trajectory:
    """The claim over every prefix of the blocks."""

    name = "trajectory"
    title = "How it went, block by block"

    def missing(self, run: Reading, variant: str) -> str | None:
        """It takes totals of blocks."""
        if not run.blocks(variant):
            return "No whole block of this variant was played."
        if run.pieces(variant) is None:
            return "The run keeps no totals of its blocks: a version before them played it."
        return None if is_seated(run, variant) else NOBODY

    def compute(self, run: Reading, variant: str) -> Tables:
        """Table ``trajectory``: the claim over the blocks from the first on, at up to some 200
        points, in the document's sign, with its band; the log likelihood ratio and its bounds
        where a sequential test was declared.

        The unit of error is the block. The band holds at every moment: all of it at once, with
        what the run's verdict may miss.
        """
        parts = run.pieces(variant)
        assert parts is not None, "asked without totals"
        rules, about, test = run.rules(variant), subject(run, variant), test_of(run)
        points = [
            row
            for piece in prefixes(parts)
            if (row := _point(run, about, test, piece, rules)) is not None
        ]
        columns = schema({"entrant": pl.String, "blocks": pl.Int64}, "difference")
        columns.update(RULE)
        low, high = (None, None) if test is None else sequential.bounds(test)
        stop, names = run.config.stop, run.entrants()
        rule: dict[str, object] = {
            "compared": opponent(
                run.config, None if about.against is None else names[about.against]
            ),
            "look": None if stop is None else stop.look,
            "lower": low,
            "upper": high,
            "final": run.facts.complete,
            "new_company": changes_company(run.config),
        }
        one = {"entrant": names[about.entrant]}
        return {"trajectory": frame([one | row | rule for row in points], columns)}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """The estimate in its band; the test's statistic between its bounds."""
        table = tables["trajectory"]
        rule = table.row(0, named=True)
        found, at = estimates(table, "difference"), table["blocks"].to_list()
        line = f"{rule['entrant']} less {rule['compared']}"
        drawn = path(at, found, BLOCKS, f"points a game ({better(rules)})")
        caption = (
            f"Points a game of {line} over the {BLOCKS}; {better(rules)}. The band holds the true "
            "figure at every moment at once, so one may look whenever one likes; early on it is "
            "wider than the drawing."
        )
        if rule["new_company"]:
            caption += (
                " It takes each block for itself; the verdict knows who met whom by then, and is "
                "narrower."
            )
        figures = [Figure(self.name, drawn, caption)]
        if rule["lower"] is not None:
            figures += _llr(table, rule)
        return Answer(
            _finding(found, at, rule), tuple(figures), (_listing(table, found),), kinds(found)
        )


RULE: dict[str, pl.DataType] = {
    "llr": pl.Float64(),
    "compared": pl.String(),
    "look": pl.Int64(),
    "lower": pl.Float64(),
    "upper": pl.Float64(),
    "final": pl.Boolean(),
    "new_company": pl.Boolean(),
}


def _point(
    run: Reading, about: Subject, test: sequential.Sprt | None, piece: Piece, rules: Variant
) -> dict[str, object] | None:
    """A point of the curve; None while an entrant of the claim has not played yet."""
    joint = about.joint(run, piece)
    if 0 in joint.n:
        return None
    point = unit(run.config, rules.seats)
    e = estimate_of(run, about, joint, point, always=True)
    llr = None if test is None else sequential.llr(stopping.seen(joint, point), test)
    return {"blocks": piece.end} | flat("difference", times(e, sign(rules))) | {"llr": llr}


def _llr(table: pl.DataFrame, rule: dict[str, object]) -> list[Figure]:
    told = table.filter(pl.col("llr").is_not_null())
    if told.is_empty():
        return []
    low, high = rule["lower"], rule["upper"]
    assert isinstance(low, float)
    assert isinstance(high, float)
    drawn = walk(
        told["blocks"].to_list(),
        told["llr"].to_list(),
        BLOCKS,
        "log likelihood ratio",
        [(low, "not better"), (high, "better")],
    )
    caption = (
        "The test's log likelihood ratio. It stops with the verdict better at a look at which it "
        f"is at {high:.2f} or above, not better at {MINUS}{abs(low):.2f} or below."
    )
    return [Figure("llr", drawn, caption)]


def _finding(found: list[Estimate], at: list[int], rule: dict[str, object]) -> str:
    last, p = found[-1], digits(found[-1:])
    value = f"{number(last.value, p, signed=True)} ({interval(last, p, signed=True)})"
    lead = f"After {counted(at[-1], 'block')} {rule['entrant']} less {rule['compared']} is {value}"
    sure = next(
        (
            at[i]
            for i in range(len(found))
            if all(excludes(e) for e in found[i:]) and found[i].low is not None
        ),
        None,
    )
    if last.kind == "identical":
        return f"{lead}: the same in every block."
    if sure is None:
        since = "the band has 0 in it"
    else:
        since = f"the band has been on one side of 0 since {counted(sure, 'block')}"
    looks = ""
    if isinstance(rule["look"], int):
        looks = f" There were {counted(at[-1] // rule['look'], 'look')} so far."
        if rule["final"]:
            looks = f" It ended at look {at[-1] // rule['look']}."
    return f"{lead}; {since}.{looks}"


def _listing(table: pl.DataFrame, found: list[Estimate]) -> Listing:
    """Some of the points, the last among them."""
    step = -(-len(found) // MOST_LINES)
    chosen = [i for i in range(len(found)) if (len(found) - 1 - i) % step == 0]
    p = digits([found[i] for i in chosen])
    with_llr = table["llr"].is_not_null().any()
    rows = []
    for i in chosen:
        llr = table["llr"][i]
        told = "" if llr is None else f"{llr:.2f}".replace("-", MINUS)
        rows.append(
            (
                whole(table["blocks"][i]),
                number(found[i].value, p, signed=True),
                interval(found[i], p, signed=True),
                *([told] if with_llr else []),
            )
        )
    columns = ("blocks", "points a game", "band", *(["log likelihood ratio"] * with_llr))
    return Listing("The claim as blocks came in", tuple(columns), tuple(rows))
