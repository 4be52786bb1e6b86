"""``barbu replay`` and ``barbu export``: a run's games come back as records that hold."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine_ext.rules.load import load_variant
from engine_ext.score import score_text
from pipeline.cli import main
from pipeline.config import NamedVariant
from pipeline.store import Run
from tests.runs import entrants, played, rows, small

NAMES = ("barbu_52_doubling", "barbu_king_br", "hearts_moon")


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete run."""
    folder = tmp_path_factory.mktemp("replay") / "run"
    played(small(NAMES), folder)
    return folder


def answer(capsys: pytest.CaptureFixture[str], *words: str | Path) -> dict[str, object]:
    assert main([*map(str, words), "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def shown(row: dict[str, Any]) -> list[int]:
    """Return a row's scores in the document's sign."""
    sign = -1 if load_variant(row["variant"]).objective == "lowest" else 1
    return [sign * row[f"score_{seat}"] for seat in range(4)]


def test_every_game_of_a_run_goes_as_it_went(
    there: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = rows(Run.open(there), "games")
    for row in kept[:: max(1, len(kept) // 9)]:
        place = [f"--{key}={row[key]}" for key in ("variant", "block", "table", "rotation")]
        found = answer(capsys, "replay", there, *place)
        assert found["ok"] is True
        assert found["digest"] == found["kept"] == row["digest"].hex()
        assert found["scores"] == shown(row)
        assert found["entrants"] == [row[f"entrant_{s}"] for s in range(4)]


def test_a_deal_is_printed_as_a_record_that_holds(
    there: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["replay", str(there), "--variant", NAMES[0], "--block", "1", "--rotation", "2"]
    assert main([*words, "--deal", "5"]) == 0
    text = capsys.readouterr().out
    assert "\ndeal 6\n" in text  # people count from 1, tables from 0
    score = score_text(text)
    assert (score.problem, len(score.deals)) == (None, 1)
    assert main(words) == 0
    whole = score_text(capsys.readouterr().out)
    assert (whole.problem, len(whole.deals)) == (None, 28)
    assert whole.deals[5] == score.deals[0]


def test_a_deal_is_told_trick_by_trick(there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in NAMES:
        assert main(["replay", str(there), "--variant", name, "--show"]) == 0
        out = capsys.readouterr().out
        assert max(map(len, out.splitlines())) <= 80
    assert main(["replay", str(there), "--variant", NAMES[1], "--deal", "4", "--show"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Deal 5 of 8: Salad. P0 deals, P1 begins.")
    assert lines[2].startswith("P0 ")
    tricks = [line for line in lines if line[:5].strip().isdigit()]
    assert len(tricks) == 13
    # The points so far after the last trick are those of the deal.
    points = next(line for line in lines if line.startswith("points"))
    assert tricks[-1].split()[-4:] == points.split()[1:]


MOODY = """
import os

class Moody:
    def __repr__(self):
        return "moody.v1"

    def play(self, view):
        return view.highest() if "MOOD" in os.environ else view.lowest()
"""


def test_a_game_that_goes_otherwise_than_its_row_says_so_with_exit_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = tmp_path / "moody.py"
    bots.write_text(MOODY)
    name = f"{bots}:Moody"
    config = small(
        ("barbu_king_br",), blocks=1, entrants=entrants(name, "duck.v1"),
        lineups=((name, "duck.v1", "duck.v1", "duck.v1"),),
    )  # fmt: skip
    played(config, tmp_path / "run")
    assert main(["replay", str(tmp_path / "run"), "--load-strategies"]) == 0
    assert capsys.readouterr().err.startswith("loads strategies from ")
    monkeypatch.setenv("MOOD", "high")
    assert main(["replay", str(tmp_path / "run"), "--load-strategies"]) == 1
    assert "is not that of the run's row" in capsys.readouterr().err
    assert main(["export", str(tmp_path / "run"), "--games", "2", "--load-strategies"]) == 1
    assert capsys.readouterr().err.count("went otherwise than in the run") == 2


def test_without_rows_of_games_there_is_nothing_to_hold_it_against(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played(small(("barbu_king_br",), blocks=1, record=()), tmp_path / "run")
    assert main(["replay", str(tmp_path / "run"), "--deal", "0"]) == 0
    assert "kept no row of this game" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "say which --variant (barbu_52_doubling, barbu_king_br, hearts_moon)"),
        (["--variant", "hearts"], "--variant: no hearts here (has barbu_52_doubling,"),
        (["--variant", NAMES[1], "--block", "3"], "--block: 3 (this run has 0 to 2)"),
        (["--variant", NAMES[1], "--table", "2"], "--table: 2 (this run has 0 to 1)"),
        (["--variant", NAMES[1], "--rotation", "4"], "--rotation: 4 (this run has 0 to 3)"),
        (["--variant", NAMES[1], "--deal", "8"], "--deal: 8 (this game has 0 to 7)"),
    ],
)
def test_a_game_that_is_not_there_is_one_line(
    words: list[str], says: str, there: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(there), *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: {there}: {says}")
    assert len(err.splitlines()) == 1


def test_games_are_written_as_files_that_hold(
    there: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "records"
    found = answer(capsys, "export", there, "--out", out, "--games", "5")
    assert found["ok"] is True
    assert len(list(out.iterdir())) == 3 * 5
    for name in NAMES:
        path = out / f"{name}.block-0.table-1.rotation-0.txt"
        score = score_text(path.read_text(), str(path))
        assert score.problem is None
        row = next(
            row
            for row in rows(Run.open(there), "games")
            if (row["variant"], row["block"], row["table"], row["rotation"]) == (name, 0, 1, 0)
        )
        assert list(score.scores) == shown(row)
    assert main(["export", str(there), "--out", str(out)]) == 2
    assert "exists already (want a new folder)" in capsys.readouterr().err


def test_a_house_variant_comes_along_with_the_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = tmp_path / "mine.toml"
    house.write_text('extends = "barbu_king_br"\n[contracts.domino]\npassing = "must_play"\n')
    variants = (NamedVariant(name="mine", rules=load_variant(house)),)
    config = small(("barbu_king_br",), blocks=1).model_copy(update={"variants": variants})
    played(config, tmp_path / "run")
    assert main(["export", str(tmp_path / "run"), "--games", "1"]) == 0
    out = tmp_path / "run.records"
    assert capsys.readouterr().out == f"1 games in {out}\n"
    assert load_variant(out / "mine.toml") == load_variant(house)
    path = out / "mine.block-0.table-0.rotation-0.txt"
    assert main(["score", str(path)]) == 0
    assert capsys.readouterr().out.endswith("8 deals, all as the rules have it\n")
