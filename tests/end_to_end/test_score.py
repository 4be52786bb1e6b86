"""``barbu score`` from file to answer: records, games, sheets, and what is wrong in them."""

import json
from pathlib import Path

import pytest

from pipeline.cli import main

POSITIONS = Path(__file__).parents[1] / "golden" / "positions"
SHEET = """\
variant barbu_52_doubling
players North East South West
1 North tricks | 2 4 1 6 | East>North* South>North* North>East
2 North hearts | hearts 4 3 2 3 | ace East | West>North*
"""
RECORD = """\
variant barbu_52_doubling
deal 1
contract king
doubles -
hands KH 2C | 3H 3C | 4H 4C | 5H 5C
trick P0: 2C 3C 4C 5C
trick P3: 5H KH 3H 4H
points -20 0 0 0
deal 2
contract last_two
doubles P1>P0
hands AC 2C | 3H 3C | 4H 4C | 5H 5C
trick P0: AC 3C 4C 5C
trick P0: 2C 3H 4H 5H
"""


def told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, *words: str
) -> tuple[int, str]:
    path = tmp_path / "deals.txt"
    path.write_text(text, "utf-8")
    code = main(["score", str(path), *words])
    out, err = capsys.readouterr()
    assert err == ""
    return code, out.replace(str(path), "deals.txt")


def test_a_sheet_is_told_deal_by_deal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = told(tmp_path, capsys, SHEET)
    assert code == 0
    assert out.splitlines() == [
        "deal  contract  declarer             North  East  South  West",
        "   1  tricks    North     points        -4    -8     -2   -12",
        "                          side bets      6    -8      2     0",
        "                          total          2   -16      0   -12",
        "   2  hearts    North     points        -8   -12     -4    -6",
        "                          side bets     -2     0      0     2",
        "                          total         -8   -28     -4   -16",
        "2 deals, all as the rules have it",
    ]


def test_a_sheet_as_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = told(tmp_path, capsys, SHEET, "--json")
    answer = json.loads(out)
    assert (code, answer["ok"], answer["problem"], answer["kind"]) == (0, True, None, "sheet")
    assert answer["points"] == [-12, -20, -6, -18]
    assert answer["side"] == [4, -8, 2, 2]
    assert answer["scores"] == [-8, -28, -4, -16]
    assert [deal["contract"] for deal in answer["deals"]] == ["tricks", "hearts"]


def test_deals_of_one_game_go_on_from_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = told(tmp_path, capsys, RECORD, "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["points"] == [-50, 0, 0, 0]
    assert answer["side"] == [-30, 30, 0, 0]
    assert answer["scores"] == [-80, 30, 0, 0]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("trick P3: 5H", "trick P2: 5H", "line 7: trick: it is P3's turn, not P2's"),
        ("points -20", "points -22", "line 8: points: by the rules -20 0 0 0"),
        ("contract last_two", "contract king", "line 10: contract: P0 has no king left"),
        ("deal 2", "deal 3", "line 9: deal: 3 follows deal 1 (want deal 2)"),
        ("AC 2C", "AC AC", "line 12: hands: AC stands twice in P0's hand"),
        ("trick P0: 2C 3H 4H 5H\n", "---\ncontract tricks\nhands - | - | - | -\n",
         "line 15: the deal before is not over"),
        ("barbu_52_doubling", "barbu_52_doublin", "line 1: variant: barbu_52_doublin: no variant"),
    ],
)  # fmt: skip
def test_the_first_thing_that_is_wrong_is_named_with_its_line(
    old: str, new: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert old in RECORD
    code, out = told(tmp_path, capsys, RECORD.replace(old, new, 1))
    assert code == 1
    assert out.splitlines()[-1].startswith(f"wrong: deals.txt, {says}")
    code, out = told(tmp_path, capsys, RECORD.replace(old, new, 1), "--json")
    answer = json.loads(out)
    assert (code, answer["ok"], answer["points"], answer["scores"]) == (1, False, None, None)
    assert answer["problem"].startswith(f"deals.txt, {says}")


def test_a_deal_that_is_not_over_is_no_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = told(tmp_path, capsys, RECORD.replace("trick P0: 2C 3H 4H 5H\n", ""))
    assert code == 0
    assert out.splitlines()[-1] == "not over: P0 is to play"


def test_the_golden_cases_are_right(capsys: pytest.CaptureFixture[str]) -> None:
    for path in sorted(POSITIONS.glob("case_*.txt")):
        assert main(["score", str(path)]) == 0, path
        assert "wrong" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "says"), [(None, "no such file"), (b"\xff\xfe", "byte 0: not UTF-8 text")]
)
def test_a_file_that_cannot_be_read_ends_with_2(
    content: bytes | None, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "deals.txt"
    if content is not None:
        path.write_bytes(content)
    assert main(["score", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: {path}: {says}")
    assert main(["score", str(path), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["ok"] is False
