"""A variant with keys set otherwise is what a house's file that sets them would be."""

import re
from pathlib import Path

import pytest
from pydantic import JsonValue

from engine_ext.errors import RuleError
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.revise import revised, setting_at
from engine_ext.rules.toml_file import as_toml
from tests.unit.rule_files import write

BASE = "barbu_52_doubling"
QUEENS = [{"per": "card", "of": {"ranks": ["Q"]}, "points": -9, "name": "queens"}]


@pytest.mark.parametrize("name", variant_names())
def test_nothing_changed_is_the_parent(name: str) -> None:
    parent = load_variant(name)
    assert revised(parent, {}) == parent


@pytest.mark.parametrize(
    ("changes", "file"),
    [
        (
            {"contracts.queens.terms[0].points": -9},
            {"contracts": {"queens": {"terms": QUEENS, "total": -36}}},
        ),
        (
            {"contracts.domino.payout[3]": -30},
            {"contracts": {"domino": {"payout": [45, 20, 5, -30], "total": 40}}},
        ),
        (
            {"contracts.hearts.lead_ban": "none", "contracts.trumps.void_duty": "free"},
            {"contracts": {"hearts": {"lead_ban": "none"}, "trumps": {"void_duty": "free"}}},
        ),
        (
            {"contracts.domino": "none", "schedule.uses.domino": 0, "schedule.dealership": 6},
            {
                "contracts": {"domino": "none"},
                "schedule": {"uses": {"domino": "none"}, "dealership": 6},
            },
        ),
        ({"doubling": "none"}, {"doubling": "none"}),
        (
            {"contracts.king.forced_play": {"cards": {"cards": ["KH"]}}},
            {"contracts": {"king": {"forced_play": {"cards": {"cards": ["KH"]}}}}},
        ),
    ],
)
def test_a_change_is_what_a_file_makes_of_it(
    changes: dict[str, JsonValue], file: dict[str, object], tmp_path: Path
) -> None:
    title = load_variant(BASE).title
    path = write(tmp_path, as_toml({"extends": BASE, "title": title, **file}), "house.toml")
    found = revised(load_variant(BASE), changes)
    assert found == load_variant(path)
    assert found.title == title
    assert found != load_variant(BASE)


def test_points_that_a_salad_takes_over_move_its_total_too() -> None:
    found = revised(load_variant("barbu_king_br"), {"contracts.queens.terms[0].points": 25})
    totals = {name: contract.total for name, contract in found.contracts.items()}
    assert (totals["queens"], totals["salad"]) == (100, 310)


def test_a_contract_that_nobody_chooses_is_used_0_times() -> None:
    without = {"schedule.uses.domino": 0, "schedule.dealership": 6}
    parent = revised(load_variant(BASE), without)
    assert setting_at(parent, "schedule.uses.domino") == 0
    again = revised(parent, {"schedule.uses.domino": 2, "schedule.dealership": 8})
    assert setting_at(again, "schedule.uses.domino") == 2


def test_a_card_that_decides_who_leads_may_go_in_a_file_too(tmp_path: Path) -> None:
    parent = load_variant("hearts")
    assert setting_at(parent, "schedule.holds") == "2C"
    changes: dict[str, JsonValue] = {"schedule.leader": "dealer", "schedule.holds": "none"}
    text = as_toml({"extends": "hearts", "title": parent.title, "schedule": {
        "leader": "dealer", "holds": "none"}})  # fmt: skip
    assert revised(parent, changes) == load_variant(write(tmp_path, text, "led.toml"))


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("contracts.quens.terms[0].points", 1, 'no key "quens" (did you mean "queens"?)'),
        ("contracts.queens.terms[1].points", 1, "terms has no entry [1]"),
        ("contracts.queens.terms[0].points", "x", 'must be a whole number, not "x"'),
        ("contracts.queens.terms[0].points", float("nan"), "without end"),
        ("contracts.king.lead_ban.until", "never", 'must be "nothing_else", "broken" or "trick"'),
        ("contracts.queens.total", -20, "follows from the points"),
        ("contracts..queens.tone", "positive", "is no key (want names with dots"),
        ("claims", [], "changes no rule"),
        ("contracts.queens.terms[0]", "none", 'must be a table, not "none"'),
        ("doubling.redoubles", 1, "must be true or false, not 1"),
        ("contracts", "none", 'contracts: must be a table, not "none"'),
        ("schedule.dealership", 3, "3 deals in a row do not divide the 7 contracts"),
        ("schedule.uses.domino", True, "must be a whole number, not true"),
        ("contracts.tricks.shooting.taker", 3, 'shooting is absent, so it has no "taker"'),
    ],
)
def test_a_change_that_cannot_be_is_told(key: str, value: JsonValue, said: str) -> None:
    with pytest.raises(RuleError) as caught:
        revised(load_variant(BASE), {key: value})
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("outer", "value", "inner"),
    [
        ("contracts.hearts.lead_ban", "none", "contracts.hearts.lead_ban.until"),
        ("contracts.hearts", 5, "contracts.hearts.face_up"),
        ("contracts.queens.terms", {"per": "trick"}, "contracts.queens.terms[0].points"),
        ("contracts.queens.terms", [], "contracts.queens.terms[0]"),
        ("contracts.domino.payout", "none", "contracts.domino.payout[1]"),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_a_change_inside_another_is_told(
    outer: str, value: JsonValue, inner: str, turned: bool
) -> None:
    changes: dict[str, JsonValue] = {inner: 3, outer: value} if turned else {outer: value, inner: 3}
    said = re.escape(f"{inner}: lies in {outer}, which is set too")
    with pytest.raises(RuleError, match=f"^{said}"):
        revised(load_variant(BASE), changes)
