"""``barbu rules``: what people and programs get to read."""

import json
from pathlib import Path

import pytest

from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.show import show
from pipeline.cli import main
from tests.unit.rule_files import changed


def test_list_shows_every_variant_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == variant_names()
    assert max(map(len, lines)) <= 80


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
    assert '"450 positive": gross_positive 450 is false, 720 comes out.' in capsys.readouterr().out


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
