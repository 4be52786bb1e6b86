"""Card sets in arrays agree with card sets counted by hand."""

import numpy as np

from engine_ext import sets

RANDOM = np.random.default_rng(5)
SETS = (
    RANDOM.integers(0, 1 << 63, 3000, np.uint64)
    & RANDOM.integers(0, 1 << 63, 3000, np.uint64)
    & np.uint64(0x7FFF7FFF7FFF7FFF)
)
CARDS = [[card for card in range(64) if int(one) >> card & 1] for one in SETS]


def test_lowest_and_highest_go_by_rank_then_by_suit() -> None:
    lowest = [min(cards, key=lambda c: (c & 15, c)) for cards in CARDS]
    highest = [min(cards, key=lambda c: (-(c & 15), c)) for cards in CARDS]
    assert sets.lowest(SETS).tolist() == lowest
    assert sets.highest(SETS).tolist() == highest


def test_cards_are_counted_and_found_by_number() -> None:
    assert sets.count(SETS).tolist() == [len(cards) for cards in CARDS]
    assert sets.numbers(SETS).tolist() == [cards[0] for cards in CARDS]
    k = np.array([i % (len(cards) + 1) for i, cards in enumerate(CARDS)])
    wanted = [(*cards, 64)[i] for cards, i in zip(CARDS, k, strict=True)]
    assert sets.nth(SETS, k).tolist() == wanted


def test_a_set_becomes_zeros_and_ones() -> None:
    hot = sets.one_hot(SETS.reshape(30, 100))
    assert hot.shape == (30, 100, 64)
    assert [np.flatnonzero(row).tolist() for row in hot.reshape(-1, 64)] == CARDS


def test_the_empty_set_has_no_card() -> None:
    empty = np.zeros(2, np.uint64)
    for number in (sets.lowest(empty), sets.highest(empty), sets.numbers(empty)):
        assert number.tolist() == [64, 64]
    assert SETS.tolist() == [sum(1 << card for card in cards) for cards in CARDS]
