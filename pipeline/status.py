"""How a run stands while it is played, or as it was left: what may be read at any moment.

Running estimates rest on blocks 0..B-1 that are all there, and have intervals that hold at every
moment, so it does no harm to look as often as one likes.
"""

import time
from pathlib import Path
from typing import NamedTuple

import polars as pl

from pipeline.files import RECEIPTS, shard_of
from pipeline.joints import JointSums, added, of_none
from pipeline.landed import Landed
from pipeline.outlook import Outlook
from pipeline.plan import Plan, units_of_block
from pipeline.receipt_table import Receipts
from pipeline.so_far import Standing, with_estimates
from pipeline.store import Run
from pipeline.stores import StoreError
from pipeline.studies.designs import STUDIES
from pipeline.watermark import sums_between

TRIES = 20
"""How often papers are read that change while they are read."""
PAUSE_S = 1.0
"""Between two shards: a longer one parts what was played by different calls."""
RECENT = 1_000
"""Shards, the last ones, that speed is taken from."""


class Status(NamedTuple):
    """A run so far."""

    run: Run
    landed: Receipts
    games: int
    """Games that count and are there."""
    games_per_s: float | None
    """Of all workers together in the last stretch without a pause; None where nothing tells."""
    quiet_s: float | None
    """Since a shard landed; None once the run is complete."""
    standings: tuple[Standing, ...]

    @property
    def seconds_left(self) -> tuple[float, float] | None:
        """Forecast of the time left, a range; None where there is none."""
        manifest = self.run.manifest
        if self.games_per_s is None or manifest.status == "complete":
            return None
        low = high = 0.0
        for one in self.standings:
            each = units_of_block(manifest.config, manifest.config.variant(one.variant))
            low += max(0, one.outlook.low - one.blocks - one.beyond) * each
            high += max(0, one.outlook.high - one.blocks - one.beyond) * each
        return low / self.games_per_s, high / self.games_per_s


class Watcher:
    """Reads a run again and again, each block once."""

    def __init__(self, folder: str | Path) -> None:
        self._folder = folder
        self._sums: dict[str, tuple[int, JointSums]] = {}

    def status(self) -> Status:
        """How the run stands now; :class:`StoreError` says what is damaged."""
        run, landed = read(self._folder)
        planned = run.planned()
        standings = tuple(
            self._standing(run, planned, landed, variant.name)
            for variant in run.manifest.config.variants
        )
        games = landed.only(run.counting).total("games")
        speed, quiet = _speed(run, landed)
        return Status(run, landed, games, speed, quiet, standings)

    def _standing(self, run: Run, planned: Plan, landed: Receipts, variant: str) -> Standing:
        config, cap = run.manifest.config, run.manifest.counted(variant)
        whole = min(Landed.of(planned, landed).whole(variant), cap)
        own = landed.of_variant(variant)
        beyond = own.frame.filter(pl.col("first_block") >= whole).unique("first_block")
        after = int(beyond["n_blocks"].sum())
        found = Standing(
            variant, whole, after, cap, variant in run.manifest.stopped, outlook=Outlook(cap, cap)
        )
        if config.design in STUDIES or not own.all_have("totals", "joint"):
            return found  # what was begun before there were totals has no estimates here
        seats = config.variant(variant).seats
        start, sums = self._sums.get(variant) or (0, of_none(config, seats))
        sums = added(sums, sums_between(run, planned, variant, start, whole))
        self._sums[variant] = whole, sums
        return with_estimates(found, config, sums)


def read(folder: str | Path) -> tuple[Run, Receipts]:
    """A run and the receipts of what has landed, though another process may be writing both."""
    failed: StoreError | None = None
    before: Run | None = None
    for _ in range(TRIES):
        run = Run.open(folder)
        try:
            return run, run.landed()
        except StoreError as error:
            # Receipts that are newer than the manifest, or that became a table meanwhile.
            if failed is not None and str(error) == str(failed) and before == run:
                raise
            failed, before = error, run
    assert failed is not None
    raise failed


def _speed(run: Run, landed: Receipts) -> tuple[float | None, float | None]:
    """Games a second, and seconds since a shard landed."""
    manifest = run.manifest
    if manifest.status == "complete":
        seconds = manifest.worker_seconds
        return (manifest.games / seconds if seconds > 0 else None), None
    # None of a run that was complete once, or is since a moment.
    landed_at = {
        shard: entry.modified
        for entry in run.store.entries(RECEIPTS)
        if (shard := shard_of(entry.name)) is not None
    }
    came = [
        (at, landed[shard].ms / 1000, landed[shard].games)
        for shard, at in sorted(landed_at.items())
        if shard in landed
    ]
    if not came:
        return None, None
    came.sort(reverse=True)
    begin, games = came[0][0], 0
    for at, took, played in came[:RECENT]:
        if at < begin - PAUSE_S:
            break
        begin, games = min(begin, at - took), games + played
    seconds = came[0][0] - begin
    return (games / seconds if seconds > 0 else None), max(0.0, time.time() - came[0][0])
