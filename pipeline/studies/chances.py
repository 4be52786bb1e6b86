"""Every chance to double the declarer: how strong the hand looked, what the double was worth.

The worlds of a hand are halved. One half says how strong the hand is, the other what the
double pays: judged and valued by the same worlds, lucky hands would look strong and pay.

What it pays is a mean of the worlds in which the declarer would have chosen as he did. The
deal as it was dealt is one more of them, so there is always one.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from pipeline.stats.blocks import Floats
from pipeline.studies.bets import IMPOSED, most_left, open_to_bets, stage
from pipeline.studies.cells import Ints, points
from pipeline.studies.study import Study

SCALE = 720_720
"""A point in the whole numbers of this module: means of up to sixteen worlds are exact."""
TENTHS = 10
HANDS_A_BIN = 20
"""Fewer hands than this in a bin, and there are fewer bins."""
AT = ["block", "step", "contract"]
PLACE = ["block", "step", "who"]


class Chances(NamedTuple):
    """Chances to double the declarer, one a row; pairs are of the two halves."""

    block: Ints
    """Counted from 0 without gaps."""
    contract: tuple[str, ...]
    stage: tuple[str, ...]
    n_left: Ints
    bin: tuple[Ints, Ints]
    """How strong the hand is by this half, 0 the weakest; of the hands of that seat."""
    believed: tuple[Floats, Floats]
    """What the double pays by this half's worlds; minus infinity where there are none."""
    worth: tuple[Ints, Ints]
    """What it pays by this half's worlds and the deal as it was, times ``SCALE``."""
    played: Ints
    """What it pays on the deal as it was, times ``SCALE``."""
    made: Ints
    """1 where the entrant made it."""
    n_bins: int
    places: pl.DataFrame
    """Whose chances they are: ``block`` as the run numbers it, ``step``, ``who``."""


