"""A run as a database: documented DuckDB views over its Parquet files, locked.

The Parquet files and the manifest are the truth; the database lives in memory
and goes with the connection. Once the views stand, the engine can read the
run's own files and nothing else, and its settings cannot be changed, so that a
query from anywhere may be run.
"""

import re
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb
import polars as pl

from engine_ext.errors import UserError
from pipeline.files import SHARDS, read_parquet
from pipeline.manifest import Receipt
from pipeline.places import files_of
from pipeline.schema import TABLES, polars_schema
from pipeline.seating import keeps_order
from pipeline.store import Run, check_files
from pipeline.stores import Store
from pipeline.views import (
    ITEMS,
    LINE_UPS,
    LONG_COMMENTS,
    SEATS,
    SQL_TYPES,
    VIEW_COMMENTS,
    columns,
    deals_long,
    doubles_long,
    shard_columns,
)

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.dataset import Dataset


class QueryError(UserError):
    """A query that cannot be answered."""


MEMORY_LIMIT = "2GB"
"""DuckDB's own default is most of the machine."""

EXPLAIN = re.compile(r"\s*explain\s+(analyze\s+)?", re.IGNORECASE)
"""What stands before an explained statement; its options in brackets are not taken.

DESCRIBE, SHOW and SUMMARIZE are selects.
"""


INTERRUPTED = "Query interrupted"
"""What DuckDB's plain ``RuntimeError`` says after Ctrl-C."""
NEAR_TABLE = 'at or near "table"'
QUOTE_TABLE = """ (the column must be quoted: "table")"""
"""``table`` is a word of SQL; a query that names the column bare meets the parser."""
MISWORDED = (duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException)
"""Errors that no file can be the cause of."""

Row = tuple[Any, ...]
"""A row as DuckDB gives it; the query decides the types."""


class Contents(NamedTuple):
    """What a run's manifest says that the views need."""

    store: Store
    files: dict[str, dict[str, int]]
    """Names of files with their bytes, by table: games, deals, ..., shards."""
    seats: int
    """Seats of the run's largest table."""
    variants: tuple[tuple[str, str, int, str], ...]
    """Name, title, seats, objective."""
    contracts: tuple[tuple[str, str, str, str, str], ...]
    """Variant, contract, title, kind, tone."""
    slots: tuple[tuple[str, str, int, str], ...]
    """Variant, contract, slot, item."""
    line_ups: tuple[tuple[str, int, tuple[str, ...]], ...] | None
    """Variant, table, entrants in playing order; None where blocks draw their orders."""
    check: Callable[[], None]
    """Raises ``StoreError`` for a file whose content is not as it landed."""


def contents(run: Run, only: Collection[Receipt] | None = None) -> Contents:
    """What the views need to know of a run on disk; ``only`` of the shards of these receipts."""
    receipts = run.whole_receipts().values() if only is None else only
    check_files(run, receipts)
    files = {table: files_of(receipts, table) for table in TABLES}
    shards = run.store.entry(SHARDS)
    if shards is not None:
        files["shards"] = {SHARDS: shards.size}
    variants = run.manifest.config.variants
    return Contents(
        run.store,
        files,
        run.manifest.seats,
        tuple((v.name, v.rules.title, v.rules.seats, v.rules.objective) for v in variants),
        tuple(
            (v.name, name, contract.title, contract.kind, contract.tone)
            for v in variants
            for name, contract in v.rules.contracts.items()
        ),
        tuple(
            (named.variant, named.contract, slot, item)
            for named in run.manifest.slots
            for slot, item in enumerate(named.slots)
        ),
        tuple(
            (one.variant, table, names)
            for one in run.manifest.line_ups
            for table, names in enumerate(one.tables)
        )
        if keeps_order(run.manifest.config)
        else None,
        partial(check_files, run, receipts, hashed=True),
    )


def open_catalog(folder: str | Path) -> "Catalog":
    """The database over the run in ``folder``; ``StoreError`` if there is none."""
    return Catalog(contents(Run.open(folder)))


class Result(NamedTuple):
    """What a query gives."""

    columns: tuple[str, ...]
    rows: list[Row]
    more: bool
    """Rows were left out beyond the limit."""


