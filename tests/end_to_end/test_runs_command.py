"""``barbu runs``: a folder of runs at a glance, damaged ones among them."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.store import Run
from tests.runs import played, small

Barbu = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("base") / "run"
    played(small(("barbu_king_br",), title="Who ducks best?"), folder)
    return folder


@pytest.fixture
def runs(base: Path, tmp_path: Path) -> Path:
    """A complete run, one two folders deep, one cut off, one damaged, and no runs."""
    there = tmp_path / "runs"
    for name in ("whole", "demo/league", "cut", "damaged", "a/b/too deep"):
        shutil.copytree(base, there / name)
    Run.open(there / "cut").with_manifest(status="interrupted", digest=None, decided=())
    (there / "cut" / "shards.parquet").unlink()
    (there / "damaged" / "manifest.json").write_text("{")
    (there / "empty").mkdir()
    (there / "ledger.parquet").touch()
    return there


def test_every_run_is_listed_with_what_came_out(runs: Path, barbu: Barbu) -> None:
    code, out, err = barbu("runs", runs)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    heads = [line.split() for line in lines if not line.startswith(" ")]
    assert heads[0] == ["run", "status", "games", "size", "written"]
    shown = [(line[0], line[1]) for line in heads[1:]]
    assert shown == [
        ("cut", "interrupted"),
        ("damaged", "damaged"),
        ("demo/league", "complete"),
        ("whole", "complete"),
    ]
    told = " ".join(out.split())
    assert "damaged/manifest.json: damaged: not JSON" in told.replace(" /", "/")
    assert told.count("Who ducks best?") == 3
    assert "0 of 24 games are there" in told
    assert told.count("barbu_king_br: duck.v1 is ") == 2


def test_programs_get_the_same_as_data(runs: Path, barbu: Barbu) -> None:
    code, out, _ = barbu("runs", runs, "--json")
    found = {one["name"]: one for one in json.loads(out)}
    assert (code, list(found)) == (0, ["cut", "damaged", "demo/league", "whole"])
    whole, manifest = found["whole"], Run.open(runs / "whole").manifest
    assert (whole["digest"], whole["games"], whole["planned"]) == (manifest.digest, 24, 24)
    assert whole["run"] == str(runs / "whole")
    assert [one["decision"] for one in whole["decided"]] == [manifest.decided[0].decision]
    tables = (runs / "whole").rglob("*.parquet")
    assert whole["bytes"] == sum(path.stat().st_size for path in tables)
    assert found["cut"]["games"] == 0
    assert found["damaged"]["status"] is None
    assert "not JSON" in found["damaged"]["problem"]


def test_where_no_runs_are_is_said(runs: Path, tmp_path: Path, barbu: Barbu) -> None:
    code, out, err = barbu("runs", runs / "empty")
    assert (code, out) == (2, "")
    assert "no such folder, or an empty one" in err
    code, out, _ = barbu("runs", runs / "a")  # a folder less is not too deep
    assert (code, "b/too deep" in out) == (0, True)
    code, out, err = barbu("runs", runs / "whole")
    assert (code, out) == (2, "")
    assert "is a run itself (barbu status " in err
    (tmp_path / "other" / "thing").mkdir(parents=True)
    assert barbu("runs", tmp_path / "other") == (0, "", f"no runs in {tmp_path / 'other'}\n")
