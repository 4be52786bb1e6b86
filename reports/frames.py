"""Estimates in tables: how a figure and its error lie in columns, and come out."""

from collections.abc import Mapping, Sequence

import polars as pl

from pipeline.stats.estimate import Estimate

FIELDS: dict[str, pl.DataType] = {
    "value": pl.Float64(),
    "se": pl.Float64(),
    "low": pl.Float64(),
    "high": pl.Float64(),
    "n": pl.Int64(),
    "blocks": pl.Int64(),
    "df": pl.Float64(),
    "kind": pl.String(),
}
"""Columns of an estimate, after its name and an underscore."""


def schema(keys: Mapping[str, type[pl.DataType] | pl.DataType], *names: str) -> pl.Schema:
    """Columns of a table with these keys and estimates of these names."""
    columns: dict[str, type[pl.DataType] | pl.DataType] = dict(keys)
    for name in names:
        columns |= {f"{name}_{field}": kind for field, kind in FIELDS.items()}
    return pl.Schema(columns)


def flat(name: str, estimate: Estimate) -> dict[str, object]:
    """An estimate as columns ``NAME_value``, ``NAME_se``, ..."""
    return {
        f"{name}_{field}": value + 0.0 if isinstance(value, float) else value  # never -0.0
        for field, value in estimate._asdict().items()
    }


def estimates(table: pl.DataFrame, name: str) -> list[Estimate]:
    """The estimates called ``name``, one a row."""
    columns = [table[f"{name}_{field}"].to_list() for field in FIELDS]
    return [Estimate(*row) for row in zip(*columns, strict=True)]


def frame(rows: Sequence[dict[str, object]], columns: pl.Schema) -> pl.DataFrame:
    """A table of these rows, in order, that has its columns even when empty."""
    return pl.DataFrame(list(rows), schema=columns, orient="row")
