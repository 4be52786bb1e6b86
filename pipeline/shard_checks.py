"""A shard held against its receipt and the plan: files, rows, what they may say, digest."""

from collections import OrderedDict
from hashlib import sha256
from io import BytesIO
from threading import Lock
from typing import NamedTuple

import numpy as np
import polars as pl

from engine_ext.rules.resolve import VariantNumbers
from pipeline import digest
from pipeline.compaction import SUMS
from pipeline.faults import faults
from pipeline.files import FOLDERS, parquet_of, place
from pipeline.footers import check_columns, footer
from pipeline.manifest import FileReceipt, Landed, Receipt
from pipeline.plan import Shard
from pipeline.row_checks import limits, wrong_rows
from pipeline.schema import polars_schema
from pipeline.seating import rotations
from pipeline.store import Run
from pipeline.stores import Store, StoreError
from pipeline.studies.designs import STUDIES, n_steps
from pipeline.studies.digest import unit_hashes
from pipeline.studies.units import Units
from pipeline.tables import read_games

TABLES: tuple[Landed, ...] = ("games", "deals", "doubles")
"""What a game's hash is made from."""
Frames = dict[Landed, pl.DataFrame]
"""Rows by table."""
AGAIN = "(remove its files, and barbu resume plays it again)"
"""What to do about a shard whose files are as its receipt says and still wrong."""


MENDED = "(barbu resume plays it again)"
"""What to do about one whose files are not as its receipt says."""


class Damaged(StoreError):
    """A file that is not as its receipt says."""


class Checked(NamedTuple):
    """What a shard came to."""

    digest: int
    """Recomputed from its tables, as far as they were kept."""
    problems: list[str]


class Contents:
    """Files as they landed. Those that hold many shards' rows are kept a while: they are read
    once. Several threads may ask."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[str, bytes | None] = OrderedDict()
        self._alone = Lock()

    def of(self, name: str, expected: FileReceipt) -> bytes | None:
        """A file's bytes; None if they are not as its receipt says."""
        if expected.first is None:
            return self._read(name, expected)
        with self._alone:
            if name not in self._kept:
                self._kept[name] = self._read(name, expected)
                if len(self._kept) > len(FOLDERS):
                    self._kept.popitem(last=False)
            self._kept.move_to_end(name)
            return self._kept[name]

    def _read(self, name: str, expected: FileReceipt) -> bytes | None:
        content = self._store.get(name)
        return content if sha256(content).hexdigest() == expected.sha256 else None


def check_shard(
    run: Run, shard: Shard, receipt: Receipt, numbers: VariantNumbers, contents: Contents
) -> Checked:
    """Check a shard that has landed; :class:`StoreError` where a file cannot be read."""
    found = [wrong for _, wrong in faults(run.store, [receipt], hashed=False)]
    frames: Frames = {}
    last = shard.first_block + shard.n_blocks - 1
    here, own = (shard.first_block, last), (shard.number, shard.number)
    allowed = limits(run.manifest.config, shard.variant, numbers, here, own)
    for table in receipt.files if not found else ():
        try:
            frames[table] = _table(run, receipt, table, contents)
        except Damaged as damage:
            found.append(str(damage))
            continue
        file = receipt.files[table]
        if table in SUMS and file.first is not None:
            continue  # of the many shards that stand in it together
        wrong = wrong_rows(allowed, table, frames[table])
        if wrong is not None:
            path = run.store.path(place(table, receipt.shard, file).name)
            return Checked(0, [f"{path}: {wrong} {AGAIN}"])
    if found:
        return Checked(0, [f"{line} {MENDED}" for line in found])
    recompute = _study if run.manifest.config.design in STUDIES else _tournament
    return recompute(run, shard, receipt, numbers, frames)


