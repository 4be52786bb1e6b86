"""A study as reports read it: the whole blocks of one variant and one entrant."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import IO, NamedTuple

import polars as pl

from engine_ext.rules.resolve import VariantNumbers, resolve
from engine_ext.rules.spec import Variant
from pipeline.config import RunConfig
from pipeline.plan import units_of_block
from pipeline.studies.designs import n_worlds

ROW_ORDER = ("block", "step", "kind", "contract", "param", "who", "whom", "weight", "half")
"""How trials are sorted."""


class Study(NamedTuple):
    """What one entrant did in one variant. Points are inside points, more is better."""

    rules: Variant
    numbers: VariantNumbers
    design: str
    entrant: str
    worlds: int
    """Dealings anew for each hand; half of them in each half."""
    blocks: int
    """Whole blocks: the unit that every error counts."""
    units: pl.DataFrame
    """Rows of ``units``, by block and step."""
    trials: pl.DataFrame
    """Rows of ``trials``, in ``ROW_ORDER``."""
    seed: int
    """That of the run: it deals the hands again."""

    def of_kind(self, kind: str) -> pl.DataFrame:
        """The trials of one kind."""
        return self.trials.filter(pl.col("kind") == kind)


def read_study(
    config: RunConfig,
    variant: str,
    entrant: str,
    units: Sequence[Path | BytesIO],
    trials: Sequence[Path | BytesIO],
) -> Study:
    """The study of a run from its files of ``units`` and ``trials`` (:meth:`Store.source`)."""
    rules = config.variant(variant)
    of_variant = pl.col("variant") == variant
    listed = _scan(units).filter(of_variant).select("block", "entrant", "step").collect()
    counts = listed.group_by("block").len()
    whole = counts.filter(pl.col("len") == units_of_block(config, rules))["block"]
    table = [one.label for one in config.entrants].index(entrant)
    mine = of_variant & (pl.col("table") == table) & pl.col("block").is_in(whole.to_list())
    return Study(
        rules,
        resolve(rules),
        config.design,
        entrant,
        n_worlds(config.worlds),
        len(whole),
        _scan(units).filter(mine).collect().sort("block", "step"),
        _scan(trials).filter(mine).collect().sort(ROW_ORDER),
        config.seed,
    )


def _scan(files: Sequence[Path | BytesIO]) -> pl.LazyFrame:
    here = [file for file in files if isinstance(file, Path)]
    afar: list[IO[bytes]] = [file for file in files if isinstance(file, BytesIO)]
    return pl.scan_parquet(here or afar, glob=False)
