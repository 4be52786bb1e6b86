"""What a shipped variant says of its sources: as its own document's, not as a house rule."""

import re
import tomllib
from importlib.resources import files
from typing import Any

import pytest

from engine_ext.cards import Pack
from engine_ext.rules.checks_papers import reading_values
from engine_ext.rules.facts import start_ranks
from engine_ext.rules.house import HOUSE
from engine_ext.rules.load import load_base, load_lineage, load_variant, variant_names
from engine_ext.rules.show import show
from engine_ext.rules.spec import ChoiceSchedule, LayoutContract, Variant

NAMES = variant_names()


def table(name: str) -> dict[str, Any]:
    return tomllib.loads((files("configs") / "rules" / f"{name}.toml").read_text("utf-8"))


def keys_read(variant: Variant) -> set[str]:
    return {key for reading in variant.readings for key, _ in reading_values(reading)}


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_it_is_told_as_a_house_rule(name: str) -> None:
    variant, *ancestors = load_lineage(name)
    text = show(variant, ancestors, load_base(name))
    assert HOUSE not in text.lower()


@pytest.mark.parametrize("name", [name for name in NAMES if len(load_lineage(name)) > 1])
def test_a_document_in_another_language_names_its_contracts_itself(name: str) -> None:
    variant, parent, *_ = load_lineage(name)
    if variant.language != parent.language:
        own = table(name)["contracts"]
        assert [key for key in variant.contracts if "local" not in own.get(key, {})] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_start_card_that_is_taken_out_is_a_reading(name: str) -> None:
    variant = load_variant(name)
    for key, contract in variant.contracts.items():
        if isinstance(contract, LayoutContract):
            pack = Pack(variant.deck)
            everywhere = contract.model_copy(update={"missing_start": "forbid"})
            if start_ranks(contract, pack) != start_ranks(everywhere, pack):
                assert f"contracts.{key}.missing_start" in keys_read(variant)


@pytest.mark.parametrize("name", NAMES)
def test_when_a_contract_is_named_is_a_reading_as_no_document_tells_it(name: str) -> None:
    variant = load_variant(name)
    if isinstance(variant.schedule, ChoiceSchedule):
        assert "schedule.timing" in keys_read(variant)


@pytest.mark.parametrize("name", NAMES)
def test_what_it_leaves_out_is_not_what_it_is(name: str) -> None:
    named = {word for text in load_variant(name).not_covered for word in re.findall(r"\w+", text)}
    assert name not in named
    assert {word for word in named if "_" in word} <= set(NAMES)
