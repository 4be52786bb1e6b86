"""``barbu replay --explain``: strategies that search tell what they weighed."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pipeline.cli import main
from tests.runs import entrants, played, small

THINKER = "play=mc.v1(worlds=4), choose=dp.v1(worlds=2, hands=6), double=ev.v1(worlds=4, draws=8)"
ALONE = "mc.v1(worlds=3)"
PYTHON = """
from strategies.alternatives import Alternative
from strategies.registry import register

@register("musing.v1")
class Musing:
    def choose(self, view):
        self.told = [Alternative(pair, float(-i), 0.5, 7) for i, pair in enumerate(view.choices)]
        return view.choices[0]

    def play(self, view):
        self.told = [Alternative(card, float(card % 16), 0.25, 9) for card in view.cards]
        return view.highest()

    def alternatives(self):
        return self.told
"""
LABELS = ("thinker", "alone", "musing", "mixed")
NAMES = ("barbu_52_doubling", "king_ru_fixed14", "barbu_king_br_6")


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a block: a searcher of parts, one alone, one in Python, one of both kinds."""
    folder = tmp_path_factory.mktemp("explain")
    musing = folder / "musing.py"
    musing.write_text(PYTHON)
    mixed = f"play={musing}:Musing, choose=dp.v1(worlds=2, hands=6)"
    names = (THINKER, ALONE, f"{musing}:Musing", mixed)
    who = [{"strategy": spec, "name": label} for spec, label in zip(names, LABELS, strict=True)]
    played(small(NAMES[:2], blocks=1, entrants=tuple(who), lineups=(LABELS,)), folder / "run")
    return folder / "run"


def answer(capsys: pytest.CaptureFixture[str], *words: str | Path) -> dict[str, Any]:
    assert main([*map(str, words), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_it_goes_as_it_went_whoever_listens(
    there: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in NAMES[:2]:
        quiet = answer(capsys, "replay", there, "--load-strategies", "--variant", name)
        told = answer(capsys, "replay", there, "--load-strategies", "--variant", name, "--explain")
        assert quiet["digest"] == told["digest"] == told["kept"]
        assert quiet["ok"] is told["ok"] is True
        assert not any(deal["thoughts"] for deal in quiet["deals"])
        for deal in quiet["deals"] + told["deals"]:
            del deal["thoughts"]
        assert quiet == told


def seats_of(found: dict[str, Any]) -> dict[str, int]:
    return {label: seat for seat, label in enumerate(found["entrants"])}


def test_who_weighs_something_tells_it_and_nobody_else(
    there: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = answer(capsys, "replay", there, "--load-strategies", "--variant", NAMES[0], "--explain")
    seat = seats_of(found)
    told: dict[int, set[str]] = {s: set() for s in range(4)}
    for deal in found["deals"]:
        for thought in deal["thoughts"]:
            if thought["alternatives"]:
                told[thought["seat"]].add(thought["question"])
    assert told[seat["thinker"]] >= {"choose", "double", "play", "lay"}
    assert told[seat["alone"]] == {"play", "lay"}
    assert told[seat["musing"]] == {"choose", "play"}
    assert told[seat["mixed"]] == {"choose", "play"}


def test_thoughts_are_of_their_deal(there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "replay", there, "--load-strategies", "--variant", NAMES[0], "--explain")
    for deal in found["deals"]:
        chosen = [t for t in deal["thoughts"] if t["question"] == "choose"]
        assert [t["seat"] for t in chosen] == [deal["declarer"]]
        option = re.search(r"^P\d names (.+)$|^choose P\d (.+)$", deal["record"], re.M)
        assert option is None or deal["contract"] in option.group(0)
        cards = [t for t in deal["thoughts"] if t["question"] in ("play", "lay")]
        assert cards
        for thought in deal["thoughts"]:
            if thought["question"] in ("play", "lay", "choose") and thought["alternatives"]:
                assert thought["answer"] in [a["answer"] for a in thought["alternatives"]]
    alone = answer(
        capsys,
        "replay",
        there,
        "--load-strategies",
        "--variant",
        NAMES[0],
        "--explain",
        "--deal",
        "3",
    )
    assert alone["deals"] == [found["deals"][3]]


@pytest.mark.parametrize("words", [["--explain"], ["--explain", "--show"]])
def test_people_read_it_in_eighty_columns(
    there: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    for name in NAMES[:2]:
        assert main(["replay", str(there), "--load-strategies", "--variant", name, *words]) == 0
        out = capsys.readouterr().out
        told = [
            line for line in out.splitlines() if words[-1] == "--show" or re.match("P| {4}", line)
        ]
        assert max(map(len, told)) <= 80
        assert re.search(r"^P\d plays \w\w: \w\w [+-]\d+\.\d\d", out, re.M)
        assert not re.search(r"\bnan\b|\binf\b|None", out)


def test_the_first_told_is_the_best_in_the_documents_sign(
    there: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = answer(
        capsys,
        "replay",
        there,
        "--load-strategies",
        "--variant",
        NAMES[1],
        "--explain",
        "--deal",
        "0",
    )
    assert (
        main(
            [
                "replay",
                str(there),
                "--load-strategies",
                "--variant",
                NAMES[1],
                "--explain",
                "--deal",
                "0",
            ]
        )
        == 0
    )
    text = re.sub(r"\n {4}", " ", capsys.readouterr().out)
    lines = [line for line in text.splitlines() if re.match(r"P\d (plays|names) .*:", line)]
    thoughts = [t for t in found["deals"][0]["thoughts"] if t["alternatives"]]
    assert len(lines) == len(thoughts)
    for line, thought in zip(lines, thoughts, strict=True):
        values = [float(v) for v in re.findall(r" ([+-]\d+\.\d\d)(?: ±|;|$)", line)]
        inside = sorted((a["value"] for a in thought["alternatives"]), reverse=True)
        sign = 1 if len(set(values)) < 2 or (values[0] > values[-1]) else -1
        assert [sign * v for v in values] == pytest.approx(inside, abs=0.0051)


def test_two_packs_and_nobody_to_explain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    six = small(
        NAMES[2:],
        blocks=1,
        entrants=entrants("mc.v1(worlds=2)", "duck.v1"),
        lineups=(("mc.v1(worlds=2)",) + ("duck.v1",) * 5,),
    )
    played(six, tmp_path / "six")
    assert (
        main(["replay", str(tmp_path / "six"), "--load-strategies", "--explain", "--deal", "0"])
        == 0
    )
    assert re.search(r"^P0 (plays|lays)? ?\w+: ", capsys.readouterr().out, re.M)
    played(small(NAMES[1:2], blocks=1), tmp_path / "plain")
    assert main(["replay", str(tmp_path / "plain"), "--explain", "--deal", "0"]) == 0
    assert "Nobody here explains what it weighs." in capsys.readouterr().out
