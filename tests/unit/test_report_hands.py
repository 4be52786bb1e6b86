"""The cards that a page tells are those that were dealt, by the seed or as they were given."""

import numpy as np
import pytest

from engine_ext.batch import Rules, deal_hands
from engine_ext.fixed import text_of_hands
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from reports.hands import NONE, Dealt
from tests.unit.invented import config

BLOCKS = 3


@pytest.mark.parametrize("variant", ["king_ru_fixed14", "barbu_fr_reussite", "barbu_king_br_6"])
def test_hands_that_were_given_are_told_whatever_the_seed(variant: str) -> None:
    rules = Rules(load_variant(variant))
    numbers, blocks = rules.numbers, np.arange(BLOCKS, dtype=np.uint64)
    dealt = [
        deal_hands(rules, key=run_key(7), blocks=blocks, deal=deal)
        for deal in range(numbers.n_deals)
    ]
    text = text_of_hands(numbers, np.stack(dealt, axis=1))
    seeded = config((variant,), blocks=BLOCKS)
    given = seeded.model_copy(update={"seed": 8, "dealt": text})
    ours, theirs = (Dealt(one, one.variant(variant)) for one in (seeded, given))
    other = Dealt(given.model_copy(update={"dealt": None}), given.variant(variant))
    for block in range(BLOCKS):
        for deal in range(numbers.n_deals):
            assert ours.by_suit(block, deal) == theirs.by_suit(block, deal)
            assert ours.by_suit(block, deal) != other.by_suit(block, deal)
    # A deal that plays out a tie comes from the seed.
    assert theirs.by_suit(0, numbers.n_deals) == other.by_suit(0, numbers.n_deals)


@pytest.mark.parametrize("variant", ["barbu_52_doubling", "barbu_king_br_6"])
def test_everybody_holds_his_share_of_the_pack_high_cards_first(variant: str) -> None:
    run = config((variant,))
    numbers = Rules(run.variant(variant)).numbers
    hands = Dealt(run, run.variant(variant)).by_suit(0, 0)
    assert len(hands) == numbers.seats
    for hand in hands:
        assert list(hand) == ["♠", "♥", "♦", "♣"]
        held = [ranks for ranks in hand.values() if ranks != NONE]
        assert sum(map(len, held)) == numbers.hand_size
        for ranks in held:
            assert list(ranks) == sorted(ranks, key="AKQJT98765432".index)
