"""The driver of a large run: every shard once, little memory, few requests."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.driver import Measured, asked
from pipeline.batches import BATCH
from pipeline.digest import add, text
from pipeline.files import RECEIPTS
from pipeline.store import Run
from tests.made_up import receipt_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def test_a_run_of_many_shards_ends_with_every_receipt_once(folder: Path) -> None:
    n = 3 * BATCH
    asked.clear()
    measured = Measured(n, folder)
    result, _ = measured.play()
    there = Run.open(folder / "run")
    planned = list(there.planned())
    assert list(there.whole_receipts()) == list(range(n))
    digests = (receipt_of(there.manifest.run, shard).digest for shard in planned)
    assert result.digest == there.manifest.digest == text(add(digests))
    assert result.played == result.games == sum(s.n_blocks * s.n_games for s in planned)
    assert not (folder / "run" / RECEIPTS).exists()
    # Two batches and the table; manifest and ledger a few times; each single receipt goes.
    assert asked["put"] + asked["list"] + asked["get"] + asked["swap"] < 40
    assert asked["remove"] <= n + 10


@pytest.mark.slow
def test_memory_stays_flat_while_a_hundred_thousand_shards_land() -> None:
    """Seven bytes a shard and the last receipts; at the end some 300 bytes a shard."""
    words = [sys.executable, "-m", "benchmarks.driver"]
    peaks = {}
    for n in (10_000, 100_000):
        out = subprocess.run([*words, str(n)], check=True, capture_output=True, text=True).stdout
        said = dict(line.split("  ", 1) for line in out.splitlines())
        landing = int(said["peak while shards landed"].split()[0])
        end = int(said["peak at the end"].split()[0])
        peaks[n] = landing, end
    assert peaks[100_000][0] < peaks[10_000][0] + 30
    assert peaks[100_000][1] < peaks[10_000][1] + 200
