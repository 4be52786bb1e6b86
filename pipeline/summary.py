"""Sums over blocks of what reports ask, so that they need not scan every deal.

For each cell (measure, table, entrant, contract, role, target, left) and each block b
there is a count n_b and a total x_b, both integers. A shard keeps the number of blocks
in which the cell occurs and the sums of n, x, n^2, x^2 and n x over them: enough for a
ratio x / n with the standard error over blocks, and they add up exactly whatever the
shards were. :data:`MEASURES` says what is counted. S is the number of seats.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from engine_ext.rules.resolve import VariantNumbers
from pipeline.block_totals import MEASURES, Axis, BlockTotals, Measure
from pipeline.columns import constant
from pipeline.schema import polars_schema
from pipeline.seating import Table
from pipeline.tables import Games
from pipeline.tally_plan import Keep

__all__ = ["MEASURES", "Summary", "add_parts"]

Ints = npt.NDArray[np.int64]

_ALL = {"table": -1, "entrant": 0, "contract": 0, "role": -1, "target": -1, "n_left": -1}
"""What stands for all of them together; entrants and contracts count from 1."""
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
        self._tally = self._totals.tally()

    def add_blocks(self, games: Games) -> None:
        """Add whole blocks."""
        self._tally.add(games, True)

    def add_part(self, games: Games) -> None:
        """Add some games of the block that is open, or open one."""
        self._tally.add(games, False)

    def close_block(self) -> None:
        """Every game of the open block has been added."""
        self._tally.close()

    def frame(self, variant: str, shard: int) -> pl.DataFrame:
        """Rows of ``summary`` for the blocks that were closed."""
        return self._frame(variant, shard, self._views(self._closed))

    def open_frame(self, variant: str, shard: int) -> pl.DataFrame:
        """The open block's counts and totals in the columns ``n`` and ``x``.

        ``blocks`` is 0: such rows are parts, for :func:`add_parts` alone.
        """
        block = self._tally.open_block()

        def sums(measure: Measure, keep: Keep) -> Ints:
            n, x = (block[self._totals.layout.at(it, keep)] for it in (measure.n, measure.x))
            nothing = np.zeros_like(n)
            return np.stack([nothing, n, x, nothing, nothing, nothing])

        return self._frame(variant, shard, self._views(sums))

    def _closed(self, measure: Measure, keep: Keep) -> Ints:
        layout, powers = self._totals.layout, self._tally.power_sums
        of_n, of_x = (powers[:, layout.power(it, keep)] for it in (measure.n, measure.x))
        products = self._tally.product_sums[layout.product(measure.n, measure.x, keep)]
        return np.stack([of_n[0], of_n[1], of_x[1], of_n[2], of_x[2], products])

    def _views(self, sums: Callable[[Measure, Keep], Ints]) -> Iterator[_View]:
        for measure in self._totals.measures:
            for keep in measure.keep:
                axes = tuple(measure.axes[axis] for axis in keep)
                yield _View(measure.name, axes, sums(measure, keep))

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


def add_parts(parts: list[pl.DataFrame], shard: int) -> pl.DataFrame:
    """The summary of one block from :meth:`Summary.open_frame` of all its parts."""
    schema = polars_schema("summary", 0)
    key = ["variant", "measure", *_ALL]
    n, x = pl.col("n"), pl.col("x")
    whole = pl.concat(parts).group_by(key, maintain_order=True).agg(n.sum(), x.sum())
    whole = whole.with_columns(shard=pl.lit(shard), blocks=pl.lit(1), nn=n * n, xx=x * x, nx=n * x)
    return whole.select(pl.col(name).cast(dtype) for name, dtype in schema.items())
