"""Sums over blocks of what reports ask, so that they need not scan every deal.

For each cell (measure, table, entrant, contract, role, target, left) and each block b
there is a count n_b and a total x_b, both integers. A shard keeps the number of blocks
in which the cell occurs and the sums of n, x, n^2, x^2 and n x over them: enough for a
ratio x / n with the standard error over blocks, and they add up exactly whatever the
shards were. :data:`MEASURES` says what is counted. S is the number of seats.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from engine_ext.rules.resolve import VariantNumbers
from pipeline.block_totals import MEASURES, BlockTotals, Measure
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


class _Views(NamedTuple):
    """All cells of all measures, summed over all axes but those of a view."""

    columns: dict[str, Ints]
    """By column: what says which cell it is."""
    at: tuple[Ints, Ints]
    """Where its count and its total stand in a block."""
    powers: tuple[Ints, Ints]
    """Where those of count and total stand."""
    product: Ints


class Summary:
    """Collects the games of one shard; blocks come in order and are not mixed."""

    def __init__(self, rules: VariantNumbers, labels: tuple[str, ...], tables: list[Table]) -> None:
        self._totals, self._views = _planned(rules, labels, tuple(tables))
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
        powers, (n, x) = self._tally.power_sums, self._views.powers
        products = self._tally.product_sums[self._views.product]
        sums = (powers[0][n], powers[1][n], powers[1][x], powers[2][n], powers[2][x], products)
        return self._frame(variant, shard, sums)

    def open_frame(self, variant: str, shard: int) -> pl.DataFrame:
        """The open block's counts and totals in the columns ``n`` and ``x``.

        ``blocks`` is 0: such rows are parts, for :func:`add_parts` alone.
        """
        block = self._tally.open_block()
        n, x = (block[at] for at in self._views.at)
        nothing = np.zeros_like(n)
        return self._frame(variant, shard, (nothing, n, x, nothing, nothing, nothing))

    def _frame(self, variant: str, shard: int, sums: tuple[Ints, ...]) -> pl.DataFrame:
        """Rows of the cells that occur, in a fixed order."""
        names = {
            "measure": tuple(MEASURES),
            "entrant": ("", *self._totals.labels),
            "contract": ("", *self._totals.rules.contract_names),
        }
        columns = self._views.columns | dict(zip(_SUMS, sums, strict=True))
        there = np.flatnonzero(columns["n"])
        series = {
            "variant": constant(variant, len(there), pl.String()),
            "shard": constant(shard, len(there), pl.UInt32()),
        }
        for name, values in columns.items():
            if name in names:
                # By index, which asks no query engine as ``gather`` does.
                series[name] = pl.Series(names[name], dtype=pl.String)[values[there]]
            else:
                series[name] = pl.Series(values[there])
        return pl.DataFrame(
            [
                series[name].cast(dtype).alias(name)
                for name, dtype in polars_schema("summary", 0).items()
            ]
        )


@lru_cache(maxsize=16)
def _planned(
    rules: VariantNumbers, labels: tuple[str, ...], tables: tuple[Table, ...]
) -> tuple[BlockTotals, _Views]:
    """The same for every shard of a variant, and of little change: a plan costs as much as some
    hundred blocks."""
    totals = BlockTotals(rules, labels, list(tables))
    parts = [_view(totals, measure, keep) for measure in totals.measures for keep in measure.keep]
    columns = {name: np.concatenate([p.columns[name] for p in parts]) for name in parts[0].columns}
    at, powers = (
        (np.concatenate([n for n, _ in pairs]), np.concatenate([x for _, x in pairs]))
        for pairs in ([p.at for p in parts], [p.powers for p in parts])
    )
    return totals, _Views(columns, at, powers, np.concatenate([p.product for p in parts]))


def _view(totals: BlockTotals, measure: Measure, keep: Keep) -> _Views:
    """The cells of one measure and view."""
    layout, axes = totals.layout, [measure.axes[axis] for axis in keep]
    count, total = ((layout.at(it, keep), layout.power(it, keep)) for it in (measure.n, measure.x))
    cells = count[0].stop - count[0].start
    values = dict(_ALL) | {"measure": tuple(MEASURES).index(measure.name)}
    columns = {name: np.full(cells, value) for name, value in values.items()}
    places = np.unravel_index(np.arange(cells), [len(axis.values) for axis in axes]) if axes else ()
    for axis, place in zip(axes, places, strict=True):
        columns |= zip(axis.fields, axis.values[place].T, strict=True)
    product = _range(layout.product(measure.n, measure.x, keep))
    at, powers = zip(*((_range(a), _range(p)) for a, p in (count, total)), strict=True)
    return _Views(columns, at, powers, product)


def _range(where: slice) -> Ints:
    return np.arange(where.start, where.stop)


def add_parts(parts: list[pl.DataFrame], shard: int) -> pl.DataFrame:
    """The summary of one block from :meth:`Summary.open_frame` of all its parts."""
    schema = polars_schema("summary", 0)
    key = ["variant", "measure", *_ALL]
    n, x = pl.col("n"), pl.col("x")
    whole = pl.concat(parts).group_by(key, maintain_order=True).agg(n.sum(), x.sum())
    whole = whole.with_columns(shard=pl.lit(shard), blocks=pl.lit(1), nn=n * n, xx=x * x, nx=n * x)
    return whole.select(pl.col(name).cast(dtype) for name, dtype in schema.items())
