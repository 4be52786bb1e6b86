"""Sums over blocks of what reports ask, so that they need not scan every deal.

For each cell (measure, table, entrant, contract, role, target, left) and each block b
there is a count n_b and a total x_b, both integers. A shard keeps the number of blocks
in which the cell occurs and the sums of n, x, n^2, x^2 and n x over them: enough for a
ratio x / n with the standard error over blocks, and they add up exactly whatever the
shards were. :data:`MEASURES` says what is counted. S is the number of seats.
"""

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from engine_ext.rules.resolve import VariantNumbers
from pipeline.block_totals import MEASURES, Axis, BlockTotals, Cells
from pipeline.schema import polars_schema
from pipeline.seating import Table
from pipeline.tables import Games, constant

__all__ = ["MEASURES", "Summary", "add_parts"]

Ints = npt.NDArray[np.int64]

_ALL = {"table": -1, "entrant": 0, "contract": 0, "role": -1, "target": -1, "n_left": -1}
"""What stands for all of them together; entrants and contracts count from 1."""
TOGETHER = 256
"""Blocks that are added up at a time: small arrays cost more than their numbers."""
_SUMS = ("blocks", "n", "x", "nn", "xx", "nx")


class _View(NamedTuple):
    """A measure summed over all axes but some."""

    measure: str
    axes: tuple[Axis, ...]
    """Those kept."""
    sums: Ints
    """(6, cells): the columns of ``_SUMS`` by flat cell."""


class Summary:
    """Collects the games of one shard; blocks come in order and are not mixed."""

    def __init__(self, rules: VariantNumbers, labels: tuple[str, ...], tables: list[Table]) -> None:
        self._totals = BlockTotals(rules, labels, tables)
        self._views: dict[tuple[str, tuple[str, ...]], _View] = {}
        self._open: list[Cells] = []
        self._closed: list[list[Cells]] = []
        self._waiting = 0

    def add_blocks(self, games: Games) -> None:
        """Add whole blocks."""
        self._keep(list(self._totals.of(games)))

    def add_part(self, games: Games) -> None:
        """Add some games of the block that is open, or open one."""
        found = list(self._totals.of(games))
        if not self._open:
            self._open = found
            return
        # Not in place: measures share their counts.
        self._open = [
            cells._replace(n=cells.n + more.n, x=cells.x + more.x)
            for cells, more in zip(self._open, found, strict=True)
        ]

    def close_block(self) -> None:
        """Every game of the open block has been added."""
        self._keep(self._open)
        self._open = []

    def _keep(self, found: list[Cells]) -> None:
        self._closed.append(found)
        self._waiting += len(found[0].n)
        if self._waiting >= TOGETHER:
            self._add_up()

    def _add_up(self) -> None:
        """Add the closed blocks to the sums, many at a time."""
        joined: dict[tuple[int, ...], _ByBlock] = {}
        for same in zip(*self._closed, strict=True):
            n, x = (_joined(joined, [getattr(c, name) for c in same]) for name in ("n", "x"))
            self._add(same[0], n, x)
        self._closed, self._waiting = [], 0

    def frame(self, variant: str, shard: int) -> pl.DataFrame:
        """Rows of ``summary`` for the blocks that were closed."""
        self._add_up()
        return self._frame(variant, shard, self._views.values())

    def open_frame(self, variant: str, shard: int) -> pl.DataFrame:
        """The open block's counts and totals in the columns ``n`` and ``x``.

        ``blocks`` is 0: such rows are parts, for :func:`add_parts` alone.
        """
        return self._frame(variant, shard, self._open_views())

    def _open_views(self) -> Iterator[_View]:
        for cells in self._open:
            numbers = _ByBlock(cells.n), _ByBlock(cells.x)
            for keep in cells.keep:
                n, x = (one.over(keep)[0] for one in numbers)
                nothing = np.zeros_like(n)
                sums = np.stack([nothing, n, x, nothing, nothing, nothing])
                yield _View(cells.measure, _kept(cells, keep), sums)

    def _add(self, cells: Cells, n: "_ByBlock", x: "_ByBlock") -> None:
        for keep in cells.keep:
            products = np.einsum("bc,bc->c", n.over(keep), x.over(keep))
            of_n, of_x = n.sums(keep), x.sums(keep)
            sums = np.stack([of_n[0], of_n[1], of_x[1], of_n[2], of_x[2], products])
            axes = _kept(cells, keep)
            name = cells.measure, tuple(field for axis in axes for field in axis.fields)
            if name in self._views:
                self._views[name].sums[...] += sums
            else:
                self._views[name] = _View(cells.measure, axes, sums)

    def _frame(self, variant: str, shard: int, views: Iterable[_View]) -> pl.DataFrame:
        """Rows of the cells that occur, in a fixed order."""
        names = {
            "measure": tuple(MEASURES),
            "entrant": ("", *self._totals.labels),
            "contract": ("", *self._totals.rules.contract_names),
        }
        parts: dict[str, list[Ints]] = {name: [] for name in ("measure", *_ALL, *_SUMS)}
        for measure, axes, sums in views:
            there = np.flatnonzero(sums[1])
            columns: dict[str, Any] = dict(_ALL) | {"measure": names["measure"].index(measure)}
            columns |= zip(_SUMS, sums[:, there], strict=True)
            cells = np.unravel_index(there, [len(axis.values) for axis in axes]) if axes else ()
            for axis, at in zip(axes, cells, strict=True):
                columns |= zip(axis.fields, axis.values[at].T, strict=True)
            for name, values in columns.items():
                parts[name].append(np.broadcast_to(values, there.shape))
        flat = {
            name: np.concatenate(arrays or [np.empty(0, int)]) for name, arrays in parts.items()
        }
        schema = polars_schema("summary", 0)
        rows = len(flat["n"])
        series = {
            "variant": constant(variant, rows, pl.String()),
            "shard": constant(shard, rows, pl.UInt32()),
        }
        for name, values in flat.items():
            if name in names:
                series[name] = pl.Series(names[name], dtype=pl.String).gather(values)
            else:
                series[name] = pl.Series(values)
        return pl.DataFrame(
            [series[name].cast(dtype).alias(name) for name, dtype in schema.items()]
        )


