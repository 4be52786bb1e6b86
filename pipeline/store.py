"""A run in its store: its manifest, its receipts, and the tables that they name.

Readers take the files that receipts name (:meth:`Run.files`), never a bare folder.
"""

import io
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Self

import polars as pl
from pydantic import BaseModel, ValidationError

from pipeline.derived import PACKAGE, contradiction
from pipeline.faults import faults
from pipeline.files import (
    MANIFEST,
    SHARDS,
    Place,
    read_place,
    receipt_name,
    table_name,
)
from pipeline.footers import check_columns
from pipeline.manifest import FileReceipt, Manifest, Receipt
from pipeline.mistakes import first_mistake
from pipeline.places import Places, bytes_of, files_of
from pipeline.plan import Plan, Shard
from pipeline.receipt_table import Receipts
from pipeline.receipts import frames
from pipeline.schema import OLDEST, SCHEMA_VERSION
from pipeline.stores import Store, StoreError, Tag, store_at
from pipeline.strays import first_stray

HASHED_BYTES = 256 * 2**20
"""Of all tables of a run together: up to here a reader checks their content first."""
HASHED_AFAR_BYTES = 16 * 2**20
"""The same where they lie in a bucket: every byte has to be sent."""


class _SchemaVersion(BaseModel):
    schema_version: int
    versions: object = None
    """Of whatever kind there."""


