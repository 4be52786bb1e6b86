"""What the search looked at, as it is told on."""

from types import SimpleNamespace
from typing import Any

from pipeline.tuning.file import Wanted
from pipeline.tuning.finding import _seen
from pipeline.tuning.points import Point
from pipeline.tuning.search import Found, Looked
from tests.boxes import FakeBox, FakePlay, aims


def test_a_parent_that_breaks_what_must_hold_stands_before_nobody() -> None:
    def holds(point: Point) -> bool:
        return point[0] > 0

    box, play = FakeBox([range(3)], (0,), holds), FakePlay(lambda p: {"loss": 1.0 * p[0]})
    work: Any = SimpleNamespace(space=box, aims=aims(Wanted(name="loss")))
    looked = tuple(
        Looked(i, point, play([point], 0)[0], 0) for i, point in enumerate(((0,), (1,), (2,)))
    )
    seen = _seen(work, Found(looked, "spent", (1,)), play)
    assert [one.fulfils for one in seen] == [False, True, True]
    assert [one.front for one in seen] == [False, True, False]
    assert [round(one.loss, 6) for one in seen] == [0.0, 1.0, 2.0]
