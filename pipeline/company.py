"""Table ``company``: who met whom in a shard's blocks, where company changes and blocks are not
kept. With it strengths are fitted as from the blocks (:mod:`pipeline.stats.company`)."""

from collections.abc import Iterable
from itertools import combinations

import numpy as np
import polars as pl

from pipeline.config import RunConfig
from pipeline.schema import polars_schema
from pipeline.seating import rotations
from pipeline.stats.company import Met, of_blocks
from pipeline.stats.joint import Joint
from pipeline.stats.lineups import of_tables
from pipeline.totals import BlockTable

KEY = ("entrant", "other", "third", "fourth")


def met(config: RunConfig, blocks: BlockTable) -> Met:
    """Who met whom in whole blocks."""
    return of_blocks(of_tables(blocks.entrant, blocks.n, blocks.x, len(config.entrants)))


def frame(config: RunConfig, variant: str, shard: int, met: Met) -> pl.DataFrame:
    """Rows of ``company`` of a shard's blocks."""
    labels = np.array([entrant.label for entrant in config.entrants], object)
    first, second = np.array(list(combinations(range(len(labels)), 2))).T
    together, made = np.triu(np.array(met.together)), np.array(met.made).T
    p, q = np.nonzero(together)
    at, who = np.nonzero(made)
    text = pl.String()
    pairs = {
        "entrant": pl.Series(labels[first[p]], dtype=text),
        "other": pl.Series(labels[second[p]], dtype=text),
        "third": pl.Series(labels[first[q]], dtype=text),
        "fourth": pl.Series(labels[second[q]], dtype=text),
        "blocks": together[p, q],
        "x": np.zeros_like(p),
    }
    totals = {
        "entrant": pl.Series(labels[first[at]], dtype=text),
        "other": pl.Series(labels[second[at]], dtype=text),
        "third": pl.Series(labels[who], dtype=text),
        "fourth": pl.Series([""], dtype=text).new_from_index(0, len(at)),
        "blocks": np.zeros_like(at),
        "x": made[at, who],
    }
    found = pl.concat([pl.DataFrame(pairs), pl.DataFrame(totals)])
    found = found.with_columns(variant=pl.lit(variant), shard=pl.lit(shard))
    schema = polars_schema("company", 0)
    return found.select(pl.col(name).cast(dtype) for name, dtype in schema.items())


class Collected:
    """Adds up rows of ``company`` of many shards, in Python's integers."""

    def __init__(self, config: RunConfig, seats: int) -> None:
        self._config, self._seats = config, seats
        self._sums: dict[tuple[str, ...], int] = {}

    def add(self, frames: Iterable[pl.DataFrame]) -> None:
        """Take in the rows of some shards."""
        either = (pl.col("blocks") + pl.col("x")).cast(pl.Int128).sum()  # one of them is 0
        for *key, value in pl.concat(frames).group_by(KEY).agg(either).iter_rows():
            at = tuple(key)
            self._sums[at] = self._sums.get(at, 0) + value

    def met(self, sums: Joint) -> Met:
        """With the joint sums of the same blocks."""
        labels = [entrant.label for entrant in self._config.entrants]
        pairs = list(combinations(labels, 2))
        together = [[0] * len(pairs) for _ in pairs]
        for p, q in np.ndindex(len(pairs), len(pairs)):
            low, high = min(p, q), max(p, q)
            together[p][q] = self._sums.get((*pairs[low], *pairs[high]), 0)
        made = [[self._sums.get((*pair, one, ""), 0) for pair in pairs] for one in labels]
        return Met(
            self._seats,
            rotations(self._config, self._seats),
            sums,
            tuple(map(tuple, together)),
            tuple(map(tuple, made)),
        )
