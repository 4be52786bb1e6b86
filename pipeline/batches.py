"""Receipts on their way from a file each to one table, while a run goes on and at its end."""

import secrets
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import PurePosixPath

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.files import RECEIPTS, SHARDS, SURPLUS, batch_name, receipt_name
from pipeline.manifest import Receipt
from pipeline.receipts import Check, batches, frame_of, frames, schema, single
from pipeline.stores import Store

BATCH = 1_000
"""Receipts in a batch; as many of the last ones stay single, so that one can tell how fast a run
goes."""


class Batches:
    """The receipts of a run that is being played: of those that landed last it holds each, the
    others lie in the store."""

    def __init__(self, store: Store, run: str) -> None:
        self._store = store
        self._run = run
        # A driver that has lost the run without knowing it yet must not write over another's.
        self._mark = secrets.token_hex(4)
        written = [int(PurePosixPath(name).stem.split("-")[1]) for name in batches(store)]
        self._next = max(written, default=-1) + 1
        self._single = [receipt for _, receipt in single(store)]

    def add(self, receipt: Receipt) -> None:
        """A receipt has landed, in a file of its own."""
        self._single.append(receipt)
        if len(self._single) >= 2 * BATCH:
            self._put_together(self._single[:BATCH])
            del self._single[:BATCH]

    def frames(self, check: Check) -> Iterator[pl.DataFrame]:
        """Every receipt, as :func:`pipeline.receipts.frames` has them."""
        return frames(self._store, check, self._single)

    def _put_together(self, receipts: list[Receipt]) -> None:
        buffer = BytesIO()
        frame_of(receipts).write_parquet(buffer, metadata={"barbu_run": self._run})
        self._store.put(batch_name(self._next, self._mark), buffer.getvalue())
        self._next += 1
        later = {receipt.shard for receipt in self._single[BATCH:]}
        gone = {receipt.shard for receipt in receipts} - later
        self._store.remove_all([receipt_name(number) for number in sorted(gone)])


def put_receipts(store: Store, run: str, receipts: Iterable[pl.DataFrame], counts: pl.Expr) -> None:
    """Put all receipts into ``shards.parquet``, those that do not count into ``surplus.parquet``.

    ``receipts`` are read as it is written; the files that they stood in can go then.
    """
    parts = {name: _Growing(run) for name in (SHARDS, SURPLUS)}
    for frame in receipts:
        parts[SHARDS].add(frame.filter(counts))
        parts[SURPLUS].add(frame.filter(~counts))
    for name, part in parts.items():
        if part.rows or name == SHARDS:
            store.put(name, part.whole())
        else:
            store.remove(name)


def turned(store: Store) -> list[str]:
    """Tables of receipts of which a bit is not as it was written, a line each; runs of earlier
    versions have no checksums, so nothing is found there."""
    found = []
    for name in (SHARDS, SURPLUS):
        if store.entry(name) is None:
            continue
        try:
            with pq.ParquetFile(store.source(name), page_checksum_verification=True) as file:
                for _ in file.iter_batches():
                    pass
        except (OSError, pa.ArrowException):
            found.append(f"{store.path(name)}: damaged (put back a copy that is whole)")
    return found


class _Growing:
    """A table of receipts as it is written."""

    def __init__(self, run: str) -> None:
        self.rows = 0
        empty = pl.DataFrame(schema=schema()).to_arrow(compat_level=pl.CompatLevel.oldest())
        self._schema = empty.schema.with_metadata({"barbu_run": run})
        self._buffer = BytesIO()
        # Tables have their hashes in receipts; nothing else tells whether these are as they were.
        self._file = pq.ParquetWriter(
            self._buffer, self._schema, compression="zstd", write_page_checksum=True
        )

    def add(self, frame: pl.DataFrame) -> None:
        if len(frame):
            table: pa.Table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
            self._file.write_table(table.cast(self._schema), row_group_size=len(frame))
            self.rows += len(frame)

    def whole(self) -> bytes:
        self._file.close()
        return self._buffer.getvalue()


def drop_receipts(store: Store) -> None:
    """Remove single receipts and batches after :func:`put_receipts`."""
    store.remove_all([entry.name for entry in store.entries(RECEIPTS)])
