"""Where every seat declares every contract, no seat is better than another for players who
are blind to seats: each mean score is its share of the game, each pair's bets are worth 0.

Seeds are fixed; four standard errors are allowed.
"""

from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from engine_ext.batch import GameRecords, Rules, play_games
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from strategies.registry import create


def near(found: npt.NDArray[Any], exact: float) -> None:
    error = found.std(ddof=1) / sqrt(len(found))
    assert abs(found.mean() - exact) < 4 * error, (found.mean(), exact, error)


def games(name: str, strategy: str, n: int = 4_000) -> GameRecords:
    return play_games(
        Rules(load_variant(name)),
        [create(strategy)],
        key=run_key(55),
        blocks=np.arange(n, dtype=np.uint64),
        seating=np.zeros((n, 4), np.uint8),
    )


@pytest.mark.parametrize("strategy", ["random.v1", "duck.v1"])
@pytest.mark.parametrize(("name", "share"), [("barbu_52_doubling", 0), ("barbu_fr_reussite", -120)])
def test_every_seats_mean_score_is_its_share_of_the_game(
    name: str, share: int, strategy: str
) -> None:
    score = games(name, strategy).score
    assert (score.sum(axis=1) == 4 * share).all()
    for seat in range(4):
        near(score[:, seat], share)


def test_the_bets_of_a_pair_are_worth_nothing_on_average() -> None:
    deals = games("barbu_52_doubling", "random.v1").deals
    # Nobody can be better off in a contract in which those who do not lead are alike.
    tricks = deals.contract == 0
    bets = deals.doubled[tricks][:, :, None] >> np.arange(4) & 1
    points = deals.points[tricks]
    declarer = deals.declarer[tricks].astype(int)
    row = np.arange(len(points))
    for one, other in ((1, 2), (2, 3), (1, 3)):
        a, b = (declarer + one) % 4, (declarer + other) % 4
        times = bets[row, a, b] + bets[row, b, a]
        assert (times == 2).any()
        near(times * (points[row, a] - points[row, b]), 0)
