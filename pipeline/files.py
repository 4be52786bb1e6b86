"""The files of a run: what lies where.

::

    manifest.json             what was played, how it was cut, how it ended
    shards.parquet            one receipt a shard, once the run is complete
    surplus.parquet           the same of shards beyond where a stop rule ended the run
    _receipts/000000.json     the same, one file a shard, as they land
    _receipts/batch-000000-MARK.parquet   the same, a thousand shards to a file, while it runs
    games/games-000000.parquet, deals/..., doubles/..., summary/..., totals/..., joint/...
    company/company-000000.parquet   of round robins that keep no totals
    plays/plays-000000.parquet   where they are kept
    parts/parts-000000.parquet   sums of a part of a block, where blocks are cut
    units/units-000000.parquet, trials/...   of a study, in place of the others
    deals/deals-000000-000999.parquet   those of shards 0 to 999, where ``barbu compact`` was there

A shard's files have names that depend on the shard alone, so that a second attempt puts
the same bytes in the same place.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import NamedTuple, get_args

import polars as pl

from pipeline.footers import footer
from pipeline.manifest import FileReceipt, Landed
from pipeline.stores import Store, StoreError

MANIFEST = "manifest.json"
SHARDS = "shards.parquet"
SURPLUS = "surplus.parquet"
RECEIPTS = "_receipts"
FOLDERS: tuple[Landed, ...] = get_args(Landed)
"""Tables, and the sums of parts of blocks."""


def table_name(table: str, shard: int) -> str:
    """Where a shard's rows of a table lie."""
    return f"{table}/{table}-{shard:06d}.parquet"


def merged_name(table: str, first: int, last: int) -> str:
    """Where the rows of several shards lie."""
    return f"{table}/{table}-{first:06d}-{last:06d}.parquet"


class Place(NamedTuple):
    """Where a shard's rows of a table stand."""

    name: str
    rows: tuple[int, int] | None = None
    """The first and how many; None: all of the file."""


def place(table: str, shard: int, file: FileReceipt) -> Place:
    """Where a receipt says that they stand."""
    if file.first is None or file.last is None:
        return Place(table_name(table, shard))
    return Place(merged_name(table, file.first, file.last), (file.first_row or 0, file.rows))


def receipt_name(shard: int) -> str:
    """Where a shard's receipt lies while the run is not complete."""
    return f"{RECEIPTS}/{shard:06d}.json"


def shard_of(name: str) -> int | None:
    """The shard whose receipt has this name; None: it is no single receipt's."""
    found = re.fullmatch(rf"{RECEIPTS}/(\d{{6,}})\.json", name)
    return None if found is None else int(found[1])


def batch_name(number: int, mark: str) -> str:
    """Where receipts lie that were put together while the run goes on, by the driver with this
    ``mark``."""
    return f"{RECEIPTS}/batch-{number:06d}-{mark}.parquet"


def read_parquet(store: Store, name: str, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """A Parquet file's rows; of these ``columns`` alone if given."""
    return parquet_of(store.source(name), store.path(name), columns)


def read_place(store: Store, at: Place, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """The rows that stand somewhere."""
    return parquet_of(store.source(at.name), store.path(at.name), columns, at.rows)


def parquet_of(
    source: Path | BytesIO,
    path: str,
    columns: Sequence[str] | None = None,
    rows: tuple[int, int] | None = None,
) -> pl.DataFrame:
    """The same of an open file, which messages call ``path``; of its ``rows``, the first and how
    many, alone if given."""
    footer(source, path)
    with _readable(path):
        lazy = pl.scan_parquet(source)
        if columns is not None:
            lazy = lazy.select(columns)
        return (lazy if rows is None else lazy.slice(*rows)).collect()


def parquet_schema_of(source: Path | BytesIO, path: str) -> dict[str, pl.DataType]:
    """Its columns and their types."""
    with _readable(path):
        return dict(pl.read_parquet_schema(source))


@contextmanager
def _readable(path: str) -> Iterator[None]:
    try:
        yield
    # What a damaged file makes Polars do is not written down anywhere.
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        why = str(error).splitlines()[0]
        raise StoreError(f"{path}: cannot be read: {why}") from error
