"""What a Parquet file says of itself, read before its rows: a file may come from anybody."""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import polars as pl

from pipeline.manifest import Manifest
from pipeline.schema import TABLES, polars_schema
from pipeline.stores import StoreError

MOST_ROWS = 100_000_000
"""Of a file, far above what any shard brings: a few bytes can stand for more rows than fit into
memory."""
MOST_BYTES = 2**33
"""The same of what a file is unpacked to."""


class Footer(NamedTuple):
    """Read without reading rows."""

    rows: int
    unpacked: int
    """Bytes of its columns, as it says."""
    run: str | None
    """Key ``barbu_run``: the run it was written for."""
    rules: str | None
    """Key ``barbu_rules``: hash of the rules played; None of older versions."""
    version: str | None
    """Key ``barbu_version``: of this package, who wrote it."""
    schema: str | None
    """Key ``barbu_schema``: version of the tables."""


def footer(source: Path | BytesIO, path: str) -> Footer:
    """Read a file's own words; :class:`StoreError` if it has none or is too large to be read."""
    import pyarrow
    from pyarrow import parquet

    try:
        said = parquet.read_metadata(source)
    except (pyarrow.ArrowException, OSError) as error:
        raise StoreError(f"{path}: cannot be read: {str(error).splitlines()[0]}") from error
    finally:
        if isinstance(source, BytesIO):
            source.seek(0)
    groups = (said.row_group(i) for i in range(said.num_row_groups))
    unpacked = sum(group.total_byte_size for group in groups)
    if not 0 <= said.num_rows <= MOST_ROWS or not 0 <= unpacked <= MOST_BYTES:
        raise StoreError(
            f"{path}: cannot be read: {said.num_rows:,} rows of {unpacked:,} bytes in all (want "
            f"at most {MOST_ROWS:,} and {MOST_BYTES:,})"
        )
    words = said.metadata or {}
    found = (words.get(f"barbu_{key}".encode()) for key in ("run", "rules", "version", "schema"))
    told = (None if word is None else word.decode("utf-8", "replace")[:80] for word in found)
    return Footer(said.num_rows, unpacked, *told)


def wrong_words(said: Footer, manifest: Manifest, variant: str) -> str | None:
    """Why a file that says so of itself is none of the run's; what it does not say is not asked."""
    if said.run not in (None, manifest.run):
        return f"belongs to run {said.run}, not {manifest.run}"
    due = {
        "rules": manifest.rules_hashes.get(variant),
        "version": manifest.versions.get("barbu-sim"),
        "schema": str(manifest.schema_version),
    }
    for key, wanted in due.items():
        if wanted is not None and getattr(said, key) not in (None, wanted):
            return f"barbu_{key}: {getattr(said, key)!r}, the run has {wanted!r}"
    return None


def check_columns(path: str, table: str, found: Mapping[str, pl.DataType], seats: int) -> None:
    """Refuse a table whose columns are not those of a run of up to ``seats`` seats.

    :class:`StoreError` names the first; what is no table has any columns.
    """
    if table not in TABLES:
        return
    wanted = polars_schema(table, seats)
    for name, dtype in found.items():
        if name not in wanted:
            raise StoreError(f"{path}: {name[:80]}: unknown column")
        if dtype != wanted[name]:
            raise StoreError(f"{path}: {name}: {dtype} (want {wanted[name]})")
    for name in wanted:
        if name not in found:
            raise StoreError(f"{path}: {name}: column is missing")
