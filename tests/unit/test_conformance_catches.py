"""The checks of strategies find out one that breaks what it owes, each of them its own."""

import builtins
import inspect
import json
import random
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.cli import main
from strategies.checks import BASE_VARIANTS, CHECKS, ODD_VARIANTS, Verdict, check_strategy, hidden
from strategies.checks.games import first_difference, play, rules_of
from strategies.registry import create
from strategies.testing import StrategyConformance

CHEAT = '''
import os, random, sys, time
import numpy as np

class Cheat:
    """{about}"""

    draws = False

    def __init__(self):
        self.first = {{}}
        self.n = self.last = 0

    def __repr__(self):
        return "cheat.v1"

    def play(self, view):
        {play}
'''

BROKEN = {
    "name": "pass",
    "legal": "return 63",
    "again": "if time.perf_counter_ns() // 64 % 2: return view.highest()",
    "seats": "self.n += 1\n        if self.n % 2: return view.highest()",
    "deals": ("if self.first.setdefault(view.seat, view.deal) != view.deal: return view.highest()"),
    "order": (
        "self.n += view.deal < self.last\n"
        "        self.last = view.deal\n"
        "        if self.n % 2: return view.highest()"
    ),
    "variants": (
        "if self.first.setdefault(0, view.rules.n_deals) != view.rules.n_deals: "
        "return view.highest()"
    ),
    "process": "if hash(str(view.hand)) & 1: return view.highest()",
    "hidden": "if PEEK(): return view.highest()",
    "draws": "if view.random.below(2): return view.highest()",
    "random": "random.random()",
    "quiet": "if view.n_tricks == 3: print('{hello')",
    "view": "object.__setattr__(view.rules, 'n_deals', 3)",
    "time": "if view.n_tricks == 2 and view.deal == 1: time.sleep(0.05)",
}
"""By the promise that is broken: how."""
OTHER_WAYS = {
    "legal": [
        "raise ValueError('lost')",
        "view.legal = 0",
        "view.contract.total = 1",
        "return None",
    ],
    "random": ["np.random.rand()", "random.seed(1)", "np.random.seed(1)", "random.gauss(0, 1)"],
    "quiet": ["print('x', file=sys.stderr)", "os.write(1, b'x')", "os.system('echo x')"],
    "view": ["object.__setattr__(view.rules.contracts[0], 'total', 3)"],
}
"""Further ways to break some of them."""
CROWD = '''
from engine_ext import sets

class Cheat:
    """Looks at how many tables are asked about."""

    batched = True
    draws = False
    same_as = "lowest.v1"

    def __repr__(self):
        return "cheat.v1"

    def play(self, views):
        {play}
'''
BATCHED = {
    "tables": "return (sets.lowest if len(views) > 1 else sets.highest)(views.legal)",
    "twin": "return sets.highest(views.legal)",
    "legal": "views.legal[:] = 1; return sets.lowest(views.legal)",
}
"""What only a batched strategy can break, or breaks in its own way."""
VARIANT = "king_ru_fixed14"


def spec_of(folder: Path, promise: str, play: str, form: str = CHEAT) -> str:
    about = "" if promise == "name" else f"Breaks the promise: {promise}."
    path = folder / "cheat.py"
    body = (
        play
        if "return" in play.rsplit("\n", maxsplit=1)[-1] and form == CROWD
        else f"{play}\n        return view.lowest()"
    )
    path.write_text(form.format(about=about, play=body))
    return f"{path}:Cheat"


def verdict_of(spec: str, check: str, **how: Any) -> Verdict:
    (verdict,) = check_strategy(spec, only=[check], **how)
    return verdict