def bins(n_hands: int) -> int:
    """Bins of hands by strength that so many hands bear."""
    return min(TENTHS, max(2, n_hands // HANDS_A_BIN))


def most_rows(found: pl.DataFrame, *keys: str) -> int:
    """Rows of the largest group."""
    return max(found.group_by(keys).len()["len"].to_list(), default=0)


def ranked(strength: Floats, n_bins: int) -> Ints:
    """The bin of each hand, equally many in each; equal hands stand together."""
    _, which, counts = np.unique(strength, return_inverse=True, return_counts=True)
    below = np.cumsum(counts) - counts
    middle = (below + counts / 2)[which] / len(strength)
    return np.minimum((middle * n_bins).astype(np.int64), n_bins - 1)


def hands(study: Study, who: Sequence[int]) -> pl.DataFrame:
    """Of each hand of these roles the halves' trials, and points ahead of the declarer."""
    trials = open_to_bets(study, "hand").filter(pl.col("who").is_in(list(who)), pl.col("half") >= 0)
    return halves(trials, study.rules.seats)


def halves(trials: pl.DataFrame, seats: int) -> pl.DataFrame:
    """A row for each (block, step, contract, who) with ``n_0, x_0, n_1, x_1``: trials of each
    half, and by how many points ``who`` was ahead of the declarer in them together."""
    ahead = trials.with_columns(
        pl.coalesce(
            pl.when(pl.col("who") == k).then(points(k) - points(0)) for k in range(seats)
        ).alias("x")
    )
    return by_half(ahead, [*AT, "who"])


def by_half(trials: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """A row for each of the keys, in their order, with ``n_0, x_0, n_1, x_1``: trials of each
    half, and the sums of their ``x``."""
    half = [pl.col("half") == h for h in (0, 1)]
    return (
        trials.group_by(keys)
        .agg(
            pl.col(name).filter(half[h]).cast(pl.Int64).sum().alias(f"{name}_{h}")
            for name in "nx"
            for h in (0, 1)
        )
        .sort(keys)
    )


def with_bins(found: pl.DataFrame, n_bins: int, seat: str = "who") -> pl.DataFrame:
    """Hands with ``bin_0`` and ``bin_1``: how strong each is in its contract and ``seat``, by
    its ``strength_0`` and ``strength_1``."""
    parts = found.partition_by("contract", seat, maintain_order=True)
    return pl.concat(
        [
            part.with_columns(
                pl.Series(
                    f"bin_{h}", ranked(part[f"strength_{h}"].to_numpy(), n_bins), dtype=pl.Int64
                )
                for h in (0, 1)
            )
            for part in parts
        ]
    )


def with_strength(found: pl.DataFrame) -> pl.DataFrame:
    """Hands with ``strength_0`` and ``strength_1``: the mean of each half's trials."""
    return found.with_columns(
        pl.Series(f"strength_{h}", mean_of_half(found, h), dtype=pl.Float64) for h in (0, 1)
    )


def mean_of_half(part: pl.DataFrame, half: int) -> Floats:
    """(rows,): mean of a half's trials, minus infinity where it has none."""
    n, x = part[f"n_{half}"].to_numpy(), part[f"x_{half}"].to_numpy()
    mean: Floats = np.divide(x, n, out=np.full(len(n), -np.inf), where=n > 0)
    return mean


def scaled(x: Ints, n: Ints) -> Ints:
    """x / n in parts of ``SCALE``, rounded half up; nothing where n is 0."""
    many = np.maximum(n, 1)
    return np.asarray(np.floor_divide(2 * SCALE * x + many, 2 * many))


def _binned(study: Study) -> tuple[pl.DataFrame, int]:
    found = hands(study, range(1, study.rules.seats))
    n_bins = bins(most_rows(found, "contract", "who"))
    return (with_bins(with_strength(found), n_bins) if len(found) else found), n_bins


def imposed(study: Study) -> Chances | None:
    """Every contract with every hand, whoever would choose it; None if no hand was looked at."""
    found, n_bins = _binned(study)
    if found.is_empty():
        return None
    nothing = np.zeros(len(found), np.int64)
    worth = [scaled(found[f"x_{h}"].to_numpy(), found[f"n_{h}"].to_numpy()) for h in (0, 1)]
    return Chances(
        _numbered(found),
        tuple(found["contract"]),
        (IMPOSED,) * len(found),
        nothing,
        (found["bin_0"].to_numpy(), found["bin_1"].to_numpy()),
        (mean_of_half(found, 0), mean_of_half(found, 1)),
        (worth[0], worth[1]),
        nothing,
        nothing,
        n_bins,
        found.select(PLACE),
    )


def chances(study: Study) -> Chances | None:
    """The contracts that the declarer chose, with each hand that might double him."""
    strong, n_bins = _binned(study)
    chosen = open_to_bets(study, "chosen")
    if strong.is_empty() or chosen.is_empty():
        return None
    seats = study.rules.seats
    picked = halves(open_to_bets(study, "picked").filter(pl.col("half") >= 0), seats)
    made = (
        open_to_bets(study, "made")
        .filter(pl.min_horizontal("who", "whom") == 0)
        .select(*AT, who=pl.max_horizontal("who", "whom"), made=pl.lit(1, pl.Int64))
        .unique()
    )
    keys = [*AT, "who"]
    found = (
        _dealt(chosen, seats)
        .join(strong.select(*keys, "bin_0", "bin_1"), on=keys, how="inner")
        .join(picked, on=keys, how="left")
        .join(made, on=keys, how="left")
        .with_columns(pl.col("n_0", "x_0", "n_1", "x_1", "made").fill_null(0))
        .with_columns(stage=stage("n_left", most_left(study)))
        .sort(keys)
    )
    return _chances(found, n_bins)


def _dealt(chosen: pl.DataFrame, seats: int) -> pl.DataFrame:
    """A row for each of the others: by how many points it was ahead on the deal as it was."""
    return pl.concat(
        [
            chosen.select(
                *AT,
                pl.lit(k, chosen.schema["who"]).alias("who"),
                "n_left",
                (points(k) - points(0)).alias("dealt"),
            )
            for k in range(1, seats)
        ]
    )


def _chances(found: pl.DataFrame, n_bins: int) -> Chances:
    dealt = found["dealt"].to_numpy()
    worth = [
        scaled(found[f"x_{h}"].to_numpy() + dealt, found[f"n_{h}"].to_numpy() + 1) for h in (0, 1)
    ]
    return Chances(
        _numbered(found),
        tuple(found["contract"]),
        tuple(found["stage"]),
        found["n_left"].cast(pl.Int64).to_numpy(),
        (found["bin_0"].to_numpy(), found["bin_1"].to_numpy()),
        (mean_of_half(found, 0), mean_of_half(found, 1)),
        (worth[0], worth[1]),
        SCALE * dealt,
        found["made"].to_numpy(),
        n_bins,
        found.select(PLACE),
    )


def _numbered(found: pl.DataFrame) -> Ints:
    _, numbers = np.unique(found["block"].to_numpy(), return_inverse=True)
    return np.asarray(numbers, np.int64)
