"""Rules of trick contracts beyond the common ones: the loop for all of them, and each of them."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.batch import GameRecords, Rules, play_games
from engine_ext.build import load
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key
from tests.differential.scripted import changed
from tests.differential.test_mischief_games import same_mischief
from tests.differential.test_random_games import same_games
from tests.property.generators import variants
from tests.property.test_draws import alike


def played(rules: Rules, n: int) -> GameRecords:
    return play_games(
        rules,
        [load("strategies.random", rules.numbers.copies).Random()],
        key=run_key(5),
        blocks=np.arange(n, dtype=np.uint64),
        seating=np.zeros((n, rules.numbers.seats), np.uint8),
        log=True,
    )


def by_all_rules(variant: Variant) -> Rules:
    """Return rules whose contracts all go through the loop that knows every rule."""
    rules = Rules(variant)
    contracts = tuple(replace(contract, plain=0) for contract in rules.numbers.contracts)
    rules.numbers = replace(rules.numbers, contracts=contracts)
    rules.packed = rules.kernel.Rules(rules.numbers)
    return rules


@settings(max_examples=50)
@given(variants())
def test_plain_contracts_are_played_alike_by_the_short_loop_and_the_one_for_all_rules(
    variant: Variant,
) -> None:
    def only_plain(table: dict[str, Any]) -> None:
        for contract in table["contracts"].values():
            if contract["kind"] == "trick":
                contract.update(
                    beat_duty="none", void_duty="free", first_lead=None, first_trick_ban=None
                )
                for rule, plain in (
                    ("lead_ban", {"until": "nothing_else", "broken_by": None, "trick": None}),
                    ("forced_play", {"when": "void", "choose": "any"}),
                ):
                    contract[rule] = contract[rule] and contract[rule] | plain
                if contract["trump"] != "none":
                    contract["void_duty"] = "must_ruff"

    plain = changed(variant, only_plain)
    assert all(contract.plain for contract in Rules(plain).numbers.contracts)
    assert alike(played(Rules(plain), 2), played(by_all_rules(plain), 2))


@pytest.mark.parametrize("name", ["barbu_52_doubling", "king_ru_fixed14", "yardstick"])
def test_a_shipped_variant_is_the_same_in_both_loops(name: str) -> None:
    variant = load_variant(name)
    assert alike(played(Rules(variant), 20), played(by_all_rules(variant), 20))


TRICKS: dict[str, list[Any]] = {
    "beat_duty": ["trump_leads", "all_leads"],
    "void_duty": ["free", "must_ruff", "must_overruff", "must_overruff_else_free"],
    "lead_ban": [
        {"cards": {"suits": ("H",)}, "until": "broken"},
        {"cards": {"suits": ("H",)}, "until": "broken", "broken_by": {"cards": ("QS", "JD")}},
        {"cards": {"suits": ("H", "S")}, "until": "trick", "trick": 4},
    ],
    "forced_play": [
        {"cards": {"suits": ("H",), "ranks": ("K", "Q")}, "when": when, "choose": choose}
        for when in ("void", "void_or_beaten", "first_legal")
        for choose in ("any", "highest")
    ],
    "first_lead": [{"ranks": ("7",)}],
    "first_trick_ban": [{"suits": ("H", "D")}],
    "shooting": [{"cards": {"ranks": ("A",)}, "taker": 3, "others": -4}],
}
ONE_BY_ONE = [(key, value) for key, values in TRICKS.items() for value in values]


@pytest.mark.parametrize(("key", "value"), ONE_BY_ONE)
def test_each_rule_is_the_same_on_both_sides(key: str, value: Any) -> None:
    def rule(table: dict[str, Any]) -> None:
        for contract in table["contracts"].values():
            contract.update({key: value, "trump": "drawn", "total": None, "face_up": None})

    variant = changed(load_variant("king_ru_fixed14"), rule)
    same_games(variant, 3, 0, 2)
    same_mischief(variant, 1)


@pytest.mark.parametrize("number", range(len(ONE_BY_ONE)))
def test_each_rule_is_the_same_on_both_sides_with_two_packs(number: int) -> None:
    key, value = ONE_BY_ONE[number]

    def rule(table: dict[str, Any]) -> None:
        table["deck"]["identical"] = ["last_wins", "first_wins"][number % 2]
        for contract in table["contracts"].values():
            if contract["kind"] == "trick":
                contract.update({key: value, "trump": "drawn", "total": None, "face_up": None})

    variant = changed(load_variant("barbu_king_br_6"), rule)
    same_games(variant, 4, 0, 1)
    same_mischief(variant, 2)


@settings(max_examples=30)
@given(variants(), st.data())
def test_all_rules_together_are_the_same_on_both_sides(
    variant: Variant, data: st.DataObject
) -> None:
    """Rules that meet in one contract: which goes first is the same for engine and twin."""
    packs = set(variant.deck.suits), set(variant.deck.ranks)
    chosen = (
        data.draw(st.sampled_from(sorted(packs[0]))),
        data.draw(st.sampled_from(sorted(packs[1]))),
    )

    def every_rule(table: dict[str, Any]) -> None:
        for contract in table["contracts"].values():
            if contract["kind"] == "trick":
                contract.update(
                    trump="drawn",
                    beat_duty=data.draw(st.sampled_from(["trump_leads", "all_leads"])),
                    void_duty=data.draw(st.sampled_from(TRICKS["void_duty"])),
                    forced_play={
                        "cards": {"ranks": (chosen[1],)},
                        "when": data.draw(st.sampled_from(["void_or_beaten", "first_legal"])),
                        "choose": "highest",
                    },
                    lead_ban={"cards": {"suits": (chosen[0],)}, "until": "broken"},
                    first_trick_ban={"suits": (chosen[0],)},
                    total=None,
                )

    same_games(changed(variant, every_rule), data.draw(st.integers(0, 99)), 0, 2)
