"""What is planned comes true. Seeds are fixed: a failure is a bug."""

import numpy as np
import numpy.typing as npt
import pytest

from pipeline.stats.anytime import factor
from pipeline.stats.estimate import t_quantile
from pipeline.stats.power import (
    anytime_blocks,
    cap,
    sprt_blocks,
    sprt_passes,
    t_blocks,
    t_width_blocks,
)
from pipeline.stats.sequential import Sprt, Unit
from tests.block_paths import Paths, ends, near_normal, paths, ratios


def shifted(size: float, runs: int, blocks: int, seed: int) -> tuple[Paths, float]:
    """Paths whose truth is ``size`` standard deviations, and that deviation."""
    law = near_normal()
    p = paths(law.draw(np.random.default_rng([seed, blocks]), (runs, blocks)))
    return p._replace(mean=p.mean + size * law.sd), law.sd


def excluded(size: float, blocks: int) -> float:
    """Share of runs of so many blocks whose t interval excludes 0 on the right side."""
    p, _ = shifted(size, 4000, blocks, 1)
    return float((p.mean[:, -1] > t_quantile(blocks - 1) * p.se[:, -1]).mean())


@pytest.mark.parametrize(("size", "power"), [(0.3, 0.95), (0.5, 0.8), (1.0, 0.9)])
def test_fixed_blocks_have_the_power_they_were_planned_for(size: float, power: float) -> None:
    blocks = t_blocks(size, 1.0, power)
    assert excluded(size, blocks) == pytest.approx(power, abs=0.03)
    assert excluded(size, blocks * 7 // 10) < power - 0.03


@pytest.mark.parametrize("unit", ["points", "sigma"])
@pytest.mark.parametrize("look", [1, 32])
@pytest.mark.parametrize("size", [0.3, 0.5, 1.0])
def test_a_gate_takes_the_blocks_it_was_planned_for(size: float, look: int, unit: Unit) -> None:
    sd = near_normal().sd
    rule = Sprt(0.0, size * (sd if unit == "points" else 1), unit=unit)
    planned = sprt_blocks(rule, sd, look)
    late = 0.0
    for true, blocks in zip((0.0, size / 2, size), planned, strict=True):
        p, _ = shifted(true, 2000, 2 * cap(planned), 2)
        found = ends(ratios(p, rule), rule, look)
        assert found.blocks.mean() == pytest.approx(blocks, rel=0.07)
        passes = sprt_passes(rule, true * (sd if unit == "points" else 1), sd, look)
        assert found.better.mean() == pytest.approx(passes, abs=0.06 if true == size / 2 else 0.03)
        late = max(late, float((found.blocks > cap(planned)).mean()))
    assert late < 0.02


def mean_stop(done: npt.NDArray[np.bool_]) -> float:
    """Mean blocks till a run, one a row, is done for the first time."""
    assert done.any(axis=1).all()
    return float((done.argmax(axis=1) + 1).mean())


@pytest.mark.parametrize(("size", "planned"), [(0.2, None), (0.2, 1000), (0.5, 200)])
def test_a_difference_is_excluded_from_nothing_about_when_planned(
    size: float, planned: int | None
) -> None:
    blocks = anytime_blocks(size, 1.0, planned)
    n = 6 * blocks
    p, _ = shifted(size, 1500, n, 3)
    wide = np.array([factor(b, planned or blocks, 0.05) for b in range(1, n + 1)])
    with np.errstate(invalid="ignore"):
        stopped = mean_stop(p.mean > wide * p.se)
    assert 0.88 * blocks < stopped < 1.05 * blocks


def test_intervals_are_as_narrow_as_asked_when_planned() -> None:
    for half in (0.1, 0.3):
        blocks = anytime_blocks(half, 1.0)
        p, sd = shifted(0.0, 500, 2 * blocks, 4)
        wide = np.array([factor(b, blocks, 0.05) for b in range(1, 2 * blocks + 1)])
        with np.errstate(invalid="ignore"):
            assert mean_stop(wide * p.se <= half * sd) == pytest.approx(blocks, rel=0.05)
        fixed = t_width_blocks(half, 1.0)
        p, sd = shifted(0.0, 500, fixed, 5)
        halves = t_quantile(fixed - 1) * p.se[:, -1]
        assert float(halves.mean()) == pytest.approx(half * sd, rel=0.02)
