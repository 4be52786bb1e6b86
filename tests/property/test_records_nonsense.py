"""Whatever stands in a record, it is played or refused in one line; nothing breaks or hangs."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.record import Record, RecordError, parse
from engine_ext.record_checks import hold
from engine_ext.record_course import Course
from engine_ext.record_play import EngineSide, Side
from engine_ext.record_text import CHECKS, SETUP, STEPS
from tests.golden.twin_side import TwinSide

POSITIONS = Path(__file__).parents[1] / "golden" / "positions"
TEXTS = [file.read_text("utf-8") for file in sorted(POSITIONS.glob("*.txt"))]
WORDS = st.sampled_from(
    [
        *SETUP, *STEPS, *CHECKS, "P0", "P1", "P3", "P9", "P0:", "P1:", "P2:", "PP:", "P1>P0", "-", "|",
        "pass", "open", "KH", "AS", "2C", "7H!", "1H", "S", "9", "0", "1", "-7", "999999999999",
        "tricks", "domino", "king", "trumps", "reussite", "barbu_52_doubling", "é", '"', "=", "!",
    ]
)  # fmt: skip


@st.composite
def spoilt(draw: st.DrawFn) -> str:
    """Draw a good record with a few lines or words lost, doubled, moved or made up."""
    lines = [line.split() for line in draw(st.sampled_from(TEXTS)).splitlines() if line.strip()]
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        kind = draw(st.sampled_from(["drop", "word", "word", "insert", "copy", "line", "lose"]))
        word = draw(st.integers(0, max(len(lines[at]) - 1, 0)))
        if kind == "drop" and len(lines) > 1:
            del lines[at]
        elif kind == "word" and lines[at]:
            lines[at] = [*lines[at][:word], draw(WORDS), *lines[at][word + 1 :]]
        elif kind == "insert":
            lines[at] = [*lines[at][:word], draw(WORDS), *lines[at][word:]]
        elif kind == "lose":
            lines[at] = lines[at][:word] + lines[at][word + 1 :]
        elif kind == "copy":
            lines.insert(draw(st.integers(0, len(lines))), lines[at])
        else:
            lines.insert(at, draw(st.lists(WORDS, min_size=1, max_size=6)))
    return "\n".join(map(" ".join, lines))


def is_played_or_refused(text: str) -> None:
    try:
        record = parse(text, folder=POSITIONS)
    except RecordError as error:
        is_one_line(error)
    else:
        assert outcome(record, EngineSide()) == outcome(record, TwinSide())


def outcome(record: Record, side: Side) -> Course | str:
    try:
        return hold(record, side)
    except RecordError as error:
        return is_one_line(error)


def is_one_line(error: RecordError) -> str:
    message = str(error)
    assert message.isprintable()
    return message


@settings(max_examples=150)
@given(spoilt())
def test_a_spoilt_record_is_played_or_refused(text: str) -> None:
    is_played_or_refused(text)


@settings(max_examples=50)
@given(st.text(max_size=80))
def test_any_text_is_refused(text: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse(text)
    is_one_line(caught.value)


@pytest.mark.slow
@settings(max_examples=5000, derandomize=False)
@given(spoilt())
def test_thousands_of_spoilt_records_are_played_or_refused(text: str) -> None:
    is_played_or_refused(text)
