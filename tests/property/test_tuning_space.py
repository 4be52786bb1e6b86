"""Whatever knobs a tuning has: the nearest point holds all, nothing nearer does, and its file is it."""

import random
from pathlib import Path

import pytest

from engine_ext.rules.house import differences
from engine_ext.rules.load import load_variant
from pipeline.tuning.emit import variant_file
from pipeline.tuning.nearest import Program
from pipeline.tuning.points import Point
from pipeline.tuning.space import Space
from tests.tunings import any_tuning, every_point, tuning

FEW, MANY = range(10), range(10, 150)


def asked(space: Space, seed: int) -> list[tuple[Point, frozenset[int]]]:
    """Some points, with no knob frozen and with some."""
    draw = random.Random(seed)
    points = draw.sample(every_point(space), min(3, space.n_points))
    frozen = frozenset(k for k in range(space.n_knobs) if draw.random() < 0.3)
    return [(point, some) for point in points for some in (frozenset[int](), frozen)]


def look(seed: int) -> int:
    """Hold every answer against all points there are; the answers that moved."""
    _, space = any_tuning(seed)
    holding = [point for point in every_point(space) if space.fulfils(point)]
    moved = 0
    for point, frozen in asked(space, seed):
        start = tuple(space.parent[k] if k in frozen else i for k, i in enumerate(point))
        within = [p for p in holding if all(p[k] == space.parent[k] for k in frozen)]
        found = space.nearest(point, frozen)
        if not within:
            assert found is None
            continue
        assert found in within
        assert space.distance(start, found) == min(space.distance(start, p) for p in within)
        assert space.nearest(point, frozen) == found
        moved += found != start
    return moved


def test_nothing_nearer_holds_all() -> None:
    assert sum(map(look, FEW)) > 10


def test_places_that_fall_are_found_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    # Not by trying: the program itself knows that places fall.
    monkeypatch.setattr(Program, "forbid", lambda *_: pytest.fail("tried what does not hold"))
    keys = [f"contracts.domino.payout[{i}]" for i in (1, 2)]
    knobs = [{"key": key, "low": 0, "high": 30, "step": 5} for key in keys]
    hold = {"totals": {"contracts.domino": 65}}
    space = Space(tuning({"knobs": knobs, "hold": hold}, "barbu_52_doubling"))
    start = tuple(space.settings(k).index(value) for k, value in enumerate((0, 25)))
    assert "payout[2]: is better than the place before" in str(space.why_not(start))
    found = space.nearest(start)
    assert found is not None
    assert space.values(found) == (15, 10)


def test_the_option_that_costs_least_of_all_is_found() -> None:
    # Hearts thrice would do as well, at the price of their whole range.
    knobs = [
        {"key": "contracts.salad.include[0].times", "low": 1, "high": 6},
        {"key": "contracts.salad.include[1].times", "values": [1, 3]},
        {"key": "contracts.salad.include[2].times", "values": [1, -1]},
    ]
    hold = {"totals": {"contracts.salad": 290 + 2 * 65}}
    space = Space(tuning({"knobs": knobs, "hold": hold}, "barbu_king_br"))
    found = space.nearest(space.parent)
    assert found is not None
    assert space.values(found) == (3, 1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", MANY)
def test_nothing_nearer_holds_all_in_many(seed: int) -> None:
    look(seed)


def written(seed: int, folder: Path) -> None:
    made, space = any_tuning(seed)
    draw = random.Random(seed)
    point = tuple(draw.randrange(size) for size in space.sizes)
    point = space.nearest(point) or space.parent
    rules = space.rules(point)
    path = folder / "made_up.toml"
    path.write_text(variant_file(made, rules), "utf-8")
    assert load_variant(path) == rules
    keys = {
        key for k in range(space.n_knobs) if point[k] != space.parent[k] for key in space.keys(k)
    }
    for line in differences(rules, made.parent):
        key = line.partition(":")[0].partition(" = ")[0]
        # Totals follow; of a table single keys are told, of a list of numbers the whole.
        told = any(key.startswith(knob) or knob.startswith(f"{key}[") for knob in keys)
        assert told or key.endswith(".total"), line


@pytest.mark.parametrize("seed", FEW)
def test_the_file_of_rules_makes_these_rules(seed: int, tmp_path: Path) -> None:
    written(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", MANY)
def test_the_file_of_rules_makes_these_rules_in_many(seed: int, tmp_path: Path) -> None:
    written(seed, tmp_path)
