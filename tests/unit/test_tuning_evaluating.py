"""Which runs a search asks for, and that it gets the figures of the right ones."""

from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_ext.rules.spec import Variant
from pipeline.tuning import base, evaluating
from pipeline.tuning.base import Base, Packs
from pipeline.tuning.evaluating import KEPT, PlayedAnew
from pipeline.tuning.measured import Measured
from pipeline.tuning.objectives import Objective
from pipeline.tuning.outcome import Told
from pipeline.tuning.packs import How
from pipeline.tuning.points import Point
from pipeline.tuning.results import Results
from pipeline.tuning.space import Space
from pipeline.tuning.tuning_file import Tuning, load_tuning
from tests.tuning_files import SCALES, written


@pytest.fixture
def tuning(tmp_path: Path) -> Tuning:
    text = SCALES.replace("values = [41]", "low = 10\nhigh = 60")
    return load_tuning(written(tmp_path, text))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, tuple[str, ...]]]:
    """What is asked to be played: stem, seed, names. What comes of it tells whose it is."""
    heard: list[tuple[str, int, tuple[str, ...]]] = []

    def play_pack(
        folder: str, stem: str, candidates: Mapping[str, Variant], *rest: Any
    ) -> tuple[dict[str, Any], tuple[Told, ...]]:
        seed = rest[2]
        heard.append((stem, seed, tuple(candidates)))
        found = {name: [(name, worth(rules), seed)] for name, rules in candidates.items()}
        return found, (Told(path=f"{stem}-games", digest="0" * 64, deals=8),)

    monkeypatch.setattr(base, "play_pack", play_pack)
    for module in (base, evaluating):
        monkeypatch.setattr(module, "together", lambda rounds: [*chain.from_iterable(rounds)])
    return heard


def worth(rules: Variant) -> int:
    """What the knob is set to."""
    contract = rules.contracts["first_last"]
    assert contract.kind == "trick"
    return contract.terms[0].points


def first(results: Results) -> Measured:
    """Made of what the fake says: the knob's setting, and how many rounds there are."""
    told: Any = results
    return Measured(np.array([told[0][1], float(len(told))]), len(told))


OBJECTIVE = Objective("made", "Made", "made up", "", "less", 1.0, "games", first)


def evaluator(tuning: Tuning) -> tuple[PlayedAnew, Space]:
    space = Space(tuning)
    packs = Packs(tuning, "out", How(), frozenset({"games"}))
    return PlayedAnew(Base(packs), space, [OBJECTIVE], "search"), space


@pytest.mark.usefixtures("asked")
def test_who_waits_hears_how_many_candidates_were_looked_at(tuning: Tuning) -> None:
    quiet, space = evaluator(tuning)
    heard: list[int] = []
    evaluate = PlayedAnew(quiet._base, space, [OBJECTIVE], "search", heard.append)
    some = points(space, 3)
    evaluate([space.parent], 0)
    assert heard == []  # the parent alone is no candidate, and is played elsewhere
    evaluate(some[:2], 0)
    evaluate(some, 0)
    evaluate(some[:1], 1)
    assert heard == [2, 3, 3]


def points(space: Space, n: int) -> list[Point]:
    """Points that differ in the knob."""
    others = [k for k in range(space.sizes[0]) if k != space.parent[0]]
    return [(k, *space.parent[1:]) for k in others[:n]]


def told(figures: Mapping[str, Measured]) -> list[float]:
    return [float(part) for part in figures["made"].parts]


@pytest.mark.usefixtures("asked")
def test_a_candidate_gets_its_own_figures_of_all_its_rounds(tuning: Tuning) -> None:
    evaluate, space = evaluator(tuning)
    some = points(space, 3)
    for k in range(3):
        for point, found in zip(some, evaluate(some, k), strict=True):
            assert told(found) == [space.values(point)[0], k + 1]


def test_a_pack_is_one_run_and_nothing_is_asked_for_twice(
    tuning: Tuning, asked: list[tuple[str, int, tuple[str, ...]]]
) -> None:
    evaluate, space = evaluator(tuning)
    some = points(space, 3)
    evaluate([space.parent, *some], 0)
    evaluate([some[2], space.parent], 1)
    evaluate([some[2], some[0]], 1)
    evaluate([space.parent, *some], 0)
    by_stem = {stem: (seed, names) for stem, seed, names in asked}
    assert len(by_stem) == len(asked)
    assert {stem: names for stem, (_, names) in by_stem.items()} == {
        "base-r0": ("t0000",),
        "base-r1": ("t0000",),
        "search-0000-r0": ("t0001", "t0002", "t0003"),
        "search-0001-r1": ("t0003",),
        "search-0002-r1": ("t0001",),
    }
    # All candidates of a round have the parent's deals, and other rounds have others.
    seeds = {stem: seed for stem, (seed, _) in by_stem.items()}
    assert seeds["base-r0"] == seeds["search-0000-r0"]
    assert seeds["base-r1"] == seeds["search-0001-r1"] == seeds["search-0002-r1"]
    assert seeds["base-r0"] != seeds["base-r1"]


def test_old_packs_are_read_again_when_they_are_needed(
    tuning: Tuning, asked: list[tuple[str, int, tuple[str, ...]]]
) -> None:
    evaluate, space = evaluator(tuning)
    some = points(space, KEPT + 2)
    for point in some:
        evaluate([point], 0)
    (found,) = evaluate([some[0]], 1)
    assert told(found) == [space.values(some[0])[0], 2]
    stems = [stem for stem, _, _ in asked]
    assert stems.count("search-0000-r0") == 2
    assert {stem: names for stem, _, names in asked}["search-0000-r0"] == ("t0001",)


def test_runs_are_told_once_in_the_order_they_were_asked_for(
    tuning: Tuning, asked: list[tuple[str, int, tuple[str, ...]]]
) -> None:
    packs = Packs(tuning, "out", How(), frozenset({"games"}))
    for stem in ("b", "a", "b"):
        packs.play(stem, {"t0000": tuning.parent}, tuning.file.amount, "search")
    assert [one.path for one in packs.runs.values()] == ["b-games", "a-games"]
    assert len(asked) == 3
