"""Code that a run names is run where a run file or its reader asks for it, and nowhere else."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.store import Run

Barbu = Callable[..., tuple[int, str, str]]

CODE = """
from pathlib import Path

Path(MARKER).touch()

class Low:
    def play(self, view):
        return view.lowest()

    def __repr__(self):
        return "low.v1"
"""

RUN = """
title = "Whose code is run?"
seed = 3
variants = ["barbu_king_br"]
blocks = 2
design = "lineups"
entrants = [
    { strategy = "STRATEGY", name = "he" },
    { strategy = "duck.v1", name = "duck" },
]
lineups = [["he", "duck", "duck", "duck"], ["duck", "duck", "duck", "duck"]]
"""

STRATEGIES = {
    "file": "planted.py:Low",
    "module": "planted_module:Low",
    "part": "play=duck.v1, choose=planted.py:Low",
    "inside": "slips.v1(of=planted.py:Low)",
}


class Planted:
    """A run whose strategy leaves a trace wherever it is imported."""

    def __init__(self, folder: Path) -> None:
        self.file, self.run, self._marker = folder / "run.toml", folder / "run", folder / "imported"
        for name in ("planted.py", "planted_module.py"):
            (folder / name).write_text(CODE.replace("MARKER", repr(str(self._marker))))

    def imported(self) -> bool:
        """Whether it was imported since the last time; the next import is a first one again."""
        sys.modules["strategies.registry"].__dict__["_FILES"].clear()
        sys.modules.pop("planted_module", None)
        there = self._marker.exists()
        self._marker.unlink(missing_ok=True)
        return there


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Planted:
    monkeypatch.syspath_prepend(tmp_path)
    return Planted(tmp_path)


def play(planted: Planted, barbu: Barbu, strategy: str, *more: str) -> None:
    planted.file.write_text(RUN.replace("STRATEGY", strategy) + "".join(more))
    code, _, err = barbu("run", planted.file, "--out", planted.run, "--executor", "inline")
    assert code == 0, err
    assert planted.imported()


def readers(run: Path, out: Path) -> list[tuple[str | Path, ...]]:
    """Every command that reads a run, in all its ways."""
    return [
        ("status", run),
        ("sql", run, "select * from games"),
        ("verify", run),
        ("verify", run, "--replay", "1", "--executor", "inline"),
        ("report", run, "--out", out / "page.html"),
        ("report", run, "--format", "json", "--section", "league", "--out", out / "page.json"),
        ("replay", run, "--table", "1"),
        ("export", run, "--out", out / "records", "--games", "3"),
    ]


@pytest.mark.parametrize(
    "how",
    ["file", "inside", *(pytest.param(one, marks=pytest.mark.slow) for one in ("module", "part"))],
)
def test_whoever_reads_a_run_runs_none_of_its_code(
    how: str, planted: Planted, tmp_path: Path, barbu: Barbu
) -> None:
    play(planted, barbu, STRATEGIES[how])
    for words in readers(planted.run, tmp_path):
        code, _, err = barbu(*words)
        assert code == 0, (words, err)
        assert not planted.imported(), words
    assert len(list((tmp_path / "records").iterdir())) == 3
    # The game in which he sits.
    code, out, err = barbu("replay", planted.run)
    assert (code, out) == (2, "")
    assert "he: its strategy is loaded from a file or module (--load-strategies" in err
    assert not planted.imported()


def test_what_was_not_played_again_is_said(planted: Planted, tmp_path: Path, barbu: Barbu) -> None:
    play(planted, barbu, STRATEGIES["file"])
    words = ("verify", planted.run, "--replay", "1", "--executor", "inline")
    code, out, err = barbu(*words)
    # 2 blocks, 4 rotations, of two tables the one of ducks.
    assert "8 games of 2 blocks played again: all came out the same" in out
    assert "he: not replayable: its strategy is loaded from a file or module" in err
    assert barbu("report", planted.run, "--out", tmp_path / "page.html")[0] == 0
    page = (tmp_path / "page.html").read_text()
    assert "Left out of replays: he: not replayable: its strategy is loaded from a file" in page
    assert "passed over: he: " in barbu("export", planted.run, "--out", tmp_path / "r")[2]
    planted.imported()

    code, out, err = barbu(*words, "--load-strategies")
    assert "16 games of 2 blocks played again: all came out the same" in out
    assert f"loads strategies from {tmp_path / 'planted.py'} (sha256 " in err
    assert code == 0
    assert planted.imported()


def test_whoever_says_so_plays_everything_again(
    planted: Planted, tmp_path: Path, barbu: Barbu
) -> None:
    play(planted, barbu, STRATEGIES["inside"])
    asked: list[tuple[str | Path, ...]] = [
        ("report", planted.run, "--out", tmp_path / "page.html"),
        ("replay", planted.run),
        ("export", planted.run, "--out", tmp_path / "records", "--games", "3"),
    ]
    for words in asked:
        code, _, err = barbu(*words, "--load-strategies")
        assert code == 0, err
        assert "loads strategies from " in err
        assert planted.imported(), words


def test_a_study_is_read_without_its_code(planted: Planted, tmp_path: Path, barbu: Barbu) -> None:
    text = RUN[: RUN.index("lineups =")].replace('"lineups"', '"value"')
    text = text.replace("barbu_king_br", "barbu_fr_reussite").replace("blocks = 2", "blocks = 1")
    planted.file.write_text(text.replace("STRATEGY", STRATEGIES["file"]) + "worlds = 2\n")
    words = ("run", planted.file, "--out", planted.run, "--executor", "inline")
    assert barbu(*words)[0] == 0
    assert planted.imported()
    for asked in readers(planted.run, tmp_path)[:-1]:
        if asked[0] != "sql" and "league" not in asked:  # a study has neither
            assert barbu(*asked)[0] == 0
    code, _, err = barbu("replay", planted.run, "--table", "0")
    assert (code, "he: its strategy is loaded from a file" in err) == (2, True)
    assert not planted.imported()
    assert barbu("replay", planted.run, "--table", "0", "--load-strategies")[0] == 0
    assert planted.imported()


def interrupted(folder: Path) -> None:
    """As a driver leaves it that was stopped before the last shard had landed."""
    run = Run.open(folder).with_manifest(status="interrupted", digest=None)
    (folder / "shards.parquet").unlink()
    assert run.manifest.strategy_files


def test_who_resumes_is_told_what_is_loaded_and_plays_no_other_code(
    planted: Planted, tmp_path: Path, barbu: Barbu
) -> None:
    play(planted, barbu, STRATEGIES["file"])
    interrupted(planted.run)
    other = shutil.copytree(planted.run, tmp_path / "other")
    code, _, err = barbu("resume", planted.run, "--executor", "inline")
    (kept,) = Run.open(planted.run).manifest.strategy_files.values()
    assert (code, f"loads strategies from {tmp_path / 'planted.py'} (sha256 {kept})" in err) == (
        0,
        True,
    )
    assert planted.imported()

    path = tmp_path / "planted.py"
    path.write_text(path.read_text() + "# the same, one line longer\n")
    before = (other / "manifest.json").read_bytes()
    refused = (("resume", other), ("replay", planted.run, "--load-strategies"))
    for asked in refused:
        code, _, err = barbu(*asked)
        assert (code, "is not the file that the run was begun with (sha256 " in err) == (2, True)
        assert not planted.imported()
    assert (other / "manifest.json").read_bytes() == before
    words = ("verify", planted.run, "--replay", "1", "--executor", "inline", "--load-strategies")
    code, out, err = barbu(*words)
    assert (code, "8 games of 2 blocks" in out) == (0, True)
    assert "he: not replayable: cannot be had here (" in err
    assert not planted.imported()


def test_runs_of_before_hashes_are_resumed_with_what_is_there(
    planted: Planted, barbu: Barbu
) -> None:
    play(planted, barbu, STRATEGIES["file"])
    interrupted(planted.run)
    path = planted.run / "manifest.json"
    said = json.loads(path.read_text())
    del said["strategy_files"]
    path.write_text(json.dumps(said))
    code, _, err = barbu("resume", planted.run, "--executor", "inline")
    assert (code, "planted.py\n" in err) == (0, True)
