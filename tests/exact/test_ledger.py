"""What a contract has to give is given out, and its scale is only a scale."""

import numpy as np
import pytest

from engine_ext.batch import Rules, play_deals, play_games
from engine_ext.rules.facts import contract_total
from engine_ext.rules.load import load_variant
from engine_ext.rules.resolve import KIND_LAYOUT
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key
from strategies.registry import create
from strategies.testing import BASE_VARIANTS

KEY = run_key(31)

ITEMS = {
    # What there is to take in a deal: 52 cards, 32 cards.
    "tricks": (13, 8), "queens": (4, 4), "kings": (4, 4), "hearts": (13, 8), "king": (1, 1),
    "last_two": (2, 2), "last_but_one": (1, 1), "last": (1, 1), "first_last": (2, 2), "ace": (1, 1),
}  # fmt: skip
TOTALS = {
    # As the documents print them, contract by contract in the order of the files.
    "barbu_king_br": (65, 65, 80, 80, 290, -65, 80, -10),
    "king_ru_fixed14": (-16,) * 6 + (-96,) + (16,) * 6 + (96,),
    "barbu_fr_reussite": (-40, -40, -60, -70, -210, 150),
    "barbu_52_doubling": (-26, -24, -30, -30, -20, 65, 65),
}


@pytest.mark.parametrize("strategy", ["random.v1", "duck.v1"])
@pytest.mark.parametrize("name", BASE_VARIANTS)
def test_every_deal_adds_up_to_its_contracts_total_and_all_its_items(
    name: str, strategy: str
) -> None:
    variant = load_variant(name)
    rules = Rules(variant)
    numbers = rules.numbers
    for contract, total in zip(numbers.contracts, TOTALS[name], strict=True):
        assert contract_total(variant, numbers.contract_names[contract.id]) == total
        players = [create(strategy) for _ in range(4)]
        deals = play_deals(rules, players, key=KEY, contracts=[contract.id], first_block=0, n=200)
        assert (deals.points.sum(axis=1) == numbers.objective * total).all()
        if contract.kind == KIND_LAYOUT:
            assert (np.sort(deals.finish, axis=1) == [1, 2, 3, 4]).all()
            continue
        for slot, item in enumerate(contract.slot_names):
            there = ITEMS[item][numbers.hand_size == 8]
            if "ace" in contract.slot_names and item == "hearts":
                there -= 1  # the ace is an item of its own
            counted = (deals.items >> np.uint64(8 * slot) & np.uint64(255)).sum(axis=1)
            assert (counted == there).all(), (contract.id, item)


def scaled(variant: Variant, k: int) -> Variant:
    """Return rules with all points times ``k``."""
    table = variant.model_dump(mode="json")
    for contract in table["contracts"].values():
        contract["total"] = None
        for term in contract.get("terms", ()):
            term["points"] *= k
        if "payout" in contract:
            contract["payout"] = [k * points for points in contract["payout"]]
    return Variant.model_validate(table)


@pytest.mark.parametrize("strategy", ["random.v1", "duck.v1", "cautious.v1"])
@pytest.mark.parametrize("name", BASE_VARIANTS)
def test_multiplied_points_change_no_card_within_a_contract(name: str, strategy: str) -> None:
    variant = load_variant(name)
    one, many = Rules(variant), Rules(scaled(variant, 7))
    for contract in range(one.numbers.n_contracts):
        found = [
            play_deals(
                rules,
                [create(strategy)] * 4,
                key=KEY,
                contracts=[contract],
                first_block=0,
                n=40,
                log=True,
            )
            for rules in (one, many)
        ]
        first, second = (deals.moves for deals in found)
        assert first is not None
        assert second is not None
        assert np.array_equal(first, second)
        assert np.array_equal(7 * found[0].points, found[1].points)


# Not duck.v1: it reckons its bets in whole hundredths, rounded at every step.
@pytest.mark.parametrize("strategy", ["random.v1", "cautious.v1"])
def test_multiplied_points_multiply_scores_and_side_bets_of_whole_games(strategy: str) -> None:
    variant = load_variant("barbu_52_doubling")
    blocks = np.arange(60, dtype=np.uint64)
    found = [
        play_games(
            Rules(rules),
            [create(strategy)],
            key=KEY,
            blocks=blocks,
            seating=np.zeros((60, 4), np.uint8),
        )
        for rules in (variant, scaled(variant, 7))
    ]
    assert found[0].deals.side.any()
    assert np.array_equal(found[0].deals.doubled, found[1].deals.doubled)
    assert np.array_equal(7 * found[0].deals.side, found[1].deals.side)
    assert np.array_equal(7 * found[0].score, found[1].score)
