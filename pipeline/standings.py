"""Who stands where after a run, in a few lines for the terminal."""

from fractions import Fraction
from functools import partial
from typing import NamedTuple

import polars as pl

from pipeline import stopping
from pipeline.derived import counted_shards
from pipeline.figures import ranked, unit
from pipeline.files import read_parquet
from pipeline.seating import changes_company
from pipeline.stats import score_model
from pipeline.stats.anytime import band
from pipeline.stats.estimate import Estimate, Sums, ratio, times
from pipeline.stats.simultaneous import covariance, together
from pipeline.store import Run
from pipeline.stores.several import several
from pipeline.watermark import joint_of_entrants, played_by

_SUMS = ("blocks", "n", "x", "nn", "xx", "nx")


class Standing(NamedTuple):
    """One entrant's figure (:mod:`pipeline.figures`): points a game above the mean of his tables,
    in ``round_robin`` above an average entrant, in ``candidates`` above the field."""

    variant: str
    entrant: str
    points: Estimate
    """In the document's sign. All intervals of a variant hold together; where a rule stopped the
    run at every moment too, since then the data decided when."""
    lowest_wins: bool


def standings(run: Run) -> list[Standing]:
    """All entrants, best first within each variant. Empty where no block is whole yet."""
    config = run.manifest.config
    found = []
    for variant in config.variants:
        lowest = variant.rules.objective == "lowest"
        for who, points in sorted(
            _of_variant(run, variant.name), key=lambda one: (-one[1].value, one[0])
        ):
            shown = times(points, -1) if lowest else points
            found.append(Standing(variant.name, who, shown, lowest))
    return found


def _of_variant(run: Run, variant: str) -> list[tuple[str, Estimate]]:
    manifest, config = run.manifest, run.manifest.config
    planned = list(counted_shards(manifest))
    receipts = run.receipts()
    own = [shard.number for shard in planned if shard.variant == variant]
    kept = [set(receipts[number].files) for number in own if number in receipts]
    if len(kept) < len(own) or not all({"totals", "joint"} & files for files in kept):
        return _of_summary(run, variant)
    blocks = manifest.counted(variant)
    if changes_company(config) and blocks > 1:
        played = played_by(run, planned, variant, 0, blocks)
        fitted = score_model.fit(played)
        if fitted is not None:
            labels = [entrant.label for entrant in config.entrants]
            return list(zip(labels, score_model.strengths_of_few(played, fitted), strict=True))
    joint = joint_of_entrants(run, planned, variant, 0, blocks)
    names = [config.entrants[i].label for i in ranked(config)]
    there = [i for i, n in enumerate(joint.n) if n]
    joint = joint.only(there)
    cells = [joint.sums(i) for i in range(len(there))]
    point = unit(config, config.variant(variant).seats)
    if joint.blocks < 2:
        alone = [ratio(cell, 1 / Fraction(point), contrast=True) for cell in cells]
        return [(names[i], e) for i, e in zip(there, alone, strict=True)]
    means = [Fraction(cell.x, cell.n) for cell in cells]
    cov = covariance(cells, joint.cross(), joint.blocks)
    points = together(means, cov, cells, 1 / Fraction(point))
    if config.stop is not None:
        points = [band(e, stopping.planned(config), len(points)) for e in points]
    return [(names[i], e) for i, e in zip(there, points, strict=True)]


def _of_summary(run: Run, variant: str) -> list[tuple[str, Estimate]]:
    """The same of an older run, which keeps no totals: each interval for itself."""
    files = run.files("summary")
    if not files:
        return []
    cells = (
        pl.concat([*several(run.store.at_once, files, partial(read_parquet, run.store))])
        .filter(pl.col("variant") == variant, pl.col("measure") == "advantage")
        .filter(pl.col("table") == -1, pl.col("entrant") != "")
        .group_by("entrant")
        .agg(pl.col(_SUMS).sum())
    )
    scale = Fraction(1, run.manifest.config.variant(variant).seats)
    return [
        (entrant, ratio(Sums(*sums), scale, contrast=True))
        for entrant, *sums in cells.select("entrant", *_SUMS).rows()
    ]
