"""``barbu strategies`` lists and shows what can play."""

import json

import pytest

import strategies
from pipeline.cli import main


def test_lists_every_strategy_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategies", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == strategies.names()
    assert all(line.split()[1] in ("compiled", "Python") for line in lines)


def test_lists_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategies", "list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["strategies"]
    duck = next(row for row in rows if row["name"] == "duck.v1")
    assert duck["compiled"] is True
    assert duck["draws"] is False
    assert set(duck) == {"name", "about", "compiled", "draws", "releases_gil", "answers"}


def test_shows_one_in_its_authors_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategies", "show", "duck.v1"]) == 0
    out = capsys.readouterr().out
    assert "compiled        yes" in out
    assert "**Layout.**" in out


def test_an_unknown_strategy_is_the_users_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategies", "show", "ducks.v1"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("error: unknown strategy 'ducks.v1' (known: ")
