"""The race for the best: who is dropped, who never, and when it is over."""

import numpy as np
import pytest

from pipeline.stats.joint import of_blocks
from pipeline.stats.prefix import ALIKE
from pipeline.stats.racing import decide, survivors


def test_a_race_drops_who_is_surely_behind_and_never_the_leader() -> None:
    rng = np.random.default_rng(9)
    x = np.rint(rng.normal(0, 30, (400, 4)) + np.array([0, 1, -40, 0])).astype(np.int64)
    joint = of_blocks(np.ones_like(x), x)
    left = survivors(joint, (0, 1, 2, 3), 400, 0.05)
    assert left == (0, 1, 3)
    assert survivors(joint, left, 400, 0.05) == left
    assert decide(joint, left) == "open"
    ahead = x + np.array([0, 30, 0, 0])
    joint = of_blocks(np.ones_like(x), ahead)
    assert survivors(joint, (0, 1, 2, 3), 400, 0.05) == (1,)
    assert decide(joint, (1,)) == "best"


def test_who_was_dropped_has_no_say() -> None:
    # The third stopped at block 100, with a figure that would lead.
    rng = np.random.default_rng(10)
    x = np.rint(rng.normal(0, 30, (300, 3)) + np.array([0, 60, 0])).astype(np.int64)
    n = np.ones_like(x)
    n[100:, 2], x[100:, 2] = 0, 0
    x[:100, 2] += 500
    joint = of_blocks(n, x)
    assert survivors(joint, (0, 1), 300, 0.05) == (1,)
    with pytest.raises(ValueError, match="not all the same"):
        survivors(joint, (0, 1, 2), 300, 0.05)
    with pytest.raises(ValueError, match="nobody is left"):
        survivors(joint, (), 300, 0.05)


def test_few_blocks_drop_nobody_even_where_all_differ_alike() -> None:
    x = np.array([[9, 1, 1]] * 100)
    for blocks in (0, 1, 2, ALIKE - 1):
        joint = of_blocks(np.ones_like(x[:blocks]), x[:blocks])
        assert survivors(joint, (0, 1, 2), 100, 0.05) == (0, 1, 2)
        assert decide(joint, (1, 2)) == "open"
    joint = of_blocks(np.ones_like(x[:ALIKE]), x[:ALIKE])
    assert survivors(joint, (0, 1, 2), 100, 0.05) == (0,)


def test_those_who_are_one_in_all_but_name_end_the_race() -> None:
    rng = np.random.default_rng(11)
    x = np.rint(rng.normal(0, 30, (200, 1))).astype(np.int64)
    twins = np.concatenate([x, x, x], axis=1)
    joint = of_blocks(np.ones_like(twins), twins)
    assert survivors(joint, (0, 1, 2), 200, 0.05) == (0, 1, 2)
    assert decide(joint, (0, 1, 2)) == "identical"
    twins[17, 2] += 1
    joint = of_blocks(np.ones_like(twins), twins)
    assert decide(joint, (0, 1, 2)) == "open"
    assert decide(joint, (0, 1)) == "identical"
