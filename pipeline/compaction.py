"""Few large files in place of many small ones: what ``barbu compact`` does to a complete run.

New files come first, then the table of receipts that names them is swapped in, then the old files
are removed: whoever reads sees the one or the other, and what was cut off is begun again.
"""

from collections.abc import Iterator
from hashlib import sha256
from itertools import accumulate
from typing import NamedTuple

import polars as pl

from pipeline.batches import put_receipts
from pipeline.files import FOLDERS, merged_name, table_name
from pipeline.manifest import FileReceipt, Landed, Receipt
from pipeline.places import files_of
from pipeline.plan import Lane, Plan
from pipeline.receipt_table import Receipts
from pipeline.store import Run, check_files, parquet
from pipeline.stores import StoreError

SIZES = (1_000, 500, 250, 125, 25, 5)
"""Shards of a file. Each divides the one before, so that all files in which a shard stands lie
within its own thousand: these are played again where one of them is damaged."""
TARGET = 32 * 2**20
"""Bytes of a file, about, at most."""
SUMS = {"summary": ("blocks", "n", "x", "nn", "xx", "nx")}
"""Columns of tables whose rows add up; the others but ``shard`` say what of."""


class Compacted(NamedTuple):
    """What came of it."""

    files: int
    """That the tables have now."""
    bytes: int
    """In them."""
    before: int
    bytes_before: int


def compact(run: Run) -> Compacted:
    """Put neighbouring shards' files of every table together, up to 32 MiB or 1,000 shards.

    Raises :class:`StoreError` for a run that is not complete, or a file that is damaged.
    """
    if run.manifest.status != "complete":
        raise StoreError(
            f"{run.where}: has status {run.manifest.status} (want a complete run: barbu resume)"
        )
    with run.store.held():
        before = run.whole_receipts()
        changes = {table: list(_merged(run, before, table)) for table in FOLDERS}
        if any(changes.values()):
            frame = _changed(run.landed(), changes)
            put_receipts(run.store, run.manifest.run, [frame], run.counting)
        after = Run.of(run.store).whole_receipts()
        _remove_old(run, after)
    return Compacted(*_size(after), *_size(before))


class _Row(NamedTuple):
    """What a receipt says of a table now."""

    shard: int
    file: FileReceipt


def _merged(run: Run, receipts: Receipts, table: Landed) -> Iterator[_Row]:
    """Put a table's files together; yields what changes in receipts."""
    for lane in run.planned().lanes.values():
        own = receipts.of_variant(lane.variant)
        if not own.has(table):
            continue
        own = own.only(pl.col(f"{table}_rows").is_not_null())
        if own.has(table, "first"):
            own = own.only(pl.col(f"{table}_first").is_null())
        if not len(own):
            continue
        mean = own.total(f"{table}_bytes") / len(own)
        size = next((n for n in SIZES if n * mean <= TARGET), None)
        if size is None:
            continue
        piece: list[Receipt] = []
        for receipt in own.values():
            if piece and _piece(lane, receipt.shard, size) != _piece(lane, piece[0].shard, size):
                yield from _together(run, table, piece)
                piece = []
            piece.append(receipt)
        yield from _together(run, table, piece)


def _piece(lane: Lane, shard: int, size: int) -> int:
    return (shard - lane.first) // size


def _together(run: Run, table: Landed, receipts: list[Receipt]) -> Iterator[_Row]:
    """Write one file for all of these."""
    if len(receipts) < 2:
        return
    only = [r.model_copy(update={"files": {table: r.files[table]}}) for r in receipts]
    check_files(run, only, hashed=True)
    frames = [run.read(table, receipt.shard) for receipt in receipts]
    first, last = receipts[0].shard, receipts[-1].shard
    whole, rows = pl.concat(frames), [len(frame) for frame in frames]
    added = _added(whole, SUMS[table]) if table in SUMS else None
    if added is not None:
        whole, rows = added, [len(added), *[0] * (len(rows) - 1)]
    source = run.store.source(table_name(table, first))
    said = pl.read_parquet_metadata(source)
    written = parquet(whole, {key: said[key] for key in said if key.startswith("barbu_")})
    run.store.put(merged_name(table, first, last), written)
    digest, starts = sha256(written).hexdigest(), accumulate(rows, initial=0)
    for receipt, n, start in zip(receipts, rows, starts, strict=False):
        file = FileReceipt(
            rows=n, bytes=len(written), sha256=digest, first=first, last=last, first_row=start
        )
        yield _Row(receipt.shard, file)


def _added(rows: pl.DataFrame, sums: tuple[str, ...]) -> pl.DataFrame | None:
    """Equal cells added up; None where a sum fits no column."""
    keys = [name for name in rows.columns if name not in (*sums, "shard")]
    totals = [pl.col(name).cast(pl.Int128).sum() for name in sums]
    found = rows.group_by(keys, maintain_order=True).agg(pl.col("shard").min(), *totals)
    fitting = found.with_columns(pl.col(sums).cast(pl.Int64, strict=False)).select(rows.columns)
    return None if any(fitting.null_count().row(0)) else fitting


def _changed(landed: Receipts, changes: dict[Landed, list[_Row]]) -> pl.DataFrame:
    """All receipts as they are now."""
    frame = pl.concat(landed.as_written())
    for table, rows in changes.items():
        if not rows:
            continue
        names = {field: f"{table}_{field}" for field in FileReceipt.model_fields}
        new = pl.DataFrame(
            [{"shard": row.shard, **row.file.model_dump()} for row in rows],
            schema={"shard": pl.Int64()} | {f: frame.schema[name] for f, name in names.items()},
        )
        frame = frame.update(new.rename(names), on="shard")
    return frame


def _remove_old(run: Run, receipts: Receipts) -> None:
    """Files of single shards whose rows stand elsewhere too."""
    for table in FOLDERS:
        if not receipts.has(table, "first"):
            continue
        merged = receipts.only(pl.col(f"{table}_first").is_not_null())
        old = {table_name(table, shard) for shard in merged}
        there = [entry.name for entry in run.store.entries(table)]
        run.store.remove_all([name for name in there if name in old])


def _size(receipts: Receipts) -> tuple[int, int]:
    """Files and their bytes."""
    files, sizes = zip(*map(receipts.stored, FOLDERS), strict=True)
    return sum(files), sum(sizes)


def take_apart(run: Run, landed: Receipts, damaged: set[int]) -> set[int]:
    """Shards that must be played again where ``damaged`` ones must: also those of the same
    thousand whose rows stand with those of others, whose receipts go at once.

    What is played again has files of its own; nothing else may hold the same rows then.
    """
    plan = run.planned()
    thousands = {_thousand(plan, shard) for shard in damaged}
    merged = [pl.col(f"{t}_first").is_not_null() for t in FOLDERS if landed.has(t, "first")]
    together = landed.only(pl.any_horizontal(merged)) if merged else {}
    gone = {shard for shard in together if _thousand(plan, shard) in thousands}
    if not gone:
        return damaged
    left = landed.only(~pl.col("shard").is_in(list(gone)))
    put_receipts(run.store, run.manifest.run, left.as_written(), run.counting)
    for table in FOLDERS:
        for name in files_of((together[shard] for shard in sorted(gone)), table):
            run.store.remove(name)
    return gone | damaged


def _thousand(plan: Plan, shard: int) -> int:
    lane = next(lane for lane in plan.lanes.values() if lane.first <= shard < lane.end)
    return lane.first + _piece(lane, shard, SIZES[0])
