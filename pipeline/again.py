"""Games of a run played a second time by a worker: what makes them comparable, nothing kept.

Of a study the same with units.
"""

import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine_ext.batch import StopFlag
from engine_ext.rules.resolve import resolve
from engine_ext.seeds import run_key
from pipeline import digest
from pipeline.config import RunConfig
from pipeline.pace import SLICE_S, STUDY_S, Pace
from pipeline.plan import Shard
from pipeline.play import TablePlayer
from pipeline.seating import rotations, seat_orders
from pipeline.stores import StoreError
from pipeline.studies.designs import STUDIES, n_steps
from pipeline.studies.digest import unit_hashes
from pipeline.studies.play import play_units
from pipeline.studies.player import Player
from pipeline.totals import Ints, Totals

Blocks = npt.NDArray[np.uint64]


class Sample(NamedTuple):
    """Which games of a variant: all of some blocks, but for what cannot be replayed."""

    blocks: tuple[int, ...]
    """In order."""
    without: frozenset[int] = frozenset()
    """Entrants by index whose tables are left out."""
    dropped: tuple[tuple[int, int], ...] = ()
    """Tables that a race dropped, and from which block on."""


class Again(NamedTuple):
    """A piece of a sample and all that a worker needs for it; plain data."""

    where: str
    package: str
    """Version of this package that the run was played with."""
    config: str
    """The run as JSON, with one variant alone."""
    seats: int
    """Seats of the run's largest table."""
    sample: Sample
    shard: Shard
    """Its number tells pieces apart."""
    first: int
    """The games ``first`` to ``last - 1`` of the sample."""
    last: int
    totals: bool
    """Whether totals of blocks are compared, and games are not."""


class Came(NamedTuple):
    """What came out of a piece."""

    variant: str
    first: int
    hashes: bytes
    """32 bytes a game."""
    sums: dict[str, Ints]
    """What the games add to their blocks, by column of ``totals``: (blocks of the sample, tables,
    seats). Empty unless they are compared."""


def games_of_table(config: RunConfig, variant: str) -> int:
    """Games that a block plays at each table: rotations, of a study steps."""
    rules = config.variant(variant)
    if config.design in STUDIES:
        return n_steps(config.design, resolve(rules))
    return rotations(config, rules.seats)


def places(config: RunConfig, variant: str, sample: Sample) -> tuple[Blocks, Ints]:
    """Block and number in it (table * rotations + rotation) of each game of a sample, in order;
    of a study of each unit (table * steps + step)."""
    blocks, each = np.array(sample.blocks, np.uint64), games_of_table(config, variant)
    orders = seat_orders(config, config.variant(variant).seats, run_key(config.seed), blocks)
    held: npt.NDArray[np.bool_] = np.ones(orders.shape[:2], np.bool_)
    held &= ~np.isin(orders, sorted(sample.without)).any(axis=2)
    for number, since in sample.dropped:
        held[blocks >= since, number] = False
    at, table = np.nonzero(held)
    game = (table[:, None] * each + np.arange(each)).reshape(-1)
    return blocks[np.repeat(at, each)], game


def play_again(task: Again, stop: StopFlag) -> Came | None:
    """Play a piece of a sample; None if ``stop`` was set before it was done."""
    if task.package != version("barbu-sim"):
        raise StoreError(
            f"{task.where}: a worker has barbu-sim {version('barbu-sim')}, "
            f"the run was played with {task.package}"
        )
    # Who fouls the second time alone shall be told, not stop anything.
    config = RunConfig.model_validate_json(task.config).model_copy(update={"foul": "forfeit"})
    work = _units if config.design in STUDIES else _games
    return work(task, config, stop)


def _games(task: Again, config: RunConfig, stop: StopFlag) -> Came | None:
    variant, blocks = task.shard.variant, task.sample.blocks
    player = TablePlayer(config, variant, stop)
    totals = None
    if task.totals:
        totals = Totals(player.rules.numbers.seats, len(player.tables), 0, len(blocks))
    hashes = b""
    for block, game in _slices(task, config, SLICE_S):
        games = player.play(block, game)
        if games is None or stop.is_set():
            return None
        hashes += digest.game_hashes(games).tobytes()
        if totals is not None:
            at = np.searchsorted(np.array(blocks, np.uint64), block).astype(np.uint64)
            totals.add(replace(games, block=at))
    return Came(variant, task.first, hashes, totals.arrays() if totals else {})


def _units(task: Again, config: RunConfig, stop: StopFlag) -> Came | None:
    variant = task.shard.variant
    player = Player(config, variant, stop)
    numbers, hashes = player.numbers, b""
    for block, unit in _slices(task, config, STUDY_S):
        units = play_units(player, block, unit, task.seats)
        if units is None or stop.is_set():
            return None
        hashes += unit_hashes(units, variant, numbers.contract_names, numbers.seats).tobytes()
    return Came(variant, task.first, hashes, {})


def _slices(task: Again, config: RunConfig, slice_s: float) -> Iterator[tuple[Blocks, Ints]]:
    """The places of a piece, a few at a time, so that a stop is seen soon."""
    block, game = places(config, task.shard.variant, task.sample)
    pace, first = Pace(slice_s=slice_s), task.first
    while first < task.last:
        last = min(first + pace.games, task.last)
        begun = time.perf_counter()
        yield block[first:last], game[first:last]
        pace.took(time.perf_counter() - begun, last - first)
        first = last
