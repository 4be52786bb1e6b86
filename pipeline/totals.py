"""What each member of each line-up made in each block: the figures that verdicts rest on.

One row for (block, table, member), made by the worker from integer sums over the member's
seat-games. A block that was cut into parts has a row in each; they add up.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from engine_ext.build import load
from engine_ext.seeds import run_key
from pipeline.block_totals import WIN
from pipeline.columns import constant, enumeration, named
from pipeline.config import RunConfig
from pipeline.files import Place, read_place
from pipeline.footers import check_columns
from pipeline.places import in_a_row
from pipeline.schema import polars_schema
from pipeline.seating import rotations, seat_orders, tables
from pipeline.stores import Store, StoreError
from pipeline.stores.several import several
from pipeline.tables import Games

if TYPE_CHECKING:
    from engine_ext.columns import add_totals
else:
    add_totals = load("engine_ext.columns").add_totals

Ints = npt.NDArray[np.int64]

SUMS = ("n", "x", "xx", "win", "place")
"""Columns that add up, in the order of the table."""


class Totals:
    """Collects the games of one shard, slice by slice in any pieces."""

    def __init__(self, seats: int, tables: int, first_block: int, n_blocks: int) -> None:
        self._first = first_block
        self._shape = (n_blocks, tables, seats)
        self._sums = np.zeros((len(SUMS), *self._shape), np.int64)
        self._entrant = np.zeros(self._shape, np.int64)

    def add(self, games: Games) -> None:
        """Add some games."""
        add_totals(games, self._first, WIN, self._sums, self._entrant)

    def arrays(self) -> dict[str, Ints]:
        """The sums by block, table and member, under the names of :data:`SUMS`."""
        return dict(zip(SUMS, self._sums, strict=True))

    def frame(self, variant: str, labels: tuple[str, ...]) -> pl.DataFrame:
        """Rows of ``totals``, by block, table and member."""
        there = np.flatnonzero(self._sums[0])
        block, table, member = np.unravel_index(there, self._shape)
        sums = self._sums.reshape(len(SUMS), -1)[:, there]
        columns = {
            "block": block + self._first,
            "table": table,
            "member": member,
            **dict(zip(SUMS, sums, strict=True)),
        }
        entrant = self._entrant.reshape(-1)[there].astype(np.uint8)
        series = []
        for name, dtype in polars_schema("totals", 0).items():
            if name == "variant":
                series.append(constant(variant, len(there), enumeration((variant,))))
            elif name == "entrant":
                series.append(named(entrant, labels))
            else:
                series.append(pl.Series(columns[name], dtype=dtype))
            series[-1] = series[-1].alias(name)
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
    places: Iterable[Place],
    first_block: int,
    n_blocks: int,
    dropped: dict[int, int] | None = None,
) -> BlockTable:
    """The totals of ``n_blocks`` blocks from where they stand in a run, all their parts.

    ``dropped`` says from which block on a table was no longer played; its counts are 0 from
    there. Raises ``StoreError`` where a seat-game is missing or stands twice.
    """
    seats = config.variant(variant).seats
    shape = (n_blocks, len(tables(config, seats)), seats)
    parts = []
    rows_of = list(in_a_row(places))
    found = several(store.at_once, rows_of, partial(read_place, store))
    for one, part in zip(rows_of, found, strict=True):
        check_columns(store.path(one.name), "totals", part.schema, seats)
        parts.append(part)
    rows = pl.concat(parts) if parts else pl.DataFrame(schema=polars_schema("totals", 0))
    _check_places(rows, variant, first_block, shape)
    block = rows["block"].to_numpy().astype(np.int64) - first_block
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
    # The square of a sum is at most that of its squares times how many there are.
    if (np.square(sums["x"], dtype=float) > sums["n"] * (1.0 + sums["xx"])).any():
        raise StoreError(f"totals: {variant}: no games make such sums (barbu verify says more)")
    blocks = np.arange(first_block, first_block + n_blocks, dtype=np.uint64)
    entrant = seat_orders(config, seats, run_key(config.seed), blocks)
    return BlockTable(first_block, entrant, **sums)


def _check_places(
    rows: pl.DataFrame, variant: str, first_block: int, shape: tuple[int, int, int]
) -> None:
    """Every row stands at a place that these blocks have."""
    if any(rows.null_count().row(0)):
        raise StoreError(f"totals: {variant}: values are missing")
    for name, first, n in zip(
        ("block", "table", "member"), (first_block, 0, 0), shape, strict=True
    ):
        at = rows[name].to_numpy()
        if len(at) and not first <= at.min() <= at.max() < first + n:
            said = f"{name}: {at.min()} to {at.max()} (want {first} to {first + n - 1})"
            raise StoreError(f"totals: {variant}: {said}")


def chunks(
    store: Store,
    config: RunConfig,
    variant: str,
    pieces: Iterable[tuple[int, int, list[Place]]],
    dropped: dict[int, int] | None = None,
) -> Iterator[BlockTable]:
    """The same for many pieces (first block, blocks, places), one after the other: a run of any
    length in little memory."""
    for first, n, places in pieces:
        yield whole_blocks(store, config, variant, places, first, n, dropped)
