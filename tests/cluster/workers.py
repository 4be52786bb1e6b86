"""Workers who do what was once done in earnest, one call of the store at a time, and a cluster
that lets them go on in any order, forgets them, kills them, and lets them outlive their driver."""

import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from engine_ext.batch import StopFlag
from pipeline.executors import Hands, Lost, P, R, Work
from pipeline.executors.inline import Inline
from pipeline.files import table_name
from pipeline.landing import Task
from pipeline.manifest import FileReceipt, Receipt
from pipeline.plan import Shard
from pipeline.play import play_shard
from pipeline.receipts import receipt_of
from pipeline.store import parquet, put_receipt
from pipeline.stores import StoreError
from tests.cluster.memory import Disk, Fault, Life, Memory


class Brought(NamedTuple):
    """What a shard brings."""

    files: dict[str, bytes]
    receipt: Receipt


def otherwise(brought: Brought, which: int) -> Brought:
    """The same rows in files of other bytes: of a shard that does not repeat itself."""
    files, receipts = {}, dict(brought.receipt.files)
    for name, whole in brought.files.items():
        files[name] = parquet(pl.read_parquet(BytesIO(whole)), {"which": str(which)})
        table: Any = name.partition("/")[0]
        receipts[table] = FileReceipt(
            rows=receipts[table].rows,
            bytes=len(files[name]),
            sha256=sha256(files[name]).hexdigest(),
        )
    return Brought(files, brought.receipt.model_copy(update={"files": receipts}))


class Rehearsal:
    """Plays each shard in earnest once, and remembers what it brought."""

    def __init__(self) -> None:
        self._brought: dict[tuple[str, Shard], Brought] = {}
        self._came: dict[object, Any] = {}

    def of(self, task: Task) -> Brought:
        """What a shard brings."""
        key = (task.run, task.shard)
        if key not in self._brought:
            with tempfile.TemporaryDirectory() as folder:
                receipt = play_shard(task._replace(where=folder), StopFlag())
                assert receipt is not None
                names = [table_name(table, task.shard.number) for table in receipt.files]
                files = {name: (Path(folder) / name).read_bytes() for name in names}
            self._brought[key] = Brought(files, receipt)
        return self._brought[key]

    def hands(self, work: Work[P, R]) -> Hands[P, R]:
        """Workers who play the audit's pieces, each in earnest once."""

        def remembered(task: P, stop: StopFlag) -> R | None:
            if task not in self._came:
                self._came[task] = work(task, stop)
            found: R | None = self._came[task]
            return found

        return Inline(remembered)


def worked(task: Task, brought: Brought, store: Memory) -> Iterator[Receipt | None]:
    """A try, as :func:`pipeline.landing.land` makes it: the receipt at last, None before."""
    if (there := receipt_of(store, task.run, task.shard)) is not None:
        yield there
        return
    for name, whole in brought.files.items():
        yield None
        store.put(name, whole)
    yield None
    put_receipt(store, brought.receipt)
    yield brought.receipt


class Odds(NamedTuple):
    """Probabilities of what goes wrong."""

    crash: float = 0.0
    """The driver ends, at each of its calls: it is killed, or the store answers an error."""
    error: float = 0.0
    """The store answers an error, at each call of a worker."""
    death: float = 0.0
    """A worker dies, at each of his calls."""
    lull: float = 0.2
    """Nothing comes while the driver waits."""
    outlives: float = 0.0
    """A try goes on though its driver was killed."""


class Try(NamedTuple):
    task: Task
    steps: Iterator[Receipt | None]


class Weather:
    """Draws what happens next."""

    def __init__(self, seed: int, odds: Odds) -> None:
        self.rng, self.odds = random.Random(seed), odds
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        assert seconds >= 0
        self.time += seconds

    def hits(self, probability: float) -> bool:
        return self.rng.random() < probability

    def fault(self, driver: bool) -> Callable[[str, str], Fault | None]:
        """Faults of the store as a process meets them."""

        kinds: tuple[Fault, ...] = ("error before", "error after")
        if driver:
            kinds = ("crash before", "crash after", *kinds)

        def drawn(call: str, name: str) -> Fault | None:
            hit = self.hits(self.odds.crash if driver else self.odds.error)
            return self.rng.choice(kinds) if hit else None

        return drawn


