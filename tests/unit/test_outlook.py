"""Forecasts of where a stop rule ends: against walks that go on as they began."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pipeline import stopping
from pipeline.claim import Claim, Stop
from pipeline.config import RunConfig
from pipeline.outlook import Outlook, outlook
from pipeline.stats.joint import Joint, add, of_blocks
from tests.runs import small

SEATS = 4


def config(stop: dict[str, Any] | None, blocks: int = 100_000, **more: Any) -> RunConfig:
    rule = None if stop is None else Stop(**stop)
    return small(("king_ru_fixed14",), blocks=blocks, stop=rule, **more)


def blocks_of(mean: float, sigma: float, n: int, seed: int = 1) -> Joint:
    """Blocks of one figure, points a game; as many each as a gauntlet has seats."""
    values = np.random.default_rng(seed).standard_normal(n)
    values = mean + sigma * (values - values.mean()) / values.std()
    x = np.rint(values * SEATS * SEATS).astype(np.int64)[:, None]
    return of_blocks(np.full_like(x, SEATS), x)


def ends(said: RunConfig, look: Joint, joint: Joint) -> int:
    """Blocks at which the rule stops if after ``joint`` all looks are alike."""
    while joint.blocks < said.blocks:
        if stopping.at_look(said, SEATS, joint).ends:
            return joint.blocks
        joint = add(joint, look)
    return said.blocks


SPRT = {"rule": "sprt", "delta1": 1.0}


@pytest.mark.parametrize(
    ("stop", "mean"),
    [
        (SPRT, 1.0),
        (SPRT, 0.0),
        (SPRT, -1.0),
        ({"rule": "sprt", "delta1": 0.1, "unit": "sigma"}, 1.5),
        ({"rule": "width", "width": 0.5}, 0.3),
        ({"rule": "decided"}, 1.0),
        ({"rule": "decided"}, -1.0),
    ],
)
def test_blocks_that_go_on_as_they_began_end_within_the_forecast(
    stop: dict[str, Any], mean: float
) -> None:
    said = config(stop)
    look = blocks_of(mean, 10.0, 64)
    joint = add(add(look, look), add(look, look))
    low, high = outlook(said, SEATS, joint)
    assert low - 64 <= ends(said, look, joint) <= high + 64
    assert 256 < low <= high
    assert low % 64 == high % 64 == 0 or high == said.blocks


def test_the_range_narrows_as_blocks_come() -> None:
    said = config({"rule": "decided"})
    early = outlook(said, SEATS, blocks_of(1.0, 10.0, 128))
    late = outlook(said, SEATS, blocks_of(1.0, 10.0, 896))
    assert late.high - late.low < early.high - early.low


def test_where_the_truth_may_be_in_the_middle_the_cap_is_not_ruled_out() -> None:
    assert outlook(config(SPRT), SEATS, blocks_of(0.5, 10.0, 512)).high == 100_000
    assert outlook(config({"rule": "decided"}), SEATS, blocks_of(0.0, 10.0, 512)).high == 100_000


def test_what_does_not_matter_ends_as_equal() -> None:
    said = config({"rule": "decided"}, claim=Claim(equal=2.0))
    found = outlook(said, SEATS, blocks_of(0.0, 10.0, 256))
    assert found.high < 1_000
    look = blocks_of(0.0, 10.0, 64)
    assert ends(said, look, add(look, look)) <= found.high


def test_without_a_rule_or_without_anything_to_go_by_it_is_the_cap() -> None:
    joint = blocks_of(1.0, 10.0, 64)
    assert outlook(config(None), SEATS, joint) == Outlook(100_000, 100_000)
    alike = of_blocks(np.full((64, 1), 4), np.zeros((64, 1), np.int64))
    assert outlook(config(SPRT), SEATS, alike) == Outlook(128, 100_000)
    one = of_blocks(np.array([[4]]), np.array([[7]]))
    assert outlook(config(SPRT), SEATS, one).high == 100_000


def test_the_cap_bounds_every_forecast() -> None:
    said = config({"rule": "width", "width": 0.01}, blocks=1_000)
    assert outlook(said, SEATS, blocks_of(1.0, 10.0, 256)) == Outlook(1_000, 1_000)


def test_the_blocks_of_these_tests_have_the_mean_they_say() -> None:
    joint = blocks_of(1.0, 10.0, 256)
    mean = Fraction(joint.x[0], joint.n[0] * SEATS)
    assert math.isclose(mean, 1.0, abs_tol=0.01)
