"""Cells and sentences as HTML: suits that are seen and heard, maps with their figures."""

import re

from pipeline.stats.estimate import Estimate
from reports.charts import heat
from reports.grids import grid
from reports.markup import figure, prose, table, text
from reports.section import Figure, Listing


def about(value: float, half: float | None) -> Estimate:
    if half is None:
        return Estimate(value, None, None, None, 9, 1, 0.0, "none")
    return Estimate(value, half / 2, value - half, value + half, 9, 9, 8.0, "t")


def test_suits_are_symbols_that_are_spoken_by_name() -> None:
    shown = text("Trumps \N{BLACK HEART SUIT} & \N{BLACK CLUB SUIT}")
    assert re.findall(r'aria-label="(\w+)">(.)', shown) == [
        ("hearts", "\N{BLACK HEART SUIT}"),
        ("clubs", "\N{BLACK CLUB SUIT}"),
    ]
    # As letters, where a phone would paint coloured pictures.
    assert shown.count("\N{VARIATION SELECTOR-15}") == 2
    assert "&amp;" in shown


def test_names_in_every_place_of_a_table_are_escaped() -> None:
    nasty = '"<b>'
    shown = table(Listing(nasty, (nasty, nasty), ((nasty, nasty),)))
    assert "<b>" not in shown
    assert shown.count("&quot;&lt;b&gt;") == 6
    assert "<b>" not in prose(nasty)


def test_a_map_brings_its_figures_with_their_intervals() -> None:
    cells: list[list[Estimate | None]] = [[about(1.26, 0.2), None]]
    cells.append([about(-3.0, 0.1), about(0.5, None)])
    beside = grid("by role", "contract", ("0", "1"), ("a", "b"), cells, signed=True)
    assert beside.columns == ("contract", "0", "1")
    assert [cell.replace("\N{NO-BREAK SPACE}", " ") for row in beside.rows for cell in row] == [
        *("a", "+1.3 (+1.1 to +1.5)", ""),
        *("b", "\N{MINUS SIGN}3.0 (\N{MINUS SIGN}3.1 to \N{MINUS SIGN}2.9)", "+0.5 (no interval)"),
    ]
    drawing = heat(("0", "1"), ("a", "b"), [[1, 2], [3, 4]], [["1"] * 2] * 2, "role", True, 4)
    shown = figure("here", Figure("map", drawing, "What it shows.", beside))
    assert shown.index("</figure>") < shown.index('<details class="data" open>')
    assert "broad" not in shown
    many = grid("by pair", "contract", ["0"] * 12, ("a",), [[about(1.0, 1.0)] * 12])
    assert 'class="pair broad"' in figure("here", Figure("map", drawing, "It.", many))


def test_shares_of_a_map_are_in_per_cent() -> None:
    beside = grid("by role", "contract", ("0",), ("a",), [[about(0.25, 0.125)]], per_cent=True)
    assert beside.rows[0][1].startswith("25 (12")


def test_long_words_may_be_broken_on_a_phone_and_figures_not() -> None:
    rows = (("a", "1.5 \N{MULTIPLICATION SIGN} high cards less the price of it", "+1.5"),)
    shown = table(Listing("worth", ("contract", "worth", "price"), rows))
    assert '<td class="said long">1.5' in shown
    assert "<td>+1.5</td>" in shown


def test_what_is_to_be_learnt_has_its_heads_beside_its_cells_for_a_phone() -> None:
    rows = (("No tricks", "6 less aces", ""),)
    learnt = Listing("by heart", ("contract", "score", "a & b"), rows, first=True)
    shown = table(learnt)
    assert 'class="wide learn"' in shown
    assert re.findall(r'data-head="([^"]*)">([^<]*)<', shown) == [
        ("score", "6 less aces"),
        ("a &amp; b", ""),
    ]
    assert "data-head" not in table(Listing("figures", learnt.columns, rows))
