"""Receipts of a run: a file each as they land, a thousand to a file while it goes on, one table
once it is complete.

A receipt may stand in several of these and never in none: what it is put into comes first, then
what it stood in is removed. Where it stands twice the later one counts: a single one before a
batch, a later batch before an earlier one, any of them before the table.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
from pydantic import ValidationError

from pipeline.files import (
    FOLDERS,
    RECEIPTS,
    SHARDS,
    SURPLUS,
    parquet_of,
    parquet_schema_of,
    receipt_name,
)
from pipeline.manifest import FileReceipt, Receipt
from pipeline.mistakes import first_mistake
from pipeline.plan import Shard
from pipeline.stores import Store, StoreError
from pipeline.stores.several import several

BATCH_NAME = re.compile(rf"{RECEIPTS}/batch-\d{{6,}}-[0-9a-f]+\.parquet")
CHUNK = 50_000
"""Receipts that are looked at together: about 20 MB."""
MERGED = ("first", "last", "first_row")
"""What a receipt says of a file that is not the shard's alone."""
LATER = {"conduct"} | {
    f"{table}_{field}"
    for table in FOLDERS
    for field in FileReceipt.model_fields
    if table in ("units", "trials", "totals", "joint", "company", "plays") or field in MERGED
}
"""Columns that runs of earlier versions do not have."""

Ints = npt.NDArray[np.int64]
Check = Callable[[pl.DataFrame], str | None]
"""The first thing that is wrong with receipts, as ``key: what``."""


def schema() -> dict[str, pl.DataType]:
    """Columns of a table of receipts: a receipt's fields, then those of each of its files."""
    texts = ("run", "variant", "digest", "build")
    told = {"entrant": pl.String(), "kind": pl.String(), "n": pl.Int64(), "first": pl.String()}
    found: dict[str, pl.DataType] = {}
    for name in Receipt.model_fields:
        if name in texts:
            found[name] = pl.String()
        elif name == "first_fouls":
            found[name] = pl.List(pl.String())
        elif name == "conduct":
            found[name] = pl.List(pl.Struct(told))
        elif name != "files":
            found[name] = pl.Int64()
    for table in FOLDERS:
        for field in FileReceipt.model_fields:
            found[f"{table}_{field}"] = pl.String() if field == "sha256" else pl.Int64()
    return found


def frame_of(receipts: Iterable[Receipt]) -> pl.DataFrame:
    """Receipts as a table."""
    rows = [
        receipt.model_dump(exclude={"files"})
        | {
            f"{table}_{field}": value
            for table, file in receipt.files.items()
            for field, value in file
        }
        for receipt in receipts
    ]
    return pl.DataFrame(rows, schema=schema())


def receipt_in(row: dict[str, Any]) -> Receipt:
    """The receipt that stands in a row; pydantic's error where it is none."""
    files = {
        table: {field: row[f"{table}_{field}"] for field in FileReceipt.model_fields}
        for table in FOLDERS
        if row[f"{table}_rows"] is not None
    }
    known = {name: row[name] for name in Receipt.model_fields if name != "files"}
    return Receipt.model_validate(known | {"files": files})


def single(store: Store) -> Iterator[tuple[str, Receipt]]:
    """Receipts that lie in a file each, with its path."""
    names = _names(store, ".json")
    found = several(store.at_once, names, partial(_alone, store))
    for name, whole in zip(names, found, strict=True):
        if whole is None:
            continue  # another process has just put it into a batch
        path = store.path(name)
        try:
            receipt = Receipt.model_validate_json(whole)
        except ValidationError as error:
            raise StoreError(f"{path}: damaged: {first_mistake(error, Receipt)}") from error
        if name != receipt_name(receipt.shard):
            raise StoreError(f"{path}: damaged: shard: {receipt.shard} (the name says another)")
        yield path, receipt


def _alone(store: Store, name: str) -> bytes | None:
    try:
        return store.get(name)
    except StoreError:
        if store.entry(name) is None:
            return None
        raise


def receipt_of(store: Store, run: str, shard: Shard) -> Receipt | None:
    """The receipt of a shard that has landed and lies in a file, for who would land it again."""
    name = receipt_name(shard.number)
    if store.entry(name) is None:
        return None
    try:
        receipt = Receipt.model_validate_json(store.get(name))
    except ValidationError as error:
        wrong = first_mistake(error, Receipt)
        raise StoreError(f"{store.path(name)}: damaged: {wrong}") from error
    if (receipt.run, receipt.shard, receipt.n_games) != (run, shard.number, shard.n_games):
        raise StoreError(f"{store.path(name)}: damaged: is no receipt of this shard")
    return receipt


