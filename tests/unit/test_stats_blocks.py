"""Estimates from what blocks move a figure: as those of whole numbers where both can tell."""

from fractions import Fraction

import numpy as np
import pytest

from pipeline.stats.blocks import moved, proportion_of, share
from pipeline.stats.estimate import of_blocks, proportion, ratio

NUMBERS = [(4, 1), (4, 0), (4, 3), (4, 4), (4, 2), (4, 0)]


def columns(pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    below, above = np.array(pairs, np.float64).T
    return above, below


def test_a_share_is_the_ratio_of_whole_numbers() -> None:
    found, known = share(*columns(NUMBERS), 24), ratio(of_blocks(NUMBERS))
    assert found[:5] == pytest.approx(known[:5])
    assert found[5:] == known[5:]


@pytest.mark.parametrize("seen", [0, 4])
def test_never_or_always_seen_is_no_certainty(seen: int) -> None:
    pairs = [(4, seen)] * 9
    found, known = proportion_of(*columns(pairs), 36), proportion(of_blocks(pairs))
    assert found == known
    assert known.kind == "bound"
    # Blocks without any tell nothing of the share.
    empty = columns([*pairs, (0, 0), (0, 0), (0, 0)])
    assert proportion_of(*empty, 36) == known


def test_a_share_stays_between_nothing_and_all() -> None:
    low = proportion_of(*columns([(4, 0)] * 8 + [(4, 1)]), 36)
    assert low.low == 0.0
    assert low.value == pytest.approx(1 / 36)


def test_only_a_contrast_is_exactly_nothing() -> None:
    nothing = np.zeros(5)
    assert moved(0.0, nothing).kind == "none"
    assert moved(1e-15, nothing, contrast=True) == ratio(of_blocks([(1, 0)] * 5), contrast=True)
    assert moved(2.0, nothing, contrast=True).low is None
    assert ratio(of_blocks([(1, 2)] * 5), Fraction(1), contrast=True).low is None
