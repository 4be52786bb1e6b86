"""From a run file to a whole folder: the same numbers whoever plays, whatever happens."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from engine_ext.errors import FoulPlay
from pipeline.config import RunConfig
from pipeline.run import resume
from pipeline.run_file import load_run
from pipeline.store import Run
from pipeline.tries import NothingLands
from pipeline.verify import verify
from tests.runs import BASE, cut_into, entrants, paths, played, rows, small
from tests.samples import slowly

BARBU = [sys.executable, "-c", "import sys; from pipeline.cli import main; sys.exit(main())"]

LOW = """
import os, signal, time
from multiprocessing import parent_process
from pathlib import Path

class Low:
    def __repr__(self):
        return f"{type(self).__name__.lower()}.v1"

    def play(self, view):
        return view.lowest()

class Slow(Low):
    def play(self, view):
        time.sleep(0.0002)
        return view.lowest()

class Wrong(Low):
    def play(self, view):
        return 200 if view.n_tricks == 3 else view.lowest()

class Dies(Low):
    def play(self, view):
        if parent_process() is not None and not MARK.exists():
            MARK.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return view.lowest()

class Deadly(Low):
    def play(self, view):
        if parent_process() is not None:
            os.kill(os.getpid(), signal.SIGKILL)
        return view.lowest()

MARK = Path(__file__).with_name("died")
"""


Barbu = Callable[..., tuple[int, str, str]]
"""Runs the command in this process: exit code, stdout, stderr."""


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    path = tmp_path / "bots.py"
    path.write_text(LOW)
    return path


def against(bots: Path, name: str, **changes: object) -> RunConfig:
    """Duck among three of a strategy written in Python, fixed contracts."""
    config = small(
        BASE[:1],
        design="gauntlet",
        lineups=(),
        entrants=entrants("duck.v1", f"{bots}:{name}"),
        **changes,
    )
    return config


def write(tmp_path: Path, blocks: int, strategy: str = "random.v1", foul: str = "forfeit") -> Path:
    path = tmp_path / "run.toml"
    path.write_text(
        f"""
title = "written"
seed = 7
variants = ["barbu_king_br"]
blocks = {blocks}
design = "gauntlet"
foul = "{foul}"
entrants = [{{ strategy = "duck.v1" }}, {{ strategy = "{strategy}", name = "other" }}]
"""
    )
    return path


def start(*words: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*BARBU, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for_receipts(folder: Path, n: int) -> None:
    for _ in range(600):
        if len(list((folder / "_receipts").glob("*.json"))) >= n:
            return
        time.sleep(0.05)
    raise AssertionError("no shard landed within half a minute")


def contents(folder: Path) -> dict[str, bytes]:
    """Every table file's bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*.parquet"))
        if path.name != "shards.parquet"
    }


def test_threads_and_one_thread_write_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.run.cut", lambda config, _: cut_into(config, 1))
    config = small()
    one, result = played(config, tmp_path / "one")
    two, other = played(config, tmp_path / "two", executor="local", workers=3)
    assert other.digest == result.digest
    assert contents(two.folder) == contents(one.folder)
    assert verify(two).ok


