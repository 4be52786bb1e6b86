"""What every shipped variant owes; a new file is covered by being there."""

import tomllib
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine_ext.cards import Pack
from engine_ext.rules.load import load_lineage, load_variant, variant_names
from engine_ext.rules.resolve import KIND_LAYOUT, SLOT_SHOT, SLOT_TRICK_AT, SLOT_TRICKS, resolve
from engine_ext.rules.schema import variant_schema
from engine_ext.rules.show import show
from engine_ext.rules.spec import Variant
from engine_ext.rules.totals import check

NAMES = variant_names()


def table(name: str) -> dict[str, Any]:
    return tomllib.loads((files("configs") / "rules" / f"{name}.toml").read_text("utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_variant_can_be_played(name: str) -> None:
    assert check(load_variant(name)).ok


@pytest.mark.parametrize("name", NAMES)
def test_every_contract_states_its_total_and_its_source(name: str) -> None:
    for contract in load_variant(name).contracts.values():
        assert contract.total is not None
        assert contract.source


@pytest.mark.parametrize("name", NAMES)
def test_a_false_claim_of_the_document_is_explained(name: str) -> None:
    variant, *ancestors = load_lineage(name)
    claims = check(variant, ancestors).claims
    assert all(claim.note for claim in claims if not (claim.ok or claim.changed))


@pytest.mark.parametrize("name", NAMES)
def test_a_variant_comes_back_whole_from_its_data(name: str) -> None:
    variant = load_variant(name)
    assert Variant.model_validate(variant.model_dump(mode="json")) == variant
    assert resolve(Variant.model_validate_json(variant.model_dump_json())) == resolve(variant)


@pytest.mark.parametrize("name", NAMES)
def test_its_words_fit_80_columns_and_name_every_contract_and_reading(name: str) -> None:
    variant = load_variant(name)
    text = show(variant)
    assert max(map(len, text.splitlines())) <= 80
    words = " ".join(text.split())
    for contract in variant.contracts.values():
        assert contract.title in words
        assert (contract.local or "") in words
    for reading in variant.readings:
        assert reading.why in words
    assert "{" not in text
    assert "None" not in text


@pytest.mark.parametrize("name", NAMES)
def test_every_card_and_trick_of_a_deal_scores_its_share_of_the_total(name: str) -> None:
    """Points counted card by card and trick by trick, not by the formula of the totals."""
    variant = load_variant(name)
    numbers = resolve(variant)
    deck = [1 << card for card in range(128) if numbers.deck >> card & 1]
    for contract in numbers.contracts:
        if contract.kind == KIND_LAYOUT:
            assert sum(contract.payout) == contract.total
            continue
        points = 0
        for k in range(contract.n_slots):
            if contract.slot_kind[k] == SLOT_TRICKS:
                items = numbers.hand_size
            elif contract.slot_kind[k] == SLOT_SHOT:
                assert contract.slot_points[k] == 0  # replaces all other points
                continue
            elif contract.slot_kind[k] == SLOT_TRICK_AT:
                tricks = range(numbers.hand_size)
                items = sum(contract.slot_tricks[k] >> trick & 1 for trick in tricks)
            else:
                items = sum(bool(contract.slot_cards[k] & card) for card in deck)
            points += items * contract.slot_points[k]
        assert points == contract.total
        declared = list(variant.contracts.values())[contract.id].total
        assert declared is not None
        assert points * numbers.objective == declared


@pytest.mark.parametrize("name", NAMES)
def test_the_pack_is_dealt_out_evenly(name: str) -> None:
    numbers = resolve(load_variant(name))
    assert numbers.hand_size * numbers.seats == Pack(load_variant(name).deck).size


@pytest.mark.parametrize("name", NAMES)
def test_an_editor_accepts_the_file(name: str) -> None:
    Draft202012Validator(variant_schema()).validate(table(name))


def test_an_editor_sees_a_wrong_key_a_wrong_type_and_a_missing_key() -> None:
    validator = Draft202012Validator(variant_schema())
    good = table("barbu_king_br")
    for wrong in (
        good | {"seat": 4},
        good | {"seats": "four"},
        {key: value for key, value in good.items() if key != "deck"},
        {"extends": "barbu_king_br", "seat": 3},
        {"extends": 3},
    ):
        assert list(validator.iter_errors(wrong)), wrong
    validator.validate({"extends": "barbu_king_br", "contracts": {"tricks": {"total": 65}}})


def test_every_key_of_the_schema_is_explained() -> None:
    schema = variant_schema()
    for name, record in schema["$defs"].items():
        for key, said in record.get("properties", {}).items():
            if key not in ("kind", "per"):
                assert said.get("description"), f"{name}.{key}"
