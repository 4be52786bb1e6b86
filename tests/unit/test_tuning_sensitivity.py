"""Which knobs matter: known functions, dummies, knobs that what must hold leans on."""

import logging
import math
import sys
import warnings
from collections.abc import Callable

import numpy as np
import pytest

from engine_ext.errors import UserError
from pipeline.tuning.file import Sensitivity, Wanted
from pipeline.tuning.outcome import Sensed
from pipeline.tuning.points import Point
from pipeline.tuning.probing import morris_design
from pipeline.tuning.sensitivity import sense
from tests.boxes import FakeBox, FakePlay, aims

ONE = aims(Wanted(name="loss"))


def by_knob(found: tuple[Sensed, ...]) -> dict[int, Sensed]:
    return {one.knob: one for one in found}


def weighed(point: Point) -> dict[str, float]:
    """12 and 4 over the whole range of knobs 0 and 1, nothing of knob 2, 0.02 of knob 3."""
    return {"loss": 1.5 * point[0] + 4.0 * point[1] + 0.01 * point[3]}


def some(holds: Callable[[Point], bool] = lambda point: True) -> FakeBox:
    return FakeBox([range(9), [True, False], ["a", "b", "c"], range(3)], (0, 0, 0, 0), holds)


def test_morris_tells_effects_over_the_whole_range() -> None:
    """Settings are two, three and nine, and effects straight, so each is found exactly."""
    found, frozen = sense(some(), ONE, FakePlay(weighed, common=1.0), Sensitivity(morris=6), 1)
    effects = {knob: one.mu_star for knob, one in by_knob(found).items()}
    assert effects == pytest.approx({0: 12.0, 1: 4.0, 2: 0.0, 3: 0.02})
    assert effects[2] == by_knob(found)[2].mu_star_conf == by_knob(found)[2].sigma == 0
    assert by_knob(found)[0].mu_star_conf == pytest.approx(0, abs=1e-9)
    assert frozen == {2, 3}
    assert all(one.first is None and one.total is None for one in found)


def test_freeze_can_be_forbidden() -> None:
    asked = Sensitivity(morris=6, sobol=8, freeze=False)
    found, frozen = sense(some(), ONE, FakePlay(weighed), asked, 1)
    assert frozen == frozenset()
    assert all(one.total is not None for one in found)


def test_a_knob_that_moves_one_objective_of_two_is_not_frozen() -> None:
    two = aims(Wanted(name="loss"), Wanted(name="ties"))
    play = FakePlay(lambda p: {"loss": 5.0 * p[0], "ties": 1.0 * p[2]})
    found, frozen = sense(some(), two, play, Sensitivity(morris=4), 2)
    assert [(one.knob, one.objective) for one in found] == [
        (knob, name) for knob in range(4) for name in ("loss", "ties")
    ]
    assert frozen == {1, 3}


def test_noise_of_its_own_keeps_a_knob() -> None:
    """An effect of nothing, but figures that err by a step: that it does nothing is not sure."""
    play = FakePlay(lambda p: {"loss": 0.0}, own=8.0)
    _, frozen = sense(some(), ONE, play, Sensitivity(morris=6), 1)
    assert frozen == frozenset()


def test_a_small_effect_is_frozen_only_where_it_is_sure() -> None:
    """Knob 1 moves 0.07 beside half the settings of knob 0, nothing beside the others."""
    play = FakePlay(lambda p: {"loss": 5.0 * p[0] + 0.07 * p[1] * (p[0] > 4)})
    found, frozen = sense(some(), ONE, play, Sensitivity(morris=8), 1)
    effect, error = by_knob(found)[1].mu_star, by_knob(found)[1].mu_star_conf
    assert effect is not None
    assert error is not None
    assert effect < 0.05 < effect + error
    assert frozen == {2, 3}


