"""A shard is played, counted and landed: what a worker does.

A worker gets plain data, makes rules and strategies from it, and never opens
``configs/``. It writes its files itself; what comes back is a receipt.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
import polars as pl

from engine_ext.batch import Rules, StopFlag, play_games
from engine_ext.build import build_info
from engine_ext.seeds import run_key
from pipeline import digest, tables
from pipeline.config import RunConfig
from pipeline.files import StoreError, local_folder
from pipeline.manifest import FileReceipt, Receipt
from pipeline.plan import Shard, games_of_block, seat_orders
from pipeline.plan import tables as tables_of
from pipeline.schema import SCHEMA_VERSION
from pipeline.store import put_receipt, put_table
from pipeline.summary import Summary
from strategies.registry import create

SLICE_S = 0.05
"""Seconds of play between two looks at the clock, about."""
SLICE_GAMES = 1024
"""Games of a slice at most: their arrays stay in the cache."""
MESSAGES = 3
"""First fouls that a receipt tells."""


class Task(NamedTuple):
    """A shard and all that a worker needs for it; plain data."""

    folder: str
    run: str
    package: str
    """Version of this package that the run is played with."""
    config: str
    """The run as JSON, with the shard's variant alone."""
    seats: int
    """Seats of the run's largest table."""
    shard: Shard


def build_line() -> str:
    """The engine's build in one line, for receipts."""
    return ", ".join(f"{key} {value}" for key, value in build_info().items())


class Player:
    """Plays games of one variant of a run, for one thread."""

    def __init__(self, config: RunConfig, variant: str, stop: StopFlag) -> None:
        self.config = config
        self.variant = variant
        self.rules = Rules(config.variant(variant))
        self.labels = tuple(entrant.label for entrant in config.entrants)
        self.tables = tables_of(config, self.rules.numbers.seats)
        self.block_games = games_of_block(config, self.rules.numbers.seats)
        self._strategies = [create(entrant.strategy) for entrant in config.entrants]
        self._key = run_key(config.seed)
        self._stop = stop

    def play(self, block: tables.Blocks, game: tables.Ints) -> tables.Games | None:
        """Play game ``table * seats + rotation`` of each block; None if it was stopped."""
        numbers = self.rules.numbers
        seats = numbers.seats
        table = game // seats
        rotation = game - table * seats
        blocks, at = np.unique(block, return_inverse=True)
        orders = seat_orders(self.config, seats, self._key, blocks)
        member = (np.arange(seats) - rotation[:, None]) % seats
        seating = orders[at[:, None], table[:, None], member]
        replicates = game if self.config.streams == "independent" else np.zeros_like(game)
        records = play_games(
            self.rules,
            self._strategies,
            key=self._key,
            blocks=block,
            seating=seating,
            replicates=replicates.astype(np.uint32),
            stop=self._stop,
            stop_on_foul=self.config.foul == "stop",
        )
        if len(records.score) < len(block):
            return None
        return tables.Games(
            variant=self.variant,
            rules=numbers,
            labels=self.labels,
            block=block,
            table=table.astype(np.uint16),
            rotation=rotation.astype(np.uint8),
            entrant=seating,
            records=records,
            doubles=tables.find_doubles(numbers, records),
        )


@dataclass
class Pace:
    """How many games the next slice has, so that it takes about ``SLICE_S``."""

    games: int = 8

    def took(self, seconds: float, games: int) -> None:
        """Learn from a slice."""
        fit = int(SLICE_S / max(seconds / games, 1e-9))
        self.games = max(1, min(fit, 2 * self.games, SLICE_GAMES))


