"""Columns of a table that grow some rows at a time, and become a frame at the end.

Their memory is kept for the next table of the same kind in the same thread: a page that the
system has to find first costs more than all that is written into it. Names are kept as numbers
and go to Polars as an enumeration, of which Parquet gets its dictionary as it stands.
"""

import threading
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa

from pipeline.schema import polars_schema

Arrays = dict[str, npt.NDArray[Any]]

FIRST = 4096
"""Rows that there is room for at first."""
HASH = "V32"
_KINDS: dict[pl.DataType, str] = {
    pl.String(): "u1",
    pl.Binary(): HASH,
    pl.Boolean(): "?",
    pl.UInt8(): "u1",
    pl.Int8(): "i1",
    pl.UInt16(): "u2",
    pl.Int32(): "i4",
    pl.UInt64(): "u8",
}
"""Types of tables with rows of games, deals and doubles, as NumPy calls them."""


class _Spare(threading.local):
    """Columns that nobody uses, by what they hold."""

    def __init__(self) -> None:
        self.arrays: dict[tuple[str, int], Arrays] = {}


_spare = _Spare()


class Columns:
    """The columns of a table's rows at tables with so many ``seats``, without the variant."""

    def __init__(self, table: str, seats: int) -> None:
        self._kind = table, seats
        self._arrays = _spare.arrays.pop(self._kind, {}) or {
            name: np.empty(FIRST, _KINDS[dtype])
            for name, dtype in polars_schema(table, seats).items()
            if name != "variant"
        }
        self._rows = 0

    def __len__(self) -> int:
        return self._rows

    def more(self, rows: int) -> Arrays:
        """Room for so many rows behind those that there are, to be filled: parts of the
        columns by name."""
        first, last = self._rows, self._rows + rows
        room = len(next(iter(self._arrays.values())))
        if last > room:
            for name, array in self._arrays.items():
                wider = np.empty(max(2 * room, last), array.dtype)
                wider[:first] = array[:first]
                self._arrays[name] = wider
        self._rows = last
        return {name: array[first:last] for name, array in self._arrays.items()}

    def frame(self, variant: str, names: Mapping[str, tuple[str, ...]], seats: int) -> pl.DataFrame:
        """The rows in schema order, null beyond the variant's seats in a run of up to ``seats``.

        Columns of ``names`` (without seat) hold indices of these. Names are of type Enum;
        :func:`pipeline.store.parquet` writes them as the strings they are. The frame is of use
        until :meth:`release`, since it has no memory of its own.
        """
        series, numbered = [], []
        for name, dtype in polars_schema(self._kind[0], seats).items():
            if name == "variant":
                column = constant(variant, self._rows, enumeration((variant,)))
            elif name not in self._arrays:
                column = constant(None, self._rows, dtype)
            elif dtype == pl.Binary():
                column = pl.Series(_binary(self._arrays[name][: self._rows]))
            else:
                # Of its type as it stands: to say so would be a cast of every column.
                column = pl.Series(name, self._arrays[name][: self._rows])
                if dtype == pl.String():
                    known = enumeration(names[name.rstrip("0123456789_")])
                    numbered.append(pl.col(name).cat.to(known))
            series.append(column if column.name == name else column.alias(name))
        frame = pl.DataFrame(series)
        # All at once: Polars takes as long for a column of a few thousand rows as to begin.
        return frame.with_columns(numbered) if numbered else frame

    def release(self) -> None:
        """Leave the memory to others; the rows are gone."""
        _spare.arrays[self._kind] = self._arrays
        self._arrays, self._rows = {}, 0


def constant(value: object, rows: int, dtype: pl.DataType) -> pl.Series:
    """The same value in every row (far quicker than ``pl.repeat``)."""
    return pl.Series([value], dtype=dtype).new_from_index(0, rows)


def named(column: npt.NDArray[np.uint8], names: tuple[str, ...]) -> pl.Series:
    """Indices of names as an enumeration of these."""
    return pl.Series(column, dtype=pl.UInt8).cat.to(enumeration(names))


@lru_cache(maxsize=256)
def enumeration(names: tuple[str, ...]) -> pl.Enum:
    """These names as a type; to make one takes as long as to make a column of it."""
    return pl.Enum(names)


def _binary(column: npt.NDArray[np.void]) -> pa.LargeBinaryArray:
    """Values of one size as Arrow has them, without a copy."""
    size = column.dtype.itemsize
    ends = np.arange(0, size * len(column) + 1, size, dtype=np.int64)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(column)]
    return pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(column), buffers)
