"""Verdicts in words: every decision, attempts, what is still open, and the document's sign."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from engine_ext.rules.load import load_variant
from pipeline.claim import Claim, Stop
from pipeline.config import RunConfig
from pipeline.stats.estimate import Estimate
from reports.frames import flat, frame, schema
from reports.reading import opened
from reports.section import Answer
from reports.sections.design import Design
from reports.sections.pairs import Pairs
from reports.sections.trajectory import Trajectory
from reports.sections.verdict import COLUMNS, Verdict
from reports.verdict_words import ending, field
from tests.unit.invented import config, write

RULES = load_variant("barbu_52_doubling")
E = Estimate(2.0, 0.5, 1.0, 3.0, 400, 100, 99.0, "t")
ROW: dict[str, Any] = {
    "decision": "better",
    "race": False,
    "final": True,
    "declared": True,
    "compared": "bert",
    "field": "anna in one seat, in all others bert",
    "design": "gauntlet, common streams",
    "ending": "after 100 blocks, fixed beforehand",
    "games": 400,
    "cap": 100,
    "alpha": 0.05,
    "attempt": 1,
    "halve": 400,
}


def told(e: Estimate = E, **changes: Any) -> Answer:
    """What the section says of such a row."""
    columns = schema({"entrant": pl.String, "other": pl.String}, "difference")
    columns.update(COLUMNS)
    row = {"entrant": "anna", "other": "bert"} | flat("difference", e) | ROW | changes
    return Verdict().render({"verdict": frame([row], columns)}, RULES)


@pytest.mark.parametrize(
    ("decision", "says"),
    [
        ("better", "anna is better than bert: +2.0 (+1.0 to +3.0) points a game on 100 blocks."),
        ("worse", "anna is worse than bert: "),
        ("not better", "anna is not better than bert: "),
        ("equal", "anna is as good as bert: "),
        ("identical", "anna plays exactly as bert: "),
        ("open", "anna is neither surely better nor surely worse than bert: "),
    ],
)
def test_every_decision_has_its_words(decision: str, says: str) -> None:
    assert told(decision=decision).finding.startswith(says)


@pytest.mark.parametrize(
    ("decision", "says"),
    [
        ("best", "anna is the best of the candidates; against bert: +2.0 (+1.0 to +3.0)"),
        ("identical", "anna leads with others who play exactly alike; against bert: +2.0"),
        ("open", "anna leads, but others may be as good; against bert: +2.0"),
    ],
)
def test_a_race_is_about_all_candidates(decision: str, says: str) -> None:
    """Not about whom the figure of the one who leads is less."""
    assert told(decision=decision, race=True).finding.startswith(says)


def test_what_was_not_declared_is_exploration() -> None:
    assert "No claim was declared" not in told().finding
    said = told(declared=False, compared="the field on the same cards").finding
    assert "No claim was declared, so this is anna, the first" in said
    assert "against the field on the same cards." in said
    assert "the rest of the page is exploration" in told().finding


def test_attempts_are_counted_against_it() -> None:
    assert "attempt" not in told().finding
    said = told(attempt=4).finding
    assert "This is attempt 4 at this question." in said
    assert "one of all 4 with up to 0.2" in said


def test_what_is_open_says_what_it_would_take() -> None:
    said = told(decision="open", settle=900).finding
    assert "about 900 blocks in all would decide it; 400 blocks in all would make the" in said
    assert "blocks in all" not in told().finding


def test_without_an_end_there_is_no_verdict() -> None:
    said = told(final=False).finding
    assert said.startswith("No verdict yet: the run is not finished. So far +2.0")
    assert "and anna is better than bert whatever is still to come" in said
    assert "whatever" not in told(final=False, decision="open").finding


def test_a_share_of_the_error_is_named() -> None:
    answer = told(alpha=0.0125)
    assert answer.kinds[-1].startswith("here 98.75 %")
    assert "interval, 98.75 %" in [name for name, _ in answer.listings[0].rows]


@pytest.mark.parametrize("name", ["barbu_52_doubling", "barbu_king_br"])
def test_who_has_more_is_better_whatever_the_document_counts(tmp_path: Path, name: str) -> None:
    """``lift`` is added to inside points; in a lowest-wins document it is printed as less."""
    write(tmp_path, config((name,), blocks=30), lift=60)
    with opened(tmp_path) as reading:
        lowest = reading.rules(name).objective == "lowest"
        assert lowest == (name == "barbu_king_br")
        verdict = Verdict().compute(reading, name)["verdict"].row(0, named=True)
        last = Trajectory().compute(reading, name)["trajectory"].row(-1, named=True)
        first = Pairs().compute(reading, name)["pairs"].row(0, named=True)
        shown = Pairs().render(Pairs().compute(reading, name), reading.rules(name))
    assert verdict["decision"] == "better"
    for row in (verdict, last, first):
        assert (row["difference_value"] < 0) == lowest
        assert (row["difference_high"] < 0) == lowest
    (drawn,) = shown.figures[0].drawing.data
    assert drawn.reversescale == lowest  # blue for the better either way


@pytest.mark.parametrize(
    ("stop", "says"),
    [
        (None, "after 12 blocks, fixed beforehand"),
        (Stop(rule="decided"), "once the interval tells, looked at every 64 blocks, at most 12"),
        (Stop(rule="width", width=0.5), "once the interval is 0.5 to either side"),
        (
            Stop(rule="sprt", delta0=-1, delta1=2),
            "by a sequential test of \N{MINUS SIGN}1 against 2 p",
        ),
        (Stop(rule="sprt", delta1=0.2, unit="sigma"), "0.2 standard deviations of a block"),
        (Stop(rule="race"), "by a race: who is surely not the best is dropped"),
    ],
)
def test_how_a_run_was_to_end(stop: Stop | None, says: str) -> None:
    one = config(("barbu_king_br",)).model_copy(update={"stop": stop})
    assert says in ending(one, 1)


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"design": "gauntlet"}, "a in one seat, in all others b, c, d or e"),
        ({"design": "gauntlet", "invasions": "both"}, "and each of these in one seat"),
        (
            {"design": "mix", "heads": (1, 2)},
            "a in 1 or 2 of the seats, in the others b, c, d and e",
        ),
        ({"design": "round_robin"}, "5 entrants at tables of ever new company"),
        ({"design": "candidates", "field": ("b",)}, "b in all other seats"),
        ({"design": "candidates", "field": ("b", "c", "d")}, "b, c and d, a seat each"),
        (
            {"design": "lineups", "lineups": (("a", "b", "c", "d"),)},
            "the 1 line-up of the run file",
        ),
    ],
)
def test_whom_entrants_meet(said: dict[str, Any], says: str) -> None:
    one = config(("barbu_king_br",), tuple("abcde"))
    assert says in field(RunConfig.model_validate(one.model_dump() | said))


def test_a_claim_against_another_is_that_of_both_tables(tmp_path: Path) -> None:
    one = config(("barbu_king_br",), ("anna", "bert", "carl"), blocks=30)
    claim = Claim(entrant="bert", against="anna", equal=200.0)
    write(tmp_path, one.model_copy(update={"claim": claim}), lift=60)
    with opened(tmp_path) as reading:
        table = Verdict().compute(reading, "barbu_king_br")["verdict"]
        answer = Verdict().render({"verdict": table}, reading.rules("barbu_king_br"))
    assert answer.finding.startswith("bert is as good as anna: +")
    assert "Between the dashes a difference is of no account (200)." in answer.figures[0].caption


def test_one_block_has_no_gain(tmp_path: Path) -> None:
    write(tmp_path, config(("barbu_king_br",), ("anna", "bert"), blocks=1), shards=1)
    with opened(tmp_path) as reading:
        why = Design().missing(reading, "barbu_king_br")
    assert why == "It takes two whole blocks to tell how blocks differ."
