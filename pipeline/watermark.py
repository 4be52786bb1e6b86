"""How far a run has come without a gap: what decisions and running estimates may see.

Shards land in the order of their duration, which hangs together with what was played in them.
So nobody looks at what has landed, only at blocks 0..B-1 of which every game is there.
"""

from collections.abc import Iterable, Iterator

import numpy as np
import polars as pl

from pipeline import company
from pipeline.files import Place
from pipeline.joints import Collected, JointSums, added, of_none, of_totals, seat_games
from pipeline.plan import Shard
from pipeline.stats.company import Met
from pipeline.stats.joint import Joint, can_be
from pipeline.stats.lineups import Played, of_tables
from pipeline.store import Run
from pipeline.stores import StoreError
from pipeline.totals import BlockTable, chunks

CHUNK = 4096
"""Blocks that are read at a time."""
FILES = 256
"""Files of sums that are added up at a time."""


def block_tables(
    run: Run, planned: Iterable[Shard], variant: str, first: int, last: int
) -> Iterator[BlockTable]:
    """Totals of the blocks ``first`` to ``last - 1``, all of which have landed; both must be
    bounds of shards."""
    config, dropped = run.manifest.config, run.manifest.dropped.get(variant)
    return chunks(run.store, config, variant, _pieces(run, planned, variant, first, last), dropped)


def _pieces(
    run: Run, planned: Iterable[Shard], variant: str, first: int, last: int
) -> Iterator[tuple[int, int, list[Place]]]:
    start, end = first, first
    places: list[Place] = []
    for shard in planned:
        if shard.variant != variant or not first <= shard.first_block < last:
            continue
        if shard.first_block >= start + CHUNK and shard.first_block >= end:
            yield start, end - start, places
            start, places = end, []
        places.append(run.place("totals", shard.number))
        end = shard.first_block + shard.n_blocks
    if places:
        yield start, end - start, places


def sums_between(
    run: Run, planned: Iterable[Shard], variant: str, first: int, last: int
) -> JointSums:
    """Exact sums over these blocks, from what the shards kept of them."""
    config, seats = run.manifest.config, run.manifest.config.variant(variant).seats
    shards = shards_of(planned, variant, first, last)
    if shards and keeps_joint(run, shards):
        return joint_of_shards(run, shards)
    total = of_none(config, seats)
    for table in block_tables(run, shards, variant, first, last):
        total = added(total, of_totals(config, table))
    return total


def shards_of(planned: Iterable[Shard], variant: str, first: int, last: int) -> list[Shard]:
    """Those that hold the blocks ``first`` to ``last - 1``."""
    return [s for s in planned if s.variant == variant and first <= s.first_block < last]


def keeps_joint(run: Run, shards: list[Shard]) -> bool:
    """Whether each of them has sums of its own: a run that was begun by an earlier version may
    have some that have not, and a part of a block has none."""
    if not run.manifest.config.keeps_totals:
        return all(shard.whole for shard in shards)
    return all(
        shard.whole and run.store.entry(run.place("joint", shard.number).name) is not None
        for shard in shards
    )


def joint_of_shards(run: Run, shards: list[Shard]) -> JointSums:
    """The sums of one or more shards of a variant that have them.

    ``StoreError`` where they tell of fewer or more games than the shards have, or no games make
    them.
    """
    config, variant = run.manifest.config, shards[0].variant
    seats = config.variant(variant).seats
    found = Collected(config, seats)
    for start in range(0, len(shards), FILES):
        some = shards[start : start + FILES]
        frames = [_read(run, "joint", shard) for shard in some]
        found.add(frames, sum(shard.n_blocks for shard in some))
    sums = found.sums()
    due = sum(seat_games(config, shard, seats) for shard in shards)
    if sum(sums.entrants.n) != due:
        raise StoreError(
            f"{run.where}: joint: {variant}: blocks {shards[0].first_block} to "
            f"{shards[-1].first_block + shards[-1].n_blocks - 1}: games are lost or stand twice"
        )
    if not all(map(can_be, (sums.entrants, *sums.heads.values()))):
        raise StoreError(
            f"{run.where}: joint: {variant}: no games make such sums (barbu verify says more)"
        )
    return sums


def _read(run: Run, table: str, shard: Shard) -> pl.DataFrame:
    """A shard's rows of sums; one that is missing would count as 0."""
    frame = run.read(table, shard.number)
    if any(frame.null_count().row(0)):
        path = run.store.path(run.place(table, shard.number).name)
        raise StoreError(f"{path}: values are missing (barbu verify says more)")
    return frame


def joint_of_entrants(
    run: Run, planned: Iterable[Shard], variant: str, first: int, last: int
) -> Joint:
    """Exact sums of the ranked entrants' figures over these blocks."""
    return sums_between(run, planned, variant, first, last).entrants


def joint_of_claim(
    run: Run, planned: Iterable[Shard], variant: str, first: int, last: int
) -> Joint:
    """The same of the claim's one or two entrants."""
    return sums_between(run, planned, variant, first, last).claim(run.manifest.config)


def played_by(
    run: Run, planned: Iterable[Shard], variant: str, first: int, last: int
) -> Played | Met:
    """Who sat where in these blocks, and what each entrant made: for the score model."""
    config, shards = run.manifest.config, shards_of(planned, variant, first, last)
    if not config.keeps_totals and keeps_joint(run, shards):
        return _met(run, shards)
    parts = [
        of_tables(part.entrant, part.n, part.x, len(config.entrants))
        for part in block_tables(run, shards, variant, first, last)
    ]
    return Played(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _met(run: Run, shards: list[Shard]) -> Met:
    config = run.manifest.config
    found = company.Collected(config, config.variant(shards[0].variant).seats)
    for shard in shards:
        found.add([_read(run, "company", shard)])
    return found.met(joint_of_shards(run, shards).entrants)
