"""A study's shard is played and landed: what a worker does."""

import time
from collections.abc import Iterator

import numpy as np
import polars as pl

from engine_ext.batch import StopFlag
from pipeline import digest
from pipeline.conduct import Conduct, added_up, conduct_of
from pipeline.config import RunConfig
from pipeline.landing import MESSAGES, Counted, Task, land
from pipeline.manifest import Receipt
from pipeline.pace import STUDY_S, Pace
from pipeline.studies.digest import unit_hashes
from pipeline.studies.play import play_units
from pipeline.studies.player import Player
from pipeline.studies.units import Units


def play_study_shard(
    task: Task, config: RunConfig, stop: StopFlag, started: float
) -> Receipt | None:
    """Play a shard and land it; None if ``stop`` was set before it was whole."""
    player = Player(config, task.shard.variant, stop)
    landing = _Landing(player)
    for units in _slices(player, task):
        if units is None or stop.is_set():
            return None
        landing.add(units)
    return land(task, landing.frames(), landing.counted(), started, stop)


def _slices(player: Player, task: Task) -> Iterator[Units | None]:
    """Play a shard piece by piece."""
    shard, pace = task.shard, Pace(slice_s=STUDY_S)
    first, total = 0, shard.n_blocks * shard.n_games
    while first < total:
        last = min(first + pace.games, total)
        at = np.arange(first, last)
        block = (shard.first_block + at // shard.n_games).astype(np.uint64)
        begun = time.perf_counter()
        yield play_units(player, block, shard.first_game + at % shard.n_games, task.seats)
        pace.took(time.perf_counter() - begun, last - first)
        first = last


class _Landing:
    """Adds up the units of a shard."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._units: list[pl.DataFrame] = []
        self._trials: list[pl.DataFrame] = []
        self._digest = 0
        self._messages: list[str] = []
        self._fouls: list[Conduct] = []

    def add(self, units: Units) -> None:
        """Take in a slice."""
        player = self._player
        hashes = unit_hashes(
            units, player.variant, player.numbers.contract_names, player.numbers.seats
        )
        self._digest += digest.total(hashes)
        stored = pl.Series("digest", [bytes(one) for one in hashes], dtype=pl.Binary)
        self._units.append(units.units.with_columns(stored))
        self._trials.append(units.trials)
        self._note_fouls(units.units)

    def _note_fouls(self, units: pl.DataFrame) -> None:
        fouled = units.filter(pl.col("fouls") > 0)
        for block, table, step, entrant, fouls in fouled.select(
            "block", "table", "step", "entrant", "fouls"
        ).iter_rows():
            where = f"{self._player.variant}: block {block}, table {table}, step {step}"
            self._fouls = added_up(
                [*self._fouls, Conduct(entrant=entrant, kind="foul", n=fouls, first=where)]
            )
            if len(self._messages) < MESSAGES:
                self._messages.append(f"{where}: {entrant}")

    def frames(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """The tables, all slices together."""
        yield "units", pl.concat(self._units)
        yield "trials", pl.concat(self._trials)

    def counted(self) -> Counted:
        """What they come to."""
        units = pl.concat(self._units)
        conduct = conduct_of(self._player.variant, self._player.offences)
        return Counted(
            games=len(units),
            deals=int(units["n_trials"].cast(pl.Int64).sum()),
            fouls=int(units["fouls"].cast(pl.Int64).sum()),
            first_fouls=tuple(self._messages),
            conduct=tuple(added_up([*self._fouls, *conduct])),
            digest=self._digest % digest.SIZE,
        )
