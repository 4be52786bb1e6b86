"""How far a run has come without a gap: what decisions and running estimates may see.

Shards land in the order of their duration, which hangs together with what was played in them.
So nobody looks at what has landed, only at blocks 0..B-1 of which every game is there.
"""

from collections.abc import Collection, Iterable, Iterator

import numpy as np

from pipeline.figures import of_claim, of_entrants
from pipeline.files import table_name
from pipeline.plan import Shard
from pipeline.stats.joint import Joint, add, nothing, of_blocks
from pipeline.stats.lineups import Played, of_tables
from pipeline.store import Run
from pipeline.totals import BlockTable, chunks

CHUNK = 4096
"""Blocks that are read at a time."""


def watermark(planned: Iterable[Shard], landed: Collection[int], variant: str) -> int:
    """Blocks of a variant from 0 on of which every shard has landed."""
    whole = 0
    for shard in planned:  # in order of blocks within a variant
        if shard.variant != variant:
            continue
        if shard.number not in landed:
            return min(whole, shard.first_block)
        whole = shard.first_block + shard.n_blocks
    return whole


def block_tables(
    run: Run, planned: Iterable[Shard], variant: str, first: int, last: int
) -> Iterator[BlockTable]:
    """Totals of the blocks ``first`` to ``last - 1``, all of which have landed; both must be
    bounds of shards."""
    config, dropped = run.manifest.config, run.manifest.dropped.get(variant)
    return chunks(run.store, config, variant, _pieces(run, planned, variant, first, last), dropped)


def _pieces(
    run: Run, planned: Iterable[Shard], variant: str, first: int, last: int
) -> Iterator[tuple[int, int, list[str]]]:
    start, end = first, first
    names: list[str] = []
    for shard in planned:
        if shard.variant != variant or not first <= shard.first_block < last:
            continue
        if shard.first_block >= start + CHUNK and shard.first_block >= end:
            yield start, end - start, names
            start, names = end, []
        names.append(table_name("totals", shard.number))
        end = shard.first_block + shard.n_blocks
    if names:
        yield start, end - start, names


def joint_of_entrants(
    run: Run, planned: Iterable[Shard], variant: str, first: int, last: int
) -> Joint:
    """Exact sums of the ranked entrants' figures over these blocks."""
    config, found = run.manifest.config, block_tables(run, planned, variant, first, last)
    return _joint(of_blocks(*of_entrants(config, table)) for table in found)


def joint_of_claim(
    run: Run, planned: Iterable[Shard], variant: str, first: int, last: int
) -> Joint:
    """The same of the claim's one or two entrants."""
    config, found = run.manifest.config, block_tables(run, planned, variant, first, last)
    return _joint(of_blocks(*of_claim(config, table)) for table in found)


def played_by(run: Run, planned: Iterable[Shard], variant: str, first: int, last: int) -> Played:
    """Who sat where in these blocks, and what each entrant made: for the score model."""
    config = run.manifest.config
    parts = [
        of_tables(part.entrant, part.n, part.x, len(config.entrants))
        for part in block_tables(run, planned, variant, first, last)
    ]
    return Played(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _joint(parts: Iterator[Joint]) -> Joint:
    """Their sum; of no part at all the sums of no figure."""
    total = next(parts, None)
    if total is None:
        return nothing(0)
    for part in parts:
        total = add(total, part)
    return total
