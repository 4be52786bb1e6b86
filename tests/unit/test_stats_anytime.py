"""Intervals that hold at every moment and what they decide, by hand and another way."""

import math

import pytest
from scipy import integrate, stats

from pipeline.stats import equivalence
from pipeline.stats.anytime import band, factor, first, tuning
from pipeline.stats.estimate import Estimate, Kind, clipped, of_blocks, proportion, ratio
from pipeline.stats.prefix import ALIKE


def known(
    low: float | None, high: float | None, kind: Kind = "anytime", blocks: int = 99
) -> Estimate:
    value = 0.0 if low is None or high is None else (low + high) / 2
    return Estimate(value, 1.0, low, high, 400, blocks, blocks - 1.0, kind)


def likelihood_ratio(t: float, blocks: int, rho2: float) -> float:
    """Mean over standardised means d of variance rho2 of the densities' ratio of t, by quadrature."""
    df = blocks - 1

    def weighed(d: float) -> float:
        return float(
            stats.nct.pdf(t, df, d * math.sqrt(blocks)) * stats.norm.pdf(d, 0, math.sqrt(rho2))
        )

    total = integrate.quad(weighed, -6 * math.sqrt(rho2), 6 * math.sqrt(rho2), limit=200)[0]
    return float(total / stats.t.pdf(t, df))


@pytest.mark.parametrize("blocks", [12, 40])
def test_the_sequence_ends_where_the_mean_likelihood_ratio_is_one_in_alpha(blocks: int) -> None:
    t = factor(blocks, 64, 0.05)
    assert likelihood_ratio(t, blocks, tuning(64, 0.05)) == pytest.approx(20, rel=1e-5)


def test_with_many_blocks_it_is_the_asymptotic_sequence() -> None:
    for blocks, planned, alpha in ((10**6, 10**5, 0.05), (10**5, 10**6, 0.01)):
        rho2 = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha)) + 1) / planned
        grown = blocks * rho2 + 1
        asymptotic = math.sqrt(2 * grown / (blocks * rho2) * math.log(math.sqrt(grown) / alpha))
        assert factor(blocks, planned, alpha) == pytest.approx(asymptotic, rel=1e-3)


def test_it_is_narrowest_near_what_was_planned() -> None:
    half = {p: factor(1000, p, 0.05) for p in (30, 300, 1000, 3000, 30000)}
    assert min(half, key=lambda p: half[p]) == 1000
    assert factor(1000, 1000, 0.05) == pytest.approx(3.042, abs=1e-3)


def test_few_blocks_bound_nothing() -> None:
    assert (first(1000, 0.05), first(64, 0.05)) == (29, 9)
    assert math.isinf(factor(28, 1000, 0.05))
    assert math.isinf(factor(1, 1, 0.05))
    e = ratio(of_blocks((4, x) for x in (1, 5, 9)))
    assert band(e, 1000)[1:4] == (e.se, None, None)
    assert band(e, 1000).kind == "none"


def test_a_band_is_the_figure_with_a_wider_interval() -> None:
    e = ratio(of_blocks((4, x) for x in range(-30, 70)))
    wide = band(e, 100)
    assert wide.kind == "anytime"
    assert (wide.value, wide.se, wide.n, wide.blocks) == (e.value, e.se, e.n, e.blocks)
    assert e.low is not None
    assert wide.low is not None
    assert wide.high is not None
    assert wide.low < e.low
    assert wide.value - wide.low == pytest.approx(wide.high - wide.value)
    of_many = band(e, 100, figures=10)
    assert of_many == band(e, 100, confidence=0.995)
    assert of_many.low is not None
    assert of_many.low < wide.low


def test_a_band_of_nothing_is_what_it_was() -> None:
    identical = ratio(of_blocks((4, 0) for _ in range(30)), contrast=True)
    assert band(identical, 100) == identical
    none = ratio(of_blocks((4, 8) for _ in range(30)))
    assert band(none, 100) == none
    one = ratio(of_blocks([(4, 8)]))
    assert band(one, 100) == one


def test_a_bound_at_every_moment_leaves_half_of_what_may_miss_to_either_side() -> None:
    never = proportion(of_blocks((4, 0) for _ in range(50)))
    always = proportion(of_blocks((4, 4) for _ in range(50)))
    low, high = band(never, 100), band(always, 100)
    assert (low.kind, low.low, high.kind, high.high) == ("bound", 0.0, "bound", 1.0)
    assert low.high == pytest.approx(1 - 0.025 ** (1 / 50))
    assert high.low == pytest.approx(0.025 ** (1 / 50))
    assert band(never, 100, figures=5).high == pytest.approx(1 - 0.005 ** (1 / 50))
    assert clipped(low) == low


@pytest.mark.parametrize(
    ("low", "high", "equal", "expected"),
    [
        (0.1, 0.9, None, "better"),
        (-0.9, -0.1, None, "worse"),
        (-0.1, 0.9, None, "open"),
        (-0.1, 0.9, 1.0, "equal"),
        (-0.1, 1.1, 1.0, "open"),
        (-1.0, 0.5, 1.0, "open"),
        (0.1, 1.1, 1.0, "better"),
        (0.1, 0.9, 1.0, "equal"),
        (-0.9, -0.1, 1.0, "equal"),
        (1.5, 2.5, 1.0, "better"),
        (0.0, 2.5, 1.0, "open"),
        (None, None, 1.0, "open"),
    ],
)
def test_what_an_interval_decides(
    low: float | None, high: float | None, equal: float | None, expected: str
) -> None:
    assert equivalence.decide(known(low, high), equal) == expected


def test_identical_is_decided_once_enough_blocks_say_so() -> None:
    for equal in (None, 1.0):
        assert equivalence.decide(known(0, 0, "identical", ALIKE), equal) == "identical"
        assert equivalence.decide(known(0, 0, "identical", ALIKE - 1), equal) == "open"
        assert equivalence.decide(known(0, 0, "identical", 2), equal, least=2) == "identical"
    assert equivalence.width(known(0, 0, "identical", ALIKE), 0.1)
    assert not equivalence.width(known(0, 0, "identical", ALIKE - 1), 0.1)


def test_width_is_half_the_interval() -> None:
    assert equivalence.width(known(-1, 3), 2)
    assert not equivalence.width(known(-1, 3), 1.99)
    assert not equivalence.width(known(None, None), 100)
