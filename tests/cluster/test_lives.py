"""Whatever is cut off, and wherever: a run ends with the numbers of one that nobody disturbed."""

import random
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import pytest

from pipeline.config import RunConfig
from pipeline.files import MANIFEST
from pipeline.manifest import Manifest
from pipeline.opening import new_manifest
from pipeline.store import Run
from pipeline.stores import Changed
from tests.cluster.lives import check, live, play, till_whole
from tests.cluster.memory import Fault, Life, Memory
from tests.cluster.workers import Odds, Rehearsal, World
from tests.runs import cut_into, entrants, small

QUICK, MANY = 25, 10_000
CALM = Odds()
REHEARSAL = Rehearsal()


def two_variants() -> RunConfig:
    return small(("king_ru_fixed14", "barbu_king_br"), blocks=3, record=())


def stopped() -> RunConfig:
    """A rule that stops the run before its end."""
    return small(
        ("king_ru_fixed14",),
        blocks=96,
        design="gauntlet",
        lineups=(),
        entrants=entrants("lowest.v1", "random.v1"),
        stop={"rule": "width", "width": 8, "look": 16},
        record=(),
    )


def race() -> RunConfig:
    return small(
        ("king_ru_fixed14",),
        design="candidates",
        lineups=(),
        field=("random.v1",),
        blocks=96,
        entrants=entrants("random.v1", "duck.v1", "count.v1", "cautious.v1"),
        stop={"rule": "race", "look": 16},
        record=(),
    )


CUTS = {"two variants": (two_variants, 1, 2), "stopped": (stopped, 8, 1), "race": (race, 8, 1)}


@cache
def opened(kind: str) -> Manifest:
    make, blocks, parts = CUTS[kind]
    config = make()
    names = {entrant.label: entrant.strategy for entrant in config.entrants}
    return new_manifest(config, cut_into(config, blocks, parts), names)


@cache
def undisturbed(kind: str) -> tuple[str, int, tuple[object, ...]]:
    """Digest, games and verdicts of the run that nobody disturbed."""
    result = live(World(REHEARSAL, 0, CALM), opened(kind), Life())
    assert result is not None
    return result.digest, result.games, result.decided


class Seen(NamedTuple):
    """What came about in a schedule."""

    incomplete: int
    """How often the run was incomplete on its way."""
    raced: int
    """Shards of which two tries flew at once."""


def schedule(seed: int) -> Seen:
    """A run in a weather of its own, to its end."""
    rng = random.Random(seed)
    kind = rng.choice(sorted(CUTS))
    fickle = rng.random() < 0.2
    odds = Odds(
        crash=rng.choice((0.0, 0.003, 0.02)),
        error=rng.choice((0.0, 0.01, 0.1)),
        death=rng.choice((0.0, 0.05, 0.2)),
        lull=rng.choice((0.0, 0.3)),
        outlives=0.0 if fickle else rng.choice((0.0, 0.5)),
    )
    world = World(REHEARSAL, seed, odds)
    world.fickle = fickle
    if rng.random() < 0.3:
        world.poisoned = set(rng.sample(range(6), 2))
    result, before = till_whole(world, opened(kind))
    assert (result.digest, result.games, result.decided) == undisturbed(kind), seed
    assert not Run.of(Memory(world.disk, Life())).manifest.set_aside
    return Seen(len(before), world.raced)


def schedules(seeds: range) -> None:
    """Many of them; nothing that they are for must be missing among them."""
    seen = [schedule(seed) for seed in seeds]
    incomplete, raced = (sum(counts) for counts in zip(*seen, strict=True))
    print(f"{len(seen):,} schedules: {incomplete:,} times incomplete, {raced:,} shards raced")
    assert min(incomplete, raced) > len(seen) // 20


def test_any_weather_ends_in_the_same_numbers() -> None:
    schedules(range(QUICK))


@pytest.mark.slow
def test_very_many_weathers_end_in_the_same_numbers() -> None:
    schedules(range(QUICK, QUICK + MANY))


def cut_off(kind: str, number: int, fault: Fault) -> None:
    """A run whose driver meets a fault at one call, and another that goes on."""
    world, life = World(REHEARSAL, 0, CALM), Life()

    def at_number(call: str, name: str) -> Fault | None:
        return fault if life.calls == number else None

    life.fault = at_number
    first = live(world, opened(kind), life)
    check(world)
    assert first is None or life.calls < number, "that call was made"
    last = live(world, opened(kind), Life())
    assert last is not None
    check(world)
    assert (last.digest, last.games, last.decided) == undisturbed(kind), number


def calls_of(kind: str) -> int:
    """Calls of a driver that nothing disturbs."""
    life = Life()
    live(World(REHEARSAL, 0, CALM), opened(kind), life)
    return life.calls


def test_a_driver_killed_after_any_single_call_loses_nothing() -> None:
    for number in range(1, calls_of("stopped") + 1):
        cut_off("stopped", number, "crash after")


@pytest.mark.slow
@pytest.mark.parametrize("kind", CUTS)
@pytest.mark.parametrize("fault", ["crash before", "crash after", "error before", "error after"])
def test_a_driver_that_meets_any_fault_at_any_call_loses_nothing(kind: str, fault: Fault) -> None:
    for number in range(1, calls_of(kind) + 1):
        cut_off(kind, number, fault)


def taken_at(number: int) -> bool:
    """A run that another driver takes at some call of the first; whether that was before it was
    whole. The first says so and touches nothing that the other may have written."""
    world, life = World(REHEARSAL, 0, CALM), Life()
    seen: dict[str, bytes] = {}

    def takes(call: str, name: str) -> None:
        if life.calls == number and not seen and MANIFEST in names(world):
            other = Run.of(Memory(world.disk, Life()))
            if other.manifest.status == "running":
                other.with_manifest(driver="another")
                seen.update(world.disk.files)

    life.fault = takes
    said = said_of(lambda: play(world, opened("stopped"), life))
    if not said:
        return False
    assert said.endswith("manifest.json: another process has written it meanwhile")
    there = Run.of(Memory(world.disk, Life()))
    assert there.manifest.driver == "another", number
    assert set(seen) <= set(world.disk.files), number
    return True


def names(world: World) -> set[str]:
    return {name.rpartition("/")[2] for name in world.disk.files}


def said_of(act: Callable[[], object]) -> str:
    """What a driver says who found that another has the run; nothing of one who did not."""
    try:
        act()
    except Changed as error:
        return str(error)
    return ""


def test_a_driver_whose_run_another_has_taken_stops_and_leaves_it_alone() -> None:
    found = [taken_at(number) for number in range(1, calls_of("stopped") + 1)]
    assert sum(found) > len(found) // 2
    last = max(number for number, taken in enumerate(found) if taken)
    assert not any(found[last + 1 :])
