"""The files of a run: what lies where.

::

    manifest.json             what was played, how it was cut, how it ended
    shards.parquet            one receipt a shard, once the run is complete
    surplus.parquet           the same of shards beyond where a stop rule ended the run
    _receipts/000000.json     the same, one file a shard, while it runs
    games/games-000000.parquet, deals/..., doubles/..., summary/..., totals/..., joint/...
    company/company-000000.parquet   of round robins that keep no totals
    parts/parts-000000.parquet   sums of a part of a block, where blocks are cut
    units/units-000000.parquet, trials/...   of a study, in place of the others

A shard's files have names that depend on the shard alone, so that a second attempt puts
the same bytes in the same place.
"""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import polars as pl

from pipeline.footers import footer
from pipeline.manifest import Landed
from pipeline.stores import Store, StoreError

MANIFEST = "manifest.json"
SHARDS = "shards.parquet"
SURPLUS = "surplus.parquet"
RECEIPTS = "_receipts"
FOLDERS: tuple[Landed, ...] = (
    "games",
    "deals",
    "doubles",
    "summary",
    "totals",
    "joint",
    "company",
    "parts",
    "units",
    "trials",
)
"""Tables, and the sums of parts of blocks."""


def table_name(table: str, shard: int) -> str:
    """Where a shard's rows of a table lie."""
    return f"{table}/{table}-{shard:06d}.parquet"


def receipt_name(shard: int) -> str:
    """Where a shard's receipt lies while the run is not complete."""
    return f"{RECEIPTS}/{shard:06d}.json"


def read_parquet(store: Store, name: str, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """A Parquet file's rows; of these ``columns`` alone if given."""
    return parquet_of(store.source(name), store.path(name), columns)


def parquet_of(
    source: Path | BytesIO, path: str, columns: Sequence[str] | None = None
) -> pl.DataFrame:
    """The same of an open file, which messages call ``path``."""
    footer(source, path)
    try:
        return pl.read_parquet(source, columns=None if columns is None else list(columns))
    # What a damaged file makes Polars do is not written down anywhere.
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        why = str(error).splitlines()[0]
        raise StoreError(f"{path}: cannot be read: {why}") from error
