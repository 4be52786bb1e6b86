"""Hands dealt anew are fair: every re-deal as likely, whoever holds his hand, each on its own."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from engine_ext.batch import Rules, deal_hands
from engine_ext.trials import hands_of, trials
from tests.exact.tiny import every_deal, tricks, variant_of
from tests.statistical.test_dealing import KEY, chi_square, fits

Hands = npt.NDArray[np.uint64]


def tiny(seats: int, suits: str, ranks: str) -> Rules:
    return Rules(variant_of(seats, suits, ranks, {"t": tricks({"per": "trick"})}))


def worlds_of(
    rules: Rules, held: int, n: int, block: int = 0, deal: int = 0, turn: int = 0
) -> Hands:
    """Worlds 1..n of one deal."""
    world = np.arange(1, n + 1)
    asked = trials(rules, n, block=block, deal=deal, turn=turn, world=world, held=held, code=0)
    return hands_of(rules, asked, key=KEY)


SMALL = [(2, "HS", "2345"), (3, "DHS", "23"), (4, "HS", "2345"), (6, "DHS", "23")]


@pytest.mark.parametrize(("seats", "suits", "ranks"), SMALL)
def test_every_redeal_of_a_small_pack_is_as_likely(seats: int, suits: str, ranks: str) -> None:
    """Counted for each seat that holds its hand, which stays."""
    rules = tiny(seats, suits, ranks)
    deals = list(every_deal(seats, suits, ranks))
    for held in range(seats):
        for block, deal, turn in ((0, 0, 0), (5, 3, 1)):
            one = np.array([block], np.uint64)
            dealt = np.roll(deal_hands(rules, key=KEY, blocks=one, deal=deal)[0], -turn)
            possible = {hands for hands in deals if hands[held] == dealt[held]}
            found = worlds_of(rules, held, 40 * len(possible), block, deal, turn)
            different, counts = np.unique(found, axis=0, return_counts=True)
            assert {tuple(row) for row in different.tolist()} == possible
            if len(possible) > 1:
                even = np.full(len(possible), 1 / len(possible))
                fits(chi_square(counts, even), len(possible) - 1)


def test_one_world_of_many_deals_is_every_deal_as_often() -> None:
    """A hand and what is dealt round it: the same law as that of the deal itself."""
    rules = tiny(4, "HS", "2345")
    deals = list(every_deal(4, "HS", "2345"))
    n = 40 * len(deals)
    for held, world in ((0, 1), (2, 7)):
        asked = trials(rules, n, block=np.arange(n), world=world, held=held, code=0)
        different, counts = np.unique(hands_of(rules, asked, key=KEY), axis=0, return_counts=True)
        assert len(different) == len(deals)
        fits(chi_square(counts, np.full(len(deals), 1 / len(deals))), len(deals) - 1)


def pairs(one: npt.NDArray[np.int64], other: npt.NDArray[np.int64], kinds: int) -> None:
    """Hold two series to each pair being as likely."""
    counts = np.bincount(one * kinds + other, minlength=kinds * kinds)
    fits(chi_square(counts, np.full(kinds * kinds, 1 / kinds**2)), kinds * kinds - 1)


def numbered(hands: Hands) -> npt.NDArray[np.int64]:
    """Each deal by its number among the different ones."""
    return np.unique(hands, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)


def test_worlds_tell_nothing_of_the_deal_or_of_each_other() -> None:
    """A pack of six cards to three seats has six re-deals."""
    rules, n = tiny(3, "DHS", "23"), 20_000
    kinds = 6
    one = numbered(worlds_of(rules, 0, n))
    # The next world, the other half; another held seat, deal, block, and the world as dealt.
    pairs(one[:-1], one[1:], kinds)
    pairs(one[0:-1:2], one[1::2], kinds)
    pairs(one, numbered(worlds_of(rules, 1, n)), kinds)
    pairs(one, numbered(worlds_of(rules, 0, n, deal=1)), kinds)
    pairs(one, numbered(worlds_of(rules, 0, n, block=1)), kinds)
    # Cards that seat 1 holds as dealt and in a world, over blocks: by what seat 0 holds.
    asked = trials(rules, n, block=np.arange(n), world=1, held=0, code=0)
    dealt = deal_hands(rules, key=KEY, blocks=np.arange(n, dtype=np.uint64))
    anew = hands_of(rules, asked, key=KEY)
    place = [_rank_of(hands[:, 1], hands[:, 1] | hands[:, 2]) for hands in (dealt, anew)]
    pairs(place[0], place[1], kinds)


def _rank_of(hand: npt.NDArray[np.uint64], among: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Which of the six pairs of four cards a hand is."""
    numbers = []
    for one, all_four in zip(hand.tolist(), among.tolist(), strict=True):
        cards = [card for card in range(64) if all_four >> card & 1]
        held = tuple(i for i, card in enumerate(cards) if one >> card & 1)
        numbers.append(list(combinations(range(4), 2)).index((held[0], held[1])))
    return np.array(numbers, np.int64)
