"""The conformance tests find out a strategy that breaks what it owes, each of them its own."""

from pathlib import Path

import pytest

from strategies.testing import StrategyConformance

CHEAT = '''
import random

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
    "says_in_a_line_what_it_does": "pass",
    "answers_within_the_rules_among_its_own": "return 63",
    "answers_within_the_rules_among_random_players": "return 63",
    "plays_the_same_again": "if random.random() < 0.5: return view.highest()",
    "plays_the_same_with_one_object_or_one_for_each_seat": (
        "self.n += 1\n        if self.n % 2: return view.highest()"
    ),
    "keeps_nothing_from_deal_to_deal": (
        "if self.first.setdefault(view.seat, view.deal) != view.deal: return view.highest()"
    ),
    "keeps_nothing_from_game_to_game": (
        "self.n += view.deal < self.last\n"
        "        self.last = view.deal\n"
        "        if self.n % 2: return view.highest()"
    ),
    "keeps_nothing_from_variant_to_variant": (
        "if self.first.setdefault(0, view.rules.n_deals) != view.rules.n_deals: "
        "return view.highest()"
    ),
    "draws_only_if_it_says_so": "if view.random.below(2): return view.highest()",
}
"""By the promise that is broken: how."""


CROWD = '''
from engine_ext import sets

class Cheat:
    """Looks at how many tables are asked about."""

    batched = True
    draws = False

    def __repr__(self):
        return "cheat.v1"

    def play(self, views):
        pick = sets.lowest if len(views.legal) > 1 else sets.highest
        return pick(views.legal)
'''
IN_CROWDS = "plays_the_same_at_any_number_of_tables"
"""The promise that only a batched strategy can break."""


def spec_of(folder: Path, promise: str, play: str) -> str:
    about = "" if promise.startswith("says") else f"Breaks the promise: {promise}."
    path = folder / "cheat.py"
    path.write_text(CHEAT.format(about=about, play=f"{play}\n        return view.lowest()"))
    return f"{path}:Cheat"


@pytest.mark.parametrize("promise", BROKEN)
def test_a_broken_promise_is_found_out(promise: str, tmp_path: Path) -> None:
    spec = spec_of(tmp_path, promise, BROKEN[promise])
    with pytest.raises(AssertionError):
        getattr(StrategyConformance(), f"test_{promise}")(spec)


def test_a_batched_strategy_that_counts_the_tables_is_found_out(tmp_path: Path) -> None:
    path = tmp_path / "crowd.py"
    path.write_text(CROWD)
    with pytest.raises(AssertionError):
        getattr(StrategyConformance(), f"test_{IN_CROWDS}")(f"{path}:Cheat")


def test_every_promise_is_broken_here() -> None:
    tests = {name for name in vars(StrategyConformance) if name.startswith("test_")}
    broken = {f"test_{promise}" for promise in (*BROKEN, IN_CROWDS)}
    # Without a name of its own a strategy is not even created.
    assert tests - broken == {"test_is_shown_by_its_name"}


def test_a_strategy_that_keeps_its_promises_passes(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, "none", "pass")
    for promise in BROKEN:
        getattr(StrategyConformance(), f"test_{promise}")(spec)
