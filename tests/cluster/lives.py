"""A run played by one driver after the other, each cut off somewhere, until it is whole."""

from dataclasses import dataclass

from engine_ext.errors import UserError
from pipeline import ledger
from pipeline.executors import TRIES, Begin, Executor, Hands, P, R, Work
from pipeline.files import MANIFEST, SHARDS, read_parquet
from pipeline.manifest import Manifest
from pipeline.playing import RunResult, play_missing
from pipeline.store import Run, damaged
from tests.cluster.memory import Crash, Life, Memory
from tests.cluster.workers import Cluster, Rehearsal, World

WINDOW = 3
MOST_LIVES = 60
"""After so many nothing goes wrong any more."""


@dataclass(frozen=True, kw_only=True)
class Hired(Begin):
    """Workers of a driver's life."""

    cluster: Cluster
    rehearsal: Rehearsal

    def __call__(self) -> Executor:
        return self.cluster

    def at(self, work: Work[P, R]) -> Hands[P, R]:
        return self.rehearsal.hands(work)


class Count:
    """A progress that is never told of more games than there are."""

    def __init__(self) -> None:
        self.games = self.done = 0

    def begin(self, games: int, done: int) -> None:
        assert 0 <= done <= games
        self.games, self.done = games, done

    def advance(self, games: int) -> None:
        self.done += games
        assert self.done <= self.games, "a shard was counted twice"


def play(world: World, manifest: Manifest, life: Life) -> RunResult:
    """Begin the run, or take it up again, and play until the end, or what comes before it and is
    raised."""
    world.begun.clear()
    world.lost.clear()
    store = Memory(world.disk, life)
    cluster = Cluster(world, life, WINDOW)
    hands = Hired("inline", 1, False, cluster=cluster, rehearsal=world.rehearsal)
    try:
        with store.held():
            attempts = ledger.begin(store.beside(), manifest)
            begun = store.entry(MANIFEST) is not None
            run = Run.of(store) if begun else Run.new(store, manifest)
            return play_missing(run, attempts, hands, Count(), world.weather)
    finally:
        life.dead = True  # an exit code, and the process is gone
        world.survive(cluster.outlived())


def live(world: World, manifest: Manifest, life: Life) -> RunResult | None:
    """The same; None where the driver was cut off."""
    try:
        return play(world, manifest, life)
    except (Crash, UserError):
        return None


def till_whole(world: World, manifest: Manifest) -> tuple[RunResult, list[RunResult]]:
    """Live until the run is complete; what came out, and what did before it was complete."""
    before: list[RunResult] = []
    for number in range(MOST_LIVES + 3):
        if number == MOST_LIVES or len(before) == 2:
            world.calm()
        result = live(world, manifest, Life(world.weather.fault(driver=True)))
        check(world)
        if result is None:
            continue
        if result.status == "complete":
            return result, before
        check_aside(world, result)
        before.append(result)
    raise AssertionError("nothing goes wrong any more, and the run does not end")


def check(world: World) -> None:
    """What holds at every moment: nothing is named that is not there, whole."""
    store = Memory(world.disk, Life())
    if store.entry(MANIFEST) is None:
        return
    run = Run.of(store)
    landed = run.landed()
    assert world.fickle or world.landed <= set(landed), "what has landed stays"
    world.landed = set(landed)
    whole = run.manifest.status == "complete"
    assert (world.fickle and not whole) or not damaged(store, landed.values())
    if whole:
        kept = read_parquet(store, SHARDS)["shard"].to_list()
        assert kept == sorted(n for n, receipt in landed.items() if run.counts(receipt))
        assert len(kept) == run.manifest.shards


def check_aside(world: World, result: RunResult) -> None:
    """A shard is set aside after its tries only, and no other lacks."""
    run = Run.of(Memory(world.disk, Life()))
    assert run.manifest.status == "incomplete"
    assert result.set_aside == run.manifest.set_aside
    for one in result.set_aside:
        assert one.tries == len(one.causes) == world.lost[one.shard] >= TRIES
    if run.manifest.config.stop is None:
        lacking = {shard.number for shard in run.planned()} - set(run.landed())
        # A try that was forgotten may have landed one after all.
        assert lacking <= {one.shard for one in result.set_aside}
