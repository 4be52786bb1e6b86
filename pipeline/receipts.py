"""Receipts of a run: a file each while it runs, one table once it is complete."""

import io
from collections.abc import Iterator

import polars as pl
from pydantic import ValidationError

from pipeline.files import FOLDERS, RECEIPTS, SHARDS, read_parquet, receipt_name
from pipeline.manifest import FileReceipt, Receipt
from pipeline.mistakes import first_mistake
from pipeline.plan import Shard
from pipeline.stores import Store, StoreError

LATER = {"conduct"} | {
    f"{table}_{field}"
    for table in ("units", "trials", "totals", "joint", "company")
    for field in FileReceipt.model_fields
}
"""Columns that runs of earlier versions do not have."""


def single(store: Store) -> Iterator[tuple[str, Receipt]]:
    """Receipts that lie in a file each, with its path."""
    for entry in store.entries(RECEIPTS):
        if not entry.name.endswith(".json"):
            continue
        path = store.path(entry.name)
        try:
            receipt = Receipt.model_validate_json(store.get(entry.name))
        except ValidationError as error:
            raise StoreError(f"{path}: damaged: {first_mistake(error, Receipt)}") from error
        if entry.name != receipt_name(receipt.shard):
            raise StoreError(f"{path}: damaged: shard: {receipt.shard} (the name says another)")
        yield path, receipt


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


def compacted(store: Store, name: str) -> Iterator[tuple[str, Receipt]]:
    """Receipts of ``shards.parquet`` or ``surplus.parquet``, if it is there."""
    if store.entry(name) is None:
        return
    frame, path = read_parquet(store, name), store.path(name)
    lacking = sorted(set(_shards_schema()) - set(frame.columns) - LATER)
    if lacking:
        raise StoreError(f"{path}: damaged: {lacking[0]}: missing")
    for row in frame.to_dicts():
        files = {
            table: {field: row.pop(f"{table}_{field}") for field in FileReceipt.model_fields}
            for table in FOLDERS
            if row.get(f"{table}_rows") is not None
        }
        known = {name: row[name] for name in Receipt.model_fields if name in row}
        try:
            yield path, Receipt.model_validate(known | {"files": files})
        except ValidationError as error:
            raise StoreError(f"{path}: damaged: {first_mistake(error, Receipt)}") from error


def compact(store: Store, run: str, receipts: dict[int, Receipt], name: str = SHARDS) -> None:
    """Put receipts into one table called ``name``; the files of the single ones can go then."""
    rows = [
        receipt.model_dump(exclude={"files"})
        | {
            f"{table}_{field}": getattr(receipt.files.get(table), field, None)
            for table in FOLDERS
            for field in FileReceipt.model_fields
        }
        for receipt in receipts.values()
    ]
    buffer = io.BytesIO()
    pl.DataFrame(rows, schema=_shards_schema()).write_parquet(buffer, metadata={"barbu_run": run})
    store.put(name, buffer.getvalue())


def drop_receipts(store: Store) -> None:
    """Remove the single receipts after :func:`compact`."""
    store.remove_all([entry.name for entry in store.entries(RECEIPTS)])


def _shards_schema() -> dict[str, pl.DataType]:
    whole = ("shard", "first_block", "n_blocks", "first_game", "n_games", "games", "deals")
    schema: dict[str, pl.DataType] = {}
    for name in Receipt.model_fields:
        if name in (*whole, "fouls", "ms"):
            schema[name] = pl.Int64()
        elif name == "first_fouls":
            schema[name] = pl.List(pl.String())
        elif name == "conduct":
            told = {"entrant": pl.String(), "kind": pl.String(), "n": pl.Int64()}
            schema[name] = pl.List(pl.Struct(told | {"first": pl.String()}))
        elif name != "files":
            schema[name] = pl.String()
    for table in FOLDERS:
        schema |= {
            f"{table}_rows": pl.Int64(),
            f"{table}_bytes": pl.Int64(),
            f"{table}_sha256": pl.String(),
        }
    return schema