def test_every_setting_is_tried_in_turn() -> None:
    """Among five words the one in the middle matters: a grid of four would never meet it."""
    words = FakeBox([["a", "b", "c", "d", "e"], range(4)], (0, 0))
    play = FakePlay(lambda p: {"loss": 1.0 * (p[0] == 2)})
    found, frozen = sense(words, ONE, play, Sensitivity(morris=20), 3)
    effect = by_knob(found)[0].mu_star
    assert effect is not None
    assert effect > 0.1
    assert frozen == {1}
    at = morris_design(words, [0, 1], 40, np.random.SeedSequence(1)).at
    assert set(at[:, :, 0].ravel()) == set(range(5))
    # In each row one knob moves, each knob once in a trajectory.
    moves = np.diff(at, axis=1) != 0
    assert (moves.sum(axis=2) == 1).all()
    assert (moves.sum(axis=1) == 1).all()


def ishigami(point: Point) -> dict[str, float]:
    """On a grid of 33 between -pi and pi; its shares are known for the continuum."""
    a, b, c = (math.pi * (at / 16 - 1) for at in point[:3])
    return {"loss": math.sin(a) + 7 * math.sin(b) ** 2 + 0.1 * c**4 * math.sin(a)}


def test_sobol_finds_the_shares_of_ishigamis_function() -> None:
    grid = FakeBox([range(33)] * 4, (0, 0, 0, 0), feasible=[(0, 0, 0, 0)])
    found, frozen = sense(grid, ONE, FakePlay(ishigami), Sensitivity(sobol=1024), 5)
    told = by_knob(found)
    # I. M. Sobol, Y. L. Levitan (1999) for these coefficients; the grid's are 2 % off.
    firsts, totals = (0.314, 0.442, 0.0, 0.0), (0.558, 0.442, 0.244, 0.0)
    for knob in range(4):
        one = told[knob]
        assert one.first == pytest.approx(firsts[knob], abs=0.05)
        assert one.total == pytest.approx(totals[knob], abs=0.05)
    assert sum(one.first or 0.0 for one in found) <= 1.0 + 0.05
    assert (told[3].first, told[3].total, told[3].total_conf) == (0, 0, 0)
    assert all((told[knob].total_conf or 0) > 0.01 for knob in range(3))
    # Knob 2 does nothing by itself, and much together with knob 0.
    assert frozen == {3}


def test_sobol_freezes_what_has_no_share() -> None:
    asked = Sensitivity(sobol=64)
    found, frozen = sense(some(), ONE, FakePlay(weighed, common=3.0), asked, 5)
    assert all(one.mu_star is None for one in found)
    assert by_knob(found)[2].total == 0
    assert frozen == {2, 3}


def test_few_base_samples_freeze_nothing_that_matters() -> None:
    """Of four samples the interval of a large share covers 0 easily."""
    for seed in range(20):
        _, frozen = sense(some(), ONE, FakePlay(weighed), Sensitivity(sobol=4), seed)
        assert not frozen & {0, 1}


def test_sobol_looks_at_what_morris_left() -> None:
    play = FakePlay(weighed)
    found, frozen = sense(some(), ONE, play, Sensitivity(morris=6, sobol=16), 1)
    assert {one.knob for one in found if one.total is not None} == {0, 1}
    assert {one.knob for one in found if one.mu_star is not None} == {0, 1, 2, 3}
    assert frozen == {2, 3}
    only_morris = FakePlay(weighed)
    sense(some(), ONE, only_morris, Sensitivity(morris=6), 1)
    later = play.asked[len(only_morris.asked) :]
    assert later
    assert {point[2:] for point, _ in later} == {(0, 0)}
    assert {round_ for _, round_ in play.asked} == {0}


def test_nothing_is_measured_where_nothing_is_asked_for() -> None:
    play = FakePlay(weighed)
    assert sense(some(), ONE, play, Sensitivity(), 1) == ((), frozenset())
    assert play.asked == []


