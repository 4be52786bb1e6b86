"""Every line of ``places.txt`` holds: the places that totals give, by engine and twin alike.

The last trick of a deal is played from a record, after scores with which the totals come out
as the line says.
"""

from pathlib import Path

import pytest

from engine_ext.record import parse
from engine_ext.record_play import EngineSide, Side
from tests.golden.twin_side import TwinSide

FILE = Path(__file__).parent / "places.txt"
LINES = [line for line in FILE.read_text("utf-8").splitlines() if line and line[0] != "#"]

LAST_TRICK = {
    "highest": (
        (96, 0, 0, 0),
        """
        variant king_ru_fixed14
        deal    14
        scores  {scores}
        owners  P0 P0 P0 P0 P0 P0 P0
        taken   P0: 7H 8H 9H TH JH QH KH AH QC QD QS KC KD
        hands   AS | KS | 7S | 8S
        trick   P0: AS KS 7S 8S
        """,
    ),
    "lowest": (
        (0, -15, -20, -30),
        """
        variant barbu_king_br
        deal    6
        scores  {scores}
        owners  P1 P1 P1 P2 P2 P2 P2 P3 P3 P3 P3 P3
        hands   2S | 3S | 4S | AS
        trick   P3: AS 2S 3S 4S
        """,
    ),
}
"""By what wins: the points of a deal, and the deal as a record."""


@pytest.mark.parametrize("side", [EngineSide(), TwinSide()], ids=["engine", "twin"])
@pytest.mark.parametrize("line", LINES)
def test_totals_give_these_places(line: str, side: Side) -> None:
    totals, places = (part.split() for part in line.split("|"))
    points, record = LAST_TRICK[totals.pop(0)]
    before = [int(total) - point for total, point in zip(totals, points, strict=True)]
    course = side.course(parse(record.format(scores=" ".join(map(str, before)))))
    assert course.points == points
    assert list(course.ranks) == [int(place) for place in places]
