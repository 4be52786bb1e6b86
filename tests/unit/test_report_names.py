"""Contracts have names in four languages, and only the names change."""

import pytest

from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.spec import Variant
from reports.forms import Language
from reports.names import LANGUAGES, in_language, names
from reports.words import title

SHIPPED = variant_names()


@pytest.mark.parametrize("variant", SHIPPED)
def test_every_shipped_contract_has_a_name_in_every_language(variant: str) -> None:
    rules = load_variant(variant)
    for contract in rules.contracts.values():
        assert set(names()[contract.title]) == set(LANGUAGES), contract.title
    for language in LANGUAGES:
        told = in_language(rules, language)
        shown = [title(told, contract) for contract in rules.contracts]
        assert len(set(shown)) == len(shown), f"{language}: two contracts of one name"


def test_every_name_is_one_of_a_shipped_contract() -> None:
    titles = {c.title for variant in SHIPPED for c in load_variant(variant).contracts.values()}
    assert set(names()) == titles


def test_english_names_are_the_rule_files_own() -> None:
    assert all(languages["en"] == own for own, languages in names().items())


def test_a_king_of_hearts_is_a_barbu_in_france() -> None:
    rules = load_variant("barbu_52_doubling")
    shown = {language: title(in_language(rules, language), "king") for language in LANGUAGES}
    assert shown == {
        "en": "No king of hearts",
        "pt": "Sem o rei de copas",
        "fr": "Pas de barbu",
        "ca": "Sense el rei de cors",
    }
    assert title(rules, "king") == "No king of hearts"


def test_nothing_but_titles_changes() -> None:
    rules = load_variant("barbu_king_br")
    told = in_language(rules, "ca")
    assert in_language(told, "ca") == told
    back = {
        key: c.model_copy(update={"title": title(rules, key)}) for key, c in told.contracts.items()
    }
    assert told.model_copy(update={"contracts": back}) == rules


@pytest.mark.parametrize(("language", "shown"), [("fr", "Sans as"), ("pt", "No aces")])
def test_an_unknown_contract_has_its_documents_name_in_its_language_only(
    language: Language, shown: str
) -> None:
    assert title(in_language(_with_aces("Sans as"), language), "queens") == shown
    assert title(in_language(_with_aces(None), language), "queens") == "No aces"


def _with_aces(local: str | None) -> Variant:
    rules = load_variant("barbu_fr_reussite")
    aces = rules.contracts["queens"].model_copy(update={"title": "No aces", "local": local})
    return rules.model_copy(update={"contracts": rules.contracts | {"queens": aces}})
