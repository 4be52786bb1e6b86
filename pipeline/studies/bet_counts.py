"""When to double, by counts of one's own hand that a player knows by heart.

A double of the declarer is taken to pay base + weights x counts, the weights small whole
numbers of a step. They are learnt from every hand with every contract imposed; what the
declarer's choice takes off is a price, by contract and stage, from the deals in which he
chose it. So the counts are added up, and from so many on one doubles. Where it is not sure
that such doubles pay, on blocks that had no say in them, one never does.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import NamedTuple

import numpy as np
import polars as pl

from engine_ext.cards import Pack
from pipeline.stats.blocks import per_block, share
from pipeline.stats.estimate import CONFIDENCE, Estimate, degrees, ratio, t_quantile
from pipeline.stats.sets import Floats, Ints
from pipeline.studies.bet_chart import Cell, Mask, advised, cells_of, judged, summed
from pipeline.studies.bets import ALWAYS
from pipeline.studies.chances import PLACE, SCALE, Chances, chances, hands
from pipeline.studies.dealt import held_at
from pipeline.studies.features import Table, counts
from pipeline.studies.fitting import (
    FOLDS,
    LEAST_BLOCKS,
    explainable,
    rounded_fit,
    selected,
    step_of,
    weighed,
)
from pipeline.studies.study import Study


class Counts(NamedTuple):
    """What to count for a contract, and from how many on to double."""

    contract: str
    weights: tuple[tuple[str, int], ...]
    """Names of counts, and how often each unit counts."""
    least: dict[str, int | None]
    """By stage; None: never."""


class Proof(NamedTuple):
    """What doubles by the counts bring where the counts had not been seen."""

    doubled: Mask
    """Which chances."""
    of_chart: Estimate | None
    """Part of what the chart of strengths brings that they keep; None where that is not sure
    to bring anything."""
    of_worlds: Estimate | None
    """The same of doubles that pay by half of the worlds of a hand."""


class Learner:
    """The hands of a study as a player counts them, and rules made from some of its blocks."""

    def __init__(self, study: Study, found: Chances) -> None:
        self.found = found
        both = pl.min_horizontal("n_0", "n_1") > 0
        others = hands(study, range(1, study.rules.seats)).filter(both)
        every = pl.concat([others.select(PLACE), found.places]).unique().sort(PLACE)
        self.table: Table = counts(held_at(study, every), Pack(study.rules.deck))
        self.block: Ints = every["block"].to_numpy().astype(np.int64)
        every = every.with_row_index("at")
        self.at: Ints = _rows(found.places, every)
        self.imposed = {
            contract: (_rows(mine, every), _worth(mine))
            for (contract,), mine in others.sort("contract", *PLACE).group_by(
                ["contract"], maintain_order=True
            )
        }
        self.fold: Ints = self.block[self.at] % FOLDS
        self.pays: Floats = (found.worth[0] + found.worth[1]) / (2 * SCALE)
        self._bare: dict[frozenset[int], list[Counts]] = {}

    @cached_property
    def cells(self) -> list[tuple[Cell, Mask]]:
        """Contracts and stages that occur, and their chances."""
        return [(cell, mask) for cell, mask in cells_of(self.found) if cell[1] != ALWAYS]

    def bare(self, without: Iterable[int] = ()) -> list[Counts]:
        """Rules from the parts of the blocks but these, whether or not they surely pay."""
        key = frozenset(without)
        if key not in self._bare:
            names = sorted({cell[0] for cell, _ in self.cells} & set(self.imposed))
            self._bare[key] = [self._fitted(name, key) for name in names]
        return self._bare[key]

    def _fitted(self, contract: str, without: frozenset[int]) -> Counts:
        rows, y = self.imposed[contract]
        use = ~np.isin(self.block[rows] % FOLDS, list(without))
        some, y = rows[use], y[:, use]
        step = step_of(max(explainable(y), 0.0) ** 0.5)
        at = selected(self.table.columns[some], y, self.block[some])
        base, weights = rounded_fit(self.table, some, y.mean(axis=0), at, step)
        whole = [(name, round(weight / step)) for name, weight in weights]
        by = gcd(*(n for _, n in whole)) or 1
        hand = base + step * weighed(self.table, whole)
        least: dict[str, int | None] = {}
        for (name, stage), mask in self.cells:
            train = mask & ~np.isin(self.fold, list(without))
            if name == contract and train.any():
                price = float((hand[self.at[train]] - self.pays[train]).mean())
                least[stage] = round((price - base) / step) // by + 1
        return Counts(contract, tuple((name, n // by) for name, n in whole), least)

    def lowest(self, rule: Counts) -> int:
        """The least that any hand counts."""
        return int(weighed(self.table, rule.weights).min())

    def doubled(self, rules: list[Counts]) -> Mask:
        """Which chances these rules double."""
        out = np.zeros(len(self.at), bool)
        for rule in rules:
            total = weighed(self.table, rule.weights)[self.at]
            for (contract, stage), mask in self.cells:
                least = rule.least.get(stage)
                if contract == rule.contract and least is not None:
                    out |= mask & (total >= least)
        return out

    def held_out(self, without: Iterable[int] = ()) -> Mask:
        """Which chances are doubled if each part of the blocks is played by rules from the
        others, none of these parts among them."""
        out, key = np.zeros(len(self.at), bool), frozenset(without)
        for k in set(range(FOLDS)) - key:
            out |= self.doubled(self.bare(key | {k})) & (self.fold == k)
        return out

    def tried(self, without: Iterable[int] = ()) -> dict[Cell, Estimate]:
        """What doubles of each cell pay that are so held out; intervals hold for all cells
        together."""
        out = self.held_out(without)
        level = 1 - (1 - CONFIDENCE) / len(self.cells)  # Bonferroni
        found = {}
        for cell, mask in self.cells:
            x, n = judged(self.found, (mask & out, mask & out))
            if n.any():
                sums = summed(self.found, x, n=n)
                wide = t_quantile(degrees(sums), level)
                found[cell] = ratio(sums, Fraction(1, SCALE), quantile=wide)
        return found

    def rules(self, without: Iterable[int] = ()) -> list[Counts]:
        """Rules that surely pay, from the parts of the blocks but these."""
        pays = self.tried(without)
        return [
            rule._replace(
                least={
                    stage: least if _surely(pays.get((rule.contract, stage))) else None
                    for stage, least in rule.least.items()
                }
            )
            for rule in self.bare(without)
        ]

    def proof(self) -> Proof:
        """Each part of the blocks played by rules from the others, all choices among them."""
        done = np.zeros(len(self.at), bool)
        for k in range(FOLDS):
            done |= self.doubled(self.rules({k})) & (self.fold == k)
        found = self.found
        chart = advised(found)
        worlds = [found.believed[h] > 0 for h in (0, 1)]
        return Proof(done, self._kept(done, chart), self._kept(done, worlds))

    def _kept(self, done: Mask, other: Sequence[Mask]) -> Estimate | None:
        best, mine = judged(self.found, other)[0], judged(self.found, (done, done))[0]
        pays = ratio(summed(self.found, best))
        if pays.low is None or pays.low <= 0:
            return None
        blocks = int(self.found.block.max()) + 1
        above, below = (
            per_block(x.astype(np.float64), self.found.block, blocks) for x in (mine, best)
        )
        return share(above, below, len(done))


def learner(study: Study) -> Learner | None:
    """None where there is nobody to double, or too little to learn from."""
    found = chances(study)
    if found is None or study.blocks < LEAST_BLOCKS:
        return None
    return Learner(study, found)


def _rows(places: pl.DataFrame, every: pl.DataFrame) -> Ints:
    """Where each place stands among all."""
    at = places.join(every, on=PLACE, how="left", maintain_order="left")["at"]
    return at.to_numpy().astype(np.int64)


def _worth(mine: pl.DataFrame) -> Floats:
    """(2, hands): what a double pays by each half of the worlds."""
    return np.array([(mine[f"x_{h}"] / mine[f"n_{h}"]).to_numpy() for h in (0, 1)])


def _surely(e: Estimate | None) -> bool:
    return e is not None and e.low is not None and e.low > 0
