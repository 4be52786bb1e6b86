"""The folder of a run: what lies where, and nothing under its name before it is whole.

::

    manifest.json             what was played, how it was cut, how it ended
    shards.parquet            one receipt a shard, once the run is complete
    surplus.parquet           the same of shards beyond where a stop rule ended the run
    _receipts/000000.json     the same, one file a shard, while it runs
    games/games-000000.parquet, deals/..., doubles/..., summary/..., totals/...
    parts/parts-000000.parquet   sums of a part of a block, where blocks are cut
    units/units-000000.parquet, trials/...   of a study, in place of the others

A shard's files have names that depend on the shard alone, so that a second attempt puts
the same bytes in the same place.
"""

import fcntl
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import polars as pl

from engine_ext.errors import UserError
from pipeline.manifest import Landed

MANIFEST = "manifest.json"
SHARDS = "shards.parquet"
SURPLUS = "surplus.parquet"
RECEIPTS = "_receipts"
LOCK = ".lock"
FOLDERS: tuple[Landed, ...] = (
    "games",
    "deals",
    "doubles",
    "summary",
    "totals",
    "parts",
    "units",
    "trials",
)
"""Tables, and the sums of parts of blocks."""


class StoreError(UserError):
    """A run's folder that cannot be read or written."""


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


def put(path: Path, whole: bytes) -> None:
    """Write a file under its name only when it is whole and on disk."""
    part = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    try:
        path.parent.mkdir(exist_ok=True)
        with part.open("xb") as file:
            file.write(whole)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise StoreError(f"{path}: cannot be written: {_why(error)}") from error


def content(path: Path) -> bytes:
    """A file's bytes."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {_why(error)}") from error


def read_parquet(path: Path, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """A Parquet file's rows; of these ``columns`` alone if given."""
    try:
        return pl.read_parquet(path, columns=None if columns is None else list(columns))
    # What a damaged file makes Polars do is not written down anywhere.
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise StoreError(f"{path}: cannot be read: {str(error).splitlines()[0]}") from error


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other drivers away from a run while this one writes it."""
    try:
        file = (folder / LOCK).open("a")
    except OSError as error:
        raise StoreError(f"{folder}: cannot be written: {_why(error)}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StoreError(f"{folder}: another process is writing this run") from error
        yield


def make_folder(folder: Path) -> None:
    """Make a run's folder and those above it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be made: {_why(error)}") from error


def check_empty(folder: Path) -> None:
    """Refuse a folder that holds anything: nothing is ever overwritten."""
    if (folder / MANIFEST).exists():
        raise StoreError(f"{folder}: holds a run already (barbu resume {folder})")
    if folder.is_dir() and any(path.name != LOCK for path in folder.iterdir()):
        raise StoreError(f"{folder}: is not empty (want a new folder for the run)")
    if folder.exists() and not folder.is_dir():
        raise StoreError(f"{folder}: is a file (want a new folder for the run)")


def drop_leftovers(folder: Path) -> None:
    """Remove what attempts that were cut off left half-written."""
    for name in ("", RECEIPTS, *FOLDERS):
        for path in (folder / name).glob(".*.tmp"):
            path.unlink()


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