class Catalog:
    """A locked in-memory database over one run; use it in a ``with``."""

    def __init__(self, contents: Contents, memory_limit: str = MEMORY_LIMIT) -> None:
        self.contents = contents
        self._scratch = tempfile.mkdtemp(prefix="barbu-sql-")
        self._db = duckdb.connect(
            ":memory:",
            config={
                "memory_limit": memory_limit,
                "temp_directory": self._scratch,
                # A missing extension must not send the engine to the network.
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
                # A name in a query is a table, never a variable of the program.
                "python_enable_replacements": "false",
            },
        )
        try:
            self._create()
            self._lock()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Catalog":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the database and remove what it spilled to disk."""
        self._db.close()
        self.remove_scratch()

    def remove_scratch(self) -> None:
        """Remove what the database spilled to disk; it must not be asked any more."""
        shutil.rmtree(self._scratch, ignore_errors=True)

    def rows(self, sql: str, values: Mapping[str, object] | None = None) -> list[Row]:
        """Every row of one of our own queries; ``$name`` stands for a value."""
        with self._explained():
            return list(self._db.execute(sql, dict(values or {})).fetchall())

    def query(self, sql: str, limit: int | None = None) -> Result:
        """At most ``limit`` rows of a user's query, which may only read."""
        with self._explained(), self._reading_only():
            cursor = self._db.execute(self._select(sql))
            columns = tuple(str(column[0]) for column in cursor.description)
            if limit is None:
                return Result(columns, list(cursor.fetchall()), False)
            rows = cursor.fetchmany(limit + 1)
            return Result(columns, list(rows[:limit]), len(rows) > limit)

    def _select(self, sql: str) -> str:
        """The query, if it is one SELECT or explains one."""
        try:
            sql.encode()
        except UnicodeEncodeError as error:
            raise QueryError("query: not UTF-8 text") from error
        kinds = self._kinds(sql)
        explained = EXPLAIN.match(sql)
        # EXPLAIN ANALYZE carries its statement out: a COPY would write into the run.
        if kinds == ["EXPLAIN"] and explained:
            kinds = self._kinds(sql[explained.end() :])
        if kinds != ["SELECT"]:
            raise QueryError(
                f"query: {' and '.join(kinds) or 'nothing'}: one SELECT (or DESCRIBE, SHOW, "
                "SUMMARIZE, EXPLAIN) at a time; a run is never changed"
            )
        return sql

    def _kinds(self, sql: str) -> list[str]:
        return [str(statement.type.name) for statement in self._db.extract_statements(sql)]

    @contextmanager
    def _reading_only(self) -> Iterator[None]:
        """No query changes a table, not even inside a WITH."""
        self._db.execute("BEGIN TRANSACTION READ ONLY")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """DuckDB's errors in one line; a file that changed since it landed is named first."""
        try:
            yield
        except RuntimeError as error:
            if str(error) != INTERRUPTED:
                raise
            raise KeyboardInterrupt from None
        except duckdb.Error as error:
            if not isinstance(error, MISWORDED):
                self.contents.check()
            hint = QUOTE_TABLE if NEAR_TABLE in str(error) else ""
            raise QueryError(f"query: {_one_line(error)}{hint}") from error

    def _here(self, names: Iterable[str]) -> list[Path]:
        """Where files lie on this machine; none where the run lies in a bucket."""
        found = (self.contents.store.here(name) for name in names)
        return [path for path in found if path is not None]

    def _create(self) -> None:
        c = self.contents
        with self._explained():
            self._table("variants", ("variant", "title", "seats", "objective"), c.variants)
            self._table("contracts", ("variant", "contract", "title", "kind", "tone"), c.contracts)
            self._table("slots", ("variant", "contract", "slot", "item"), c.slots)
            for table in (*TABLES, "shards"):
                self._files_view(table)
            self._line_ups(c.line_ups)
            long = deals_long(c.seats, line_ups=c.line_ups is not None)
            self._db.execute(f"CREATE VIEW deals_long AS {long}")
            self._db.execute(f"CREATE VIEW doubles_long AS {doubles_long(c.seats)}")
            self._db.execute(f"CREATE VIEW items AS {ITEMS}")
            self._comment()

    def _table(
        self, name: str, columns: tuple[str, ...], rows: Iterable[tuple[object, ...]]
    ) -> None:
        whole = {"seats", "slot"}
        typed = ", ".join(f"{x} {'INTEGER' if x in whole else 'VARCHAR'}" for x in columns)
        self._db.execute(f"CREATE TABLE {name} ({typed})")
        for row in rows:
            self._db.execute(
                f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})",
                list(row),
            )

    def _line_ups(self, line_ups: tuple[tuple[str, int, tuple[str, ...]], ...] | None) -> None:
        """Who sits where: of every table in every rotation, or the bare seats of each variant."""
        if line_ups is None:
            self._db.execute(f"CREATE TABLE seats AS {SEATS}")
            return
        variants, tables, names = (list(one) for one in zip(*line_ups, strict=True))
        self._db.execute(LINE_UPS, [variants, tables, names])

    def _files_view(self, table: str) -> None:
        """A view over the table's files; with none, an empty table of its columns."""
        names = self.contents.files.get(table, {})
        paths = self._here(names)
        if names and not paths:
            self._db.register(table, self._afar(table, names))
        elif paths:
            listed = ", ".join(_quoted(path) for path in paths)
            # Without union_by_name the first file's columns would be taken for all.
            source = f"read_parquet([{listed}], union_by_name = true)"
            lacking = "".join(self._lacking(table, source))
            self._db.execute(f"CREATE VIEW {table} AS SELECT *{lacking} FROM {source}")
        elif table in TABLES:
            typed = ", ".join(
                f'"{name}" {SQL_TYPES[kind]}'
                for name, kind, _ in columns(table, self.contents.seats)
            )
            self._db.execute(f"CREATE TABLE {table} ({typed})")
        else:
            self._db.execute(f"CREATE TABLE {table} (shard UINTEGER)")

    def _afar(self, table: str, names: Mapping[str, int]) -> "pa.Table | Dataset":
        """The table's files in a bucket, read when a query asks for their columns."""
        if table not in TABLES:
            return pl.concat(read_parquet(self.contents.store, name) for name in names).to_arrow()
        from pipeline.stores.arrow import parquet_files

        schema = pl.DataFrame(schema=polars_schema(table, self.contents.seats)).to_arrow().schema
        return parquet_files(self.contents.store, names, schema)

    def _lacking(self, table: str, source: str) -> Iterator[str]:
        """Columns that files of an older version do not have, as unknown."""
        if table not in TABLES:
            return
        there = {str(row[0]) for row in self._db.execute(f"DESCRIBE FROM {source}").fetchall()}
        for name, kind, _ in columns(table, self.contents.seats):
            if name not in there:
                yield f', NULL::{SQL_TYPES[kind]} AS "{name}"'

    def _comment(self) -> None:
        meant = {
            (table, name): meaning
            for table in TABLES
            for name, _, meaning in columns(table, self.contents.seats)
        } | {("shards", name): meaning for name, meaning in shard_columns()}
        # What several tables have means what it does in the first: studies come last.
        keys = {name: meaning for (_, name), meaning in reversed(meant.items())}
        kinds = self._db.execute("SELECT table_name, table_type FROM information_schema.tables")
        for table, kind in kinds.fetchall():
            what = "VIEW" if kind == "VIEW" else "TABLE"
            text = VIEW_COMMENTS[str(table)].replace("'", "''")
            self._db.execute(f"COMMENT ON {what} {table} IS '{text}'")
            described = self._db.execute(f"DESCRIBE {table}").fetchall()
            for name in (str(row[0]) for row in described):
                own = meant.get((str(table), name)) or LONG_COMMENTS.get(name) or keys.get(name)
                if own is not None:
                    text = own.replace("'", "''")
                    self._db.execute(f"COMMENT ON COLUMN {table}.\"{name}\" IS '{text}'")

    def _lock(self) -> None:
        files = self.contents.files.values()
        listed = ", ".join(_quoted(path) for names in files for path in self._here(names))
        self._db.execute(f"SET allowed_paths = [{listed}]")
        self._db.execute("SET enable_external_access = false")
        self._db.execute("SET lock_configuration = true")


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _one_line(error: duckdb.Error) -> str:
    """The error without the picture of the query."""
    text = str(error).split("\nLINE ")[0]
    return " ".join(line.strip() for line in text.splitlines() if line.strip())