def _kept(cells: Cells, keep: tuple[int, ...]) -> tuple[Axis, ...]:
    return tuple(cells.axes[axis] for axis in keep)


class _ByBlock:
    """A number of every block and cell, and what views need of it: each is made once, since
    measures share their counts."""

    def __init__(self, cells: Ints) -> None:
        self._over = {tuple(range(cells.ndim - 1)): cells}
        self._sums: dict[tuple[int, ...], tuple[Ints, Ints, Ints]] = {}

    def over(self, keep: tuple[int, ...]) -> Ints:
        """(blocks, cells): axes but ``keep`` summed over, from the smallest that has these."""
        if keep not in self._over:
            source = min((k for k in self._over if set(keep) <= set(k)), key=len)
            gone = [1 + i for i, axis in enumerate(source) if axis not in keep]
            self._over[keep] = reduce(_sum_over, reversed(gone), self._over[source])
        return self._over[keep].reshape(len(self._over[keep]), -1)

    def sums(self, keep: tuple[int, ...]) -> tuple[Ints, Ints, Ints]:
        """By cell: blocks in which it is not 0, sum, sum of squares."""
        if keep not in self._sums:
            cells = self.over(keep)
            squares = np.einsum("bc,bc->c", cells, cells)
            self._sums[keep] = np.count_nonzero(cells, axis=0), cells.sum(axis=0), squares
        return self._sums[keep]


def _sum_over(cells: Ints, axis: int) -> Ints:
    # Piece by piece, since numpy's sum over so short an axis takes far longer.
    return reduce(np.add, np.moveaxis(cells, axis, 0))


def _joined(known: dict[tuple[int, ...], _ByBlock], parts: list[Ints]) -> _ByBlock:
    """The blocks of all parts; the same parts give the same object."""
    same = tuple(map(id, parts))  # they live as long as the closed blocks
    if same not in known:
        known[same] = _ByBlock(np.concatenate(parts))
    return known[same]


def add_parts(parts: list[pl.DataFrame], shard: int) -> pl.DataFrame:
    """The summary of one block from :meth:`Summary.open_frame` of all its parts."""
    schema = polars_schema("summary", 0)
    key = ["variant", "measure", *_ALL]
    n, x = pl.col("n"), pl.col("x")
    whole = pl.concat(parts).group_by(key, maintain_order=True).agg(n.sum(), x.sum())
    whole = whole.with_columns(shard=pl.lit(shard), blocks=pl.lit(1), nn=n * n, xx=x * x, nx=n * x)
    return whole.select(pl.col(name).cast(dtype) for name, dtype in schema.items())
