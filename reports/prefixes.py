"""A variant's blocks in pieces: exact sums of each, which add up to those of any prefix."""

from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from pipeline.config import RunConfig
from pipeline.figures import of_claim, of_entrants
from pipeline.stats import joint
from pipeline.stats.estimate import add
from pipeline.stats.joint import Joint
from pipeline.stats.lineups import Played
from pipeline.store import Run
from pipeline.totals import BlockTable
from pipeline.watermark import block_tables, played_by
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
    alone: tuple[Alone, ...]
    """Of single games, by ranked entrant."""


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
    """Every piece of the counted blocks; None where the run keeps no totals. ``net`` changes
    what was made in them first."""
    mine = [receipt for receipt in found.receipts if receipt.variant == variant]
    if not mine or any("totals" not in receipt.files for receipt in mine):
        return None
    config, blocks = run.manifest.config, found.blocks[variant]
    stops = ends(config, blocks, run.manifest.dropped.get(variant, {}))
    open_: list[Piece] = []
    made: list[Piece] = []
    for table in block_tables(run, found.planned, variant, 0, blocks):
        for end, part in _cut(net(table) if net else table, stops):
            open_.append(
                Piece(
                    end,
                    joint.of_blocks(*of_entrants(config, part)),
                    joint.of_blocks(*of_claim(config, part)),
                    of_games(config, part),
                )
            )
            if part.first_block + len(part) == end:
                made.append(whole(open_))
                open_ = []
    assert not open_
    return tuple(made)


def played(run: Run, found: Counted, variant: str) -> Played:
    """Line-ups, totals and counts of every counted block."""
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
        tuple(
            tuple(add(pair) for pair in zip(p, q, strict=True)) if p and q else ()
            for p, q in zip(a.alone, b.alone, strict=True)
        ),
    )
