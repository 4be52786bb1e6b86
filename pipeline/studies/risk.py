"""How much a deal swings: without a bet, with one, and when the whole table is doubled."""

from typing import NamedTuple

import numpy as np
import polars as pl

from pipeline.stats.blocks import Floats
from pipeline.stats.estimate import Estimate, ratio
from pipeline.stats.spread import deviation, worst
from pipeline.studies.cells import Ints, point_columns, sums_of
from pipeline.studies.designs import pairs
from pipeline.studies.study import Study

WAYS = ("none", "one", "table")
"""No bet; a double of the declarer; of everybody whom one may double."""


class Risk(NamedTuple):
    """A deal's score of one of the others, after its own bets."""

    contract: str
    """"" for all contracts as they were chosen."""
    way: str
    mean: Estimate
    deviation: Estimate
    worst: Estimate
    """Mean of the worst twentieth of its deals."""


def risks(study: Study) -> list[Risk]:
    """By contract that the declarer chose and by bets, and all contracts together."""
    chosen = study.of_kind("chosen")
    allowed = {c: pairs(study.numbers, c) for c in study.rules.contracts}
    open_to = [c for c in study.rules.contracts if allowed[c]]
    parts = {c: chosen.filter(chosen["contract"] == c) for c in study.rules.contracts}
    scores = {
        (c, way): _scores(part, way, allowed[c], study.rules.seats)
        for c, part in parts.items()
        if not part.is_empty()
        for way in WAYS
    }
    out = []
    for c in ("", *open_to):
        for way in WAYS:
            mine = [scores[key] for key in scores if key[1] == way and c in ("", key[0])]
            if mine:
                out.append(
                    _risk(
                        c,
                        way,
                        np.concatenate([block for block, _ in mine]),
                        np.concatenate([score for _, score in mine]),
                    )
                )
    return out


def _scores(
    part: pl.DataFrame, way: str, allowed: list[tuple[int, int]], seats: int
) -> tuple[Ints, Ints]:
    """Blocks and scores, of each of the others in each deal."""
    s = part.select(point_columns(seats)).to_numpy().astype(np.int64)
    block = part["block"].to_numpy().astype(np.int64)
    scores = []
    for i in range(1, seats):
        score = s[:, i].copy()
        for j in range(seats):
            if (i, j) in allowed and (way == "table" or (way == "one" and j == 0)):
                score += s[:, i] - s[:, j]
        scores.append(score)
    return np.tile(block, seats - 1), np.concatenate(scores)


def _risk(contract: str, way: str, block: Ints, score: Ints) -> Risk:
    found, where, n = np.unique(block, return_inverse=True, return_counts=True)
    total = np.zeros(len(found), np.int64)
    np.add.at(total, where, score)
    values: Floats = score.astype(np.float64)
    return Risk(
        contract,
        way,
        ratio(sums_of(n.astype(np.int64), total)),
        deviation(values, where, len(found)),
        worst(values, where, len(found)),
    )
