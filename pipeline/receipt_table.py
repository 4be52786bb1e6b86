"""The receipts of a run for those who read it: all of them, as columns."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import polars as pl

from pipeline import digest
from pipeline.files import FOLDERS, merged_name
from pipeline.manifest import FileReceipt, Receipt
from pipeline.receipts import CHUNK, receipt_in, schema

AT_ONCE = 500
"""Receipts that are made when one of them is asked for: mostly the next one is too."""


class Receipts(Mapping[int, Receipt]):
    """Receipts by shard, in order, some 300 bytes each; one is made when it is asked for, since
    that takes kilobytes."""

    def __init__(self, frame: pl.DataFrame) -> None:
        """``frame``: columns of :func:`pipeline.receipts.schema`, by shard; those of tables that
        no shard has may lack, and hashes may be bytes."""
        self.frame = _small(frame)
        """Without the columns that are empty in all rows; hashes are bytes."""
        self._numbers = frame["shard"].to_numpy()
        self._made: tuple[int, list[Receipt]] = (0, [])

    @classmethod
    def of(cls, frames: Iterable[pl.DataFrame]) -> "Receipts":
        """The same from parts in order."""
        parts = [_small(frame) for frame in frames]
        return cls(pl.concat(parts, how="diagonal") if parts else pl.DataFrame(schema=schema()))

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[int]:
        return map(int, self._numbers)

    def __contains__(self, shard: object) -> bool:
        return isinstance(shard, int) and self._row(shard) is not None

    def __getitem__(self, shard: int) -> Receipt:
        row = self._row(shard)
        if row is None:
            raise KeyError(shard)
        first, made = self._made
        if not first <= row < first + len(made):
            first = row // AT_ONCE * AT_ONCE
            frame = _as_written(self.frame[first : first + AT_ONCE])
            made = [receipt_in(one) for one in frame.iter_rows(named=True)]
            self._made = first, made
        return made[row - first]

    def _row(self, shard: int) -> int | None:
        row = int(np.searchsorted(self._numbers, shard))
        return row if row < len(self) and self._numbers[row] == shard else None

    def only(self, which: pl.Expr) -> "Receipts":
        """Those of which this is true."""
        return Receipts(self.frame.filter(which))

    def of_variant(self, variant: str) -> "Receipts":
        """Those of a variant."""
        return self.only(pl.col("variant") == variant)

    def has(self, table: str, field: str = "rows") -> bool:
        """Whether any shard brought a table, or has so much to say of its file."""
        return f"{table}_{field}" in self.frame.columns

    def all_have(self, *tables: str) -> bool:
        """Whether all brought one of these tables."""
        there = [pl.col(f"{table}_rows").is_not_null() for table in tables if self.has(table)]
        return not len(self) or bool(
            there and self.frame.select(pl.any_horizontal(there).all()).item()
        )

    def merged(self, table: str) -> set[str]:
        """Names of a table's files in which many shards' rows stand."""
        if not self.has(table, "first"):
            return set()
        columns = [f"{table}_first", f"{table}_last"]
        rows = self.frame.select(columns).drop_nulls().unique().rows()
        return {merged_name(table, first, last) for first, last in rows}

    def stored(self, table: str) -> tuple[int, int]:
        """Files of a table and their bytes; one in which many shards' rows stand counts once."""
        if not self.has(table):
            return 0, 0
        merged = self.has(table, "first")
        first = pl.col(f"{table}_first") if merged else pl.lit(None, dtype=pl.Int64())
        there = self.frame.filter(pl.col(f"{table}_rows").is_not_null())
        files = there.select(
            first=first,
            alone=pl.when(first.is_null()).then("shard").otherwise(-1),
            size=f"{table}_bytes",
        ).unique()
        return len(files), int(files["size"].sum())

    def total(self, name: str) -> int:
        """Sum of a count."""
        return int(self.frame[name].sum())

    @property
    def digest(self) -> str:
        """Sum of the digests."""
        return digest.text(digest.total(np.frombuffer(b"".join(self.frame["digest"]), "V32")))

    def rare(self, name: str) -> Iterator[Receipt]:
        """Receipts that tell of fouls (``first_fouls``) or who did what (``conduct``)."""
        yield from self.only(pl.col(name).list.len() > 0).values()

    def as_written(self) -> Iterator[pl.DataFrame]:
        """All columns as :func:`pipeline.receipts.schema` has them, some rows at a time."""
        for first in range(0, len(self), CHUNK):
            yield _as_written(self.frame[first : first + CHUNK])


def _hashes(frame: pl.DataFrame, dtype: pl.DataType) -> list[str]:
    names = ("digest", *(f"{table}_sha256" for table in FOLDERS))
    return [name for name in names if frame.schema.get(name) == dtype]


def _small(frame: pl.DataFrame) -> pl.DataFrame:
    of_files = [f"{table}_{field}" for table in FOLDERS for field in FileReceipt.model_fields]
    empty = [
        name
        for name in of_files
        if name in frame.columns and frame[name].null_count() == len(frame)
    ]
    frame = frame.drop(empty) if len(frame) else frame
    return frame.with_columns(pl.col(_hashes(frame, pl.String())).str.decode("hex"))


def _as_written(frame: pl.DataFrame) -> pl.DataFrame:
    texts = frame.with_columns(pl.col(_hashes(frame, pl.Binary())).bin.encode("hex"))
    columns = [
        pl.col(name) if name in frame.columns else pl.lit(None, dtype=dtype).alias(name)
        for name, dtype in schema().items()
    ]
    return texts.select(columns)
