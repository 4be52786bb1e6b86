"""Which blocks of a run a report counts: those from block 0 on, up to the first gap.

Of a run that is not complete shards are there in the order in which they ended, which hangs
together with what was played in them. What lies beyond a gap is for later.
"""

from typing import NamedTuple

from pipeline.manifest import Receipt
from pipeline.plan import Plan
from pipeline.store import Run
from pipeline.watermark import watermark


class Counted(NamedTuple):
    """What a report rests on."""

    blocks: dict[str, int]
    """By variant: blocks 0 to this, less one."""
    receipts: tuple[Receipt, ...]
    """Of the shards that hold them."""
    planned: Plan
    """Every shard of the run."""


def counted(run: Run) -> Counted:
    """The blocks of every variant without a gap; of a complete run all that count."""
    found, manifest = run.whole_receipts(), run.manifest
    planned = run.planned()
    whole = {number: one for number, one in found.items() if not _waits(one)}
    if manifest.status == "complete":
        blocks = {v.name: manifest.counted(v.name) for v in manifest.config.variants}
    else:
        blocks = {v.name: watermark(planned, whole, v.name) for v in manifest.config.variants}
    kept = [r for r in whole.values() if r.first_block + r.n_blocks <= blocks[r.variant]]
    return Counted(blocks, tuple(kept), planned)


def _waits(receipt: Receipt) -> bool:
    """Whether its block, cut into parts, has not been added up yet; its first part says so."""
    files = receipt.files
    return "parts" in files and receipt.first_game == 0 and "summary" not in files
