"""When a declarer who was doubled should double back, by how strong his hand is.

A redouble pays the declarer the same difference once more. Only the worlds count in which
the other would have doubled him: who doubles has a better hand than most. Each world counts
once, so that a hand counts as often as it is doubled.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from pipeline.stats.estimate import Estimate, proportion, ratio
from pipeline.studies.bets import open_to_bets
from pipeline.studies.cells import Ints, points, sums_of
from pipeline.studies.chances import bins, by_half, most_rows, with_bins, with_strength
from pipeline.studies.study import Study

EVERY_BIN = -1
KEYS = ["block", "step", "contract", "whom"]


class Redouble(NamedTuple):
    """What a redouble pays the declarer."""

    contract: str
    """"" for all contracts together."""
    bin: int
    """Strength of his hand, 0 the weakest of those that were doubled; ``EVERY_BIN`` for any."""
    of: int
    pays: Estimate
    """Every redouble."""
    share: Estimate
    """How often half of the worlds says that it pays."""
    rule: Estimate
    """What redoubling then only pays, for each double received."""


class Doubled(NamedTuple):
    """Hands that were doubled, one a row, a pair of halves each."""

    block: Ints
    contract: npt.NDArray[np.str_]
    bin: tuple[Ints, Ints]
    n: tuple[Ints, Ints]
    x: tuple[Ints, Ints]


def redoubles(study: Study) -> list[Redouble]:
    """By contract and strength of the declarer's hand; empty if nobody ever doubles him."""
    found = _doubled(study)
    if found is None:
        return []
    doubled, n_bins = found
    every = np.ones(len(doubled.block), bool)
    out = [_redouble(doubled, "", EVERY_BIN, n_bins, (every, every))]
    for contract in study.rules.contracts:
        mine = doubled.contract == contract
        if mine.any():
            out.append(_redouble(doubled, contract, EVERY_BIN, n_bins, (mine, mine)))
            for k in range(n_bins):
                use = (mine & (doubled.bin[0] == k), mine & (doubled.bin[1] == k))
                out.append(_redouble(doubled, contract, k, n_bins, use))
    return [one for one in out if one is not None]


def _doubled(study: Study) -> tuple[Doubled, int] | None:
    answers = open_to_bets(study, "answer").filter(pl.col("who") == 0, pl.col("half") >= 0)
    if answers.is_empty():
        return None
    seats = study.rules.seats
    found = by_half(answers.with_columns(x=points(0) - _other(seats)), KEYS)
    joined = found.join(_strength(study, found), on=KEYS, how="inner").sort(KEYS)
    if joined.is_empty():
        return None
    n_bins = bins(most_rows(joined, "contract", "whom"))
    whole = with_bins(joined, n_bins, "whom")
    _, block = np.unique(whole["block"].to_numpy(), return_inverse=True)
    pair = {name: tuple(whole[f"{name}_{h}"].to_numpy() for h in (0, 1)) for name in "nx"}
    doubled = Doubled(
        np.asarray(block, np.int64),
        np.array(whole["contract"].to_list()),
        (whole["bin_0"].to_numpy(), whole["bin_1"].to_numpy()),
        (pair["n"][0], pair["n"][1]),
        (pair["x"][0], pair["x"][1]),
    )
    return doubled, n_bins


def _other(seats: int) -> pl.Expr:
    return pl.coalesce(pl.when(pl.col("whom") == k).then(points(k)) for k in range(1, seats))


def _strength(study: Study, found: pl.DataFrame) -> pl.DataFrame:
    """By how much each half sees the declarer ahead: over all worlds of his hand where they
    were played, which many are, else over those in which he was doubled."""
    hands = open_to_bets(study, "hand").filter(pl.col("who") == 0, pl.col("half") >= 0)
    if hands.is_empty():
        told = found
    else:
        told = by_half(
            pl.concat(
                [
                    hands.with_columns(
                        pl.lit(k, hands.schema["whom"]).alias("whom"), x=points(0) - points(k)
                    )
                    for k in range(1, study.rules.seats)
                ]
            ),
            KEYS,
        )
    return with_strength(told).select(*KEYS, "strength_0", "strength_1")


def _redouble(
    found: Doubled,
    contract: str,
    k: int,
    of: int,
    use: tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]],
) -> Redouble | None:
    """``use`` says which hands are meant when each half judges; the other half values."""
    blocks = int(found.block.max()) + 1
    n, x, done, gained = (np.zeros(blocks, np.int64) for _ in range(4))
    for h in (0, 1):
        mine, worlds, ahead = use[h], found.n[1 - h], found.x[1 - h]
        good = mine & (found.x[h] > 0)
        np.add.at(n, found.block[mine], worlds[mine])
        np.add.at(x, found.block[mine], ahead[mine])
        np.add.at(done, found.block[good], worlds[good])
        np.add.at(gained, found.block[good], ahead[good])
    if not n.sum():
        return None
    sums = [sums_of(n, total) for total in (x, done, gained)]
    return Redouble(
        contract, k, of, ratio(sums[0]), proportion(sums[1]), ratio(sums[2], contrast=True)
    )
