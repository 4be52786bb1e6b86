"""What Ray costs: the same run by threads and by a local Ray, and the driver's memory over many
pieces in which nothing is done.

    python benchmarks/cluster.py BLOCKS [PIECES]

Wants a quiet machine with two processors. Starting and stopping Ray is told apart.
"""

import operator
import sys
import tempfile
import time
from pathlib import Path

from pipeline.executors.handshake import Asked
from pipeline.executors.joining import joined, leave
from pipeline.executors.ray import Cluster
from pipeline.landing import Task
from pipeline.manifest import Receipt
from pipeline.plan import Shard
from pipeline.run import run
from pipeline.run_file import run_of
from pipeline.store import Run

WORKERS = 2
FLYING = 200
"""Pieces at hand at a time."""
PAGE = 4096


def compare(blocks: int) -> None:
    """Play one run both ways; the seconds from the first shard's start to the last's end."""
    said = {
        "title": "what Ray costs",
        "seed": 1,
        "variants": ["barbu_52_doubling"],
        "blocks": blocks,
        "design": "gauntlet",
        "entrants": [{"strategy": "duck.v1"}, {"strategy": "random.v1"}],
    }
    config = run_of(said, "benchmark", Path())
    for executor in ("local", "ray", "ray", "local"):
        with tempfile.TemporaryDirectory() as folder:
            started, began = time.monotonic(), 0.0
            if executor == "ray":
                joined("local", WORKERS, ())
                began = time.monotonic() - started
            result = run(config, Path(folder) / "run", executor=executor, workers=WORKERS)
            whole = time.monotonic() - started
            worked = Run.open(Path(folder) / "run").manifest.worker_seconds
        print(
            f"{executor:6} begun in {began:5.1f} s, played in {result.seconds:6.1f} s, "
            f"left in {whole - began - result.seconds:4.1f} s; work {worked:6.1f} s; "
            f"digest {result.digest[:16]}",
            flush=True,
        )


def many(pieces: int) -> None:
    """Send pieces that do nothing, and look at this process's memory."""
    said = {
        "title": "nothing",
        "seed": 1,
        "variants": ["barbu_52_doubling"],
        "blocks": 1,
        "design": "gauntlet",
        "entrants": [{"strategy": "duck.v1"}, {"strategy": "random.v1"}],
    }
    config = run_of(said, "benchmark", Path()).model_dump_json()
    hands: Cluster[Task, Receipt | bool] = Cluster(
        operator.is_, WORKERS, Asked(config, None, ""), address="local"
    )
    sent = done = 0
    started = time.monotonic()
    while done < pieces:
        if sent < pieces and sent - done < FLYING:
            hands.submit(Task("", "", "", config, 4, Shard(sent, "", sent, 1, 0, 1, True)))
            sent += 1
            continue
        assert hands.completed() is False
        done += 1
        if done in (pieces // 100, pieces // 2, pieces):
            resident = int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 2**20
            print(f"{done:8,} pieces in {time.monotonic() - started:6.1f} s: {resident:.0f} MiB")
    leave()


if __name__ == "__main__":
    compare(int(sys.argv[1]))
    if len(sys.argv) > 2:
        many(int(sys.argv[2]))