def test_processes_change_nothing(
    tmp_path: Path, bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.run.cut", lambda config, _: cut_into(config, 1))
    config = against(bots, "Low")
    one, result = played(config, tmp_path / "one")
    two, other = played(config, tmp_path / "two", executor="local", workers=2)
    assert other.digest == result.digest
    assert contents(two.folder) == contents(one.folder)


def test_a_shard_whose_worker_dies_is_played_again(
    tmp_path: Path, bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.run.cut", lambda config, _: cut_into(config, 1))
    config = against(bots, "Dies")
    there, result = played(config, tmp_path / "two", executor="local", workers=1)
    assert (tmp_path / "died").exists()
    assert verify(there).ok
    assert result.digest == played(config, tmp_path / "one")[1].digest


def test_a_run_in_which_nothing_lands_says_why(
    tmp_path: Path, bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.run.cut", lambda config, _: cut_into(config, 1))
    with pytest.raises(NothingLands, match=r"7 tries in a row came to nothing, .*: .*SIGKILL"):
        played(against(bots, "Deadly", blocks=5), tmp_path / "run", executor="local", workers=1)
    assert Run.open(tmp_path / "run").manifest.status == "failed"


@pytest.mark.ray
def test_ray_changes_nothing_and_says_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, 40)
    _, expected = played(load_run(path), tmp_path / "one")
    process = start(
        "run", path, "--out", tmp_path / "ray", "--executor", "ray", "--workers", "2", "--json"
    )
    out, err = process.communicate(timeout=280)
    assert (process.returncode, err) == (0, "")
    assert json.loads(out)["digest"] == expected.digest
    assert verify(Run.open(tmp_path / "ray")).ok


def test_the_command_prints_one_object(tmp_path: Path, barbu: Barbu) -> None:
    path = write(tmp_path, 5)
    code, out, err = barbu("run", path, "--out", tmp_path / "run", "--json")
    assert (code, err) == (0, "")
    said = json.loads(out)
    assert said["run"] == str(tmp_path / "run")
    assert (said["games"], said["deals"], said["fouls"]) == (20, 160, 0)
    assert said["seconds"] > 0
    code, out, _ = barbu("verify", tmp_path / "run", "--json")
    assert code == 0
    found = {"ok": True, "digest": said["digest"], "problems": [], "remarks": [], "surplus": 0}
    assert json.loads(out) == found | {"replayed": 0, "differing": []}
    code, out, _ = barbu("resume", tmp_path / "run", "--json")
    assert json.loads(out)["digest"] == said["digest"]
    paths(Run.open(tmp_path / "run"), "deals")[0].unlink()
    code, out, _ = barbu("verify", tmp_path / "run", "--json")
    assert code == 1
    assert json.loads(out)["ok"] is False


def test_plan_counts_without_playing(tmp_path: Path, barbu: Barbu) -> None:
    code, out, _ = barbu("plan", write(tmp_path, 1000), "--json")
    assert code == 0
    (variant,) = json.loads(out)["variants"]
    assert variant["tables"] == [["duck.v1", "other", "other", "other"]]
    assert (variant["games"], variant["deals"]) == (4000, 32_000)
    assert variant["shards"] >= 1


def test_a_run_that_was_killed_ends_the_same_after_resume(tmp_path: Path, bots: Path) -> None:
    path = write(tmp_path, 16, strategy=f"{bots}:Slow")
    out = tmp_path / "run"
    process = start("run", path, "--out", out, "--workers", "2")
    wait_for_receipts(out, 2)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert Run.open(out).manifest.status == "running"
    landed = set(Run.open(out).receipts())
    assert 0 < len(landed) < Run.open(out).manifest.shards
    (out / "deals" / ".deals-000099.parquet.1.aa.tmp").write_bytes(b"half")
    verdict = verify(Run.open(out))
    assert not verdict.ok
    assert f"is being played, or was cut off (barbu resume {out} goes on)" in verdict.problems[0]

    result = resume(out, executor="inline")
    assert result.games == 64
    assert result.played < 64
    there = Run.open(out)
    assert verify(there).ok
    assert not list(out.rglob(".*.tmp"))
    keys = [(r["block"], r["table"], r["rotation"]) for r in rows(there, "games")]
    assert keys == [(b, 0, r) for b in range(16) for r in range(4)]
    fast = write(tmp_path, 16, strategy=f"{bots}:Low")
    assert result.digest == played(load_run(fast), tmp_path / "again")[1].digest


# Ctrl-C as a status sees it: test_status; a second one: test_faults.
@pytest.mark.parametrize("number", [slowly(signal.SIGINT), signal.SIGTERM])
def test_an_interrupt_is_prompt_and_keeps_what_is_finished(
    tmp_path: Path, bots: Path, number: signal.Signals
) -> None:
    path = write(tmp_path, 60, strategy=f"{bots}:Slow")
    out = tmp_path / "run"
    process = start("run", path, "--out", out, "--workers", "2")
    wait_for_receipts(out, 1)
    sent = time.monotonic()
    os.kill(process.pid, number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert time.monotonic() - sent < 20  # a busy machine; below a second on a quiet one
    assert err == f"interrupted; what was finished is kept: barbu resume {out}\n"
    there = Run.open(out)
    assert there.manifest.status == "interrupted"
    assert there.receipts()


def test_fouls_are_counted_told_and_never_dropped(tmp_path: Path, bots: Path, barbu: Barbu) -> None:
    config = against(bots, "Wrong", blocks=2)
    there, result = played(config, tmp_path / "run")
    assert result.fouls > 0
    assert result.first_fouls[0].startswith("barbu_king_br: block 0, table 0, rotation 0, deal 0")
    games = pl.concat([pl.read_parquet(path) for path in paths(there, "games")])
    assert len(games) == 8
    assert sum(games[f"fouls_{s}"].sum() for s in range(4)) == result.fouls
    code, _, err = barbu(
        "run", write(tmp_path, 2, f"{bots}:Wrong"), "--out", tmp_path / "told", "--workers", "1"
    )
    assert code == 0
    assert f"{result.fouls:,} fouls" in err


def test_a_run_that_stops_at_fouls_says_where(tmp_path: Path, bots: Path, barbu: Barbu) -> None:
    with pytest.raises(FoulPlay, match="block 0"):
        played(against(bots, "Wrong", foul="stop"), tmp_path / "run")
    code, _, err = barbu(
        "run", write(tmp_path, 2, f"{bots}:Wrong", "stop"), "--out", tmp_path / "b"
    )
    assert code == 1
    assert err.startswith("error: stopped at a foul: block 0")
    code, _, err = barbu("plan", tmp_path / "run.toml")
    assert (code, err.count("\n")) == (1, 1)
    assert err.startswith("error: stopped at a foul: block 0")
    assert err.count("\n") == 1


def test_common_streams_repeat_a_seats_draws_and_independent_ones_do_not(tmp_path: Path) -> None:
    same = small(BASE[:1], lineups=(("random.v1",) * 4,))
    there, _ = played(same, tmp_path / "common")
    scores = {tuple(r[f"score_{s}"] for s in range(4)) for r in rows(there, "games")}
    assert len(scores) == 3  # the four rotations of a block play alike
    config = same.model_copy(update={"streams": "independent"})
    there, _ = played(config, tmp_path / "independent")
    scores = {tuple(r[f"score_{s}"] for s in range(4)) for r in rows(there, "games")}
    assert len(scores) > 9


def test_rotation_moves_entrants_and_leaves_the_cards(tmp_path: Path) -> None:
    there, _ = played(small(BASE[:1]), tmp_path / "run")
    lineups = there.manifest.config.lineups
    for row in rows(there, "games"):
        order = lineups[row["table"]]
        held = [row[f"entrant_{s}"] for s in range(4)]
        assert held == [order[(s - row["rotation"]) % 4] for s in range(4)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "none.toml", "--out", "x"), "none.toml: no such file"),
        (("run", "smoke", "--out", "s3://b/x"), "s3://b: no name of a bucket"),
        (("run", "smoke", "--out", "x", "--executor", "dask"), "--executor: 'dask'"),
        (("run", "smoke", "--out", "x", "--workers", "0"), "--workers: 0"),
        (("resume", "nowhere"), "nowhere: no run here"),
        (("verify", "nowhere"), "nowhere: no run here"),
    ],
)
def test_a_users_mistake_is_one_line_and_exit_code_two(
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    barbu: Barbu,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = barbu(*words)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())
