"""Blocks that a question needs, by hand, by textbook formulas and by simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from pipeline.stats.anytime import factor
from pipeline.stats.power import (
    anytime_blocks,
    cap,
    sprt_blocks,
    sprt_passes,
    t_blocks,
    t_power,
    t_width_blocks,
)
from pipeline.stats.sequential import Sprt, Unit
from pipeline.stats.walk import leaves


def test_fixed_blocks_by_normal_arithmetic() -> None:
    # (1.960 + 1.645)^2 / 0.1^2 = 1299.5 and a little for Student's t.
    assert t_blocks(0.1, 1) in range(1300, 1304)
    assert t_blocks(-1, 10) == t_blocks(1, 10) == t_blocks(0.1, 1)
    assert t_power(t_blocks(0.1, 1), 0.1, 1) >= 0.95 > t_power(t_blocks(0.1, 1) - 1, 0.1, 1)
    assert t_power(50, 0.0, 1) == pytest.approx(0.025)
    assert t_width_blocks(1, 10) in range(384, 390)
    blocks = t_width_blocks(1, 10)
    assert stats.t.ppf(0.975, blocks - 1) * 10 / math.sqrt(blocks) <= 1
    assert t_width_blocks(50, 1) == 2
    with pytest.raises(ValueError, match=r"difference: 0.* is not above 0"):
        t_blocks(0, 1)


def test_blocks_of_the_sequence_make_its_width() -> None:
    for planned in (None, 1000):
        blocks = anytime_blocks(0.5, 10, planned)
        at = planned or blocks
        assert factor(blocks, at, 0.05) * 10 / math.sqrt(blocks) <= 0.5
        less = planned or blocks - 1
        assert factor(blocks - 1, less, 0.05) * 10 / math.sqrt(blocks - 1) > 0.5
    assert anytime_blocks(0.5, 10) <= anytime_blocks(0.5, 10, 100)
    assert anytime_blocks(0.5, 10, figures=28) > anytime_blocks(0.5, 10)


@pytest.mark.parametrize("unit", ["points", "sigma"])
def test_small_differences_take_the_brownian_number_of_blocks(unit: Unit) -> None:
    ends = 0.9 * math.log(19) / 0.5
    middle = math.log(19) ** 2
    assert (ends, middle) == pytest.approx((5.3, 8.67), abs=0.01)
    found = sprt_blocks(Sprt(0.0, 0.001, unit=unit))
    assert [x * 1e-6 for x in found] == pytest.approx([ends, middle, ends], rel=0.002)
    assert cap(found) == math.ceil(4 * found.middle)


def test_unequal_errors_by_walds_formulas() -> None:
    a, b = 0.01, 0.2
    found = sprt_blocks(Sprt(0.0, 0.001, a, b))
    low, high = math.log(b / (1 - a)), math.log((1 - b) / a)
    assert found.at0 * 1e-6 == pytest.approx(-2 * ((1 - a) * low + a * high), rel=0.003)
    assert found.at1 * 1e-6 == pytest.approx(2 * (b * low + (1 - b) * high), rel=0.003)
    assert found.middle * 1e-6 == pytest.approx(-low * high, rel=0.003)
    assert sprt_passes(Sprt(0.0, 0.001, a, b), 0.0) == pytest.approx(a, rel=0.01)
    assert 1 - sprt_passes(Sprt(0.0, 0.001, a, b), 0.001) == pytest.approx(b, rel=0.01)


def test_only_the_ratio_to_sigma_counts() -> None:
    assert sprt_blocks(Sprt(0, 3), 10) == pytest.approx(sprt_blocks(Sprt(0, 0.3)))
    assert sprt_blocks(Sprt(0, 0.3, unit="sigma"), 10) == sprt_blocks(Sprt(0, 0.3, unit="sigma"))
    # Mirrored hypotheses: what is delta0 to the one is delta1 to the other.
    there, back = sprt_blocks(Sprt(0, 2), 9), sprt_blocks(Sprt(-2, 0), 9)
    assert there == pytest.approx(back[::-1])


def test_a_brownian_motion_with_overshoot_is_a_walk_of_small_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for drift in (-0.0005, 0.0, 0.002):
        fine = leaves(drift, 0.05, -2, 4)
        monkeypatch.setattr("pipeline.stats.walk.FINE", 1000)
        assert leaves(drift, 0.05, -2, 4) == pytest.approx(fine, rel=0.001)
        monkeypatch.undo()


def test_a_walk_by_simulation() -> None:
    rng = np.random.default_rng(8)
    ends, sides = [], []
    for _ in range(4000):
        x = 0.2 * 3 + math.sqrt(3) * rng.normal()
        n = 3
        while -2 < x < 4:
            x, n = x + 0.2 + rng.normal(), n + 1
        ends.append(n)
        sides.append(x >= 4)
    steps, above = leaves(0.2, 1, -2, 4, first=3)
    assert steps == pytest.approx(np.mean(ends), abs=float(3 * np.std(ends)) / math.sqrt(4000))
    assert above == pytest.approx(np.mean(sides), abs=3 * 0.5 / math.sqrt(4000))
