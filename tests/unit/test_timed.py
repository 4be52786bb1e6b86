"""A timed strategy plays as it does untimed, and every decision is timed once."""

from typing import Any

import pytest

from engine_ext.build import load
from strategies.checks.games import play, same
from strategies.checks.manners import Timed
from strategies.registry import create


def timed(strategy: str) -> Any:
    made: Any = create(strategy)
    return load("strategies.timed").Timed(made) if hasattr(made, "capsule") else Timed(made)


@pytest.mark.parametrize("variant", ["king_ru_fixed14", "barbu_52_doubling", "barbu_king_br_6"])
@pytest.mark.parametrize("strategy", ["random.v1", "duck.v1", "cautious.v1"])
def test_it_plays_as_it_does_untimed(strategy: str, variant: str) -> None:
    watched = timed(strategy)
    assert same(play(variant, [watched], range(2)), play(variant, [create(strategy)], range(2)))
    assert repr(create(strategy)) == strategy
    assert 0 < watched.longest <= watched.total


@pytest.mark.parametrize("strategy", ["random.v1", "cautious.v1"])
def test_every_decision_is_timed_once(strategy: str) -> None:
    watched = timed(strategy)
    deals = play("king_ru_fixed14", [watched], range(3)).deals
    assert deals.n_moves is not None
    named = (deals.param >= 0).sum()  # trump suits
    assert watched.n == deals.n_moves.sum() + named


def test_the_longest_is_where_it_was() -> None:
    import time

    class Slow:
        """Sleeps once."""

        def play(self, view: Any) -> int:
            if (view.deal, view.seat, view.n_tricks) == (3, 2, 1):
                time.sleep(0.05)
            return int(view.lowest())

    watched = Timed(Slow())
    play("king_ru_fixed14", [watched], [0])
    assert watched.place == (3, 2, 3)  # play
    assert 0.05 <= watched.longest < watched.total
