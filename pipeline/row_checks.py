"""What rows of a shard's tables may say, column by column: what lies beyond is of no such run."""

from collections.abc import Iterator

import polars as pl

from engine_ext.rules.resolve import VariantNumbers
from pipeline.block_totals import MEASURES
from pipeline.config import RunConfig
from pipeline.plan import Shard
from pipeline.schema import TABLES
from pipeline.seating import rotations, tables
from pipeline.studies.designs import STUDIES, n_steps

SEATS = ("leader", "declarer", "doubler", "doubled", "member", "role", "target", "who")
"""Columns that hold a seat, a role or a place in a line-up; -1 where there is none."""


def wrong_rows(
    config: RunConfig, shard: Shard, numbers: VariantNumbers, table: str, frame: pl.DataFrame
) -> str | None:
    """The first column with a value that the shard cannot have, as ``column: what``."""
    if table not in TABLES or frame.is_empty():
        return None
    for name, low, high in _ranges(config, shard, numbers):
        if name in frame.columns:
            least, most = frame[name].min(), frame[name].max()
            if not _between(least, low, high) or not _between(most, low, high):
                return f"{name}: {least!r} to {most!r} (want {low} to {high})"
    for name, known in _words(config, shard, numbers, frame):
        strange = frame[name].unique().drop_nulls().to_list()
        for word in sorted(set(strange) - known):
            return f"{name}: {word[:80]!r} (the run has none such)"
    if "digest" in frame.columns and (frame["digest"].bin.size() != 32).any():
        return "digest: not 32 bytes"
    return _nothing(frame, numbers.seats)


def _between(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and low <= value <= high


def _ranges(
    config: RunConfig, shard: Shard, numbers: VariantNumbers
) -> Iterator[tuple[str, int, int]]:
    """Columns of whole numbers and what they lie between."""
    study = config.design in STUDIES
    n_tables = len(config.entrants) if study else len(tables(config, numbers.seats))
    yield "block", shard.first_block, shard.first_block + shard.n_blocks - 1
    yield "table", -1, n_tables - 1
    yield "shard", shard.number, shard.number
    if study:
        yield "step", 0, n_steps(config.design, numbers) - 1
    else:
        yield "rotation", 0, rotations(config, numbers.seats) - 1
    for name in SEATS:
        yield name, -1, numbers.seats - 1


def _words(
    config: RunConfig, shard: Shard, numbers: VariantNumbers, frame: pl.DataFrame
) -> Iterator[tuple[str, set[str]]]:
    """Columns of names and those that there are; empty for all."""
    known = {
        "variant": {shard.variant},
        "contract": {"", *numbers.contract_names},
        "entrant": {"", *(entrant.label for entrant in config.entrants)},
        "measure": set(MEASURES),
    }
    for name in frame.columns:
        stem = "entrant" if name.startswith("entrant_") else name
        if stem in known:
            yield name, known[stem]


def _nothing(frame: pl.DataFrame, seats: int) -> str | None:
    """A column that lacks a value, but those of seats that the variant does not have."""
    for name, lacking in frame.null_count().row(0, named=True).items():
        _, _, seat = name.rpartition("_")
        if lacking and not (seat.isdigit() and int(seat) >= seats):
            return f"{name}: {lacking} values are missing"
    return None