def batches(store: Store) -> list[str]:
    """Names of the batches, in the order in which they were written."""
    return [name for name in _names(store, ".parquet") if BATCH_NAME.fullmatch(name)]


def _names(store: Store, ending: str) -> list[str]:
    return [entry.name for entry in store.entries(RECEIPTS) if entry.name.endswith(ending)]


class _Source(NamedTuple):
    """Where receipts lie."""

    path: str
    numbers: Ints
    """Shards, by row."""
    rows: Callable[[int, int], pl.DataFrame]
    """Rows from one to before another."""


def frames(
    store: Store, check: Check, singles: Iterable[Receipt] | None = None
) -> Iterator[pl.DataFrame]:
    """Every receipt of a run once, in the order of their shards, about 50,000 at a time.

    ``singles``: those that lie in a file each, where the caller has them at hand.
    Raises :class:`StoreError` for what is damaged, or where ``check`` says so.
    """
    # In the order in which a receipt is put from one into the next, lest it be missed.
    alone = [r for _, r in single(store)] if singles is None else list(singles)
    found = [_kept(store, name, check) for name in batches(store)]
    for name in (SURPLUS, SHARDS):
        if store.entry(name) is not None:
            found.insert(0, _kept(store, name, check))
    if alone:
        frame = frame_of(alone)
        if check(frame) is not None:
            _name_stray(store, alone, check)
        found.append(_Source("", _numbers(frame), lambda first, last: frame[first:last]))
    found = [source for source in found if len(source.numbers)]
    if not found:
        return
    number = np.concatenate([source.numbers for source in found])
    owner = np.repeat(np.arange(len(found)), [len(source.numbers) for source in found])
    row = np.concatenate([np.arange(len(source.numbers)) for source in found])
    order = np.argsort(number, kind="stable")
    last = np.append(np.diff(number[order]) != 0, True)
    order = order[last]
    for begin in range(0, len(order), CHUNK):
        own = order[begin : begin + CHUNK]
        parts = [_gathered(found[i], row[own[owner[own] == i]]) for i in np.unique(owner[own])]
        yield pl.concat(parts).sort("shard")


def _name_stray(store: Store, singles: list[Receipt], check: Check) -> None:
    for receipt in singles:
        wrong = check(frame_of([receipt]))
        if wrong is not None:
            raise StoreError(f"{store.path(receipt_name(receipt.shard))}: damaged: {wrong}")


def _gathered(source: _Source, rows: Ints) -> pl.DataFrame:
    first = int(rows.min())
    return source.rows(first, int(rows.max()) + 1)[rows - first]


def _kept(store: Store, name: str, check: Check) -> _Source:
    """A table of receipts, of which rows are read when they are wanted."""
    path, source = store.path(name), store.source(name)
    lacking = sorted(set(schema()) - set(parquet_schema_of(source, path)) - LATER)
    if lacking:
        raise StoreError(f"{path}: damaged: {lacking[0]}: missing")

    def rows(first: int, last: int) -> pl.DataFrame:
        frame = _typed(parquet_of(source, path, rows=(first, last - first)), path)
        wrong = check(frame)
        if wrong is not None:
            raise StoreError(f"{path}: damaged: {wrong}")
        return frame

    return _Source(path, _numbers(parquet_of(source, path, ["shard"]), path), rows)


def _numbers(frame: pl.DataFrame, path: str = "") -> Ints:
    column = frame["shard"]
    if column.dtype != pl.Int64 or column.null_count():
        raise StoreError(f"{path}: damaged: shard: want a whole number in every row")
    return column.to_numpy()


def _typed(frame: pl.DataFrame, path: str) -> pl.DataFrame:
    """With the columns of today; those that came later are empty in older runs."""
    columns = []
    for name, dtype in schema().items():
        if name not in frame.columns:
            empty: list[str] | None = [] if name == "conduct" else None
            columns.append(pl.lit(empty, dtype=dtype).alias(name))
        elif frame.schema[name] != dtype:
            raise StoreError(f"{path}: damaged: {name}: is {frame.schema[name]}, not {dtype}")
        else:
            columns.append(pl.col(name))
    return frame.select(columns)
