"""Drawings: the figures that go in are the figures that are drawn, each with its interval."""

import re
from itertools import product

import pytest

from pipeline.stats.estimate import Estimate
from reports.canvas import COLOURS, DASHES, MOST_SERIES, SHADINGS, SYMBOLS
from reports.charts import Series, bars, dots, lines
from reports.look import STYLE


def about(value: float, half: float | None = 1.0) -> Estimate:
    if half is None:
        return Estimate(value, None, None, None, 9, 1, 0.0, "none")
    return Estimate(value, half / 2, value - half, value + half, 9, 9, 8.0, "t")


TWO = (
    Series("anna", [about(3.0), None, about(1.0, 0.5)]),
    Series("bert", [about(-2.0), about(-4.0, None), about(0.0)]),
)


def test_a_curve_goes_from_the_first_value_at_the_left_to_the_last_at_the_right() -> None:
    drawn = lines([7, 6, 5], TWO, "contracts left", "points")
    left, right = drawn.layout.xaxis.range
    assert (left, right) == (7.5, 4.5)
    assert drawn.layout.xaxis.title.text == "contracts left"
    assert drawn.layout.yaxis.title.text == "points"
    assert list(drawn.layout.xaxis.ticktext) == ["7", "6", "5"]
    rising = lines([1, 3], [Series("anna", [about(0.0)] * 2)], "games", "points")
    assert tuple(rising.layout.xaxis.range) == (0.0, 4.0)


def test_a_curve_has_a_point_and_an_interval_where_there_is_a_figure() -> None:
    anna, bert = lines([7, 6, 5], TWO, "contracts left", "points").data
    assert list(anna.y) == [3.0, 1.0]
    assert [round(x) for x in anna.x] == [7, 5]
    assert list(anna.error_y.array) == list(anna.error_y.arrayminus) == [1.0, 0.5]
    assert list(bert.error_y.array) == [1.0, 0.0, 1.0]
    assert bert.customdata[1][2] == "no interval"


def test_intervals_of_two_curves_do_not_hide_each_other() -> None:
    anna, bert = lines([7, 6, 5], TWO, "contracts left", "points").data
    assert anna.x[0] != bert.x[0]
    assert anna.line.dash != bert.line.dash
    assert anna.marker.symbol != bert.marker.symbol


@pytest.mark.parametrize("draw", [dots, bars])
def test_dots_and_bars_stand_on_their_lines_with_their_intervals(draw: type) -> None:
    anna, bert = draw(["a", "b", "c"], TWO, "points").data
    assert list(anna.x) == [3.0, 1.0]
    assert [round(y) for y in anna.y] == [0, 2]
    assert list(bert.error_x.array) == [1.0, 0.0, 1.0]
    assert anna.customdata[0][:2] == ["a", 3.0]


def test_shares_are_drawn_in_per_cent() -> None:
    drawn = lines([2, 1], [Series("anna", [about(0.5, 0.1)] * 2)], "left", "share, %", True)
    assert list(drawn.data[0].y) == [50.0, 50.0]
    assert drawn.data[0].error_y.array[0] == pytest.approx(10.0)


def brightness(colour: str) -> float:
    """Relative luminance, as the accessibility guidelines reckon it (WCAG 2.2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    light = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]


def contrast(a: str, b: str) -> float:
    low, high = sorted((brightness(a), brightness(b)))
    return (high + 0.05) / (low + 0.05)


def test_series_stand_out_on_a_light_and_a_dark_page() -> None:
    light, dark = re.findall(r"--page: (#\w{6})", STYLE)[:2]
    for colour, ground in product(COLOURS, (light, dark)):
        assert contrast(colour, ground) >= 3, (colour, ground)


def test_text_is_readable_on_a_light_and_a_dark_page() -> None:
    for theme in re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)[:2]:
        shades = dict(re.findall(r"--(\w+): (#\w{6});", theme))
        for name, ground in product(("text", "soft", "link", "red"), ("page", "tint")):
            assert contrast(shades[name], shades[ground]) >= 4.5, (name, ground)


def test_series_are_told_apart_without_colours() -> None:
    assert len(set(SYMBOLS)) == len(set(SHADINGS)) == len(COLOURS) == MOST_SERIES
    pairs = {(SYMBOLS[k], DASHES[k % len(DASHES)]) for k in range(MOST_SERIES)}
    assert len(pairs) == MOST_SERIES
