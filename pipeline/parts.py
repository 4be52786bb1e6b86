"""Blocks that were cut into parts get their summary and joint sums once they are whole."""

from collections.abc import Iterator
from itertools import groupby

import polars as pl

from pipeline import joints
from pipeline.config import rules_hash
from pipeline.landing import file_metadata
from pipeline.manifest import Landed, Receipt
from pipeline.receipt_table import Receipts
from pipeline.store import Run, put_receipt, put_table
from pipeline.summary import add_parts
from pipeline.totals import whole_blocks


def add_up_blocks(run: Run, receipts: Receipts) -> Iterator[Receipt]:
    """Land summary and joint sums of every block that has parts, beside its first part.

    ``receipts`` are those of all shards that count. Yields those that have a new file.
    """
    if not receipts.has("parts"):
        return
    parts = receipts.only(pl.col("parts_rows").is_not_null()).values()
    config = run.manifest.config
    hashes = {variant.name: rules_hash(variant.rules) for variant in config.variants}
    for _, group in groupby(parts, key=lambda receipt: (receipt.variant, receipt.first_block)):
        block = list(group)
        first = block[0]
        if "summary" in first.files:  # of an earlier attempt to finish
            continue
        metadata = file_metadata(run.manifest.run, hashes[first.variant])
        landed = {
            table: put_table(run.store, table, first.shard, frame, metadata)
            for table, frame in _tables(run, block)
        }
        changed = first.model_copy(update={"files": first.files | landed})
        put_receipt(run.store, changed)
        yield changed


def _tables(run: Run, block: list[Receipt]) -> Iterator[tuple[Landed, pl.DataFrame]]:
    """What is made of all parts of a block, by table."""
    first, config = block[0], run.manifest.config
    yield "summary", add_parts([run.read("parts", part.shard) for part in block], first.shard)
    if not all("totals" in part.files for part in block):
        return  # an earlier version played it
    whole = whole_blocks(
        run.store,
        config,
        first.variant,
        [run.place("totals", part.shard) for part in block],
        first.first_block,
        1,
        run.manifest.dropped.get(first.variant),
    )
    sums = joints.of_totals(config, whole)
    yield "joint", joints.frame(config, first.variant, first.shard, sums)
