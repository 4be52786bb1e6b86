"""Which blocks of a run a report counts: those from block 0 on, up to the first gap.

Of a run that is not complete shards are there in the order in which they ended, which hangs
together with what was played in them. What lies beyond a gap is for later.
"""

from typing import NamedTuple

import polars as pl

from pipeline.landed import Landed
from pipeline.plan import Plan
from pipeline.receipt_table import Receipts
from pipeline.store import Run


class Counted(NamedTuple):
    """What a report rests on."""

    blocks: dict[str, int]
    """By variant: blocks 0 to this, less one."""
    receipts: Receipts
    """Of the shards that hold them."""
    planned: Plan
    """Every shard of the run."""


def counted(run: Run) -> Counted:
    """The blocks of every variant without a gap; of a complete run all that count."""
    found, manifest = run.whole_receipts(), run.manifest
    planned = run.planned()
    whole = found.only(~_waits()) if found.has("parts") and found.has("summary") else found
    if manifest.status == "complete":
        blocks = {v.name: manifest.counted(v.name) for v in manifest.config.variants}
    else:
        landed = Landed.of(planned, whole)
        blocks = {v.name: landed.whole(v.name) for v in manifest.config.variants}
    end = pl.col("first_block") + pl.col("n_blocks")
    inside = [(pl.col("variant") == name) & (end <= n) for name, n in blocks.items()]
    return Counted(blocks, whole.only(pl.any_horizontal(inside)), planned)


def _waits() -> pl.Expr:
    """Whether its block, cut into parts, has not been added up yet; its first part says so."""
    first_part = pl.col("parts_rows").is_not_null() & (pl.col("first_game") == 0)
    return first_part & pl.col("summary_rows").is_null()
