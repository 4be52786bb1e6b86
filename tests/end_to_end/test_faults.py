"""Real faults on this machine: what a run does, what it says, and that it ends whole all the same.

Shard files that are cut short or have a bit turned are in ``test_bad_input.py``, what happens at
any call of a store in ``tests/cluster``.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline.config import RunConfig
from pipeline.run_file import load_run
from pipeline.signals import ONCE_S
from pipeline.store import Run
from pipeline.verify import verify
from tests.end_to_end.test_run import start, wait_for_receipts
from tests.runs import cut_into, played
from tests.started import started

BOTS = """
import ctypes, time, zlib
from multiprocessing import parent_process
from pathlib import Path

class Low:
    def __repr__(self):
        return f"{type(self).__name__.lower()}.v1"

    def play(self, view):
        return view.lowest()

class Slow(Low):
    def play(self, view):
        time.sleep(0.0003)
        return view.lowest()

class Poisoned(Low):
    def play(self, view):
        # Dealt in blocks 11 and 13.
        if view.n_trick == 0 and zlib.crc32(b"80 %d" % view.hand) % 1024 == 0:
            if parent_process() is not None and not MARK.exists():
                ctypes.string_at(0)
        return view.lowest()

class Stubborn(Low):
    def play(self, view):
        MARK.touch()
        while True:
            try:
                time.sleep(60)
            except KeyboardInterrupt:
                MARK.with_name("once").touch()

MARK = Path(__file__).with_name("mark")
"""

Barbu = Callable[..., tuple[int, str, str]]


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    path = tmp_path / "bots.py"
    path.write_text(BOTS)
    return path


def write(bots: Path, name: str, blocks: int) -> Path:
    path = bots.with_name("run.toml")
    path.write_text(
        f"""
title = "faults"
seed = 11
variants = ["king_ru_fixed14"]
blocks = {blocks}
design = "gauntlet"
entrants = [{{ strategy = "duck.v1" }}, {{ strategy = "{bots}:{name}", name = "other" }}]
"""
    )
    return path


def cut_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.run.cut", lambda config, _: cut_into(config, 1))


def alike(config: RunConfig, out: Path) -> str:
    """The digest of a run that nobody disturbs."""
    return played(config, out)[1].digest


def test_a_shard_that_crashes_its_worker_is_set_aside_and_comes_in_once_it_is_mended(
    tmp_path: Path, bots: Path, barbu: Barbu, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_one(monkeypatch)
    path, out = write(bots, "Poisoned", 14), tmp_path / "run"
    how = ("--executor", "processes", "--workers", "2")
    code, said, err = barbu("run", path, "--out", out, *how, "--json")
    told = json.loads(said)
    assert (code, told["status"], told["digest"]) == (1, "incomplete", None)
    aside = told["set_aside"]
    assert [one["first_block"] for one in aside] == [11, 13]
    for one in aside:
        assert one["causes"] == ["worker died (SIGSEGV)"] * 3
    line = "set aside: king_ru_fixed14, block 11 (shard 11): 3 tries came to nothing"
    assert f"{line}: worker died (SIGSEGV)\n" in err
    assert f"incomplete: barbu resume {out} tries them again" in err

    there = Run.open(out)
    assert there.manifest.status == "incomplete"
    (verdict,) = there.manifest.decided
    assert (verdict.blocks, verdict.gap, verdict.kind) == (11, True, "anytime")
    assert verdict.low is not None
    lacking = {shard.number for shard in there.planned()} - set(there.receipts())
    assert lacking == {one["shard"] for one in aside}
    assert not verify(there).ok
    code, said, _ = barbu("status", out)
    assert said.count("set aside: king_ru_fixed14, block 1") == 2
    assert "up to a shard that was set aside" in " ".join(said.split())
    assert barbu("report", out)[0] == 0
    page = (out / "report.html").read_text("utf-8")
    assert page.count("3 tries came to nothing: worker died (SIGSEGV)") == 2

    (tmp_path / "mark").touch()
    code, said, _ = barbu("resume", out, *how, "--json")
    told = json.loads(said)
    assert (code, told["status"], told["set_aside"]) == (0, "complete", [])
    assert told["digest"] == alike(load_run(path), tmp_path / "alike")
    assert told["played"] == 4 * len(aside)
    (verdict,) = Run.open(out).manifest.decided
    assert (verdict.blocks, verdict.gap, verdict.kind) == (14, False, "t")
    assert verify(Run.open(out)).ok


KILLED = """
import os, signal, sys
from pipeline import playing
from pipeline.config import RunConfig

def killed(*_):
    os.kill(os.getpid(), signal.SIGKILL)