@dataclass(frozen=True)
class Run:
    """A run that lies somewhere."""

    store: Store
    manifest: Manifest
    tag: Tag
    """Of the manifest as it was read or written last."""

    @classmethod
    def open(cls, where: str | Path) -> Self:
        """Read the manifest of a run in a folder or bucket; :class:`StoreError` says what is
        wrong with it."""
        return cls.of(store_at(where))

    @classmethod
    def of(cls, store: Store) -> Self:
        """The same from where it lies."""
        found = store.tagged(MANIFEST)
        if found is None:
            raise StoreError(f"{store.path()}: no run here ({MANIFEST} is missing)")
        said, tag = found
        path = store.path(MANIFEST)
        try:
            _check_schema_version(path, said)
            manifest = Manifest.model_validate_json(said)
        except ValidationError as error:
            raise StoreError(f"{path}: damaged: {first_mistake(error, Manifest)}") from error
        wrong = contradiction(manifest)
        if wrong is not None:
            raise StoreError(f"{path}: damaged: {wrong}")
        return cls(store, manifest, tag)

    @classmethod
    def new(cls, store: Store, manifest: Manifest) -> Self:
        """Put the manifest of a run that begins in place."""
        return cls(store, manifest, store.swap(MANIFEST, _written(manifest), None))

    @property
    def where(self) -> str:
        """Where it lies, for messages."""
        return self.store.path()

    @property
    def folder(self) -> Path:
        """The folder of a run on this machine."""
        return Path(self.store.where)

    def planned(self) -> Plan:
        """Every shard that may land, those of a variant that has stopped too."""
        manifest = self.manifest
        return Plan(manifest.config, manifest.bounds, manifest.dropped)

    def counts(self, piece: Shard | Receipt) -> bool:
        """Whether its blocks count; else it is surplus, beyond where its variant stopped."""
        return piece.first_block < self.manifest.counted(piece.variant)

    @property
    def counting(self) -> pl.Expr:
        """The same of rows of receipts."""
        counted = self.manifest.counted
        names = [variant.name for variant in self.manifest.config.variants]
        own = [(pl.col("variant") == n) & (pl.col("first_block") < counted(n)) for n in names]
        return pl.any_horizontal(own)

    def receipts(self) -> Receipts:
        """Receipts of the shards that count and have landed, by shard, in order.

        :class:`StoreError` names the first that is damaged or not of this run.
        """
        return self.landed().only(self.counting)

    def landed(self) -> Receipts:
        """The same with surplus, for those who keep the folder: readers leave it out."""
        # Of a complete run single ones are left over, and may be those of another try.
        singles = () if self.manifest.status == "complete" else None
        return Receipts.of(frames(self.store, self.stray, singles))

    def stray(self, receipts: pl.DataFrame) -> str | None:
        """Why some cannot be receipts of this run, as ``key: what``."""
        return first_stray(receipts, self.manifest, self.planned())

    def whole_receipts(self) -> Receipts:
        """The same for readers: of a complete run they must be all, and make its digest."""
        found = self.receipts()
        manifest = self.manifest
        if manifest.status == "complete":
            if len(found) < manifest.shards:
                raise StoreError(
                    f"{self.store.path(SHARDS)}: {manifest.shards - len(found)} of "
                    f"{manifest.shards} receipts are missing (barbu resume plays them again)"
                )
            total = {
                "digest": found.digest,
                "deals": found.total("deals"),
                "fouls": found.total("fouls"),
            }
            for key, value in total.items():
                if getattr(manifest, key) != value:
                    raise StoreError(
                        f"{self.store.path(MANIFEST)}: {key}: {getattr(manifest, key)}, "
                        f"but the receipts make {value}"
                    )
        return found

    def files(self, table: str) -> list[str]:
        """Names of the files of a table, by shard, each once; those that count."""
        return list(files_of(self.receipts().values(), table))

    @cached_property
    def _places(self) -> Places:
        return Places.of(self.store)

    def place(self, table: str, shard: int) -> Place:
        """Where a shard's rows of a table stand."""
        return self._places.place(table, shard)

    def read(self, table: str, shard: int, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """A shard's rows of a table that its receipt names, with the columns that it should have,
        or these ``columns`` alone; :class:`StoreError` says what it has instead."""
        at = self.place(table, shard)
        frame = read_place(self.store, at, columns)
        if columns is None:
            check_columns(self.store.path(at.name), table, frame.schema, self.manifest.seats)
        return frame

    def with_manifest(self, **changes: object) -> Self:
        """Put a changed manifest in place."""
        manifest = self.manifest.model_copy(update=changes)
        tag = self.store.swap(MANIFEST, _written(manifest), self.tag)
        return type(self)(self.store, manifest, tag)


def _check_schema_version(path: str, said: bytes) -> None:
    """Another version's manifest may differ in everything but this key."""
    found = _SchemaVersion.model_validate_json(said)
    number, reads = found.schema_version, f"this version reads up to {SCHEMA_VERSION}"
    if number > SCHEMA_VERSION:
        by = found.versions.get(PACKAGE) if isinstance(found.versions, dict) else None
        newer = f"{PACKAGE} {by}" if isinstance(by, str) else f"a newer {PACKAGE}"
        raise StoreError(
            f"{path}: schema_version: {number}, written by {newer} ({reads}; want that or newer)"
        )
    if number < OLDEST:
        raise StoreError(f"{path}: schema_version: {number} ({reads})")


def put_table(
    store: Store, table: str, shard: int, frame: pl.DataFrame, metadata: dict[str, str]
) -> FileReceipt:
    """Land a shard's rows of a table as Parquet."""
    written = parquet(frame, metadata)
    store.put(table_name(table, shard), written)
    return FileReceipt(rows=len(frame), bytes=len(written), sha256=sha256(written).hexdigest())


def parquet(frame: pl.DataFrame, metadata: dict[str, str]) -> bytes:
    """A table as it lies on disk; names of type Enum are strings there.

    Lowest and highest values are left out: finding them takes a quarter of the time, and
    readers know by a shard's receipt what is in a file.
    """
    strings = {
        name: pl.String() if kind == pl.Enum else kind for name, kind in frame.schema.items()
    }
    buffer = io.BytesIO()
    frame.write_parquet(
        buffer,
        compression="zstd",
        compression_level=1,
        statistics={"min": False, "max": False, "null_count": True},
        row_group_size=131_072,
        metadata=metadata | _types(tuple(strings.items())),
    )
    return buffer.getvalue()


@cache
def _types(columns: tuple[tuple[str, pl.DataType], ...]) -> dict[str, str]:
    """What Polars writes into a file with such columns for other readers of Arrow: the types
    that it would say by itself are those of the frame, Enum for names."""
    buffer = io.BytesIO()
    pl.DataFrame(schema=dict(columns)).write_parquet(buffer)
    return {"ARROW:schema": pl.read_parquet_metadata(buffer.getvalue())["ARROW:schema"]}


def put_receipt(store: Store, receipt: Receipt) -> None:
    """Land a receipt: from now on the shard counts as done."""
    store.put(receipt_name(receipt.shard), receipt.model_dump_json(exclude_none=True).encode())


def _written(manifest: Manifest) -> bytes:
    return manifest.model_dump_json(indent=1).encode() + b"\n"


def damaged(store: Store, receipts: Collection[Receipt]) -> dict[int, list[str]]:
    """What is wrong with shards' files, by shard, each in one line; those that are sound are left
    out."""
    found: dict[int, list[str]] = {}
    for shard, wrong in faults(store, receipts, hashed=True):
        found.setdefault(shard, []).append(wrong)
    return dict(sorted(found.items()))


def check_files(run: Run, receipts: Collection[Receipt], hashed: bool = False) -> None:
    """Refuse to read a run of which a file is not as it landed.

    Sizes tell most; content is ``hashed`` as well, unasked where it takes but a moment.
    """
    here = run.store.here(MANIFEST) is not None
    most = HASHED_BYTES if here else HASHED_AFAR_BYTES
    written = bytes_of(receipts)
    for _, wrong in faults(run.store, receipts, hashed or written <= most):
        raise StoreError(f"{wrong} (barbu resume plays it again)")
