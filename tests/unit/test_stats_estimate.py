"""A mean with its error, against answers done by hand and another way."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from pipeline.stats.estimate import (
    Sums,
    add,
    degrees,
    excludes,
    of_blocks,
    p_value,
    proportion,
    ratio,
    variance,
)


def test_equal_blocks_give_the_textbook_mean_and_t_interval() -> None:
    totals = [3, 5, 4, 8, 0, 2]
    e = ratio(of_blocks((1, x) for x in totals))
    plain = stats.ttest_1samp(totals, 0).confidence_interval(0.95)
    assert e.value == pytest.approx(np.mean(totals), rel=1e-15)
    assert e.se == pytest.approx(np.std(totals, ddof=1) / 6**0.5, rel=1e-12)
    assert (e.low, e.high) == pytest.approx((plain.low, plain.high), rel=1e-12)
    assert (e.n, e.blocks, e.df, e.kind) == (6, 6, 5.0, "t")


def test_error_is_that_of_blocks_and_not_of_rows() -> None:
    # Each block's four games tell the same: four rows, one piece of evidence.
    few = ratio(of_blocks((1, x) for x in (1, 2, 6, 7)))
    many = ratio(of_blocks((4, 4 * x) for x in (1, 2, 6, 7)))
    assert many.se == few.se
    assert many.n == 4 * few.n


def test_unequal_blocks_use_residuals_from_the_ratio() -> None:
    blocks = [(2, 3), (1, 4), (5, 5)]
    r = Fraction(12, 8)
    by_hand = Fraction(3, 2) * sum((x - r * n) ** 2 for n, x in blocks) / 64
    assert variance(of_blocks(blocks)) == by_hand
    assert degrees(of_blocks(blocks)) == pytest.approx(64 / 30 - 1)


def test_shards_do_not_show() -> None:
    blocks = [(3, 1), (4, -2), (1, 7), (2, 2), (5, 0)]
    whole = of_blocks(blocks)
    assert add([of_blocks(blocks[:2]), of_blocks(blocks[2:4]), of_blocks(blocks[4:])]) == whole
    assert add([]) == Sums(0, 0, 0, 0, 0, 0)


def test_blocks_without_the_cell_do_not_count() -> None:
    assert of_blocks([(1, 2), (0, 0), (0, 0), (1, 5)]) == of_blocks([(1, 2), (1, 5)])
    with pytest.raises(ValueError, match="cannot have total"):
        of_blocks([(0, 1)])


def test_negative_scale_turns_the_interval() -> None:
    sums = of_blocks((2, x) for x in (1, 5, 3))
    up, down = ratio(sums, Fraction(1, 4)), ratio(sums, Fraction(-1, 4))
    assert (down.value, down.low, down.high) == (-up.value, -(up.high or 0), -(up.low or 0))


def test_one_block_has_no_interval() -> None:
    e = ratio(of_blocks([(4, 10)]))
    assert (e.value, e.se, e.low, e.high, e.kind) == (2.5, None, None, None, "none")
    assert p_value(e) is None
    assert not excludes(e)


def test_identical_players_have_exactly_nothing_between_them() -> None:
    e = ratio(of_blocks((4, 0) for _ in range(3)), contrast=True)
    assert (e.value, e.se, e.low, e.high, e.kind) == (0.0, 0.0, 0.0, 0.0, "identical")
    assert p_value(e) == 1.0


@pytest.mark.parametrize(("each", "contrast"), [(8, False), (8, True), (0, False)])
def test_bets_that_all_brought_the_same_are_no_certainty(each: int, contrast: bool) -> None:
    e = ratio(of_blocks((1, each) for _ in range(14)), contrast=contrast)
    assert (e.value, e.se, e.low, e.high, e.kind) == (each, None, None, None, "none")
    assert p_value(e) is None


def test_a_share_that_every_block_showed_alike_is_no_certainty() -> None:
    e = proportion(of_blocks((4, 1) for _ in range(14)))
    assert (e.value, e.low, e.high, e.kind) == (0.25, None, None, "none")


def test_nothing_counted_has_no_mean() -> None:
    with pytest.raises(ValueError, match="no mean"):
        ratio(of_blocks([]))


def test_what_was_never_seen_may_still_happen() -> None:
    never = proportion(of_blocks((2, 0) for _ in range(60)))
    always = proportion(of_blocks((2, 2) for _ in range(60)))
    # 1 - 0.05 ** (1 / 60): sixty blocks without it have probability 5 % at this rate.
    assert (never.low, never.kind) == (0.0, "bound")
    assert never.high == pytest.approx(0.0487, abs=1e-4)
    assert always.low == pytest.approx(1 - 0.0487, abs=1e-4)
    assert always.high == 1.0
    assert p_value(never) is None


def test_share_stays_between_0_and_1() -> None:
    rare = proportion(of_blocks([(1, 0)] * 9 + [(1, 1)]))
    assert rare.low == 0.0
    assert rare.value == 0.1


def test_p_value_is_that_of_the_t_test() -> None:
    totals = [3, 5, 4, 8, -1, 2]
    expected = stats.ttest_1samp(totals, 1.0).pvalue
    assert p_value(ratio(of_blocks((1, x) for x in totals)), 1.0) == pytest.approx(expected)


def test_huge_sums_lose_nothing() -> None:
    big = 10**14
    e = ratio(of_blocks((1, big + x) for x in (0, 1, 2)))
    assert e.se == pytest.approx(1 / 3**0.5, rel=1e-12)
