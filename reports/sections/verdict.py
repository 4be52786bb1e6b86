"""What was the run to decide, and what came out?"""

import math

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats import power, sequential
from pipeline.stats.estimate import Estimate, p_value, times
from pipeline.verdict import opponent
from reports.charts import Series, dots
from reports.claims import Verdict as Found
from reports.claims import test_of, verdict
from reports.frames import estimates, flat, frame, schema
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.verdict_words import Row, ending, field, finding
from reports.words import (
    MINUS,
    better,
    counted,
    digits,
    interval,
    kinds,
    number,
    sign,
    whole,
)

POWER = 0.9
"""With which the forecast of a fixed number of blocks is to tell."""
NOBODY = "Those whom the claim is about sit at no table."
COLUMNS: dict[str, pl.DataType] = {
    "decision": pl.String(),
    "race": pl.Boolean(),
    "final": pl.Boolean(),
    "declared": pl.Boolean(),
    "compared": pl.String(),
    "field": pl.String(),
    "design": pl.String(),
    "ending": pl.String(),
    "games": pl.Int64(),
    "cap": pl.Int64(),
    "alpha": pl.Float64(),
    "equal": pl.Float64(),
    "p": pl.Float64(),
    "llr": pl.Float64(),
    "lower": pl.Float64(),
    "upper": pl.Float64(),
    "attempt": pl.Int64(),
    "halve": pl.Int64(),
    "settle": pl.Int64(),
}


class Verdict:
    """The claim, its estimate and the decision."""

    name = "verdict"
    title = "Verdict"

    def missing(self, run: Reading, variant: str) -> str | None:
        """It takes a whole block, and who the claim is about must sit somewhere."""
        if not run.blocks(variant):
            return "No whole block of this variant was played."
        return None if verdict(run, variant) else NOBODY

    def compute(self, run: Reading, variant: str) -> Tables:
        """Table ``verdict`` with one row: points a game of the claim's entrant less those of whom
        it is compared with (empty: the mean of its tables, in ``candidates`` the field on the
        same cards), in the document's sign.

        The unit of error is the block. The interval is a t one where blocks were fixed before
        and all of them played, else one that holds at every moment.
        """
        found = verdict(run, variant)
        assert found is not None, "there is no verdict without a block"
        rules, config, names = run.rules(variant), run.config, run.entrants()
        entrant, against, _ = found.subject
        other = "" if against is None else names[against]
        e, test, claim = found.estimate, test_of(run), config.claim
        low, high = (None, None) if test is None else sequential.bounds(test)
        halve, settle = _forecast(run, found)
        row: dict[str, object] = {"entrant": names[entrant], "other": other}
        row |= flat("difference", times(e, sign(rules)))
        row |= {
            "decision": found.decision,
            "race": found.race,
            "final": run.facts.complete,
            "declared": config.claim is not None or config.stop is not None,
            "compared": opponent(config, other or None),
            "field": field(config),
            "design": f"{config.design}, {config.streams} streams",
            "ending": ending(config, len(config.variants)),
            "games": run.games(variant),
            "cap": config.blocks,
            "alpha": found.alpha,
            "equal": None if claim is None else claim.equal,
            "p": p_value(e) if e.kind == "t" else None,
            "llr": found.llr,
            "lower": low,
            "upper": high,
            "attempt": found.attempt,
            "halve": halve,
            "settle": settle,
        }
        keys = {"entrant": pl.String, "other": pl.String}
        columns = schema(keys, "difference")
        columns.update(COLUMNS)
        return {"verdict": frame([row], columns)}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """The decision with its interval, and all that it rests on."""
        table = tables["verdict"]
        row, e = table.row(0, named=True), estimates(table, "difference")[0]
        line = f"{row['entrant']} less {row['compared']}"
        drawing = dots([line], [Series("claim", [e])], f"points a game ({better(rules)})")
        edges = [0.0] if row["equal"] is None else [-row["equal"], row["equal"]]
        ends = [x for x in (e.low, e.high, e.value, *edges) if x is not None]
        room = 0.05 * (max(ends) - min(ends)) or 1.0
        drawing.update_xaxes(range=[min(0.0, *ends) - room, max(0.0, *ends) + room])
        caption = f"Points a game of {line}; {better(rules)}."
        if row["equal"] is not None:
            for edge in edges:
                drawing.add_vline(x=edge, line={"color": "#8a9199", "dash": "dash", "width": 1.5})
            caption += f" Between the dashes a difference is of no account ({row['equal']:g})."
        return Answer(
            finding(row, e, rules),
            (Figure(self.name, drawing, caption),),
            (_listing(row, e),),
            _kinds(row, e),
        )


