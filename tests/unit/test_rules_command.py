"""``barbu rules``: what people and programs get to read."""

import json
from pathlib import Path

import pytest

from engine_ext.rules.facts import n_deals
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.show import show
from pipeline.cli import main
from tests.unit.rule_files import changed


def flat(text: str) -> str:
    """The text on one line, wherever it was broken."""
    return " ".join(text.split())


def test_list_shows_every_variant_with_its_whole_title(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "list"]) == 0
    told = capsys.readouterr().out
    head, *lines = told.splitlines()
    assert head.split() == ["variant", "seats", "deals", "title"]
    assert [line.split()[0] for line in lines if line[0] != " "] == variant_names()
    assert max(map(len, lines)) <= 80
    for name in variant_names():
        variant = load_variant(name)
        assert f" {variant.seats} {n_deals(variant)} {variant.title} " in flat(told) + " "


def test_list_as_data_has_seats_deals_and_contracts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "list", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["variants"]}
    assert rows["king_ru_fixed14"]["deals"] == 14
    assert rows["barbu_52_doubling"]["contracts"][-1] == "domino"


def test_show_tells_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "show", "barbu_king_br"]) == 0
    assert capsys.readouterr().out == show(load_variant("barbu_king_br")) + "\n"


def test_show_as_data_has_every_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "show", "barbu_king_br", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown == load_variant("barbu_king_br").model_dump(mode="json")
    assert shown["contracts"]["domino"]["payout"] == [-50, -20, 20, 40]


def test_check_as_data_is_ok_in_spite_of_a_false_claim(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "check", "barbu_fr_reussite", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["ok"] is True
    assert answer["totals"]["game"] == -480
    assert answer["totals"]["contracts.generale"] == -210
    false = [claim for claim in answer["claims"] if not claim["ok"]]
    assert [(claim["what"], claim["stated"], claim["comes_out"]) for claim in false] == [
        ("game", 0, -480)
    ]


def test_check_tells_a_false_claim_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "check", "barbu_king_br"]) == 0
    told = capsys.readouterr().out
    assert '"450 positive": gross_positive 450 is false, 720 comes out.' in flat(told)
    assert max(map(len, told.splitlines())) <= 80


def test_a_bad_file_is_one_line_and_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = changed(tmp_path, "[3, 2, 1, 0]", "[3, 2, 1]")
    line = f"{path}: contracts.domino.payout: 3 places for 4 seats (want 4 numbers)"
    for command in ("show", "check"):
        assert main(["rules", command, str(path)]) == 2
        told = capsys.readouterr()
        assert (told.out, told.err) == ("", f"error: {line}\n")
    assert main(["rules", "check", str(path), "--json"]) == 2
    answer = json.loads(capsys.readouterr().out)
    assert (answer["ok"], answer["problem"]) == (False, line)


def test_schema_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "Rules of a variant"


def test_check_tells_each_reading_and_the_value_it_takes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "check", "barbu_king_br"]) == 0
    told = capsys.readouterr().out
    assert "reading of 2.13: contracts.domino.passing = may_pass. Passing with" in flat(told)
    assert main(["rules", "check", "barbu_king_br", "--json"]) == 0
    readings = json.loads(capsys.readouterr().out)["readings"]
    assert len(readings) == told.count("reading of ") == len(load_variant("barbu_king_br").readings)


def test_diff_tells_what_a_house_changes_in_words_and_by_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "club.toml"
    path.write_text(
        'extends = "barbu_52_doubling"\n'
        "[contracts.king]\ntotal = -30\n"
        'terms = [{ per = "card", of = { cards = ["KH"] }, points = -30, name = "king" }]\n',
        "utf-8",
    )
    assert main(["rules", "diff", str(path)]) == 0
    told = capsys.readouterr().out
    assert "  here  -30 for the king of hearts. In all -30.\n" in told
    assert "  there -20 for the king of hearts. In all -20.\n" in told
    assert "- contracts.king.terms[0].points = -30 (there -20)" in told
    assert "No tricks" not in told
    assert "Hearts may be led" not in told
    assert main(["rules", "diff", str(path), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["same"] is False
    assert answer["totals"]["declarer"] == {"here": -10, "there": 0}
    (change,) = answer["changes"]
    assert change["part"].startswith("No king of hearts")
    assert change["here"] == ["-30 for the king of hearts.", "In all -30."]


def test_diff_against_another_tells_new_contracts_and_those_taken_away(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["rules", "diff", "barbu_fr_reussite", "--against", "barbu_king_br"]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "All together" in told
    assert ", positive: taken away" in told
    assert max(map(len, told.partition("By key")[0].splitlines())) <= 80


def test_diff_fits_into_eighty_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "diff", "canadian_salad", "--against", "barbu_king_br"]) == 0
    told = capsys.readouterr().out
    assert max(map(len, told.splitlines())) <= 80
    assert '(there ["tricks", "hearts", "queens",' in flat(told)


def test_diff_of_a_variant_with_itself_finds_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "diff", "hearts", "--against", "hearts"]) == 0
    told = capsys.readouterr().out
    assert "The rules are told in the same words." in told
    assert "No key that makes a rule is different." in told


def test_diff_of_a_variant_that_extends_none_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "diff", "barbu_king_br"]) == 2
    assert "extends no other (say --against NAME)" in capsys.readouterr().err
