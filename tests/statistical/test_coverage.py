"""Intervals cover the truth as often as they say. Seeds are fixed: a failure is a bug.

Runs are drawn from known laws; the truth is known exactly. Of 95 % intervals in
2,000 runs 95 % cover it, give or take 0.5 (one standard error); the bars stand
at 93 and 97.
"""

import numpy as np
import numpy.typing as npt
import pytest

from pipeline.stats.estimate import Estimate, of_blocks, proportion, ratio
from pipeline.stats.simultaneous import Cross, covariance, differences

RUNS = 2000
Ints = npt.NDArray[np.int64]


def _covered(estimates: list[Estimate], truth: float) -> float:
    hits = [e.low is not None and e.low <= truth <= (e.high or 0) for e in estimates]
    return float(np.mean(hits))


def _rounded(rng: np.random.Generator, mean: float, blocks: int) -> Ints:
    """Block totals of a hundred games' worth of points: near normal, integers."""
    return np.rint(rng.normal(mean, 50, (RUNS, blocks))).astype(np.int64)


@pytest.mark.parametrize("blocks", [10, 50])
@pytest.mark.parametrize("mean", [0.0, 12.0])
def test_t_on_blocks_covers_at_few_and_many_blocks(blocks: int, mean: float) -> None:
    rng = np.random.default_rng([blocks, int(mean)])
    totals = _rounded(rng, mean, blocks)
    found = [ratio(of_blocks((4, int(x)) for x in run)) for run in totals]
    assert 0.93 < _covered(found, mean / 4) < 0.97


def test_normal_quantiles_at_ten_blocks_would_not_cover() -> None:
    rng = np.random.default_rng(3)
    found = [ratio(of_blocks((4, int(x)) for x in run)) for run in _rounded(rng, 0.0, 10)]
    z = [
        e._replace(low=e.value - 1.96 * (e.se or 0), high=e.value + 1.96 * (e.se or 0))
        for e in found
    ]
    assert _covered(z, 0.0) < 0.93


def test_replays_of_a_deal_are_one_piece_of_evidence() -> None:
    # Eight replays of each of 40 deals: what the deal gives counts eight times.
    rng = np.random.default_rng(4)
    deal = rng.normal(0, 10, (RUNS, 40, 1))
    games = np.rint(deal + rng.normal(0, 5, (RUNS, 40, 8))).astype(np.int64)
    by_block = [ratio(of_blocks((8, int(x)) for x in run.sum(axis=1))) for run in games]
    by_game = [ratio(of_blocks((1, int(x)) for x in run.reshape(-1))) for run in games[:500]]
    assert _covered(by_block, 0.0) >= 0.92
    assert _covered(by_game, 0.0) < 0.75


def test_unequal_counts_cover_too() -> None:
    # A contract is chosen 0 to 4 times in a block, and is worth 3 points each time.
    rng = np.random.default_rng(5)
    n = rng.binomial(4, 0.4, (RUNS, 40))
    x = 3 * n + np.rint(rng.normal(0, 6, (RUNS, 40)) * np.sqrt(n)).astype(np.int64)
    found = [
        ratio(of_blocks(zip(a.tolist(), b.tolist(), strict=True)))
        for a, b in zip(n, x, strict=True)
    ]
    assert 0.93 < _covered(found, 3.0) < 0.97


def test_rare_cells_do_not_undercover() -> None:
    # A bet seen in some 6 of 1,000 blocks gets the quantile of 6 blocks.
    rng = np.random.default_rng(6)
    found = []
    for _ in range(RUNS):
        seen = max(2, int(rng.binomial(1000, 0.006)))
        found.append(ratio(of_blocks((1, int(x)) for x in np.rint(rng.normal(5, 20, seen)))))
    assert 0.93 < _covered(found, 5.0) < 0.98


def test_a_loss_that_was_never_seen_is_not_told_as_certainly_nothing() -> None:
    # The king falls to the declarer in one deal of ten, and he chose it in 14 blocks: in
    # a quarter of the runs it never fell.
    rng = np.random.default_rng(9)
    lost = -20 * rng.binomial(1, 0.1, (RUNS, 14))
    found = [ratio(of_blocks((1, int(x)) for x in run)) for run in lost]
    told = [e for e in found if e.low is not None]
    assert 0.7 < len(told) / RUNS < 0.85
    assert _covered(told, -2.0) > 0.93


@pytest.mark.parametrize("p", [0.02, 0.25])
def test_shares_cover_even_where_most_runs_see_nothing(p: float) -> None:
    rng = np.random.default_rng(7)
    hits = rng.binomial(4, p, (RUNS, 50))
    found = [proportion(of_blocks((4, int(x)) for x in run)) for run in hits]
    assert 0.92 < _covered(found, p) < 0.985
    rare = rng.binomial(1, 0.004, (RUNS, 50))
    found = [proportion(of_blocks((1, int(x)) for x in run)) for run in rare]
    assert _covered([e for e in found if e.value == 0.0], 0.004) == 1.0


@pytest.mark.parametrize(
    ("tournaments", "bar"), [(40, 0.15), pytest.param(400, 0.07, marks=pytest.mark.slow)]
)
def test_no_pair_of_equal_entrants_is_told_apart_in_most_tournaments(
    tournaments: int, bar: float
) -> None:
    # Five equal entrants, ten pairs at once: simultaneous intervals miss any of them
    # in 5 % of tournaments, ten intervals each for itself far more often.
    rng = np.random.default_rng(8)
    wrong = alone = 0
    for _ in range(tournaments):
        x = np.rint(rng.normal(0, 50, (30, 5))).astype(np.int64)
        x = 5 * x - x.sum(axis=1, keepdims=True)
        cells = [of_blocks((1, int(v)) for v in x[:, i]) for i in range(5)]
        products = tuple(map(tuple, (x.T @ x).tolist()))
        ones = tuple(tuple(x[:, k].sum().item() for k in range(5)) for _ in range(5))
        cross = Cross(products, ones, ((30,) * 5,) * 5)
        pairs = differences(cells, covariance(cells, cross, 30)).values()
        wrong += any((d.low or 0) > 0 or (d.high or 0) < 0 for d in pairs)
        alone += any(abs(d.value) > 2.045 * (d.se or 0) for d in pairs)
    assert wrong / tournaments <= bar
    assert alone / tournaments >= 0.2
