"""``barbu strategies`` lists and shows what can play."""

import json
from pathlib import Path

import pytest

import strategies
from pipeline.cli import main


def test_lists_every_strategy_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategies", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == strategies.names()
    assert all(line.split()[1] in ("compiled", "batched", "Python") for line in lines)


def test_lists_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategies", "list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["strategies"]
    duck = next(row for row in rows if row["name"] == "duck.v1")
    assert duck["compiled"] is True
    assert duck["draws"] is False
    assert set(duck) == {
        "name",
        "about",
        "compiled",
        "batched",
        "draws",
        "releases_gil",
        "answers",
        "parameters",
        "parts",
    }
    kinds = {row["name"]: (row["compiled"], row["batched"]) for row in rows}
    assert kinds["lowest_batch.v1"] == (False, True)
    assert kinds["lowest.v1"] == (False, False)


def test_shows_one_in_its_authors_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategies", "show", "duck.v1"]) == 0
    out = capsys.readouterr().out
    assert "compiled        yes" in out
    assert "**Layout.**" in out


def test_shows_who_answers_what_where_several_are_put_together(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["strategies", "show", "choose=cautious.v1, play=duck.v1"]) == 0
    out = capsys.readouterr().out
    assert "name            play=duck.v1, choose=cautious.v1\n" in out
    assert "parts           play=duck.v1, choose=cautious.v1, double=duck.v1\n" in out
    assert "compiled        no\n" in out
    assert main(["strategies", "show", "choose=cautious.v1"]) == 2
    told = capsys.readouterr().err
    assert (
        told
        == "error: strategy 'choose=cautious.v1': play is missing: it answers what no other part does\n"
    )


def test_an_unknown_strategy_is_the_users_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategies", "show", "ducks.v1"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("error: unknown strategy 'ducks.v1' (known: ")


def test_a_class_that_does_not_say_whether_it_draws_is_shown_how_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "silent.py"
    path.write_text(
        "class Silent:\n    def play(self, view): return view.lowest()\n"
        "    def __repr__(self): return 'silent.v1'\n"
    )
    assert main(["strategies", "show", f"{path}:Silent"]) == 0
    out = capsys.readouterr().out
    assert "random numbers  may take random numbers (does not say; set draws = False)\n" in out
    assert main(["strategies", "show", "lowest.v1"]) == 0
    assert "random numbers  no\n" in capsys.readouterr().out


def test_a_strategy_that_fails_at_birth_is_one_line_and_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.py"
    path.write_text("class Broken:\n    play = print\n    def __init__(self): {}[0]\n")
    assert main(["strategies", "show", f"{path}:Broken"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.endswith(f"{path}, line 3: KeyError: 0\n")
    assert told.err.count("\n") == 1
