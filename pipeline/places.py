"""Where shards' rows stand: in a file each, until ``barbu compact`` puts many into one."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from pipeline.files import (
    FOLDERS,
    SHARDS,
    Place,
    merged_name,
    parquet_of,
    parquet_schema_of,
    place,
    table_name,
)
from pipeline.manifest import Receipt
from pipeline.stores import Store

Ints = npt.NDArray[np.int64]


class _Merged(NamedTuple):
    """Rows of a table that stand with those of others, by shard."""

    shard: Ints
    first: Ints
    last: Ints
    first_row: Ints
    rows: Ints


class Places:
    """Of a run, in a few bytes a shard and table, none where nothing was put together."""

    def __init__(self, merged: dict[str, _Merged]) -> None:
        self._merged = merged

    @classmethod
    def of(cls, store: Store) -> "Places":
        """As ``shards.parquet`` has them; what is in no table yet was never put together."""
        found: dict[str, _Merged] = {}
        if store.entry(SHARDS) is None:
            return cls(found)
        source, path = store.source(SHARDS), store.path(SHARDS)
        known = parquet_schema_of(source, path)
        for table in FOLDERS:
            names = [f"{table}_{field}" for field in _Merged._fields[1:]]
            if any(known.get(name) != pl.Int64() for name in names):
                continue  # of an older run; of a damaged one the receipts say so
            frame = parquet_of(source, path, ["shard", *names]).drop_nulls().sort("shard")
            if len(frame):
                columns = (frame[name].to_numpy() for name in ("shard", *names))
                found[table] = _Merged(*columns)
        return cls(found)

    def place(self, table: str, shard: int) -> Place:
        """Where a shard's rows of a table stand."""
        merged = self._merged.get(table)
        if merged is not None:
            at = int(np.searchsorted(merged.shard, shard))
            if at < len(merged.shard) and merged.shard[at] == shard:
                name = merged_name(table, int(merged.first[at]), int(merged.last[at]))
                return Place(name, (int(merged.first_row[at]), int(merged.rows[at])))
        return Place(table_name(table, shard))


def files_of(receipts: Iterable[Receipt], table: str) -> dict[str, int]:
    """Names of the files in which a table of these shards stands, in order, with their bytes."""
    return {
        place(table, receipt.shard, file).name: file.bytes
        for receipt in receipts
        for name, file in receipt.files.items()
        if name == table
    }


def bytes_of(receipts: Iterable[Receipt]) -> int:
    """Bytes of all tables of these shards, of a file in which many stand once."""
    alone, merged = 0, dict[tuple[str, int, int | None], int]()
    for receipt in receipts:
        for table, file in receipt.files.items():
            if file.first is None:
                alone += file.bytes
            else:
                merged[table, file.first, file.last] = file.bytes
    return alone + sum(merged.values())


def in_a_row(places: Iterable[Place]) -> Iterator[Place]:
    """The same rows with as few reads: what stands one after the other is read at once."""
    open_: Place | None = None
    for at in places:
        if open_ is not None and open_.rows and at.rows and open_.name == at.name:
            first, n = open_.rows
            if first + n == at.rows[0]:
                open_ = Place(at.name, (first, n + at.rows[1]))
                continue
        if open_ is not None:
            yield open_
        open_ = at
    if open_ is not None:
        yield open_
