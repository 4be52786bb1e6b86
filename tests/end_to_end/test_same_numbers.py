"""The same run whoever plays it: any workers, any shards, killed or not.

Equal are the digest, every row of ``games``, and the report as JSON to the last byte.
"""

import json
import signal
import subprocess
import sys
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.cli import main
from pipeline.config import RunConfig
from pipeline.run import resume
from pipeline.store import Run
from pipeline.verify import verify
from tests.runs import BASE, cut_into, entrants, paths, played, small

SHARDS = (1, 7, 64, 1000)
WORKERS = (1, 2, 8)
COMPILED = ("duck.v1", "random.v1", "count.v1", "slips.v1")
MIXED = ("duck.v1", "random.v1", "count.v1", "lowest.v1")
"""One of them in Python: workers are processes."""

BEGIN = """
import os, signal, sys
import pipeline.run
from pipeline.config import RunConfig
from pipeline.driving import Driver
from pipeline.run import run
from tests.runs import cut_into

file, out, blocks, workers, last = sys.argv[1:]
config = RunConfig.model_validate_json(open(file).read())
pipeline.run.cut = lambda config, _: cut_into(config, int(blocks))
land, landed = Driver._land, []

def deadly(driver, receipt):
    land(driver, receipt)
    landed.append(receipt)
    if len(landed) == int(last):
        os.killpg(0, signal.SIGKILL)

Driver._land = deadly
run(config, out, executor="local", workers=int(workers))
"""


def league(
    blocks: int, bots: tuple[str, ...], names: tuple[str, ...] = (BASE[0], BASE[3]), **more: Any
) -> RunConfig:
    """Four at a table; one of the documents has bets and choices."""
    said: dict[str, Any] = {
        "blocks": blocks,
        "design": "table",
        "lineups": (),
        "entrants": entrants(*bots),
        "record": ("games",),
    }
    return small(names, **said | more)


def told(folder: Path) -> tuple[str, str, str]:
    """Digest of a run, hash of all rows of its games, and its report."""
    there = Run.open(folder)
    assert verify(there).ok
    games = pl.concat(map(pl.read_parquet, paths(there, "games"))).rows()
    out = folder.with_suffix(".json")
    assert main(["report", str(folder), "--format", "json", "--out", str(out)]) == 0
    report = out.read_text("utf-8").replace(str(folder), "RUN")
    assert json.loads(report)["sections"]
    return there.manifest.digest or "", sha256(repr(games).encode()).hexdigest(), report


@pytest.mark.parametrize(
    ("blocks", "bots", "ways"),
    [
        (24, COMPILED, ((1, 64), (2, 1), (8, 7))),
        pytest.param(1100, COMPILED, tuple(product(WORKERS, SHARDS)), marks=pytest.mark.slow),
        pytest.param(72, MIXED, tuple(product(WORKERS, (1, 7, 64))), marks=pytest.mark.slow),
    ],
)
def test_workers_and_shards_of_any_number_and_size_tell_the_same(
    blocks: int,
    bots: tuple[str, ...],
    ways: tuple[tuple[int, int], ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.fsync", lambda _: None)  # many small files, none worth waiting for
    found = set()
    for workers, shard in ways:
        monkeypatch.setattr("pipeline.run.cut", lambda c, _, size=shard: cut_into(c, size))
        folder = tmp_path / f"{workers} {shard}" / "run"
        played(league(blocks, bots), folder, executor="local", workers=workers)
        found.add(told(folder))
    assert len(found) == 1


def killed(config: RunConfig, folder: Path, receipts: int, workers: int) -> None:
    """Begin a run in shards of one block; with all its workers it is killed (-9) when so many
    have landed."""
    file = folder.with_suffix(".config")
    file.write_text(config.model_dump_json(), "utf-8")
    words = [str(file), str(folder), "1", str(workers), str(receipts)]
    process = subprocess.run(
        [sys.executable, "-c", BEGIN, *words],
        cwd=Path(__file__).parents[2],
        start_new_session=True,
        check=False,
    )
    assert process.returncode == -signal.SIGKILL


@pytest.mark.slow  # a quick one: test_stopped_run, test_run
@pytest.mark.parametrize(
    ("bots", "workers", "receipts"),
    [
        (COMPILED, 2, 5),
        *product((COMPILED, MIXED), WORKERS, (1, 40)),
    ],
)
def test_a_killed_run_that_is_taken_up_again_tells_the_same(
    bots: tuple[str, ...], workers: int, receipts: int, tmp_path: Path
) -> None:
    config = league(60, bots)
    whole, broken = tmp_path / "whole" / "run", tmp_path / "broken" / "run"
    broken.parent.mkdir()
    played(config, whole)
    killed(config, broken, receipts, workers)
    assert Run.open(broken).manifest.status == "running"
    landed = len(Run.open(broken).receipts())
    assert receipts <= landed < 120
    result = resume(broken, executor="local", workers=workers)
    assert 0 < result.played < result.games
    assert told(broken) == told(whole)
