"""Whom a double would pay: blind, against a declarer who chose, and once all know of it.

A double of j by i pays i the difference s_i - s_j, once; the declarer's answer makes it
twice. Inside points; roles, not seats. The unit of error is the block.
"""

from collections.abc import Iterable
from typing import NamedTuple

import polars as pl

from pipeline.stats.estimate import Estimate, Sums, ratio
from pipeline.studies.cells import points, sums_by
from pipeline.studies.designs import NOBODY, pairs, targets
from pipeline.studies.study import Study

EVERY = -1
"""As a doubler: one of the others, each alike."""
STAGES = ("first", "middle", "late")
"""All contracts left; fewer; the last third."""
ALWAYS = "chosen"
"""Whenever it was chosen."""
IMPOSED = "blind"
"""Not chosen: every contract, with every hand."""


class Bet(NamedTuple):
    """What a double pays on average."""

    contract: str
    """"" for all contracts together."""
    stage: str
    doubler: int
    """``EVERY`` for one of the others."""
    target: int
    pays: Estimate


class Steered(NamedTuple):
    """The same double on hands played without it and with it on the table."""

    contract: str
    stage: str
    """``IMPOSED`` or ``ALWAYS``: only where the declarer chose the contract."""
    doubler: int
    target: int
    weight: int
    base: Estimate
    """What it pays if everybody plays as without it."""
    aware: Estimate
    """What it pays if everybody knows of it."""
    whole: Estimate
    """What the doubler has more than without it: the bet, and the other points it got."""
    steer: Estimate
    """``aware`` less ``base``."""


def most_left(study: Study) -> int:
    """Contracts that a declarer has before the first choice."""
    return sum(study.numbers.uses) or study.numbers.n_deals


