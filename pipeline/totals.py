"""What each member of each line-up made in each block: the figures that verdicts rest on.

One row for (block, table, member), made by the worker from integer sums over the member's
seat-games. A block that was cut into parts has a row in each; they add up.
"""

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from engine_ext.seeds import run_key
from pipeline.block_totals import WIN
from pipeline.columns import constant
from pipeline.config import RunConfig
from pipeline.files import read_parquet
from pipeline.schema import polars_schema
from pipeline.seating import rotations, seat_orders, tables
from pipeline.stores import Store, StoreError
from pipeline.tables import Games

Ints = npt.NDArray[np.int64]

SUMS = ("n", "x", "xx", "win", "place")
"""Columns that add up, in the order of the table."""


class Totals:
    """Collects the games of one shard, slice by slice in any pieces."""

    def __init__(self, seats: int, tables: int, first_block: int, n_blocks: int) -> None:
        self._seats = seats
        self._first = first_block
        self._shape = (n_blocks, tables, seats)
        self._sums = {name: np.zeros(n_blocks * tables * seats, np.int64) for name in SUMS}
        self._entrant = np.zeros(n_blocks * tables * seats, np.int64)

    def add(self, games: Games) -> None:
        """Add some games."""
        n, records = self._seats, games.records
        block = (games.block - np.uint64(self._first)).astype(np.int64)
        line_up = (block * self._shape[1] + games.table)[:, None]
        code = line_up * n + (np.arange(n) - games.rotation[:, None].astype(np.int64)) % n
        score = records.score.astype(np.int64)
        x = n * score - reduce(np.add, score.T)[:, None]
        place = records.place.astype(np.int64)
        tied = (place[:, :, None] == place[:, None, :]).sum(axis=2)
        win = np.where(place == 1, WIN // records.n_first[:, None].astype(np.int64), 0)
        made = (np.ones_like(x), x, x * x, win, 2 * place + tied - 1)
        for name, values in zip(SUMS, made, strict=True):
            np.add.at(self._sums[name], code, values)
        self._entrant[code] = games.entrant

    def arrays(self) -> dict[str, Ints]:
        """The sums by block, table and member, under the names of :data:`SUMS`."""
        return {name: sums.reshape(self._shape) for name, sums in self._sums.items()}

    def frame(self, variant: str, labels: tuple[str, ...]) -> pl.DataFrame:
        """Rows of ``totals``, by block, table and member."""
        there = np.flatnonzero(self._sums["n"])
        block, table, member = np.unravel_index(there, self._shape)
        columns = {
            "block": block + self._first,
            "table": table,
            "member": member,
            **{name: self._sums[name][there] for name in SUMS},
        }
        names = pl.Series(labels, dtype=pl.String).gather(self._entrant[there])
        series = []
        for name, dtype in polars_schema("totals", 0).items():
            if name == "variant":
                series.append(constant(variant, len(there), pl.String()).alias(name))
            elif name == "entrant":
                series.append(names.alias(name))
            else:
                series.append(pl.Series(name, columns[name], dtype=dtype))
        return pl.DataFrame(series)


class BlockTable(NamedTuple):
    """Totals of whole blocks in a row, by block, table and member of the line-up."""

    first_block: int
    entrant: npt.NDArray[np.uint8]
    """(B, T, S) who the member is, by index."""
    n: Ints
    """(B, T, S) seat-games."""
    x: Ints
    """(B, T, S) sum of S * score - total of the table, inside points."""
    xx: Ints
    """(B, T, S) sum of its squares."""
    win: Ints
    """(B, T, S) sum of win shares in 1/2520."""
    place: Ints
    """(B, T, S) sum of twice the mean rank of those tied, 2 is best."""

    def __len__(self) -> int:
        return len(self.n)

    def part(self, first: int, last: int) -> "BlockTable":
        """The blocks ``first`` to ``last - 1`` of it."""
        own = slice(first - self.first_block, last - self.first_block)
        sums = (array[own] for array in (self.n, self.x, self.xx, self.win, self.place))
        return BlockTable(first, self.entrant[own], *sums)


def whole_blocks(
    store: Store,
    config: RunConfig,
    variant: str,
    names: Iterable[str],
    first_block: int,
    n_blocks: int,
    dropped: dict[int, int] | None = None,
) -> BlockTable:
    """The totals of ``n_blocks`` blocks from the files of a run that hold them, all their parts.

    ``dropped`` says from which block on a table was no longer played; its counts are 0 from
    there. Raises ``StoreError`` where a seat-game is missing or stands twice.
    """
    seats = config.variant(variant).seats
    shape = (n_blocks, len(tables(config, seats)), seats)
    frames = [read_parquet(store, name) for name in names]
    rows = pl.concat(frames) if frames else pl.DataFrame(schema=polars_schema("totals", 0))
    block = rows["block"].to_numpy().astype(np.int64) - first_block
    if len(block) and not (block.min() >= 0 and block.max() < n_blocks):
        raise StoreError(f"totals: {variant}: blocks beyond {first_block + n_blocks - 1}")
    at = np.ravel_multi_index((block, rows["table"].to_numpy(), rows["member"].to_numpy()), shape)
    sums = {}
    for name in SUMS:
        flat = np.zeros(int(np.prod(shape)), np.int64)
        np.add.at(flat, at, rows[name].to_numpy().astype(np.int64))
        sums[name] = flat.reshape(shape)
    due = np.full(shape, rotations(config, seats), np.int64)
    for table, since in (dropped or {}).items():
        due[max(0, since - first_block) :, table] = 0
    if not np.array_equal(sums["n"], due):
        wrong = int(np.argwhere(sums["n"] != due)[0][0]) + first_block
        raise StoreError(f"totals: {variant}: block {wrong}: games are lost or stand twice")
    blocks = np.arange(first_block, first_block + n_blocks, dtype=np.uint64)
    entrant = seat_orders(config, seats, run_key(config.seed), blocks)
    return BlockTable(first_block, entrant, **sums)


def chunks(
    store: Store,
    config: RunConfig,
    variant: str,
    pieces: Iterable[tuple[int, int, list[str]]],
    dropped: dict[int, int] | None = None,
) -> Iterator[BlockTable]:
    """The same for many pieces (first block, blocks, files), one after the other: a run of any
    length in little memory."""
    for first, n, names in pieces:
        yield whole_blocks(store, config, variant, names, first, n, dropped)
