"""duck.v1 plays every card as the rules in words say, move by move."""

from typing import Any

import numpy as np
import pytest

import strategies
from engine_ext import batch
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key
from strategies.testing import BASE_VARIANTS
from tests.unit.duck_model import DuckModel

KEY = run_key(14)
FIRST_BLOCK = 500


def trick_contract(tone: str, *terms: dict[str, Any], **more: Any) -> dict[str, Any]:
    kind = {"kind": "trick", "title": "t", "source": "made up for this test"}
    return {**kind, "tone": tone, "terms": list(terms), **more}


def cards(points: int, name: str, **of: Any) -> dict[str, Any]:
    return {"per": "card", "of": of, "points": points, "name": name}


ODD_CONTRACTS = {
    "bad_trumps": trick_contract("negative", {"per": "trick", "points": -2}, trump="drawn"),
    "bad_trumps_ruffed": trick_contract(
        "negative",
        cards(-3, "kings", ranks=["K"]),
        trump="drawn",
        void_duty="must_ruff",
    ),
    "kings_and_jacks": trick_contract(
        "negative", cards(-2, "jacks", ranks=["J"]), cards(-4, "kings", ranks=["K"])
    ),
    "a_gift_among_losses": trick_contract(
        "mixed", cards(8, "gift", cards=["TC"]), cards(-5, "queens", ranks=["Q"])
    ),
    "one_low_card": trick_contract("negative", cards(-9, "jack", cards=["JC"])),
    "middle_trick": trick_contract(
        "negative", {"per": "trick_at", "tricks": [4, -1], "points": -9, "name": "middle"}
    ),
    "last_trick_and_hearts": trick_contract(
        "negative",
        cards(-1, "hearts", suits=["H"]),
        {"per": "trick_at", "tricks": [-1], "points": -6, "name": "last"},
    ),
    "take_hearts": trick_contract("positive", cards(3, "hearts", suits=["H"])),
}


def odd_rules(seats: int, ranks: str) -> Variant:
    """Contracts that no shipped variant has, at a table of another size."""
    deck: dict[str, Any] = {"ranks": list(ranks)}
    return Variant.model_validate(
        {
            "title": "odd",
            "language": "en",
            "source": "made up for this test",
            "seats": seats,
            "direction": "clockwise",
            "objective": "highest",
            "deck": deck,
            "contracts": ODD_CONTRACTS,
            "schedule": {
                "kind": "fixed",
                "sequence": list(ODD_CONTRACTS),
                "leader": "left_of_dealer",
            },
        }
    )


def deals_with(rules: batch.Rules, contract: int, seat: int | None, n: int) -> batch.DealRecords:
    """Deals of one contract, duck.v1 in all seats but ``seat``, where the model sits."""
    players: list[Any] = [strategies.create("duck.v1") for _ in range(rules.numbers.seats)]
    if seat is not None:
        players[seat] = DuckModel()
    return batch.play_deals(
        rules, players, key=KEY, contracts=[contract], first_block=FIRST_BLOCK, n=n, log=True
    )


def assert_model_agrees(rules: batch.Rules, contract: int, n: int = 24) -> None:
    """Same moves with the model in any one seat, where that seat names nothing."""
    expected = deals_with(rules, contract, None, n)
    seats = rules.numbers.seats
    for seat in range(seats):
        found = deals_with(rules, contract, seat, n)
        asked = found.declarer if rules.numbers.has_choice else found.leader.astype(np.int8)
        rows = asked != seat
        assert rows.sum() >= n // 2
        assert found.moves is not None
        assert expected.moves is not None
        np.testing.assert_array_equal(found.moves[rows], expected.moves[rows])


@pytest.mark.parametrize("name", ["yardstick", *BASE_VARIANTS])
def test_plays_as_the_words_say_in_every_shipped_contract(name: str) -> None:
    rules = batch.Rules(load_variant(name))
    for contract in range(rules.numbers.n_contracts):
        assert_model_agrees(rules, contract)


@pytest.mark.parametrize(
    ("seats", "ranks"), [(4, "789TJQKA"), (3, "5789TJQKA"), (6, "3456789TJQKA")]
)
def test_plays_as_the_words_say_in_odd_contracts(seats: int, ranks: str) -> None:
    rules = batch.Rules(odd_rules(seats, ranks))
    for contract in range(rules.numbers.n_contracts):
        assert_model_agrees(rules, contract, n=12)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["yardstick", *BASE_VARIANTS])
def test_plays_as_the_words_say_on_thousands_of_deals(name: str) -> None:
    rules = batch.Rules(load_variant(name))
    for contract in range(rules.numbers.n_contracts):
        assert_model_agrees(rules, contract, n=1000)
