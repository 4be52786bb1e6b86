"""A shard held against its receipt and the plan: files, rows, what they may say, digest."""

from collections import OrderedDict
from collections.abc import Collection
from hashlib import sha256
from io import BytesIO
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from engine_ext.rules.resolve import VariantNumbers
from pipeline import digest
from pipeline.compaction import SUMS
from pipeline.config import EVENINGS
from pipeline.faults import faults
from pipeline.files import FOLDERS, parquet_of, place
from pipeline.footers import check_columns, footer, wrong_words
from pipeline.manifest import FileReceipt, Landed, Receipt
from pipeline.plan import Shard
from pipeline.row_checks import limits, wrong_rows
from pipeline.sampled import drawn_of
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
Numbers = npt.NDArray[np.int64]
"""Of blocks."""
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
            frames[table] = _table(run, shard, receipt, table, contents)
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


def _table(
    run: Run, shard: Shard, receipt: Receipt, table: Landed, contents: Contents
) -> pl.DataFrame:
    """Rows of a file, which is read once: over a network that takes most of the time."""
    expected = receipt.files[table]
    at = place(table, receipt.shard, expected)
    path = run.store.path(at.name)
    content = contents.of(at.name, expected)
    if content is None:
        raise Damaged(f"{path}: content differs from its receipt (sha256)")
    said = footer(BytesIO(content), path)
    due = {"games": receipt.games, "deals": receipt.deals, "plays": receipt.deals}
    due |= {"units": receipt.games}
    if table in run.manifest.config.sampled:  # how long games are it cannot tell
        due = {"games": len(_sampled(run, shard)) * shard.n_games}
    planned = due.get(table, expected.rows)
    end = (expected.first_row or 0) + expected.rows
    if expected.last in (None, receipt.shard) and said.rows != end:
        raise StoreError(f"{path}: {said.rows} rows, its receipt says {end}")
    if expected.rows != planned:
        lost = f"{table} are lost or stand twice"
        raise StoreError(f"{path}: {expected.rows} rows, the plan has {planned}: {lost}")
    wrong = wrong_words(said, run.manifest, shard.variant)
    if wrong is not None:
        raise StoreError(f"{path}: {wrong}")
    frame = parquet_of(BytesIO(content), path, rows=at.rows)
    check_columns(path, table, frame.schema, run.manifest.seats)
    return frame


def _tournament(
    run: Run, shard: Shard, receipt: Receipt, numbers: VariantNumbers, frames: Frames
) -> Checked:
    where = f"{run.where}: shard {shard.number}"
    config, seats = run.manifest.config, run.manifest.seats
    every = np.arange(shard.n_blocks) + shard.first_block
    held: dict[Landed, Numbers] = dict.fromkeys(config.recorded, every)
    held |= dict.fromkeys(config.sampled, _sampled(run, shard))
    # Of people's games perhaps the totals alone are known.
    empty = {"doubles"} if receipt.deals else {"doubles", "deals"}
    problems = _odd_tables(where, held, frames, seats, empty)
    if problems or "games" not in held:
        return Checked(int(receipt.digest, 16), problems)
    table = frames.get("games", _none("games", seats))
    if not _every_game_once(shard, table, held["games"], rotations(config, numbers.seats)):
        problems.append(f"{where}: games are lost or stand twice {AGAIN}")
    stored = np.frombuffer(b"".join(table["digest"].to_list()), "V32")
    if set(TABLES) <= set(held) and not problems:
        whole = min((held[name] for name in TABLES), key=len)
        made = _hashes(run, shard, numbers, frames, whole)
        kept = stored[np.isin(table["block"].to_numpy(), whole)]
        wrong = sum(a != b for a, b in zip(made.tolist(), kept.tolist(), strict=True))
        if wrong:
            problems.append(f"{where}: {wrong} games differ from their digest {AGAIN}")
    if held["games"] is not every:
        return Checked(int(receipt.digest, 16), problems)
    total = digest.total(stored)
    return Checked(total, problems or _wrong_digest(where, total, receipt))


