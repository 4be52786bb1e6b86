"""A shard's games are counted, hashed and put in place as files.

The rows of a shard are collected slice by slice and made into tables once, at its end: a
frame costs far more to set up than to fill.
"""

import time
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
import polars as pl

from engine_ext.batch import StopFlag
from engine_ext.build import build_info
from engine_ext.rules.resolve import VariantNumbers
from pipeline import digest, joints, tables
from pipeline.conduct import Conduct, added_up
from pipeline.config import EVENINGS, RunConfig, rules_hash
from pipeline.manifest import FileReceipt, Receipt
from pipeline.plan import Shard
from pipeline.receipts import receipt_of
from pipeline.rows import Rows
from pipeline.sampled import SampleRows
from pipeline.schema import SCHEMA_VERSION
from pipeline.seating import Table, settled_tables
from pipeline.store import put_receipt, put_table
from pipeline.stores import store_at
from pipeline.summary import Summary
from pipeline.totals import Totals
from pipeline.untold import untold_as_null

MESSAGES = 3
"""First fouls that a receipt tells."""


class Task(NamedTuple):
    """A shard and all that a worker needs for it; plain data."""

    where: str
    """The run's store."""
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


class Landing:
    """Collects the games of a shard, slice by slice, and puts its files in place."""

    def __init__(
        self,
        task: Task,
        config: RunConfig,
        rules: VariantNumbers,
        labels: tuple[str, ...],
        line_ups: list[Table],
    ) -> None:
        self._task = task
        self._config = config
        shard = task.shard
        self.summary = Summary(rules, labels, settled_tables(config, rules.seats))
        self._labels = labels
        self._totals = Totals(rules.seats, len(line_ups), shard.first_block, shard.n_blocks)
        self._rows = Rows(shard.variant, rules, labels, config.recorded)
        self._sample = SampleRows(config, shard, rules, labels)
        self._digest = 0
        self._fouls = 0
        self._messages: list[str] = []
        self._conduct: list[Conduct] = []
        self._games = 0
        self._deals = 0

    def add(self, games: tables.Games) -> None:
        """Add a slice to everything but the summary."""
        hashes = digest.game_hashes(games)
        self._digest += digest.total(hashes)
        self._totals.add(games)
        self._games += len(games)
        self._deals += int(games.records.n_deals.sum(dtype=np.int64))
        self._fouls += int(games.records.fouls.sum())
        self._messages += fouls_in(games)[: MESSAGES - len(self._messages)]
        self.add_conduct(fouls_of_entrants(games))
        self._rows.add(games, hashes)
        self._sample.add(games, hashes)

    def add_conduct(self, conduct: list[Conduct]) -> None:
        """Add who did what."""
        if conduct:
            self._conduct = added_up([*self._conduct, *conduct])

    def add_to_summary(self, games: tables.Games, whole_blocks: bool, ends_block: bool) -> None:
        """Add the slice to the summary: whole blocks, or a part of one that it may end."""
        if whole_blocks:
            self.summary.add_blocks(games)
        else:
            self.summary.add_part(games)
            if ends_block and self._task.shard.whole:
                self.summary.close_block()

    def frames(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """The tables to write, by name; of use until :meth:`land` has written them."""
        seats, shard = self._task.seats, self._task.shard
        for name, frame in self._rows.frames(seats):
            yield name, untold_as_null(frame) if self._config.design == EVENINGS else frame
        yield from self._sample.frames(seats)
        if self._config.keeps_totals or not shard.whole:
            yield "totals", self._totals.frame(shard.variant, self._labels)
        if shard.whole:
            yield from joints.tables(self._config, shard, self._totals.arrays())
            yield "summary", self.summary.frame(shard.variant, shard.number)
        else:
            yield "parts", self.summary.open_frame(shard.variant, shard.number)

    def land(self, started: float, stop: StopFlag) -> Receipt | None:
        """Write the tables, then the receipt; ``started`` by ``time.monotonic``.

        None if ``stop`` was set before all were written; what is written is of no use then.
        """
        counted = Counted(
            self._games,
            self._deals,
            self._fouls,
            tuple(self._messages),
            tuple(self._conduct),
            self._digest % digest.SIZE,
        )
        receipt = land(self._task, self.frames(), counted, started, stop)
        self._rows.release()
        self._sample.release()
        return receipt


class Counted(NamedTuple):
    """What a shard comes to."""

    games: int
    deals: int
    fouls: int
    first_fouls: tuple[str, ...]
    conduct: tuple[Conduct, ...]
    digest: int


def land(
    task: Task,
    frames: Iterable[tuple[str, pl.DataFrame]],
    counted: Counted,
    started: float,
    stop: StopFlag,
) -> Receipt | None:
    """Write a shard's tables, then its receipt; None if ``stop`` was set before.

    Where another try was quicker, its receipt is the answer and nothing is written.
    """
    shard, store = task.shard, store_at(task.where)
    if (there := receipt_of(store, task.run, shard)) is not None:
        return there
    files: dict[str, FileReceipt] = {}
    for table, frame in frames:
        if stop.is_set():
            return None
        if len(frame):
            said = file_metadata(task.run, _rules_of(task.config, shard.variant))
            files[table] = put_table(store, table, shard.number, frame, said)
    receipt = Receipt(
        run=task.run,
        shard=shard.number,
        variant=shard.variant,
        first_block=shard.first_block,
        n_blocks=shard.n_blocks,
        first_game=shard.first_game,
        n_games=shard.n_games,
        **counted._asdict() | {"digest": digest.text(counted.digest)},
        files=files,
        build=build_line(),
        ms=round((time.monotonic() - started) * 1000),
    )
    put_receipt(store, receipt)
    return receipt


@lru_cache(maxsize=32)
def _rules_of(config: str, variant: str) -> str:
    """Hash of a variant's rules; a worker meets the same few configs again and again."""
    return rules_hash(RunConfig.model_validate_json(config).variant(variant))


def file_metadata(run: str, rules: str | None = None) -> dict[str, str]:
    """What every Parquet file of a run says of itself; ``rules``: the hash of its rules."""
    return ({} if rules is None else {"barbu_rules": rules}) | {
        "barbu_schema": str(SCHEMA_VERSION),
        "barbu_run": run,
        "barbu_version": _version(),
    }


@cache
def _version() -> str:
    """Of this package: every file names it, and to read it takes as long as a tiny table."""
    return version("barbu-sim")


def fouls_in(games: tables.Games) -> list[str]:
    """The first fouls, a line each, and what Python strategies raised."""
    records = games.records
    found = []
    for g in np.flatnonzero(records.foul_deal >= 0)[:MESSAGES]:
        who = games.labels[games.entrant[g, int(records.foul_seat[g])]]
        found.append(f"{_first_foul(games, int(g))}: {who}")
    raised = [f"{games.variant}: {error}" for error in records.errors]
    return [*raised[:1], *found, *raised[1:]]


def _first_foul(games: tables.Games, game: int) -> str:
    """Where the first foul of a game was."""
    records = games.records
    return (
        f"{games.variant}: block {games.block[game]}, table {games.table[game]}, "
        f"rotation {games.rotation[game]}, deal {records.foul_deal[game]}, "
        f"seat {records.foul_seat[game]}"
    )


def fouls_of_entrants(games: tables.Games) -> list[Conduct]:
    """How many fouls were whose; the place of the first in a game that began with his."""
    records = games.records
    if not records.fouls.any():
        return []
    counts = np.bincount(
        games.entrant.ravel(), weights=records.fouls.ravel(), minlength=len(games.labels)
    )
    first: dict[int, str] = {}
    for game in np.flatnonzero(records.foul_deal >= 0):
        who = int(games.entrant[game, records.foul_seat[game]])
        first.setdefault(who, _first_foul(games, int(game)))
    return [
        Conduct(entrant=label, kind="foul", n=int(n), first=first.get(i, games.variant))
        for i, (label, n) in enumerate(zip(games.labels, counts, strict=True))
        if n
    ]