def stage(left: str, most: int) -> pl.Expr:
    """Early or late in a dealership, from the column of contracts left."""
    return (
        pl.when(pl.col(left) >= most)
        .then(pl.lit(STAGES[0]))
        .when(pl.col(left) > max(1, most // 3))
        .then(pl.lit(STAGES[1]))
        .otherwise(pl.lit(STAGES[2]))
    )


def open_to_bets(study: Study, kind: str) -> pl.DataFrame:
    """The trials of one kind in which somebody may be doubled."""
    may = [c for c in study.rules.contracts if targets(study.numbers, c) != NOBODY]
    return study.of_kind(kind).filter(pl.col("contract").is_in(may))


def blind(study: Study) -> list[Bet]:
    """Every double of every contract, with whatever hands, nothing chosen."""
    return _bets(study, open_to_bets(study, "forced"), IMPOSED)


def selected(study: Study) -> list[Bet]:
    """Doubles of contracts that the declarer chose: all of them, then by stage."""
    chosen = open_to_bets(study, "chosen")
    found = _bets(study, chosen, ALWAYS)
    staged = chosen.with_columns(stage=stage("n_left", most_left(study)))
    for name in STAGES:
        found += _bets(study, staged.filter(pl.col("stage") == name), name)
    return found


def _bets(study: Study, trials: pl.DataFrame, name: str) -> list[Bet]:
    """Of each pair, and of the declarer by anybody; contracts apart, then together."""
    if trials.is_empty():
        return []
    seats = study.rules.seats
    flanks = range(1, seats)
    cells: dict[tuple[str, int, int], Sums] = {}
    for i in flanks:
        for j in range(seats):
            if i != j:
                sums = sums_by(trials, ["contract"], points(i) - points(j))
                cells |= {(key[0], i, j): value for key, value in sums.items()}
    total = pl.sum_horizontal(points(i) for i in flanks) - (seats - 1) * points(0)
    many = (seats - 1) * pl.col("n")
    by_contract = sums_by(trials, ["contract"], total, many)
    cells |= {(key[0], EVERY, 0): value for key, value in by_contract.items()}
    together = sums_by(trials, [], total, many)
    cells["", EVERY, 0] = together[()]
    shapes = [
        (c, i, j) for c in study.rules.contracts for i, j in [(EVERY, 0), *pairs(study.numbers, c)]
    ]
    return [
        Bet(c, name, i, j, pays(cells[c, i, j]))
        for c, i, j in [*shapes, ("", EVERY, 0)]
        if (c, i, j) in cells
    ]


def pays(sums: Sums) -> Estimate:
    """What a double pays; exactly nothing where it is so in every block."""
    return ratio(sums, contrast=True)


def steered(study: Study) -> list[Steered]:
    """Doubles played blindly and knowingly on the same hands, by doubler, target, contract."""
    both = _played_twice(study)
    if both.is_empty():
        return []
    chosen = open_to_bets(study, "chosen").select("block", "step", "contract")
    scopes = (
        (IMPOSED, both),
        (ALWAYS, both.join(chosen, on=["block", "step", "contract"], how="semi")),
    )
    found = []
    for name, trials in scopes:
        if trials.is_empty():
            continue
        cells = _steered_cells(study, trials)
        order = sorted(cells, key=lambda k: (list(study.rules.contracts).index(k[0]), k[1:]))
        found += [
            Steered(key[0], name, key[1], key[2], key[3], *map(pays, cells[key]))
            for key in order
            if (key[1], key[2]) in [(EVERY, 0), *pairs(study.numbers, key[0])]
        ]
    return found


def _played_twice(study: Study) -> pl.DataFrame:
    """Trials with a bet on the table, and the points of the same hands without, as ``free_``."""
    aware, forced = open_to_bets(study, "aware"), open_to_bets(study, "forced")
    names = {f"points_{k}": f"free_{k}" for k in range(study.rules.seats)}
    keys = ["block", "step", "contract"]
    free = forced.group_by(keys).agg(
        pl.col(old).cast(pl.Int64).sum().alias(new) for old, new in names.items()
    )
    return aware.join(free, on=keys, how="inner")


def _steered_cells(
    study: Study, trials: pl.DataFrame
) -> dict[tuple[str, int, int, int], list[Sums]]:
    """Sums of base, aware, whole and steer, for each contract, doubler, target and weight."""
    cells: dict[tuple[str, int, int, int], list[Sums]] = {}
    for i, j in _pairs_of(study.rules.seats):
        low, high = min(i, j), max(i, j)
        mine = trials.filter(pl.col("who") == low, pl.col("whom") == high)
        if not mine.is_empty():
            for key, sums in _four(mine, i, j).items():
                cells[key[0], i, j, key[1]] = sums
    return cells | _by_anybody(trials)


def _pairs_of(seats: int) -> Iterable[tuple[int, int]]:
    return ((i, j) for i in range(1, seats) for j in range(seats) if i != j)


def _four(mine: pl.DataFrame, i: int, j: int) -> dict[tuple[str, int], list[Sums]]:
    weight = pl.col("weight").cast(pl.Int64)
    base = weight * (pl.col(f"free_{i}") - pl.col(f"free_{j}"))
    aware = weight * (points(i) - points(j))
    whole = points(i) + aware - pl.col(f"free_{i}")
    columns = [sums_by(mine, ["contract", "weight"], x) for x in (base, aware, whole, aware - base)]
    return {(key[0], key[1]): [column[key] for column in columns] for key in columns[0]}


def _by_anybody(trials: pl.DataFrame) -> dict[tuple[str, int, int, int], list[Sums]]:
    """Doubles of the declarer by one of the others, each alike."""
    mine = trials.filter(pl.col("who") == 0)
    if mine.is_empty():
        return {}
    roles = sorted(mine["whom"].unique())
    renamed = pl.concat(
        [
            mine.filter(pl.col("whom") == role).with_columns(
                points_1=points(role), free_1=pl.col(f"free_{role}")
            )
            for role in roles
        ]
    )
    return {
        (contract, EVERY, 0, weight): sums
        for (contract, weight), sums in _four(renamed, 1, 0).items()
    }
