"""The driver alone: a run of a million shards in which no game is played.

    python -m benchmarks.driver [SHARDS] [--folder DIR]

The driver, its receipts and how a run ends are those of ``barbu run``. Its workers are made up:
they say in shuffled order that shards have landed, and put the receipts into the run's folder,
which lies in memory (/dev/shm) unless ``--folder`` says where. Printed are the driver's processor
time and requests a shard, the peak of memory while it goes on and at its end, and how large
receipts are. The executor's own costs come on top: docs/scale.md.
"""

import argparse
import random
import resource
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from engine_ext.rules.load import load_variant
from pipeline import ledger
from pipeline.config import Entrant, NamedVariant, RunConfig
from pipeline.executors import Begin, Executor
from pipeline.files import SHARDS
from pipeline.landing import Task
from pipeline.manifest import Audited, FileReceipt, Receipt
from pipeline.opening import new_manifest
from pipeline.plan import Bounds
from pipeline.playing import RunResult, play_missing
from pipeline.progress import Silent
from pipeline.store import Run, put_receipt
from pipeline.stores import Entry, Tag
from pipeline.stores.folder import Folder
from tests.made_up import receipt_of

VARIANT = "barbu_52_doubling"
WINDOW = 3_000
"""Shards in the air: three for each of a thousand processors."""
FILES = {
    "summary": FileReceipt(rows=900, bytes=21_000, sha256="3" * 64),
    "doubles": FileReceipt(rows=10, bytes=2_100, sha256="4" * 64),
}
"""What a shard brings: two small files."""
asked: Counter[str] = Counter()
"""Requests to the store, by what was asked."""


class Counting(Folder):
    """A folder that counts what is asked of it, and not what workers ask."""

    def put(self, name: str, whole: bytes) -> None:
        """One more."""
        asked["put"] += 1
        super().put(name, whole)

    def get(self, name: str) -> bytes:
        """One more."""
        asked["get"] += 1
        return super().get(name)

    def source(self, name: str) -> Path:
        """One more."""
        asked["get"] += 1
        return super().source(name)

    def swap(self, name: str, whole: bytes, seen: Tag | None) -> Tag:
        """One more."""
        asked["swap"] += 1
        return super().swap(name, whole, seen)

    def entry(self, name: str) -> Entry | None:
        """One more."""
        asked["head"] += 1
        return super().entry(name)

    def entries(self, below: str = "") -> Iterator[Entry]:
        """One more, however long the list."""
        asked["list"] += 1
        return Folder(self.root, self.named).entries(below)

    def remove(self, name: str) -> None:
        """One more."""
        asked["remove"] += 1
        super().remove(name)


class Shuffled:
    """Says in shuffled order that shards have landed, and puts their receipts in place."""

    window = WINDOW

    def __init__(self, store: Folder) -> None:
        self._store = store
        self._random = random.Random(1)
        self._tasks: list[Task] = []
        self.cpu_s = 0.0
        """Processor time of the workers."""
        self.size = 0
        """Bytes of the last receipt."""
        self.peak_mib = 0

    def submit(self, task: Task) -> None:
        """Play it."""
        self._tasks.append(task)

    def completed(self, wait_s: float | None = None) -> Receipt:
        """One of those that are at hand."""
        began = time.process_time()
        at = self._random.randrange(len(self._tasks))
        self._tasks[at], self._tasks[-1] = self._tasks[-1], self._tasks[at]
        task = self._tasks.pop()
        receipt = receipt_of(task.run, task.shard, files=FILES)
        put_receipt(self._store, receipt)
        self.size = len(receipt.model_dump_json(exclude_none=True))
        self.cpu_s += time.process_time() - began
        return receipt

    def close(self, *, cancel: bool) -> None:
        """Nothing is to be ended: all have landed, or the driver gave up."""
        self.peak_mib = peak_mib()


class Still:
    """A clock that stands, since who stays long in the air here is no straggler."""

    def now(self) -> float:
        """Always the same."""
        return 0.0

    def sleep(self, seconds: float) -> None:
        """Nothing fails, so nobody waits."""
        raise AssertionError(seconds)


class MadeUp(Begin):
    """Begins those workers, and no others."""

    workers_of: Shuffled

    def __call__(self) -> Executor:
        """Those."""
        return self.workers_of


def config_of(shards: int, per_shard: int = 100) -> RunConfig:
    """A run of so many shards that keeps no rows."""
    rules = load_variant(VARIANT)
    return RunConfig(
        title="driver alone",
        seed=1,
        variants=(NamedVariant(name=VARIANT, rules=rules),),
        blocks=shards * per_shard,
        design="gauntlet",
        entrants=(Entrant(strategy="duck.v1"), Entrant(strategy="random.v1")),
        record=(),
    )


class Measured:
    """What the driver took, with what its workers did in the same process left out."""

    def __init__(self, shards: int, folder: Path) -> None:
        self.folder = Counting(folder / "run", "run")
        self.workers = Shuffled(Folder(folder / "run", "run"))
        config = config_of(shards)
        manifest = new_manifest(
            config,
            {VARIANT: Bounds(blocks=100, parts=1)},
            {entrant.label: entrant.strategy for entrant in config.entrants},
        )
        # Nothing was played, so nothing can be played again.
        none = Audited(variant=VARIANT, blocks=(), games=0, elsewhere=0, differing=())
        self.folder.begin()
        self.run = Run.new(self.folder, manifest.model_copy(update={"audited": (none,)}))
        self.attempts = ledger.begin(self.folder.beside(), manifest)

    def play(self) -> tuple[RunResult, float]:
        """The run's end, and seconds of the driver's processor time."""
        hands = MadeUp("inline", None, release_gil=False)
        object.__setattr__(hands, "workers_of", self.workers)
        began = time.process_time()
        result = play_missing(self.run, self.attempts, hands, Silent(), Still())
        return result, time.process_time() - began - self.workers.cpu_s


def peak_mib() -> int:
    """Most memory that this process had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("shards", type=int, nargs="?", default=1_000_000)
    parser.add_argument("--folder", type=Path)
    words = parser.parse_args()
    with TemporaryDirectory(dir=words.folder or "/dev/shm") as folder:
        measured = Measured(words.shards, Path(folder))
        before = peak_mib()
        result, cpu_s = measured.play()
        size = (Path(folder) / "run" / SHARDS).stat().st_size
        again = time.process_time()
        there = Run.open(Path(folder) / "run")
        receipts = there.whole_receipts()
        again = time.process_time() - again
    assert result.games == there.manifest.games
    assert len(receipts) == words.shards
    n = words.shards
    print(f"shards                         {n:,}")
    print(f"driver, processor time         {1e6 * cpu_s / n:,.0f} us a shard, {cpu_s:,.1f} s")
    print(f"requests to the store          {sum(asked.values()) / n:.3f} a shard: {dict(asked)}")
    print(f"memory before it began         {before:,} MiB")
    print(f"peak while shards landed       {measured.workers.peak_mib:,} MiB")
    print(f"peak at the end                {peak_mib():,} MiB")
    print(f"single receipt                 {measured.workers.size:,} bytes")
    print(f"{SHARDS}                 {size:,} bytes, {size / n:.1f} a shard")
    print(f"opened and checked again in    {again:,.1f} s, {1e6 * again / n:,.1f} us a shard")


if __name__ == "__main__":
    main()
