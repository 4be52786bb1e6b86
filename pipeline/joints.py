"""Exact joint sums of a run's figures over blocks: what verdicts, leagues and rules rest on.

They are made of totals of blocks, and kept by shard in the table ``joint``, so that a run of any
length is judged without its blocks. Sums of disjoint blocks add up.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
import polars as pl

from engine_ext.seeds import run_key
from pipeline import company
from pipeline.config import RunConfig
from pipeline.figures import by_table, claimed, met, of_entrants, ranked
from pipeline.plan import Shard
from pipeline.schema import polars_schema
from pipeline.seating import changes_company, rotations, seat_orders
from pipeline.stats.company import add as add_met
from pipeline.stats.joint import Joint, add, nothing, of_blocks
from pipeline.totals import BlockTable, Ints

Pair = tuple[int, int]
MOST = 24
"""Entrants of a run that keeps its totals: of more their products are more than the totals."""
TOGETHER = 4096
"""Blocks that are added up at a time."""
KEY = ("entrant", "beside", "other")
SUMS = ("blocks", "n", "x", "nn", "xx", "nx")


class JointSums(NamedTuple):
    """Of some blocks."""

    entrants: Joint
    """Of the :func:`pipeline.figures.ranked` entrants' figures."""
    heads: dict[Pair, Joint]
    """Of pairs (:func:`pipeline.figures.met`) at the tables that seat both."""

    def claim(self, config: RunConfig) -> Joint:
        """Of the claim's one or two entrants, as :func:`pipeline.figures.of_claim` has them."""
        entrant, against = claimed(config)
        if against is None:
            return self.entrants.only([ranked(config).index(entrant)])
        return self.pair(config, entrant, against)

    def pair(self, config: RunConfig, one: int, other: int) -> Joint:
        """Of two entrants: head to head where they are compared so, else wherever they sat."""
        head = self.heads.get((min(one, other), max(one, other)))
        if head is None:
            who = ranked(config)
            return self.entrants.only([who.index(one), who.index(other)])
        return head if one < other else head.only([1, 0])


def of_totals(config: RunConfig, blocks: BlockTable) -> JointSums:
    """Of whole blocks."""
    pairs = met(config, blocks.entrant.shape[2])
    if not pairs:
        return JointSums(of_blocks(*of_entrants(config, blocks)), {})
    n, x = by_table(config, blocks)
    heads = {}
    for pair, at in pairs.items():
        who = list(pair)
        counted = (part[who][:, :, at].sum(axis=2).T for part in (n, x))
        heads[pair] = of_blocks(*counted)
    # Every entrant of these designs is ranked.
    return JointSums(of_blocks(n.sum(axis=2).T, x.sum(axis=2).T), heads)


def added(a: JointSums, b: JointSums) -> JointSums:
    """Of two disjoint sets of blocks of a run together."""
    heads = {pair: add(joint, b.heads[pair]) for pair, joint in a.heads.items()}
    return JointSums(add(a.entrants, b.entrants), heads)


def tables(
    config: RunConfig, shard: Shard, sums: Mapping[str, Ints]
) -> Iterator[tuple[str, pl.DataFrame]]:
    """What a shard of whole blocks keeps of them, by table; ``sums`` from
    :meth:`pipeline.totals.Totals.arrays`. Where nothing is saved by it only runs that keep no
    totals have it."""
    if config.keeps_totals and len(ranked(config)) > MOST:
        return
    seats = config.variant(shard.variant).seats
    joint, met = of_none(config, seats), None
    for first in range(0, shard.n_blocks, TOGETHER):
        last = min(first + TOGETHER, shard.n_blocks)
        numbers = np.arange(first, last, dtype=np.uint64) + np.uint64(shard.first_block)
        orders = seat_orders(config, seats, run_key(config.seed), numbers)
        some = {name: array[first:last] for name, array in sums.items()}
        blocks = BlockTable(shard.first_block + first, orders, **some)
        joint = added(joint, of_totals(config, blocks))
        if changes_company(config) and not config.keeps_totals:
            more = company.met(config, blocks)
            met = more if met is None else add_met(met, more)
    yield "joint", frame(config, shard.variant, shard.number, joint)
    if met is not None:
        yield "company", company.frame(config, shard.variant, shard.number, met)


