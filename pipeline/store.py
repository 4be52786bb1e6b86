"""The folder of a run: what lies where, and nothing under its name before it is whole.

::

    manifest.json             what was played, how it was cut, how it ended
    shards.parquet            one receipt a shard, once the run is complete
    _receipts/000000.json     the same, one file a shard, while it runs
    games/games-000000.parquet, deals/..., doubles/..., summary/...
    parts/parts-000000.parquet   sums of a part of a block, where blocks are cut

Readers take the files that receipts name (:meth:`Run.files`), never a bare folder. A
shard's files have names that depend on the shard alone, so that a second attempt puts
the same bytes in the same place.
"""

import fcntl
import io
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Self

import polars as pl
from pydantic import ValidationError

from engine_ext.errors import UserError
from pipeline.config import first_mistake
from pipeline.manifest import FileReceipt, Manifest, Receipt
from pipeline.schema import SCHEMA_VERSION

MANIFEST = "manifest.json"
SHARDS = "shards.parquet"
RECEIPTS = "_receipts"
LOCK = ".lock"
FOLDERS = ("games", "deals", "doubles", "summary", "parts")
"""Tables, and the sums of parts of blocks."""


class StoreError(UserError):
    """A run's folder that cannot be read or written."""


@dataclass(frozen=True)
class Run:
    """A run on disk."""

    folder: Path
    manifest: Manifest

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """Read a run's manifest; :class:`StoreError` says what is wrong with it."""
        home = local_folder(folder)
        path = home / MANIFEST
        if not path.is_file():
            raise StoreError(f"{home}: no run here ({MANIFEST} is missing)")
        try:
            manifest = Manifest.model_validate_json(path.read_bytes())
        except ValidationError as error:
            raise StoreError(f"{path}: damaged: {first_mistake(error, Manifest)}") from error
        if manifest.schema_version != SCHEMA_VERSION:
            raise StoreError(
                f"{path}: schema_version: {manifest.schema_version} "
                f"(this version reads {SCHEMA_VERSION})"
            )
        return cls(home, manifest)

    def receipts(self) -> dict[int, Receipt]:
        """Receipts of the shards that landed, by shard, in order."""
        found = {receipt.shard: receipt for receipt in _compacted(self.folder / SHARDS)}
        for path in sorted((self.folder / RECEIPTS).glob("*.json")):
            try:
                receipt = Receipt.model_validate_json(path.read_bytes())
            except ValidationError as error:
                raise StoreError(f"{path}: damaged: {first_mistake(error, Receipt)}") from error
            found[receipt.shard] = receipt
        for receipt in found.values():
            if receipt.run != self.manifest.run:
                raise StoreError(
                    f"{self.folder}: shard {receipt.shard} belongs to run {receipt.run}, "
                    f"not {self.manifest.run}"
                )
        return dict(sorted(found.items()))

    def files(self, table: str) -> list[Path]:
        """Files of ``games``, ``deals``, ``doubles``, ``summary`` or ``parts``, by shard."""
        return [
            table_path(self.folder, table, receipt.shard)
            for receipt in self.receipts().values()
            if table in receipt.files
        ]

    def read(self, table: str, shard: int) -> pl.DataFrame:
        """A shard's rows of a table that its receipt names."""
        path = table_path(self.folder, table, shard)
        try:
            return pl.read_parquet(path)
        except (pl.exceptions.PolarsError, OSError) as error:
            raise StoreError(f"{path}: cannot be read: {str(error).splitlines()[0]}") from error

    def with_manifest(self, **changes: object) -> Self:
        """Put a changed manifest in place."""
        manifest = self.manifest.model_copy(update=changes)
        write_manifest(self.folder, manifest)
        return type(self)(self.folder, manifest)


def local_folder(out: str | Path) -> Path:
    """The folder that the user named."""
    if "://" in str(out):
        raise StoreError(f"{out}: object stores are not supported yet (want a folder)")
    return Path(out)


def table_path(folder: Path, table: str, shard: int) -> Path:
    """Where a shard's rows of a table lie."""
    return folder / table / f"{table}-{shard:06d}.parquet"


def receipt_path(folder: Path, shard: int) -> Path:
    """Where a shard's receipt lies while the run is not complete."""
    return folder / RECEIPTS / f"{shard:06d}.json"


