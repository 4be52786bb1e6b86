"""The dealing is fair: every card everywhere, every deal as likely, no deal twice.

Seeds are fixed. A p value must lie in 0.001..0.999: too good a fit is a fault as well.
"""

from collections import Counter
from collections.abc import Callable
from math import comb, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import chi2

from engine_ext.batch import Rules, deal_hands
from engine_ext.reference.streams import Dice, counter_word, drawn_trump, run_key, words
from engine_ext.rules.load import load_variant
from tests.exact.tiny import every_deal, tricks, variant_of

KEY = run_key(20260101)
Hands = npt.NDArray[np.uint64]


def blocks(n: int, first: int = 0) -> npt.NDArray[np.uint64]:
    return np.arange(first, first + n, dtype=np.uint64)


def pack_of(rules: Rules) -> npt.NDArray[np.uint64]:
    """The cards as bits, in order."""
    return np.array([1 << card for card in range(64) if rules.numbers.deck >> card & 1], np.uint64)


def fits(statistic: float, freedom: int) -> None:
    """Hold a chi-square statistic to its law."""
    assert 0.001 < chi2.sf(statistic, freedom) < 0.999, (statistic, freedom)


def chi_square(found: npt.NDArray[Any], odds: npt.NDArray[Any]) -> float:
    expected = odds * found.sum()
    assert expected.min() > 5
    return float(((found - expected) ** 2 / expected).sum())


def holder(hands: Hands, cards: npt.NDArray[np.uint64]) -> npt.NDArray[np.int8]:
    """(B, cards): the seat that holds each card."""
    where = np.zeros((len(hands), len(cards)), np.int8)
    for seat in range(1, hands.shape[1]):
        where += np.int8(seat) * (hands[:, seat, None] & cards != 0)
    return where


@pytest.mark.parametrize("deal", [0, 5])
@pytest.mark.parametrize("name", ["barbu_king_br", "king_ru_fixed14"])
def test_every_card_comes_to_every_seat_as_often(name: str, deal: int) -> None:
    rules = Rules(load_variant(name))
    cards = pack_of(rules)
    n, seats, size = 200_000, rules.numbers.seats, len(cards)
    hands = deal_hands(rules, key=KEY, blocks=blocks(n), deal=deal)
    found = np.array([[(hands[:, s] & card != 0).sum() for s in range(seats)] for card in cards])
    expected = n / seats
    statistic = ((found - expected) ** 2 / expected).sum()
    # Hands of a fixed size: the counts vary a little more than independent ones would.
    fits(statistic * (size - 1) / size, (size - 1) * (seats - 1))


SMALL = [
    (2, "HS", "234"),
    (2, "HS", "2345"),
    (3, "DHS", "23"),
    (4, "HS", "2345"),
    (4, "CDHS", "23"),
    (6, "DHS", "23"),
]


@pytest.mark.parametrize(("seats", "suits", "ranks"), SMALL)
def test_every_deal_of_a_small_pack_is_as_likely(seats: int, suits: str, ranks: str) -> None:
    rules = Rules(variant_of(seats, suits, ranks, {"t": tricks({"per": "trick"})}))
    deals = {hands: i for i, hands in enumerate(every_deal(seats, suits, ranks))}
    for number in (0, 3):
        hands = deal_hands(rules, key=KEY, blocks=blocks(40 * len(deals)), deal=number)
        different, counts = np.unique(hands, axis=0, return_counts=True)
        assert {tuple(row) for row in different.tolist()} == set(deals)
        fits(chi_square(counts, np.full(len(deals), 1 / len(deals))), len(deals) - 1)


def shapes(size: int, hand: int) -> dict[tuple[int, ...], float]:
    """Odds of each pattern of a hand's suit lengths, longest first."""
    odds: dict[tuple[int, ...], float] = {}
    for a in range(hand + 1):
        for b in range(hand + 1 - a):
            for c in range(hand + 1 - a - b):
                lengths = (a, b, c, hand - a - b - c)
                ways = comb(size, a) * comb(size, b) * comb(size, c) * comb(size, lengths[3])
                shape = tuple(sorted(lengths, reverse=True))
                odds[shape] = odds.get(shape, 0.0) + ways / comb(4 * size, hand)
    return odds


@pytest.mark.parametrize(("name", "size"), [("barbu_king_br", 13), ("king_ru_fixed14", 8)])
def test_suit_lengths_follow_their_law_in_every_hand(name: str, size: int) -> None:
    n = 100_000
    hands = deal_hands(Rules(load_variant(name)), key=KEY, blocks=blocks(n, 10**6), deal=2)
    odds = {shape: p for shape, p in shapes(size, size).items() if p * n > 6}
    for seat in range(4):
        lengths = [
            np.bitwise_count(hands[:, seat] >> np.uint64(16 * s) & np.uint64(0xFFFF))
            for s in range(4)
        ]
        found = Counter(map(tuple, np.sort(np.stack(lengths, axis=1), axis=1)[:, ::-1].tolist()))
        counts = np.array([found[shape] for shape in odds] + [n - sum(found[s] for s in odds)])
        chances = np.array(list(odds.values()))
        chances = np.append(chances, 1 - chances.sum())
        if counts[-1] < 5 or chances[-1] * n < 6:  # the rare ones go with the last pattern
            counts, chances = counts[:-1], chances[:-1] / chances[:-1].sum()
        fits(chi_square(counts, chances), len(counts) - 1)


