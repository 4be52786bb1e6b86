"""Intervals that hold together, ranks, and marks in large tables."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from pipeline.stats.discovery import marks
from pipeline.stats.estimate import Estimate, of_blocks, ratio, t_quantile, variance
from pipeline.stats.simultaneous import (
    Cross,
    covariance,
    critical_value,
    differences,
    ranks,
    together,
)

BLOCKS = [((4, 3), (4, -3)), ((4, 7), (4, 1)), ((4, -2), (4, 5)), ((4, 9), (4, 0))]
"""(n, x) of two figures, block by block."""


def _cross(blocks: Sequence[tuple[tuple[int, int], ...]]) -> Cross:
    k = range(len(blocks[0]))
    return Cross(
        tuple(tuple(sum(b[i][1] * b[j][1] for b in blocks) for j in k) for i in k),
        tuple(tuple(sum(b[i][0] * b[j][1] for b in blocks) for j in k) for i in k),
        tuple(tuple(sum(b[i][0] * b[j][0] for b in blocks) for j in k) for i in k),
    )


def test_covariance_has_each_figures_own_variance_and_their_product() -> None:
    cells = [of_blocks(b[i] for b in BLOCKS) for i in (0, 1)]
    cov = covariance(cells, _cross(BLOCKS), len(BLOCKS))
    a, b = (np.array([block[i][1] for block in BLOCKS]) / 4 for i in (0, 1))
    assert [cov[0][0], cov[1][1]] == [variance(cell) for cell in cells]
    assert float(cov[0][1]) == pytest.approx(np.cov(a, b)[0, 1] / 4)


def test_difference_of_a_pair_is_its_difference_block_by_block() -> None:
    cells = [of_blocks(b[i] for b in BLOCKS) for i in (0, 1)]
    cov = covariance(cells, _cross(BLOCKS), len(BLOCKS))
    direct = ratio(of_blocks((4, b[0][1] - b[1][1]) for b in BLOCKS))
    pair = differences(cells, cov)[0, 1]
    assert (pair.value, pair.se) == (direct.value, direct.se)
    assert (pair.low, pair.high) == pytest.approx((direct.low, direct.high))


def test_identical_entrants_differ_by_exactly_nothing() -> None:
    blocks = [((4, x), (4, x)) for x in (3, -1, 6)]
    cells = [of_blocks(b[i] for b in blocks) for i in (0, 1)]
    pair = differences(cells, covariance(cells, _cross(blocks), 3))[0, 1]
    assert (pair.value, pair.low, pair.high, pair.kind) == (0.0, 0.0, 0.0, "identical")


def test_a_lead_that_was_the_same_in_every_block_is_no_certainty() -> None:
    blocks = [((4, 5), (4, -5)) for _ in range(3)]
    cells = [of_blocks(b[i] for b in blocks) for i in (0, 1)]
    cov = covariance(cells, _cross(blocks), 3)
    pair = differences(cells, cov)[0, 1]
    assert (pair.value, pair.se, pair.low, pair.high, pair.kind) == (2.5, None, None, None, "none")
    assert ranks(2, {(0, 1): pair}) == [(1, 2), (1, 2)]
    means = [Fraction(cell.x, cell.n) for cell in cells]
    assert [e.kind for e in together(means, cov, cells)] == ["none", "none"]


def test_critical_value_lies_between_one_interval_and_bonferroni() -> None:
    one, two = t_quantile(20.0), t_quantile(20.0, 1 - 0.05 / 3)
    independent = [[Fraction(int(i == j)) for j in range(3)] for i in range(3)]
    same = [[Fraction(1) for _ in range(3)] for _ in range(3)]
    assert one < critical_value(independent, 20.0) <= two
    assert critical_value(same, 20.0) == pytest.approx(one, rel=0.02)
    assert critical_value([[Fraction(4)]], 20.0) == one


def test_eight_equal_players_need_the_published_critical_value() -> None:
    # 28 pairs of 8 exchangeable entrants at many blocks: the studentized range gives
    # q(0.95; 8, inf) / sqrt 2 = 4.286 / 1.414 = 3.031 (Tukey's tables).
    rows = [
        [int(k == i) - int(k == j) for k in range(8)] for i in range(8) for j in range(8) if i < j
    ]
    cov = [[Fraction(sum(x * y for x, y in zip(a, b, strict=True))) for b in rows] for a in rows]
    assert critical_value(cov, 1e6) == pytest.approx(3.031, abs=0.03)


def test_figures_together_are_wider_than_each_alone() -> None:
    cells = [of_blocks(b[i] for b in BLOCKS) for i in (0, 1)]
    cov = covariance(cells, _cross(BLOCKS), len(BLOCKS))
    means = [Fraction(cell.x, cell.n) for cell in cells]
    for joint, alone in zip(
        together(means, cov, cells, Fraction(1, 2)),
        [ratio(c, Fraction(1, 2)) for c in cells],
        strict=True,
    ):
        assert (joint.value, joint.se) == (alone.value, alone.se)
        assert (joint.high or 0) > (alone.high or 0)
        assert joint.kind == "max_t"


def test_ranks_are_as_wide_as_what_cannot_be_told_apart() -> None:
    def pair(low: float, high: float) -> Estimate:
        return Estimate((low + high) / 2, 1.0, low, high, 9, 9, 8.0, "max_t")

    pairs = {(0, 1): pair(1, 3), (0, 2): pair(2, 4), (1, 2): pair(-1, 2)}
    assert ranks(3, pairs) == [(1, 1), (2, 3), (2, 3)]


def test_marks_follow_benjamini_and_hochbergs_own_example() -> None:
    # The 15 p-values of their paper of 1995; at 5 % the four smallest are rejected.
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240]
    p += [0.4262, 0.5719, 0.6528, 0.7590, 1.0000]
    assert marks(p[::-1])[::-1] == [True] * 4 + [False] * 11


def test_cells_without_a_p_value_are_neither_marked_nor_counted() -> None:
    assert marks([None, 0.04, None]) == [False, True, False]
    assert marks([]) == []