def of_none(config: RunConfig, seats: int) -> JointSums:
    """Of no block."""
    heads = {pair: nothing(2) for pair in met(config, seats)}
    return JointSums(nothing(len(ranked(config))), heads)


def frame(config: RunConfig, variant: str, shard: int, sums: JointSums) -> pl.DataFrame:
    """Rows of ``joint`` of a shard's blocks. :class:`OverflowError` where a sum does not fit."""
    labels, who = [entrant.label for entrant in config.entrants], ranked(config)
    rows: list[tuple[object, ...]] = []
    for i, k in np.ndindex(len(who), len(who)):
        rows += _row(labels, (who[i], None, who[k]), sums.entrants, i, k)
    for pair, joint in sums.heads.items():
        for i, k in np.ndindex(2, 2):
            rows += _row(labels, (pair[i], pair[1 - i], pair[k]), joint, i, k)
    schema = polars_schema("joint", 0)
    columns = {name: schema[name] for name in KEY + SUMS}
    found = pl.DataFrame(rows, schema=columns, orient="row")
    known = found.with_columns(variant=pl.lit(variant), shard=pl.lit(shard))
    return known.select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def _row(
    labels: list[str], key: tuple[int, int | None, int], joint: Joint, i: int, k: int
) -> list[tuple[object, ...]]:
    """The row of figures i and k of a joint; none where no block has both."""
    if not joint.nn[i][k]:
        return []
    sums = (joint.there[i], joint.n[i], joint.x[i], joint.nn[i][k], joint.xx[i][k], joint.nx[i][k])
    if max(map(abs, sums)) >= 2**63:
        raise OverflowError(f"joint sums of a shard do not fit into 64 bits: {max(sums)}")
    names = ("" if one is None else labels[one] for one in key)
    return [(*names, *sums)]


def seat_games(config: RunConfig, shard: Shard, seats: int) -> int:
    """What the counts of a shard's ranked entrants add up to."""
    if config.design == "candidates":  # one seat a table is the candidate's, of the datum nobody's
        return shard.n_blocks * (shard.n_games - rotations(config, seats))
    return shard.n_blocks * shard.n_games * seats


class Collected:
    """Adds up rows of ``joint`` of many shards, in Python's integers."""

    def __init__(self, config: RunConfig, seats: int) -> None:
        self._config, self._seats = config, seats
        self._sums: dict[tuple[str, ...], list[int]] = {}
        self._blocks = 0

    def add(self, frames: Iterable[pl.DataFrame], blocks: int) -> None:
        """Take in the rows of shards with so many blocks in all."""
        self._blocks += blocks
        # A shard's sums fit into 64 bits, those of many need not.
        wide = pl.concat(frames).group_by(KEY).agg(pl.col(SUMS).cast(pl.Int128).sum())
        for row in wide.iter_rows():
            key, sums = row[: len(KEY)], row[len(KEY) :]
            known = self._sums.setdefault(key, [0] * len(SUMS))
            for at, value in enumerate(sums):
                known[at] += value

    def sums(self) -> JointSums:
        """Of all blocks that were taken in."""
        labels = [entrant.label for entrant in self._config.entrants]
        names = [labels[i] for i in ranked(self._config)]
        entrants = self._joint(names, dict.fromkeys(names, ""))
        heads = {}
        for i, k in met(self._config, self._seats):
            pair = labels[i], labels[k]
            heads[i, k] = self._joint(list(pair), dict(zip(pair, reversed(pair), strict=True)))
        return JointSums(entrants, heads)

    def _joint(self, names: list[str], beside: Mapping[str, str]) -> Joint:
        nothing = [0] * len(SUMS)
        grid = [[self._sums.get((a, beside[a], b), nothing) for b in names] for a in names]
        own = [row[i] for i, row in enumerate(grid)]
        there, n, x = (tuple(cell[at] for cell in own) for at in range(3))
        nn, xx, nx = (tuple(tuple(cell[at] for cell in row) for row in grid) for at in range(3, 6))
        return Joint(self._blocks, there, n, x, xx, nx, nn)