assert hasattr(playing, sys.argv[1])
setattr(playing, sys.argv[1], killed)
from pipeline.cli import main
sys.exit(main(["run", sys.argv[2], "--out", sys.argv[3], "--workers", "1"]))
"""


@pytest.mark.parametrize(
    "before",
    [
        "put_receipts",
        pytest.param("_verdicts", marks=pytest.mark.slow),
        pytest.param("drop_receipts", marks=pytest.mark.slow),
    ],
)
def test_a_driver_killed_between_data_and_manifest_loses_nothing(
    tmp_path: Path, bots: Path, barbu: Barbu, before: str
) -> None:
    path, out = write(bots, "Low", 6), tmp_path / "run"
    script = [sys.executable, "-c", KILLED, before, str(path), str(out)]
    assert subprocess.run(script, check=False).returncode == -signal.SIGKILL
    complete = Run.open(out).manifest.status == "complete"
    assert complete == (before == "drop_receipts")
    code, said, _ = barbu("resume", out, "--executor", "inline", "--json")
    told = json.loads(said)
    assert (code, told["played"], told["games"]) == (0, 0, 24)
    assert told["digest"] == alike(load_run(path), tmp_path / "alike")
    assert verify(Run.open(out)).ok
    assert not (out / "_receipts").exists()


def test_a_second_ctrl_c_ends_at_once_what_does_not_hear_the_first(
    tmp_path: Path, bots: Path
) -> None:
    out, script = tmp_path / "run", "import pipeline.run, sys; from pipeline.cli import main\n"
    script += "pipeline.run.pilot = lambda config: {v.name: 1.0 for v in config.variants}\n"
    script += f"sys.exit(main(['run', {str(write(bots, 'Stubborn', 2))!r}, '--out', {str(out)!r}"
    script += ", '--executor', 'inline']))"
    with started([sys.executable, "-c", script]) as driver:
        for mark in ("mark", "once"):
            wait_for(tmp_path / mark)
            assert driver.poll() is None
            time.sleep(2 * ONCE_S)
            driver.send_signal(signal.SIGINT)
        assert driver.wait(timeout=30) == 130  # he would sleep for a minute
    assert Run.open(out).manifest.status == "running"  # at once is at once
    assert not list(out.rglob("*.parquet"))


def wait_for(path: Path) -> None:
    for _ in range(600):
        if path.exists():
            return
        time.sleep(0.05)
    raise AssertionError(f"no {path.name} within half a minute")


@pytest.mark.slow
def test_two_resumes_at_once_one_wins_and_the_other_says_so(tmp_path: Path, bots: Path) -> None:
    path, out = write(bots, "Slow", 40), tmp_path / "run"
    first = start("run", path, "--out", out, "--workers", "1")
    wait_for_receipts(out, 1)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    both = [start("resume", out, "--workers", "1") for _ in range(2)]
    ended = sorted((one.communicate()[1], one.returncode) for one in both)
    codes = sorted(code for _, code in ended)
    assert codes == [0, 2]
    refused = next(said for said, code in ended if code == 2)
    assert refused.endswith(f"error: {out}: another process is writing this run\n")
    assert verify(Run.open(out)).ok


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of half a megabyte."""
    disk = tmp_path / "disk"
    disk.mkdir()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"none", bytes(disk), b"tmpfs", 0, b"size=512k") != 0:
        pytest.skip(f"no disk can be mounted here: {os.strerror(ctypes.get_errno())}")
    try:
        yield disk
    finally:
        assert libc.umount(bytes(disk)) == 0


@pytest.mark.slow
def test_a_full_disk_stops_the_run_and_it_goes_on_once_there_is_room(
    tmp_path: Path, small_disk: Path, bots: Path, barbu: Barbu, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_one(monkeypatch)
    path, out = write(bots, "Low", 40), small_disk / "run"
    filler = small_disk / "filler"
    filler.write_bytes(b"x" * 300_000)
    code, _, err = barbu("run", path, "--out", out, "--workers", "2")
    assert code == 2
    assert "tries in a row came to nothing" in err
    assert err.endswith(f"no space left on device (barbu resume {out} goes on)\n")
    there = len(Run.open(out).receipts())
    assert 0 < there < 40
    assert Run.open(out).manifest.status in ("failed", "running")  # as there was room to say so
    filler.unlink()
    ctypes.CDLL(None).mount(b"none", bytes(small_disk), b"tmpfs", 32, b"size=64m")  # MS_REMOUNT
    code, said, _ = barbu("resume", out, "--executor", "inline", "--json")
    assert code == 0
    assert json.loads(said)["digest"] == alike(load_run(path), tmp_path / "alike")
    assert verify(Run.open(out)).ok
