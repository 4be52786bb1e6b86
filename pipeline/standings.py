"""Who stands where after a run, in a few lines for the terminal."""

from fractions import Fraction
from typing import NamedTuple

import polars as pl

from pipeline.stats.anytime import band
from pipeline.stats.estimate import Estimate, Sums, ratio
from pipeline.stopping import planned
from pipeline.store import Run

_SUMS = ("blocks", "n", "x", "nn", "xx", "nx")


class Standing(NamedTuple):
    """One entrant's points a game less the mean of the others at its tables."""

    variant: str
    entrant: str
    margin: Estimate
    """In the document's sign; the interval is that of this one figure: t on blocks, or one that
    holds at every moment where a rule stopped the run, since then the data decided when."""
    lowest_wins: bool


def standings(run: Run) -> list[Standing]:
    """All entrants, best first within each variant; from the summary alone.

    Empty where no block is whole yet.
    """
    config = run.manifest.config
    files = run.files("summary")
    if not files:
        return []
    cells = (
        pl.scan_parquet(files)
        .filter(pl.col("measure") == "advantage", pl.col("table") == -1, pl.col("entrant") != "")
        .group_by("variant", "entrant")
        .agg(pl.col(_SUMS).sum())
        .collect()
    )
    found = []
    for variant, entrant, *sums in cells.select("variant", "entrant", *_SUMS).rows():
        rules = config.variant(variant)
        lowest = rules.objective == "lowest"
        # x sums seats * score - table total: own less the others' mean, times seats - 1.
        scale = Fraction(-1 if lowest else 1, rules.seats - 1)
        margin = ratio(Sums(*sums), scale, contrast=True)
        if config.stop is not None:
            margin = band(margin, planned(config))
        found.append(Standing(variant, entrant, margin, lowest))
    order = {variant.name: i for i, variant in enumerate(config.variants)}
    return sorted(found, key=lambda s: (order[s.variant], _rank(s), s.entrant))


def _rank(standing: Standing) -> float:
    return standing.margin.value if standing.lowest_wins else -standing.margin.value
