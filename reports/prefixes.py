"""A variant's blocks in pieces: exact sums of each, which add up to those of any prefix."""

from collections import deque
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from pipeline.config import RunConfig
from pipeline.figures import ranked
from pipeline.joints import JointSums, Pair, of_totals
from pipeline.plan import Shard
from pipeline.stats import joint
from pipeline.stats.company import Met
from pipeline.stats.estimate import add
from pipeline.stats.joint import Joint
from pipeline.stats.lineups import Played
from pipeline.store import Run
from pipeline.totals import BlockTable
from pipeline.watermark import block_tables, joint_of_shards, played_by, shards_of
from reports.counted import Counted
from reports.single_games import Alone, of_games

MOST = 200
"""Points of a trajectory, about."""


class Piece(NamedTuple):
    """Blocks in a row."""

    end: int
    """The first block after them."""
    entrants: Joint
    """Of the ranked entrants' figures."""
    claim: Joint
    """Of the claim's one or two entrants."""
    heads: dict[Pair, Joint]
    """Of pairs at the tables that seat both (:mod:`pipeline.joints`)."""
    alone: tuple[Alone, ...]
    """Of single games, by ranked entrant; empty where blocks were not kept."""


def ends(config: RunConfig, blocks: int, dropped: dict[int, int]) -> list[int]:
    """Where pieces end: equally spaced, at every look of a stop rule that can be, and wherever
    a table was dropped."""
    step = -(-blocks // MOST) or 1
    if config.stop is not None:
        step = _spacing(config.stop.look, step)
    return sorted(
        {*range(step, blocks, step), *(e for e in dropped.values() if e < blocks), blocks}
    )


def _spacing(look: int, least: int) -> int:
    """The least number, ``least`` or more, that divides a look or is a multiple of it."""
    fit = [n for n in range(least, look + 1) if look % n == 0]
    return fit[0] if fit else -(-least // look) * look


def pieces(
    run: Run, found: Counted, variant: str, net: Callable[[BlockTable], BlockTable] | None = None
) -> tuple[Piece, ...] | None:
    """Every piece of the counted blocks; None where the run keeps neither totals nor sums. ``net``
    changes what was made in them first, which takes totals. Where only sums of shards were kept,
    pieces end where shards do."""
    mine = found.receipts.of_variant(variant)
    config, blocks = run.manifest.config, found.blocks[variant]
    stops = ends(config, blocks, run.manifest.dropped.get(variant, {}))
    if len(mine) and mine.all_have("totals"):
        return tuple(_of_blocks(run, found, variant, stops, net))
    if len(mine) and mine.all_have("joint") and net is None:
        return tuple(_of_shards(run, found, variant, stops))
    return None


def _of_blocks(
    run: Run,
    found: Counted,
    variant: str,
    stops: list[int],
    net: Callable[[BlockTable], BlockTable] | None,
) -> Iterator[Piece]:
    config, open_ = run.manifest.config, list[Piece]()
    for table in block_tables(run, found.planned, variant, 0, found.blocks[variant]):
        for end, part in _cut(net(table) if net else table, stops):
            open_.append(_piece(config, end, of_totals(config, part), of_games(config, part)))
            if part.first_block + len(part) == end:
                yield whole(open_)
                open_ = []
    assert not open_


def _of_shards(run: Run, found: Counted, variant: str, stops: list[int]) -> Iterator[Piece]:
    config, open_ = run.manifest.config, list[Shard]()
    waiting = deque(stops)
    for shard in shards_of(found.planned, variant, 0, found.blocks[variant]):
        open_.append(shard)
        end = shard.first_block + shard.n_blocks
        if end >= waiting[0]:
            yield _piece(config, end, joint_of_shards(run, open_), ((),) * len(ranked(config)))
            open_ = []
            while waiting and waiting[0] <= end:
                waiting.popleft()
    assert not open_


def _piece(config: RunConfig, end: int, sums: JointSums, alone: tuple[Alone, ...]) -> Piece:
    return Piece(end, sums.entrants, sums.claim(config), sums.heads, alone)


def played(run: Run, found: Counted, variant: str) -> Played | Met:
    """Line-ups, totals and counts of every counted block, or sums over them."""
    return played_by(run, found.planned, variant, 0, found.blocks[variant])


def _cut(table: BlockTable, stops: list[int]) -> Iterator[tuple[int, BlockTable]]:
    """Parts of a table that lie in one piece each, with the end of that piece."""
    at, last = table.first_block, table.first_block + len(table)
    while at < last:
        end = stops[int(np.searchsorted(stops, at, side="right"))]
        to = min(end, last)
        yield end, table.part(at, to)
        at = to


def whole(parts: list[Piece]) -> Piece:
    """Pieces in a row as one."""
    total = parts[0]
    for part in parts[1:]:
        total = _joined(total, part)
    return total


def prefixes(parts: tuple[Piece, ...]) -> list[Piece]:
    """The blocks from 0 on up to the end of each piece."""
    return list(accumulate(parts, _joined))


def _joined(a: Piece, b: Piece) -> Piece:
    return Piece(
        b.end,
        joint.add(a.entrants, b.entrants),
        joint.add(a.claim, b.claim),
        {pair: joint.add(one, b.heads[pair]) for pair, one in a.heads.items()},
        tuple(
            tuple(add(pair) for pair in zip(p, q, strict=True)) if p and q else ()
            for p, q in zip(a.alone, b.alone, strict=True)
        ),
    )