def test_an_objective_that_nothing_moves_freezes_all() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        play = FakePlay(lambda p: {"loss": 3.0})
        found, frozen = sense(some(), ONE, play, Sensitivity(sobol=8), 1)
    assert {one.total for one in found} == {0.0}
    assert frozen == {0, 1, 2, 3}


def test_what_moves_too_rarely_to_be_shared_out_is_kept() -> None:
    """One point of 162 is other than the rest: seen, if at all, in a mixture only."""
    grid = FakeBox([range(9), range(9), range(2)], (0, 0, 0))
    for seed in range(30):
        play = FakePlay(lambda p: {"loss": 1.0 * (p[0] == p[1] == 8)})
        found, frozen = sense(grid, ONE, play, Sensitivity(sobol=4), seed)
        if found[0].total is None:
            assert frozen == frozenset()
            break
    else:
        pytest.fail("no seed showed it")


def test_a_knob_that_what_must_hold_leans_on_is_not_frozen() -> None:
    """Knob 2 moves nothing, but only with it knob 0 can be set freely."""
    leaning = some(lambda p: (p[0] + p[2]) % 3 == 0)
    _, frozen = sense(leaning, ONE, FakePlay(weighed), Sensitivity(morris=6), 1)
    assert frozen == {3}
    assert leaning.nearest(leaning.parent, frozen) is not None


def test_most_changes_alone_keeps_no_knob() -> None:
    few = some(lambda p: sum(at > 0 for at in p) <= 2)
    _, frozen = sense(few, ONE, FakePlay(weighed), Sensitivity(morris=6), 1)
    assert frozen == {2, 3}


def test_what_are_no_rules_is_left_out_and_told(caplog: pytest.LogCaptureFixture) -> None:
    def are_rules(point: Point) -> bool:
        return point[0] + 4 * point[1] < 11

    grid = FakeBox(
        [range(9), [True, False], ["a", "b", "c"], range(3)], (0, 0, 0, 0), are_rules=are_rules
    )
    play = FakePlay(weighed)
    with caplog.at_level(logging.WARNING):
        found, _ = sense(grid, ONE, play, Sensitivity(morris=30, sobol=32), 1)
    assert all(are_rules(point) for point, _ in play.asked)
    assert by_knob(found)[0].mu_star == pytest.approx(12)
    assert "of 30 left out, some of their points are no rules: contracts.tricks" in caplog.text
    assert "sensitivity.sobol" in caplog.text
    nothing = FakeBox([range(9), range(9)], (0, 0), are_rules=lambda p: p == (0, 0))
    with pytest.raises(UserError, match=r"sensitivity.morris: 0 of 9 can be played.*no rules"):
        sense(nothing, ONE, play, Sensitivity(morris=9), 1)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (Sensitivity(morris=1), "sensitivity.morris: 1 of 1 can be played, and fewer than 2"),
        (Sensitivity(sobol=2), "sensitivity.sobol: 2 of 2 can be played, and fewer than 4"),
    ],
)
def test_too_few_are_refused(asked: Sensitivity, why: str) -> None:
    with pytest.raises(UserError, match=why):
        sense(some(), ONE, FakePlay(weighed), asked, 1)


def test_a_missing_salib_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "SALib.sample.morris", None)
    with pytest.raises(UserError, match=r'SALib is not installed.*"barbu-sim\[tune\]"'):
        sense(some(), ONE, FakePlay(weighed), Sensitivity(morris=4), 1)


def test_the_same_seed_tells_the_same(capfd: pytest.CaptureFixture[str]) -> None:
    asked = Sensitivity(morris=4, sobol=8)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        once = sense(some(), ONE, FakePlay(weighed, own=1.0), asked, 7)
        assert sense(some(), ONE, FakePlay(weighed, own=1.0), asked, 7) == once
        assert sense(some(), ONE, FakePlay(weighed, own=1.0), asked, 8) != once
    assert capfd.readouterr() == ("", "")