def _odd_tables(
    where: str, held: dict[Landed, Numbers], frames: Frames, seats: int, empty: Collection[str]
) -> list[str]:
    """Tables without a file though they hold rows of blocks, but for those that may be ``empty``,
    and plays that are not the deals."""
    found = [
        f"{where}: {name} are lost {AGAIN}"
        for name, blocks in held.items()
        if len(blocks) and name not in frames and name not in empty
    ]
    if not found and {"deals", "plays"} <= set(held):
        both = min(held["deals"], held["plays"], key=len)
        if _rows_differ(frames, both, seats):
            found.append(f"{where}: plays tell of other deals than deals {AGAIN}")
    return found


def _rows_differ(frames: Frames, blocks: Numbers, seats: int) -> bool:
    """Whether what ``plays`` and ``deals`` both say of these blocks is not the same."""
    said = [name for name in polars_schema("plays", seats) if name in polars_schema("deals", seats)]
    wanted = pl.col("block").is_in(blocks.tolist())
    one, other = (
        frames.get(name, _none(name, seats)).filter(wanted).select(said)
        for name in ("plays", "deals")
    )
    return not one.equals(other)


def _sampled(run: Run, shard: Shard) -> Numbers:
    """Its blocks whose rows the sample keeps."""
    config = run.manifest.config
    return np.flatnonzero(drawn_of(config, shard.first_block, shard.n_blocks)) + shard.first_block


def _hashes(
    run: Run, shard: Shard, numbers: VariantNumbers, frames: Frames, blocks: Numbers
) -> npt.NDArray[np.void]:
    """Of the games of these blocks, recomputed from their rows."""
    wanted = pl.col("block").is_in(blocks.tolist())
    played: dict[str, pl.DataFrame] = {
        name: frames.get(name, _none(name, run.manifest.seats)).filter(wanted) for name in TABLES
    }
    labels = tuple(entrant.label for entrant in run.manifest.config.entrants)
    by_people = run.manifest.config.design == EVENINGS
    games = read_games(shard.variant, numbers, labels, played, by_people=by_people)
    return digest.game_hashes(games)


def _study(
    run: Run, shard: Shard, receipt: Receipt, numbers: VariantNumbers, frames: Frames
) -> Checked:
    where = f"{run.where}: shard {shard.number}"
    units = Units(frames["units"], frames["trials"])
    steps = n_steps(run.manifest.config.design, numbers)
    problems = []
    every = np.arange(shard.n_blocks) + shard.first_block
    if not _in_place(shard, units.units, every, ("table", "step"), steps):
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


def _every_game_once(shard: Shard, table: pl.DataFrame, blocks: Numbers, each: int) -> bool:
    """Whether exactly the planned games of these blocks stand there, in order; ``each`` of every
    table."""
    return _in_place(shard, table, blocks, ("table", "rotation"), each)


def _in_place(
    shard: Shard, table: pl.DataFrame, blocks: Numbers, names: tuple[str, str], each: int
) -> bool:
    """Whether exactly the planned pieces of these blocks stand there, in order: of each of the
    first name ``each`` of the second."""
    at = np.arange(len(blocks) * shard.n_games)
    piece = shard.games(each)[at % shard.n_games]
    expected = (blocks[at // shard.n_games], piece // each, piece % each)
    return len(table) == len(at) and all(
        np.array_equal(table[name].to_numpy(), values)
        for name, values in zip(("block", *names), expected, strict=True)
    )


def _none(table: str, seats: int) -> pl.DataFrame:
    return pl.DataFrame(schema=polars_schema(table, seats))


def _wrong_digest(where: str, total: int, receipt: Receipt) -> list[str]:
    made = digest.text(total)
    if made == receipt.digest:
        return []
    return [f"{where}: digest is {made}, its receipt says {receipt.digest} {AGAIN}"]