@pytest.mark.parametrize(("name", "size"), [("barbu_king_br", 13), ("king_ru_fixed14", 8)])
def test_a_suit_is_spread_over_the_four_seats_by_its_law(name: str, size: int) -> None:
    # The longest holding of hearts among the four: a law of four hands together.
    n = 200_000
    hands = deal_hands(Rules(load_variant(name)), key=KEY, blocks=blocks(n, 2 * 10**6))
    held = np.bitwise_count(hands >> np.uint64(32) & np.uint64(0xFFFF))
    # Cards to hands is suits to a hand, turned: size hearts fall into four hands of size.
    odds: dict[int, float] = {}
    for shape, p in shapes(size, size).items():
        odds[shape[0]] = odds.get(shape[0], 0.0) + p
    common = sorted(length for length, p in odds.items() if p * n > 6)
    found = Counter(held.max(axis=1).tolist())
    counts = np.array([found[length] for length in common])
    chances = np.array([odds[length] for length in common])
    fits(chi_square(counts, chances / chances.sum()), len(common) - 1)


def agreement(one: npt.NDArray[np.int8], other: npt.NDArray[np.int8]) -> None:
    """Two deals are independent: a pair of their cards lies with the same seat once in four."""
    n, cards = one.shape
    for shift in (0, 1, 7):
        same = (one == np.roll(other, shift, axis=1)).mean(axis=1) - 0.25
        error = same.std(ddof=1) / sqrt(n)
        assert abs(same.mean()) < 4 * error, shift
        # Given hands of 13, the agreement of two independent deals has this variance.
        assert abs(same.var(ddof=1) / (3 / 16 / (cards - 1)) - 1) < 0.03


def test_a_deal_says_nothing_about_the_next_one_or_that_of_the_next_block() -> None:
    rules = Rules(load_variant("barbu_king_br"))
    cards, n = pack_of(rules), 50_000
    first = holder(deal_hands(rules, key=KEY, blocks=blocks(n + 1)), cards)
    second = holder(deal_hands(rules, key=KEY, blocks=blocks(n), deal=1), cards)
    other_seed = holder(deal_hands(rules, key=run_key(20260102), blocks=blocks(n)), cards)
    agreement(first[:-1], first[1:])
    agreement(first[:-1], second)
    agreement(first[:-1], other_seed)


def test_streams_of_seats_decisions_replicates_and_domains_are_uncorrelated() -> None:
    n = 4_000

    def first_word(block: int, c2: int, domain: int) -> float:
        return next(words(KEY, block, c2, domain)) / 2**64 - 0.5

    streams: dict[str, Callable[[int], float]] = {
        "deal": lambda i: first_word(i, counter_word(0), 0),
        "next deal": lambda i: first_word(i, counter_word(1), 0),
        "next block": lambda i: first_word(i + 1, counter_word(0), 0),
        "schedule": lambda i: first_word(i, counter_word(0), 2),
        "seat 0": lambda i: first_word(i, counter_word(0), 1),
        "seat 1": lambda i: first_word(i, counter_word(0, seat=1), 1),
        "later decisions": lambda i: first_word(i, counter_word(0, decision=1), 1),
        "replicate 1": lambda i: first_word(i, counter_word(0, replicate=1), 1),
        "slice of a decision": lambda i: Dice(KEY, i, 0, 0, 5).below(65536) / 65536 - 0.5,
        "slice of the next": lambda i: Dice(KEY, i, 0, 0, 6).below(65536) / 65536 - 0.5,
    }
    drawn = np.array([[stream(i) for i in range(n)] for stream in streams.values()])
    correlations = np.corrcoef(drawn)[np.triu_indices(len(drawn), 1)]
    assert np.abs(correlations).max() < 4 / sqrt(n)
    assert np.abs(drawn.mean(axis=1)).max() < 4 / sqrt(12 * n)


def test_drawn_trumps_are_as_often_each_suit() -> None:
    found = Counter(drawn_trump(KEY, block, 0, "CDHS") for block in range(8_000))
    fits(chi_square(np.array([found[suit] for suit in "CDHS"]), np.full(4, 0.25)), 3)


def fingerprints(hands: Hands) -> npt.NDArray[np.uint64]:
    """64 bits of each deal; two deals share them by luck once in 2^64."""
    mixed = np.zeros(len(hands), np.uint64)
    for seat in range(hands.shape[1] - 1):  # the last hand is what is left
        mixed ^= hands[:, seat]
        mixed *= np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(32)
    return mixed


def test_seeds_blocks_and_deals_near_each_other_share_no_deal() -> None:
    # 31 * seed + deal, block + deal and the like would collide here.
    rules = Rules(load_variant("barbu_king_br"))
    seen = [
        fingerprints(deal_hands(rules, key=run_key(seed), blocks=blocks(60), deal=deal))
        for seed in range(60)
        for deal in range(28)
    ]
    assert len(np.unique(np.concatenate(seen))) == 60 * 60 * 28


@pytest.mark.slow
def test_no_deal_comes_twice_in_ten_million() -> None:
    rules = Rules(load_variant("barbu_king_br"))
    n, part = 10_000_000, 500_000
    seen = np.empty(n, np.uint64)
    for first in range(0, n, part):
        hands = deal_hands(rules, key=KEY, blocks=blocks(part, first))
        seen[first : first + part] = fingerprints(hands)
    seen.sort()
    assert (seen[1:] != seen[:-1]).all()