class Cluster:
    """An executor of a driver's life; tries go on one call at a time, whichever the weather
    draws."""

    def __init__(self, world: "World", life: Life, window: int) -> None:
        self.window = window
        self._world, self._life = world, life
        self._tries: list[Try] = []

    def submit(self, task: Task) -> None:
        with self._life.calling("submit", str(task.shard.number)):
            same = [one for one in self._tries if one.task.shard == task.shard]
            self._world.raced += bool(same)
            assert len(same) < 2, "a straggler is tried once more"
            self._tries.append(self._world.begin(task))

    def completed(self, wait_s: float | None = None) -> Receipt | Lost | None:
        with self._life.calling("completed", ""):
            pass
        weather = self._world.weather
        if wait_s is not None and weather.hits(weather.odds.lull):
            weather.sleep(wait_s)
            return None
        assert self._tries, "asked only while there are tries"
        while True:
            self._world.lets_ghosts_go_on()
            weather.sleep(weather.rng.choice((0.0, 0.1, 5.0)))
            # Mostly the newest, so that some fly long.
            last = len(self._tries) - 1
            at = last if weather.hits(0.5) else weather.rng.randint(0, last)
            came = self._world.goes_on(self._tries[at])
            if came is not None:
                del self._tries[at]
                return came

    def close(self, *, cancel: bool) -> None:
        assert cancel or not self._tries, "nothing is left alone"
        self._tries.clear()

    def outlived(self) -> list[Try]:
        """Tries that are in the air when the driver is killed."""
        return self._tries


class World:
    """What is there whichever driver lives: disk, workers, weather."""

    def __init__(self, rehearsal: Rehearsal, seed: int, odds: Odds) -> None:
        self.disk = Disk()
        self.rehearsal = rehearsal
        self.weather = Weather(seed, odds)
        self.poisoned: set[int] = set()
        """Shards on which every worker dies."""
        self.fickle = False
        """Whether a try of a shard brings other bytes than another did."""
        self.begun: Counter[int] = Counter()
        """Tries by shard in the present life,"""
        self.lost: Counter[int] = Counter()
        """and those that came to nothing."""
        self.landed: set[int] = set()
        """Shards that have landed, as they were seen last."""
        self.raced = 0
        """Shards that two tries flew of at once, in all lives."""
        self._ghosts: list[Try] = []

    def calm(self) -> None:
        """From now on nothing goes wrong any more."""
        self.weather.odds = Odds()
        self.poisoned.clear()

    def begin(self, task: Task) -> Try:
        """A try of a shard."""
        number = task.shard.number
        self.begun[number] += 1
        store = Memory(self.disk, Life(self.weather.fault(driver=False)))
        brought = self.rehearsal.of(task)
        if self.fickle:
            brought = otherwise(brought, self.weather.rng.getrandbits(32))
        return Try(task, worked(task, brought, store))

    def goes_on(self, one: Try) -> Receipt | Lost | None:
        """A try makes its next call."""
        number = one.task.shard.number
        if number in self.poisoned or self.weather.hits(self.weather.odds.death):
            return self._lost(Lost(number, "worker died (SIGKILL)"))
        try:
            return next(one.steps)
        except StoreError as error:
            return self._lost(Lost(number, str(error), store=True))

    def _lost(self, lost: Lost) -> Lost:
        self.lost[lost.shard] += 1
        return lost

    def survive(self, tries: list[Try]) -> None:
        """The driver is dead; some of these tries do not know."""
        self._ghosts += [one for one in tries if self.weather.hits(self.weather.odds.outlives)]

    def lets_ghosts_go_on(self) -> None:
        for one in list(self._ghosts):
            if self.weather.hits(0.3) and self._ends(one):
                self._ghosts.remove(one)

    def _ends(self, one: Try) -> bool:
        try:
            return next(one.steps) is not None
        except StoreError:
            return True
