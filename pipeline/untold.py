"""What the sheet of a game that people played does not tell: a number of its own among the arrays
that are hashed and counted, null in the tables.
"""

import polars as pl

UNTOLD = {"param": -2, "leader": 255, "items": 2**64 - 1, "finish": 255}
"""By column (of each seat), a value that no deal has."""


def untold_as_null(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of a table as they are stored."""
    return frame.with_columns(
        pl.when(pl.col(name) != pl.lit(value, frame.schema[name])).then(pl.col(name)).alias(name)
        for name, value in _columns(frame)
    )


def with_untold(frame: pl.DataFrame) -> pl.DataFrame:
    """Stored rows as they are hashed and counted."""
    return frame.with_columns(pl.col(name).fill_null(value) for name, value in _columns(frame))


def may_be_untold(column: str) -> bool:
    """Whether a column of a person's deal may be null."""
    return column.rstrip("0123456789_") in UNTOLD


def _columns(frame: pl.DataFrame) -> list[tuple[str, int]]:
    kinds = ((name, name.rstrip("0123456789_")) for name in frame.columns)
    return [(name, UNTOLD[kind]) for name, kind in kinds if kind in UNTOLD]