def _forecast(run: Reading, found: Found) -> tuple[int | None, int | None]:
    """Blocks in all for half the interval, and to settle what is open if the difference is what
    it seems; None where blocks do not tell."""
    e, claim = found.estimate, run.config.claim
    if not e.se:
        return None, None
    sigma, equal = e.se * math.sqrt(e.blocks), None if claim is None else claim.equal
    # What ends a race is how far the next one is behind, which the claim does not say.
    race = run.config.stop is not None and run.config.stop.rule == "race"
    if found.decision != "open" or race:
        return 4 * e.blocks, None
    test = test_of(run)
    if test is not None:
        return 4 * e.blocks, math.ceil(max(power.sprt_blocks(test, sigma, _look(run))))
    goals = [abs(e.value)] if e.value else []
    if equal is not None and abs(e.value) < equal:
        goals.append(equal - abs(e.value))
    if not goals:
        return 4 * e.blocks, None
    if run.watched:
        each, confidence = found.subject.figures, 1 - found.alpha
        return 4 * e.blocks, power.anytime_blocks(
            max(goals), sigma, figures=each, confidence=confidence
        )
    return 4 * e.blocks, power.t_blocks(max(goals), sigma, POWER, 1 - found.alpha)


def _look(run: Reading) -> int:
    assert run.config.stop is not None, "only a run with a rule looks"
    return run.config.stop.look


def _listing(row: Row, e: Estimate) -> Listing:
    """Everything that the verdict rests on."""
    p = digits([e])
    points = "points a game"
    facts: list[tuple[str, str | None]] = [
        ("claim", f"{row['entrant']} less {row['compared']}"),
        ("decision", row["decision"] if row["final"] else f"so far {row['decision']}"),
        ("measured in", f"{points}, on the same deals in all seatings"),
        ("field", row["field"]),
        ("design", row["design"]),
        ("was to end", row["ending"]),
        ("played", f"{counted(e.blocks, 'block')}, {counted(row['games'], 'game')}"),
        ("estimate", f"{number(e.value, p, signed=True)} {points}"),
        (
            f"interval, {100 * (1 - row['alpha']):.4g} %",
            None if e.low is None else f"{interval(e, p, signed=True)} {points}",
        ),
        ("standard error", None if e.se is None else f"{number(e.se, p + 1)} {points}"),
        ("p", _p(row["p"])),
        ("log likelihood ratio", _llr(row)),
        ("of no account", None if row["equal"] is None else f"within {row['equal']:g} {points}"),
        (
            "attempt at this question",
            "the first" if row["attempt"] == 1 else f"no. {row['attempt']}",
        ),
        ("for half the interval", _count(row["halve"])),
        ("to decide it", _count(row["settle"])),
    ]
    rows = tuple((name, value) for name, value in facts if value is not None)
    heads = ("", "what was declared, and what came out")
    return Listing("What the verdict rests on", heads, rows, shown=True)


def _kinds(row: Row, e: Estimate) -> tuple[str, ...]:
    told = kinds([e])
    alpha = row["alpha"]
    if abs(alpha - 0.05) > 1e-12:
        return (*told, f"here {100 * (1 - alpha):.4g} %: variants share the run's error equally")
    return told


def _p(p: float | None) -> str | None:
    if p is None:
        return None
    return "p below 0.0001" if p < 1e-4 else f"p = {p:.4f}"


def _llr(row: Row) -> str | None:
    if row["llr"] is None:
        return None
    low, high = (f"{row[name]:.2f}".replace("-", MINUS) for name in ("lower", "upper"))
    return f"{row['llr']:.2f}".replace("-", MINUS) + f" (ends at {low} or {high})"


def _count(value: int | None) -> str | None:
    return None if value is None else f"{whole(value)} blocks in all"
