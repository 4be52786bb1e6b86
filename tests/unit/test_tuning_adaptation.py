"""What can be held still where other cards would be played."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_ext.rules.revise import revised
from engine_ext.rules.spec import Variant
from pipeline.tuning import base
from pipeline.tuning.adaptation import held_effects
from pipeline.tuning.base import Packs
from pipeline.tuning.evaluating import Stored
from pipeline.tuning.exact import NotExact
from pipeline.tuning.file import Amount, Players
from pipeline.tuning.measured import Measured
from pipeline.tuning.objectives import Needs, Objective
from pipeline.tuning.packs import How
from pipeline.tuning.results import Results
from pipeline.tuning.tuning_file import load_tuning
from tests.tuning_files import SCALES, written


def objective(name: str, needs: Needs) -> Objective:
    def measure(results: Any) -> Measured:
        return Measured(np.full(4, float(results)), 4)

    return Objective(name, name, name, "", "less", 1.0, needs, measure)


def test_who_lacks_something_is_not_held_among_players_without_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[tuple[Players, frozenset[Needs]]] = []

    def play_pack(
        folder: str, stem: str, candidates: Mapping[str, Variant], *rest: Any
    ) -> tuple[dict[str, Any], tuple[()]]:
        heard.append((rest[0], rest[3]))
        return {"parent": 1.0, "candidate": 3.5}, ()

    def refused(*_: object, **__: object) -> None:
        raise NotExact(["other cards"])

    monkeypatch.setattr(base, "play_pack", play_pack)
    monkeypatch.setattr(Stored, "of", lambda _: Stored(Results(), None, None))
    monkeypatch.setattr(Stored, "rescored", refused)
    tuning = load_tuning(written(tmp_path, SCALES))
    asked = (objective("games", "games"), objective("lacks", "skill"))
    packs = Packs(tuning, "out", How(), frozenset(("games", "skill")))
    candidate = revised(tuning.parent, {"contracts.first_last.terms[0].points": 41})
    found = held_effects(packs, asked, candidate, Results(), {}, Amount(), "judge")
    assert set(found) == {"games"}
    assert (found["games"].effect.value, found["games"].by) == (2.5, "unadapted")
    ((players, needs),) = heard
    assert players.full == tuning.file.players.unadapted
    assert (players.restricted, needs) == ({}, frozenset({"games"}))
