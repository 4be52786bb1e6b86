"""To be picked as the best of many makes nobody better: fresh deals say what is so."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.tuning import base, proving
from pipeline.tuning.base import Packs
from pipeline.tuning.finding import Seen
from pipeline.tuning.measured import Measured
from pipeline.tuning.packs import How
from pipeline.tuning.points import Point
from pipeline.tuning.proving import proved
from pipeline.tuning.tuning_file import load_tuning
from pipeline.tuning.work import Work
from tests.tuning_files import SCALES, written

NAME = "scale_balance"
GROUPS = 40
FIVE = SCALES.replace("finalists = 2", "finalists = 5")


@pytest.fixture
def work(tmp_path: Path) -> Work:
    tuning = load_tuning(written(tmp_path, FIVE.replace("values = [41]", "low = 1\nhigh = 60")))
    return Work.of(tuning, Packs(tuning, "out", How(), frozenset({"games"})), lambda _: None)


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Figures are noise, drawn anew for each stage, and by name what a candidate truly brings."""
    told: dict[str, Any] = {"rng": np.random.default_rng(1), "true": {}, "stems": []}

    def play_pack(_: str, stem: str, candidates: Any, *__: Any) -> tuple[dict[str, Any], Any]:
        told["stems"].append((stem, tuple(candidates)))
        return {name: told["true"].get(name, 0.0) for name in candidates}, ()

    def measure(results: Any, _: Any) -> dict[str, Measured]:
        return {NAME: noise(told["rng"], results)}

    monkeypatch.setattr(base, "play_pack", play_pack)
    monkeypatch.setattr(proving, "measure", measure)
    monkeypatch.setattr(proving, "held_effects", lambda *_: {})
    return told


def noise(rng: np.random.Generator, mean: float) -> Measured:
    return Measured(rng.normal(mean, 1, GROUPS), GROUPS)


def seen(
    work: Work, rng: np.random.Generator, n: int, *, parent_fulfils: bool = True
) -> list[Seen]:
    """Candidates that are all like the parent, and look better or worse by luck."""
    parent = {NAME: noise(rng, 0)}
    points: list[Point] = [work.space.parent]
    points += [(k, 0) for k in range(n + 1) if (k, 0) != work.space.parent][:n]
    figures = [parent, *({NAME: noise(rng, 0)} for _ in range(n))]
    losses = [work.aims.loss(one, parent).value for one in figures]
    return [
        Seen(
            number=i,
            point=point,
            figures=figures[i],
            parent=parent,
            rounds=0,
            loss=losses[i],
            fulfils=i > 0 or parent_fulfils,
            front=losses[i] == min(losses),
        )
        for i, point in enumerate(points)
    ]


def test_luck_is_not_taken_for_gain(work: Work, chance: dict[str, Any]) -> None:
    better, searched, came_out = 0, [], []
    for _ in range(100):
        found = proved(work, seen(work, chance["rng"], 20))
        better += found.better
        (effect,) = found.effects
        searched.append(effect.searched)
        came_out.append(effect.effect.value)
    # One side of 95 % is 2.5 of 100, standard deviation 1.6: 8 are 3.5 of them.
    assert better <= 8
    # The best five of 20 looked 1.2 standard errors of 0.16 better on the search's deals.
    assert np.mean(searched) < -0.15
    assert abs(np.mean(came_out)) < 4 * (2 / GROUPS / 100) ** 0.5


def test_a_true_gain_is_picked_and_proved(work: Work, chance: dict[str, Any]) -> None:
    looked = seen(work, chance["rng"], 20)
    finalists = sorted(looked[1:], key=lambda one: (not one.front, one.loss))[:5]
    best = finalists[-1].number
    chance["true"] = {f"t{best:04d}": -2.0}
    found = proved(work, looked)
    assert found.best is not None
    assert (found.best.number, found.better) == (best, True)
    assert found.effects[0].verdict == "better"
    pick, judge = chance["stems"]
    assert pick == ("fresh-pick", ("t0000", *(f"t{one.number:04d}" for one in finalists)))
    assert judge == ("fresh-judge", ("t0000", f"t{best:04d}"))
    assert set(found.picked) == {0, *(one.number for one in finalists)}


def test_where_the_parent_breaks_what_must_hold_it_is_no_choice(
    work: Work, chance: dict[str, Any]
) -> None:
    looked = seen(work, chance["rng"], 3, parent_fulfils=False)
    chance["true"] = {f"t{one.number:04d}": 2.0 for one in looked[1:]}
    found = proved(work, looked)
    assert found.better
    assert found.effects[0].verdict == "worse"


def test_one_finalist_needs_no_picking(work: Work, chance: dict[str, Any]) -> None:
    found = proved(work, seen(work, chance["rng"], 1))
    assert [stem for stem, _ in chance["stems"]] == ["fresh-judge"]
    assert set(found.picked) == {0, 1}


def test_who_was_surely_behind_is_no_finalist(work: Work, chance: dict[str, Any]) -> None:
    looked = seen(work, chance["rng"], 6)
    behind = sorted(looked[1:], key=lambda one: one.loss)[1]
    raced = [one if one in (behind, looked[0]) else one._replace(rounds=2) for one in looked]
    proved(work, raced)
    assert f"t{behind.number:04d}" not in chance["stems"][0][1]


def test_nothing_but_the_parent_is_no_proof(work: Work, chance: dict[str, Any]) -> None:
    found = proved(work, seen(work, chance["rng"], 0))
    assert (found.best, found.better, found.effects) == (None, False, ())
    assert chance["stems"] == []


def test_a_gain_that_is_the_same_in_every_block_is_proved(
    work: Work, chance: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a schedule with fewer deals: there is no spread, hence no interval."""
    looked = seen(work, chance["rng"], 1)
    chance["true"] = {"t0001": -2.0}

    def same(results: Any, _: Any) -> dict[str, Measured]:
        return {NAME: Measured(np.full(GROUPS, results), 2 * GROUPS)}

    monkeypatch.setattr(proving, "measure", same)
    found = proved(work, looked)
    assert (found.better, found.effects[0].verdict) == (True, "better")
