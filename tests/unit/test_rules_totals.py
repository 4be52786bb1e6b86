"""What the points add up to, against the totals that the documents print."""

from pathlib import Path

import pytest

from engine_ext.rules.load import load_variant
from engine_ext.rules.totals import ClaimChecked, check, totals
from tests.unit.rule_files import extended, write


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # 000 A10-A17, A25; 720 is the dossier's correction of the printed 450 (2.3)
        ("barbu_king_br", {"game": 585, "gross_negative": -135, "gross_positive": 720}),
        # 002 B13
        ("king_ru_fixed14", {"game": 0, "gross_negative": -192, "gross_positive": 192}),
        # dossier 2.18
        ("barbu_fr_reussite", {"game": -480, "declarer": -120}),
        # dossier 2.35, case 89
        ("barbu_52_doubling", {"game": 0, "declarer": 0}),
        ("yardstick", {"game": 313, "gross_negative": -13}),
    ],
)
def test_a_game_adds_up_to_what_the_dossier_says(name: str, expected: dict[str, int]) -> None:
    sums = totals(load_variant(name))
    assert {key: sums[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("barbu_king_br", [65, 65, 80, 80, 290, -65, 80, -10]),
        ("king_ru_fixed14", [-16] * 6 + [-96] + [16] * 6 + [96]),
        ("barbu_fr_reussite", [-40, -40, -60, -70, -210, 150]),
        ("barbu_52_doubling", [-26, -24, -30, -30, -20, 65, 65]),
        ("yardstick", [13, 13, 4, 1, 3, 2, 290, -13]),
    ],
)
def test_each_contract_adds_up_to_its_printed_total(name: str, points: list[int]) -> None:
    variant = load_variant(name)
    sums = totals(variant)
    assert [sums[f"contracts.{contract}"] for contract in variant.contracts] == points


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("barbu_king_br", 580),
        # Not printed; dossier 2.2 and, for the Barbu as one heart, 2.11.
        ("barbu_king_br_3", 620),
        ("barbu_king_br_5", 550),
        ("barbu_king_br_6", 1070),
        (str(Path("tests/golden/positions/rules/king_br_6_one_heart.toml").resolve()), 1060),
    ],
)
def test_the_short_game_of_the_first_document_adds_up(tmp_path: Path, name: str, game: int) -> None:
    short = f'extends = "{name}"\n[schedule]\nsequence = ["tricks", "hearts", "queens", "king", "salad"]'
    assert totals(load_variant(write(tmp_path, short)))["game"] == game


def test_only_a_declarer_has_a_total_of_his_own() -> None:
    assert "declarer" not in totals(load_variant("barbu_king_br"))
    assert "declarer" in totals(load_variant("barbu_52_doubling"))


def test_the_false_claims_of_two_documents_are_told_and_harm_nothing() -> None:
    false = {
        name: [claim for claim in check(load_variant(name)).claims if not claim.ok]
        for name in ("barbu_king_br", "king_ru_fixed14", "barbu_fr_reussite", "barbu_52_doubling")
    }
    assert {
        name: [(c.what, c.stated, c.comes_out) for c in c_s] for name, c_s in false.items()
    } == {
        "barbu_king_br": [("gross_positive", 450, 720)],
        "king_ru_fixed14": [],
        "barbu_fr_reussite": [("game", 0, -480)],
        "barbu_52_doubling": [],
    }
    assert all(claim.note for claims in false.values() for claim in claims)
    assert all(check(load_variant(name)).ok for name in false)


def test_a_claim_is_held_against_what_comes_out(tmp_path: Path) -> None:
    text = '[[claims]]\nwhat = "contracts.hearts"\nvalue = -16\nsource = "page 1"\n'
    variant = load_variant(extended(tmp_path, text + text.replace("-16", "16")))
    right, wrong = check(variant).claims
    assert right == ClaimChecked("contracts.hearts", -16, -16, True, "page 1", None)
    assert wrong == ClaimChecked("contracts.hearts", 16, -16, False, "page 1", None)


def test_a_variant_that_cannot_be_played_is_not_ok() -> None:
    variant = load_variant("barbu_king_br").model_copy(update={"seats": 3})
    assert not check(variant).ok