class Landing:
    """Collects the games of a shard, slice by slice, and puts its files in place."""

    def __init__(self, player: Player, task: Task) -> None:
        self._player = player
        self._task = task
        self.summary = Summary(player.rules.numbers, player.labels, player.tables)
        self._frames: dict[str, list[pl.DataFrame]] = {}
        self._digest = 0
        self._fouls = 0
        self._messages: list[str] = []
        self._games = 0

    def add(self, games: tables.Games) -> None:
        """Add a slice to everything but the summary."""
        record, seats = self._player.config.record, self._task.seats
        hashes = digest.game_hashes(games)
        self._digest += digest.total(hashes)
        self._games += len(games)
        self._fouls += int(games.records.fouls.sum())
        self._messages += fouls_in(games)[: MESSAGES - len(self._messages)]
        frames = {
            "games": lambda: tables.games_frame(games, hashes, seats),
            "deals": lambda: tables.deals_frame(games, seats),
            "doubles": lambda: tables.doubles_frame(games, seats),
        }
        for table in record:
            self._frames.setdefault(table, []).append(frames[table]())

    def land(self, started: float, stop: StopFlag) -> Receipt | None:
        """Write the tables, then the receipt; ``started`` by ``time.monotonic``.

        None if ``stop`` was set before all were written; what is written is of no use then.
        """
        task, variant = self._task, self._player.variant
        shard = task.shard
        if shard.whole:
            self._frames["summary"] = [self.summary.frame(variant, shard.number)]
        else:
            self._frames["parts"] = [self.summary.open_frame(variant, shard.number)]
        folder = local_folder(task.folder)
        files: dict[str, FileReceipt] = {}
        for table, frames in self._frames.items():
            if stop.is_set():
                return None
            frame = pl.concat(frames, rechunk=True)
            if len(frame):
                files[table] = put_table(
                    folder, table, shard.number, frame, file_metadata(task.run)
                )
        receipt = Receipt(
            run=task.run,
            shard=shard.number,
            variant=variant,
            first_block=shard.first_block,
            n_blocks=shard.n_blocks,
            first_game=shard.first_game,
            n_games=shard.n_games,
            games=self._games,
            deals=self._games * self._player.rules.numbers.n_deals,
            fouls=self._fouls,
            first_fouls=tuple(self._messages),
            digest=digest.text(self._digest % digest.SIZE),
            files=files,
            build=build_line(),
            ms=round((time.monotonic() - started) * 1000),
        )
        put_receipt(folder, receipt)
        return receipt


def file_metadata(run: str) -> dict[str, str]:
    """What every Parquet file of a run says of itself."""
    return {
        "barbu_schema": str(SCHEMA_VERSION),
        "barbu_run": run,
        "barbu_version": version("barbu-sim"),
    }


def play_shard(task: Task, stop: StopFlag) -> Receipt | None:
    """Play a shard and land it; None if ``stop`` was set before it was whole."""
    started = time.monotonic()
    if task.package != version("barbu-sim"):
        raise StoreError(
            f"{task.folder}: a worker has barbu-sim {version('barbu-sim')}, "
            f"the run is played with {task.package}"
        )
    config = RunConfig.model_validate_json(task.config)
    player = Player(config, task.shard.variant, stop)
    landing = Landing(player, task)
    for games, whole_blocks, ends_block in slices(player, task.shard):
        if games is None or stop.is_set():
            return None
        landing.add(games)
        if whole_blocks:
            landing.summary.add_blocks(games)
        else:
            landing.summary.add_part(games)
            if ends_block and task.shard.whole:
                landing.summary.close_block()
    return landing.land(started, stop)


def slices(player: Player, shard: Shard) -> Iterator[tuple[tables.Games | None, bool, bool]]:
    """Play a shard piece by piece: games, whether whole blocks, whether a block ends."""
    pace, stride = Pace(), shard.n_games
    first, total = 0, shard.n_blocks * shard.n_games
    while first < total:
        left = stride - first % stride
        whole = shard.whole and left == stride and pace.games >= stride
        size = pace.games // stride * stride if whole else min(pace.games, left)
        last = min(first + size, total)
        started = time.perf_counter()
        at = np.arange(first, last)
        block = shard.first_block + at // stride
        games = player.play(block.astype(np.uint64), shard.first_game + at % stride)
        pace.took(time.perf_counter() - started, last - first)
        yield games, whole, last % stride == 0
        first = last


def fouls_in(games: tables.Games) -> list[str]:
    """The first fouls, a line each, and what Python strategies raised."""
    records = games.records
    found = []
    for g in np.flatnonzero(records.foul_deal >= 0)[:MESSAGES]:
        seat = int(records.foul_seat[g])
        found.append(
            f"{games.variant}: block {games.block[g]}, table {games.table[g]}, "
            f"rotation {games.rotation[g]}, deal {records.foul_deal[g]}, seat {seat}: "
            f"{games.labels[games.entrant[g, seat]]}"
        )
    raised = [f"{games.variant}: {error}" for error in records.errors]
    return [*raised[:1], *found, *raised[1:]]
