"""Figures in words."""

import pytest

from pipeline.stats.estimate import Estimate
from reports.words import counted, digits, figure, interval, listed, number, share, whole


def _estimate(value: float, half: float | None) -> Estimate:
    if half is None:
        return Estimate(value, None, None, None, 4, 1, 0.0, "none")
    return Estimate(value, half / 2, value - half, value + half, 90, 30, 29.0, "t")


@pytest.mark.parametrize(
    ("value", "decimals", "signed", "text"),
    [
        (1.25, 1, False, "1.2"),
        (-3.0, 0, False, "\N{MINUS SIGN}3"),
        (2.0, 1, True, "+2.0"),
        (-0.04, 1, True, "0.0"),
        (0.0, 0, True, "0"),
        (-10.0, 0, True, "\N{MINUS SIGN}10"),
    ],
)
def test_numbers_have_true_signs_and_nothing_has_none(
    value: float, decimals: int, signed: bool, text: str
) -> None:
    assert number(value, decimals, signed) == text


def test_decimals_follow_the_half_width_of_the_interval() -> None:
    assert [digits([_estimate(5, half)]) for half in (400, 12, 3.4, 0.21, 0.002)] == [0, 0, 1, 2, 3]
    assert digits([_estimate(5, None)]) == 1


def test_a_figure_stands_with_its_interval() -> None:
    assert figure(_estimate(3.25, 1.5), 1) == "+3.2 (+1.8 to +4.8)"
    assert interval(_estimate(3.25, None), 1) == "no interval"


def test_shares_show_as_many_digits_as_they_know() -> None:
    assert share(_estimate(0.316, 0.0042)) == "31.6 % (31.2 to 32.0 %)"
    assert share(_estimate(0.5, 0.21)) == "50 % (29 to 71 %)"
    assert share(_estimate(0.5, None)) == "50 % (no interval)"


def test_lists_and_counts_read_aloud() -> None:
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"], "or") == "a, b or c"
    assert counted(1, "game") == "1 game"
    assert whole(1234567) == "1\N{NARROW NO-BREAK SPACE}234\N{NARROW NO-BREAK SPACE}567"
