"""What rows of a run's tables may say, column by column: what lies beyond is of no such run."""

from typing import NamedTuple

import polars as pl

from engine_ext.rules.resolve import VariantNumbers
from pipeline.block_totals import MEASURES
from pipeline.config import EVENINGS, RunConfig
from pipeline.schema import TABLES
from pipeline.seating import rotations, tables
from pipeline.studies.designs import STUDIES, n_steps
from pipeline.untold import may_be_untold

SEATS = ("leader", "declarer", "doubler", "doubled", "member", "role", "target", "who")
"""Columns that hold a seat, a role or a place in a line-up; -1 where there is none."""
OF_ALL = ("summary", "trials")
"""Tables in which an empty name stands for all."""


class Limits(NamedTuple):
    """What columns of one variant may hold, in all tables that have them."""

    ranges: dict[str, tuple[int, int]]
    """Lowest and highest of whole numbers, by column."""
    words: dict[str, frozenset[str]]
    """Names that there are, by column; ``entrant`` stands for those of seats too."""
    seats: int
    by_people: bool = False
    """Whether the sheets of people are all that is known of the deals."""

    def words_of(self, table: str, column: str) -> frozenset[str] | None:
        """Names that a column may hold; None for one of no names."""
        known = self.words.get("entrant" if column.startswith("entrant_") else column)
        return known | {""} if known is not None and table in OF_ALL else known

    def may_lack(self, column: str) -> bool:
        """Whether it is of a seat that the variant does not have, or on no sheet."""
        if self.by_people and may_be_untold(column):
            return True
        seat = column.rpartition("_")[2]
        return seat.isdigit() and int(seat) >= self.seats


def limits(
    config: RunConfig,
    variant: str,
    numbers: VariantNumbers,
    blocks: tuple[int, int],
    shards: tuple[int, int],
) -> Limits:
    """Those of a variant's rows in these blocks and shards, first and last."""
    study = config.design in STUDIES
    n_tables = len(config.entrants) if study else len(tables(config, numbers.seats))
    ranges = dict.fromkeys(SEATS, (-1, numbers.seats - 1))
    ranges |= {"block": blocks, "shard": shards, "table": (-1, n_tables - 1)}
    ranges["blocks"] = (0, blocks[1] - blocks[0] + 1)
    if study:
        ranges["step"] = (0, n_steps(config.design, numbers) - 1)
    else:
        ranges["rotation"] = (0, rotations(config, numbers.seats) - 1)
    words = {
        "variant": frozenset({variant}),
        "contract": frozenset(numbers.contract_names),
        "entrant": frozenset(entrant.label for entrant in config.entrants),
        "measure": frozenset(MEASURES),
    }
    return Limits(ranges, words, numbers.seats, config.design == EVENINGS)


def wrong_rows(found: Limits, table: str, frame: pl.DataFrame) -> str | None:
    """The first column with a value that the rows cannot have, as ``column: what``."""
    if table not in TABLES or frame.is_empty():
        return None
    for name, lacking in frame.null_count().row(0, named=True).items():
        if lacking and not found.may_lack(name):
            return f"{name}: {lacking} values are missing"
        known = found.words_of(table, name)
        if known is not None:
            strange = sorted(set(frame[name].unique().drop_nulls().to_list()) - known)
            if strange:
                return f"{name}: {strange[0][:80]!r} (the run has none such)"
        if name in found.ranges:
            low, high = found.ranges[name]
            least, most = frame[name].min(), frame[name].max()
            if least is None:  # on no sheet
                continue
            if not (_between(least, low, high) and _between(most, low, high)):
                return f"{name}: {least!r} to {most!r} (want {low} to {high})"
    if "digest" in frame.columns and (frame["digest"].bin.size() != 32).any():
        return "digest: not 32 bytes"
    return None


def _between(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and low <= value <= high
