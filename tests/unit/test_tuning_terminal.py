"""What a tuning says on a terminal of 80 columns."""

from collections.abc import Callable

import pytest

from engine_ext.rules.load import load_variant
from pipeline.tuning.file import Hold
from pipeline.tuning.outcome import Figure, Outcome
from pipeline.tuning.what_if import Answer, Answers
from reports.tuning.terminal import (
    decimals,
    interval,
    must_hold,
    number,
    tell,
    tell_answers,
    tell_objectives,
)
from tests.outcomes import outcome

FILES = [("variant", "runs/even/even.toml"), ("page", "runs/even/report.html")]
Lines = Callable[[Outcome], list[str]]


def figure(value: float, half: float | None, kind: str = "max_t") -> Figure:
    low, high = (None, None) if half is None else (value - half, value + half)
    said = {"value": value, "se": half, "low": low, "high": high, "blocks": 9, "df": 8.0}
    return Figure.model_validate(said | {"kind": kind})


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Lines:
    """What is printed of an outcome."""

    def call(found: Outcome) -> list[str]:
        tell(found, FILES, "ab" * 32)
        return capsys.readouterr().out.splitlines()

    return call


def test_what_changes_and_what_it_brings_fit_a_terminal(lines: Lines) -> None:
    found = outcome()
    told = lines(found)
    assert max(map(len, told)) < 80
    assert "lost against the parent (below 0 is better): -" in " ".join(told)
    moved = [s for s in found.settings if s.parent != s.winner]
    stayed = [s for s in found.settings if s.parent == s.winner]
    assert moved
    assert stayed
    for setting in moved:
        (row,) = [line for line in told if line.startswith(setting.title)]
        assert row.split()[-2:] == [str(setting.parent), str(setting.winner)]
    for setting in stayed:
        assert not any(line.startswith(setting.title) for line in told)
    for effect in found.effects:
        assert any(
            line.startswith(effect.objective) and line.endswith(effect.verdict) for line in told
        )
    assert told[-1] == f"digest   {'ab' * 32}"


def test_nothing_better_is_said_before_the_best_that_was_tried(lines: Lines) -> None:
    found = outcome(better=False)
    told = lines(found)
    text = " ".join(told)
    assert f"Nothing was found that is surely better than {found.parent_name}" in text
    assert f"candidate {found.judged_number}" in text
    (head,) = [line for line in told if line.startswith("objective")]
    assert head.split()[1:3] == ["parent", "best"]


def test_an_effect_within_its_gap_is_called_no_conclusion(lines: Lines) -> None:
    found = outcome()
    effects = [one.model_copy(update={"verdict": "within gap"}) for one in found.effects[:1]]
    effects = [one.model_copy(update={"held": figure(2.0, 0.1)}) for one in effects]
    text = " ".join(lines(found.model_copy(update={"effects": tuple(effects)})))
    assert "with play held still the effect is +2.0" in text
    assert "this is no conclusion" in text


def test_long_titles_are_folded(lines: Lines) -> None:
    found = outcome()
    title = "What the places of the réussite bring " * 4
    settings = tuple(one.model_copy(update={"title": title.strip()}) for one in found.settings)
    told = lines(found.model_copy(update={"settings": settings}))
    assert max(map(len, told)) < 80


def test_what_had_to_hold_is_told_with_what_it_was_before() -> None:
    found = outcome()
    hold = Hold(zero_sum=True, totals={"contracts.king": -70, "game": 0})
    found = found.model_copy(update={"file": found.file.model_copy(update={"hold": hold})})
    parent = found.parent
    balanced = load_variant("barbu_fr_reussite_balanced")
    found = found.model_copy(update={"winner": balanced, "parent": parent})
    assert must_hold(found) == [
        "the points of a game add up to 0 (before: -480)",
        "the points of king add up to -70",
    ]
    assert must_hold(outcome()) == []


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (figure(-0.1234, 0.0456), "-0.123 [-0.169, -0.078]"),
        (figure(12.3, 34.0), "+12 [-22, +46]"),
        (figure(0.0, 0.0, "identical"), "0.0 exactly"),
        (figure(1.5, None, "none"), "+1.500 [no interval]"),
        (figure(0.00001, 0.000002), "0.0000 [0.0000, 0.0000]"),
    ],
)
def test_a_difference_has_two_digits_of_its_error(found: Figure, told: str) -> None:
    assert interval(found, decimals(found)) == told


def test_nothing_is_never_minus_nothing() -> None:
    assert number(-0.0001, 2, signed=True) == "0.00"
    assert number(-0.006, 2, signed=True) == "-0.01"


def test_answers_say_what_some_objectives_lack(capsys: pytest.CaptureFixture[str]) -> None:
    answers = (
        Answer("a", figure(1, 0.1), figure(2, 0.1), figure(1, 0.2), "better", None),
        Answer("b", None, None, None, None, "needs a study of value"),
    )
    tell_answers(Answers(("runs/x",), (), answers))
    told = capsys.readouterr().out
    (row,) = [line for line in told.splitlines() if line.startswith("a ")]
    assert row.split() == ["a", "1.00", "2.00", "+1.00", "[+0.80,", "+1.20]", "better"]
    assert "b: not told: needs a study of value" in told
    assert "from    runs/x" in told


def test_a_figure_without_a_unit_is_no_share(capsys: pytest.CaptureFixture[str]) -> None:
    tell_objectives()
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) < 80
    assert [line.split() for line in lines if line.startswith("scale_balance ")] == [
        ["scale_balance", "none", "less"]
    ]
