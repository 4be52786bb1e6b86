"""Prefixes and the gate, against answers done by hand and other ways to the same number."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import optimize, stats

from pipeline.stats import prefix
from pipeline.stats.estimate import of_blocks, variance
from pipeline.stats.prefix import ALIKE, Prefix
from pipeline.stats.sequential import LEAST, Look, Sprt, Unit, bounds, decide, llr, scale

GATE = Sprt(0.0, 2.0)


def seen(totals: list[int], games: int = 4) -> Prefix:
    """The prefix of blocks with these totals."""
    sums = of_blocks((games, x) for x in totals)
    square = variance(sums) if len(totals) > 1 else Fraction(0)
    return prefix.of(Fraction(sums.x, sums.n), square, sums.blocks)


def spread_out(blocks: int, mean: float, sd: float) -> Prefix:
    return Prefix(blocks, Fraction(mean), Fraction(sd) ** 2)


def test_a_prefix_has_the_likeliest_variance_of_a_blocks_value() -> None:
    totals = [3, -5, 4, 8, 0, 2]
    there = seen(totals)
    assert there.mean == Fraction(12, 24)
    assert there.variance == Fraction(np.var(totals).item()).limit_denominator(1000) / 16
    assert seen([7]) == Prefix(1, Fraction(7, 4), Fraction(0))
    assert prefix.of(Fraction(1), Fraction(5), 1).variance == 0


def test_so_many_blocks_alike_say_that_fewer_than_one_in_twenty_differs() -> None:
    assert 0.95**ALIKE < 0.05 < 0.95 ** (ALIKE - 1)


def profile(data: list[float], law: str, delta: float) -> float:
    """Log likelihood of the best normal law under a hypothesis, found by search."""

    def lost(log_s: float) -> float:
        s = math.exp(log_s)
        mean = delta if law == "points" else delta * s
        return -float(np.sum(stats.norm.logpdf(data, mean, s)))

    return -float(
        optimize.minimize_scalar(
            lost, bounds=(-3, 6), method="bounded", options={"xatol": 1e-10}
        ).fun
    )


@pytest.mark.parametrize("unit", ["points", "sigma"])
@pytest.mark.parametrize("deltas", [(0.0, 0.3), (-0.2, 0.1), (0.5, 2.5)])
def test_the_ratio_is_that_of_the_likeliest_laws(unit: Unit, deltas: tuple[float, float]) -> None:
    rng = np.random.default_rng(5)
    for mean in (-6, 0, 9):
        totals = np.rint(rng.normal(mean, 12, 40)).astype(int).tolist()
        values = [x / 4 for x in totals]
        rule = Sprt(*deltas, unit=unit)
        by_search = profile(values, unit, deltas[1]) - profile(values, unit, deltas[0])
        assert llr(seen(totals), rule) == pytest.approx(by_search, abs=1e-6)


def test_ratio_in_points_by_hand() -> None:
    # 20 / 2 * log((4 + 1.5^2) / (4 + 0.5^2))
    assert llr(spread_out(20, 1.5, 2), GATE) == pytest.approx(10 * math.log(6.25 / 4.25), rel=1e-15)


def test_in_sigma_the_size_of_points_does_not_count() -> None:
    rule = Sprt(0.0, 0.3, unit="sigma")
    small, large = spread_out(50, 0.25, 2), spread_out(50, 1000.0, 8000)
    assert llr(small, rule) == llr(large, rule)
    assert decide(spread_out(500, 0.5, 2), rule).decision == "better"
    assert decide(spread_out(500, -0.5, 2), rule).decision == "not better"


def test_the_likeliest_deviation_solves_its_equation() -> None:
    for t in (-40.0, -0.3, 0.0, 0.3, 40.0):
        for mean in (-1e6, -2.0, 0.0, 1e-9, 3.0):
            square = mean * mean + 5
            s = scale(mean, square, t)
            assert s > 0
            assert s * s + t * mean * s == pytest.approx(square, rel=1e-9)


def test_bounds_are_walds() -> None:
    assert bounds(GATE) == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert bounds(Sprt(0, 1, alpha=0.01, beta=0.1)) == pytest.approx(
        (math.log(0.1 / 0.99), math.log(90))
    )
    for wrong in (Sprt(1, 1), Sprt(0, 1, alpha=0), Sprt(0, 1, alpha=0.5, beta=0.5)):
        with pytest.raises(AssertionError):
            bounds(wrong)


def test_the_test_ends_at_its_bounds_and_not_before() -> None:
    assert decide(spread_out(100, 2, 4), GATE).decision == "better"
    assert decide(spread_out(100, 0, 4), GATE).decision == "not better"
    assert decide(spread_out(100, 1, 4), GATE) == Look("open", 0.0)
    assert decide(spread_out(100, -50, 4), GATE).decision == "not better"


def test_fewer_than_sixteen_blocks_wait() -> None:
    assert LEAST == 16
    for blocks in range(LEAST):
        assert decide(spread_out(blocks, 1000, 1), GATE) == Look("open", None)
        assert decide(spread_out(blocks, 0, 0), GATE) == Look("open", None)
    assert decide(spread_out(LEAST, 2, 0.1), GATE).decision == "better"


@pytest.mark.parametrize("unit", ["points", "sigma"])
def test_blocks_all_alike_wait_and_then_decide_without_dividing(unit: Unit) -> None:
    rule = Sprt(0.0, 2.0, unit=unit)
    for mean in (-3, 0, 1, 2, 3):
        assert decide(spread_out(ALIKE - 1, mean, 0), rule) == Look("open", None)
    assert decide(spread_out(ALIKE, 0, 0), rule) == Look("identical", None)
    assert decide(spread_out(ALIKE, 3, 0), rule) == Look("better", None)
    assert decide(spread_out(ALIKE, 2, 0), rule) == Look("better", None)
    assert decide(spread_out(ALIKE, -3, 0), rule) == Look("not better", None)
    # Half-way it is for neither in points; with no deviation it is any number of them.
    halfway = decide(spread_out(ALIKE, 1, 0), rule).decision
    assert halfway == ("open" if unit == "points" else "better")


@pytest.mark.parametrize("unit", ["points", "sigma"])
def test_one_sided_results_end(unit: Unit) -> None:
    # One side wins every block, by nearly the same: no hang, no NaN, however near to no variance.
    for odd in (1, 7, 10**9):
        for sign in (1, -1):
            totals = [sign * 400] * 30 + [sign * (400 + odd)]
            found = decide(seen(totals), Sprt(0.0, 0.5, unit=unit))
            assert found.statistic is not None
            assert math.isfinite(found.statistic)
    assert decide(seen([400] * 30 + [401]), Sprt(0, 0.5, unit="sigma")).decision == "better"
    assert decide(seen([400] * 300 + [401]), Sprt(0, 50)).decision == "better"