def peeking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the cheat look at a hand it must not know."""
    hands = [0]
    original = hidden.played

    def told(rules: Any, setup: Any, players: Any) -> Any:
        hands[0] = hash(setup.hands)
        return original(rules, setup, players)

    monkeypatch.setattr(hidden, "played", told)
    monkeypatch.setattr(builtins, "PEEK", lambda: hands[0] >> 9 & 1, raising=False)


ALL_WAYS = [*BROKEN.items()] + [
    (name, play) for name, plays in OTHER_WAYS.items() for play in plays
]


@pytest.mark.parametrize(("promise", "play"), ALL_WAYS)
def test_a_broken_promise_is_found_out(
    promise: str, play: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    peeking(monkeypatch)
    how: dict[str, Any] = {"budget_ms": 20} if promise == "time" else {}
    variants = [*BASE_VARIANTS] if promise == "variants" else [VARIANT]
    verdict = verdict_of(spec_of(tmp_path, promise, play), promise, variants=variants, **how)
    assert verdict.ok is False, verdict
    assert "\n" not in str(verdict.replay)
    if promise != "name":
        assert verdict.example is not None
        assert verdict.example.variant in variants
        assert verdict.example.block is not None
        past_python = "os." in play
        if promise not in ("variants", "process") and not past_python:
            assert verdict.example.deal is not None
            assert verdict.example.seat is not None
        if not past_python and promise != "process" and play not in ("return 63", "return None"):
            assert verdict.example.question == "play"


@pytest.mark.parametrize(("promise", "play"), BATCHED.items())
def test_what_a_batched_strategy_breaks_is_found_out(
    promise: str, play: str, tmp_path: Path
) -> None:
    spec = spec_of(tmp_path, promise, play, CROWD)
    assert verdict_of(spec, promise, variants=[VARIANT]).ok is False


def test_every_promise_is_broken_here() -> None:
    assert {check.name for check in CHECKS} == {*BROKEN, *BATCHED}


def test_the_classes_tests_are_the_checks() -> None:
    asked = [
        inspect.getsource(test).split('_hold("')[1].split('"')[0]
        for name, test in vars(StrategyConformance).items()
        if name.startswith("test_")
    ]
    # How long it takes is nobody's promise unless a budget is given.
    assert asked == [check.name for check in CHECKS if check.name != "time"]


def test_a_test_of_the_class_fails_with_the_command_that_shows_it(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, "legal", "return 63")
    with pytest.raises(AssertionError) as caught:
        StrategyConformance().test_answers_within_the_rules(spec)
    assert f"barbu strategies check {spec} --only legal --variant" in str(caught.value)


def test_a_strategy_that_keeps_its_promises_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    peeking(monkeypatch)
    spec = spec_of(tmp_path, "none", "pass")
    verdicts = list(check_strategy(spec, variants=[VARIANT, "barbu_52_two_rounds"]))
    assert [v.check for v in verdicts if v.ok is None] == ["tables", "twin"]
    assert all(v.ok is not False for v in verdicts), verdicts


@pytest.mark.parametrize("promise", ["legal", "random", "quiet", "view", "draws"])
def test_the_command_of_a_failed_check_shows_it_again(
    promise: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = spec_of(tmp_path, promise, BROKEN[promise])
    assert main(["strategies", "check", spec, "--only", promise]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"failed  {promise} ")
    words = shlex.split(second)
    assert "--block" in words
    assert main(words[1:]) == 1
    assert capsys.readouterr().out.splitlines() == [first, second]


def test_the_command_says_all_to_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = spec_of(tmp_path, "quiet", "print('{')")
    assert main(["strategies", "check", spec, "--variant", VARIANT, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is False
    assert [one["check"] for one in told["checks"]] == [check.name for check in CHECKS]
    (failed,) = [one for one in told["checks"] if one["ok"] is False]
    assert failed["example"] == {
        "variant": VARIANT, "block": 0, "deal": 0, "seat": failed["example"]["seat"],
        "question": "play", "what": r"printed '{\n'",
    }  # fmt: skip
    assert main(["strategies", "check", "lowest.v1", "--only", "time", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is True
    assert "us a decision, the longest" in told["checks"][0]["said"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["ducks.v1"], "unknown strategy 'ducks.v1'"),
        (["duck.v1", "--only", "laugh"], "unknown check 'laugh' (want some of name, legal"),
        (["duck.v1", "--variant", "bridge"], "unknown variant 'bridge' (shipped: "),
    ],
)
def test_what_cannot_be_checked_is_told_in_a_line(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["strategies", "check", *words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert why in told.err
    assert told.err.count("\n") == 1


def test_checking_changes_nothing_outside(tmp_path: Path) -> None:
    before = random.getstate(), np.random.get_state()[1].tobytes()  # type: ignore[index]
    for promise in ("random", "view", "quiet"):
        spec = spec_of(tmp_path, promise, BROKEN[promise])
        for check in ("legal", "again", promise):
            verdict_of(spec, check, variants=[VARIANT])
    assert random.getstate() == before[0]
    assert np.random.get_state()[1].tobytes() == before[1]  # type: ignore[index]
    assert rules_of(VARIANT).numbers.n_deals == 14


def test_a_first_difference_is_where_it_is() -> None:
    """Blocks, deals and seats of differences that were made."""

    class Higher:
        """Plays its highest card in one place."""

        def play(self, view: Any) -> int:
            here = (view.deal, view.seat, view.n_tricks) == (2, 3, 4) and view.scores != [0] * 4
            return int(view.highest() if here else view.lowest())

    for variant in (VARIANT, "barbu_king_br"):
        blocks = set()
        for backwards in (False, True):
            one = play(variant, [create("lowest.v1")], [4, 5])
            other = play(variant, [Higher()], [5, 4] if backwards else [4, 5])
            found = first_difference(
                variant, [4, 5], one, other, ("so", "so too"), backwards=backwards
            )
            assert found is not None
            assert (found.deal, found.seat, found.question) == (2, 3, "play")
            blocks.add(found.block)
        assert len(blocks) == 1
    assert first_difference(VARIANT, [4, 5], one, one, ("", "")) is None


def test_the_odd_variants_are_what_they_are_there_for() -> None:
    numbers = [rules_of(variant).numbers for variant in (*BASE_VARIANTS, *ODD_VARIANTS)]
    assert {n.seats for n in numbers} == {3, 4, 5, 6}
    assert {n.copies for n in numbers} == {1, 2}
    assert {n.rounds for n in numbers} == {1, 2}
    assert any(c.may_pass for n in numbers for c in n.contracts)
    assert any(c.replay for n in numbers for c in n.contracts)
    assert any(n.extra_contract >= 0 for n in numbers)
    assert any(n.honour for n in numbers)
    assert any(n.undoubled_split for n in numbers)
