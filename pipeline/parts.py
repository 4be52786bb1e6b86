"""Blocks that were cut into parts get their summary once they are whole."""

from itertools import groupby

from pipeline.landing import file_metadata
from pipeline.manifest import Receipt
from pipeline.store import Run, put_receipt, put_table
from pipeline.summary import add_parts


def add_up_blocks(run: Run, receipts: dict[int, Receipt]) -> dict[int, Receipt]:
    """Land the summary of every block that has parts, beside its first part.

    ``receipts`` are those of all shards, in order. Returns them with the new files.
    """
    parts = [receipt for receipt in receipts.values() if "parts" in receipt.files]
    metadata = file_metadata(run.manifest.run)
    changed = dict(receipts)
    for _, group in groupby(parts, key=lambda receipt: (receipt.variant, receipt.first_block)):
        block = list(group)
        first = block[0]
        if "summary" in first.files:  # of an earlier attempt to finish
            continue
        frame = add_parts([run.read("parts", part.shard) for part in block], first.shard)
        landed = put_table(run.store, "summary", first.shard, frame, metadata)
        files = first.files | {"summary": landed}
        changed[first.shard] = first.model_copy(update={"files": files})
        put_receipt(run.store, changed[first.shard])
    return changed