def _table(run: Run, receipt: Receipt, table: Landed, contents: Contents) -> pl.DataFrame:
    """Rows of a file, which is read once: over a network that takes most of the time."""
    expected = receipt.files[table]
    at = place(table, receipt.shard, expected)
    path = run.store.path(at.name)
    content = contents.of(at.name, expected)
    if content is None:
        raise Damaged(f"{path}: content differs from its receipt (sha256)")
    said = footer(BytesIO(content), path)
    due = {"games": receipt.games, "deals": receipt.deals, "units": receipt.games}
    planned = due.get(table, expected.rows)
    end = (expected.first_row or 0) + expected.rows
    if expected.last in (None, receipt.shard) and said.rows != end:
        raise StoreError(f"{path}: {said.rows} rows, its receipt says {end}")
    if expected.rows != planned:
        lost = f"{table} are lost or stand twice"
        raise StoreError(f"{path}: {expected.rows} rows, the plan has {planned}: {lost}")
    if said.run not in (None, run.manifest.run):
        raise StoreError(f"{path}: belongs to run {said.run}, not {run.manifest.run}")
    frame = parquet_of(BytesIO(content), path, rows=at.rows)
    check_columns(path, table, frame.schema, run.manifest.seats)
    return frame


def _tournament(
    run: Run, shard: Shard, receipt: Receipt, numbers: VariantNumbers, frames: Frames
) -> Checked:
    where = f"{run.where}: shard {shard.number}"
    kept = run.manifest.config.recorded
    if "games" not in kept:
        return Checked(int(receipt.digest, 16), [])
    table = frames["games"]
    problems = (
        []
        if _every_game_once(shard, table, rotations(run.manifest.config, numbers.seats))
        else [f"{where}: games are lost or stand twice {AGAIN}"]
    )
    stored = table["digest"].to_list()
    hashes = np.frombuffer(b"".join(stored), "V32")
    if set(TABLES) <= set(kept) and not problems:
        played: dict[str, pl.DataFrame] = {name: frames.get(name, _no_doubles()) for name in TABLES}
        labels = tuple(entrant.label for entrant in run.manifest.config.entrants)
        hashes = digest.game_hashes(read_games(shard.variant, numbers, labels, played))
        wrong = sum(a != b for a, b in zip(hashes.tolist(), stored, strict=True))
        if wrong:
            problems.append(f"{where}: {wrong} games differ from their digest {AGAIN}")
    total = digest.total(hashes)
    return Checked(total, problems or _wrong_digest(where, total, receipt))


def _study(
    run: Run, shard: Shard, receipt: Receipt, numbers: VariantNumbers, frames: Frames
) -> Checked:
    where = f"{run.where}: shard {shard.number}"
    units = Units(frames["units"], frames["trials"])
    steps = n_steps(run.manifest.config.design, numbers)
    problems = []
    if not _in_place(shard, units.units, ("table", "step"), steps):
        problems.append(f"{where}: units are lost or stand twice {AGAIN}")
    if int(units.units["n_rows"].cast(pl.Int64).sum()) != len(units.trials):
        problems.append(f"{where}: rows of trials are lost or stand twice {AGAIN}")
    stored = units.units["digest"].to_list()
    hashes = np.frombuffer(b"".join(stored), "V32")
    if not problems:
        hashes = unit_hashes(units, shard.variant, numbers.contract_names, numbers.seats)
        wrong = sum(a != b for a, b in zip(hashes.tolist(), stored, strict=True))
        if wrong:
            problems.append(f"{where}: {wrong} units differ from their digest {AGAIN}")
    total = digest.total(hashes)
    return Checked(total, problems or _wrong_digest(where, total, receipt))


def _every_game_once(shard: Shard, table: pl.DataFrame, each: int) -> bool:
    """Whether exactly the planned games stand there, in order; ``each`` of every table."""
    return _in_place(shard, table, ("table", "rotation"), each)


def _in_place(shard: Shard, table: pl.DataFrame, names: tuple[str, str], each: int) -> bool:
    """Whether exactly the planned pieces stand there, in order: of each of the first name
    ``each`` of the second."""
    at = np.arange(shard.n_blocks * shard.n_games)
    piece = shard.games(each)[at % shard.n_games]
    expected = (shard.first_block + at // shard.n_games, piece // each, piece % each)
    return len(table) == len(at) and all(
        np.array_equal(table[name].to_numpy(), values)
        for name, values in zip(("block", *names), expected, strict=True)
    )


def _no_doubles() -> pl.DataFrame:
    return pl.DataFrame(schema=polars_schema("doubles", 0))


def _wrong_digest(where: str, total: int, receipt: Receipt) -> list[str]:
    made = digest.text(total)
    if made == receipt.digest:
        return []
    return [f"{where}: digest is {made}, its receipt says {receipt.digest} {AGAIN}"]