def put(path: Path, content: bytes) -> None:
    """Write a file under its name only when it is whole and on disk."""
    path.parent.mkdir(exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    with part.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def put_table(
    folder: Path, table: str, shard: int, frame: pl.DataFrame, metadata: dict[str, str]
) -> FileReceipt:
    """Land a shard's rows of a table as Parquet."""
    buffer = io.BytesIO()
    frame.write_parquet(
        buffer,
        compression="zstd",
        compression_level=3,
        row_group_size=131_072,
        metadata=metadata,
    )
    content = buffer.getvalue()
    put(table_path(folder, table, shard), content)
    return FileReceipt(rows=len(frame), bytes=len(content), sha256=sha256(content).hexdigest())


def put_receipt(folder: Path, receipt: Receipt) -> None:
    """Land a receipt: from now on the shard counts as done."""
    put(receipt_path(folder, receipt.shard), receipt.model_dump_json().encode())


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Put the manifest in place."""
    put(folder / MANIFEST, manifest.model_dump_json(indent=1).encode() + b"\n")


def damage(folder: Path, receipt: Receipt) -> list[str]:
    """What is wrong with a shard's files, each in one line."""
    wrong: list[str] = []
    for table, expected in receipt.files.items():
        path = table_path(folder, table, receipt.shard)
        if not path.is_file():
            wrong.append(f"{path}: missing")
            continue
        size = path.stat().st_size
        if size != expected.bytes:
            wrong.append(f"{path}: {size} bytes, its receipt says {expected.bytes}")
        elif sha256(path.read_bytes()).hexdigest() != expected.sha256:
            wrong.append(f"{path}: content differs from its receipt (sha256)")
    return wrong


def compact(run: Run, receipts: dict[int, Receipt]) -> None:
    """Put all receipts into one table; the files of the single ones can go then."""
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
    pl.DataFrame(rows, schema=_shards_schema()).write_parquet(
        buffer, metadata={"barbu_run": run.manifest.run}
    )
    put(run.folder / SHARDS, buffer.getvalue())


def drop_receipts(folder: Path) -> None:
    """Remove the single receipts after :func:`compact`."""
    for path in (folder / RECEIPTS).glob("*.json"):
        path.unlink()
    if (folder / RECEIPTS).is_dir():
        (folder / RECEIPTS).rmdir()


def drop_leftovers(folder: Path) -> None:
    """Remove what attempts that were cut off left half-written."""
    for name in ("", RECEIPTS, *FOLDERS):
        for path in (folder / name).glob(".*.tmp"):
            path.unlink()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other drivers away from a run while this one writes it."""
    with (folder / LOCK).open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StoreError(f"{folder}: another process is writing this run") from error
        yield


def check_empty(folder: Path) -> None:
    """Refuse a folder that holds anything: nothing is ever overwritten."""
    if (folder / MANIFEST).exists():
        raise StoreError(f"{folder}: holds a run already (barbu resume {folder})")
    if folder.is_dir() and any(path.name != LOCK for path in folder.iterdir()):
        raise StoreError(f"{folder}: is not empty (want a new folder for the run)")
    if folder.exists() and not folder.is_dir():
        raise StoreError(f"{folder}: is a file (want a new folder for the run)")


def _shards_schema() -> dict[str, pl.DataType]:
    whole = ("shard", "first_block", "n_blocks", "first_game", "n_games", "games", "deals")
    schema: dict[str, pl.DataType] = {}
    for name in Receipt.model_fields:
        if name in (*whole, "fouls", "ms"):
            schema[name] = pl.Int64()
        elif name == "first_fouls":
            schema[name] = pl.List(pl.String())
        elif name != "files":
            schema[name] = pl.String()
    for table in FOLDERS:
        schema |= {
            f"{table}_rows": pl.Int64(),
            f"{table}_bytes": pl.Int64(),
            f"{table}_sha256": pl.String(),
        }
    return schema


def _compacted(path: Path) -> Iterator[Receipt]:
    """Receipts of ``shards.parquet``, if it is there."""
    if not path.is_file():
        return
    try:
        rows = pl.read_parquet(path).to_dicts()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise StoreError(f"{path}: cannot be read: {str(error).splitlines()[0]}") from error
    for row in rows:
        files = {
            table: {field: row.pop(f"{table}_{field}") for field in FileReceipt.model_fields}
            for table in FOLDERS
            if row.get(f"{table}_rows") is not None
        }
        known = {name: row[name] for name in Receipt.model_fields if name != "files"}
        try:
            yield Receipt.model_validate(known | {"files": files})
        except ValidationError as error:
            raise StoreError(f"{path}: damaged: {first_mistake(error, Receipt)}") from error
