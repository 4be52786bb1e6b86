"""Places and wins of whole games, counted here from the totals by other means."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import rankdata

from engine_ext.batch import GameRecords, Rules, play_games
from engine_ext.build import load
from engine_ext.reference.schedule import Turn, final_places
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key
from strategies.testing import BASE_VARIANTS
from tests.differential.scripted import changed

Random = load("strategies.random").Random
TIES = {(1, 1, 3, 4), (1, 2, 2, 4), (1, 2, 3, 3), (1, 1, 1, 4), (1, 2, 2, 2)}
"""Of four seats' places; thirteen tricks cannot come to two pairs, nor to four alike."""


def games(variant: Variant, n: int) -> GameRecords:
    return play_games(
        Rules(variant),
        [Random()],
        key=run_key(23),
        blocks=np.arange(n, dtype=np.uint64),
        seating=np.zeros((n, variant.seats), np.uint8),
    )


def assert_places_follow_from_totals(records: GameRecords) -> None:
    assert (records.place == rankdata(-records.score, method="min", axis=1)).all()
    best = records.score.max(axis=1, keepdims=True)
    assert (records.n_first == (records.score == best).sum(axis=1)).all()


@pytest.mark.parametrize("name", BASE_VARIANTS)
def test_equal_totals_share_the_better_place_and_the_win(name: str) -> None:
    records = games(load_variant(name), 2000)
    assert_places_follow_from_totals(records)
    assert (records.place.sum(axis=1) < 10).any()  # otherwise nobody was level


@pytest.mark.parametrize("objective", ["highest", "lowest"])
def test_every_kind_of_tie_in_a_game_of_one_deal(objective: str) -> None:
    def one_deal(table: dict[str, Any]) -> None:
        table["objective"] = objective
        table["schedule"]["sequence"] = ("tricks",)

    records = games(changed(load_variant("barbu_king_br"), one_deal), 2000)
    assert_places_follow_from_totals(records)
    assert {tuple(sorted(place)) for place in records.place.tolist()} >= TIES


@pytest.mark.parametrize(
    ("totals", "right"),
    [
        ([12, 12, -10, -14], [1, 1, 3, 4]),
        ([-7, 20, -7, -6], [3, 1, 3, 2]),
        ([-8, 24, -8, -8], [2, 1, 2, 2]),
        ([5, 9], [2, 1]),
        ([0] * 10, [1] * 10),
    ],
)
def test_the_twin_gives_these_places(totals: list[int], right: list[int]) -> None:
    assert final_places(Turn(8, 8), totals) == right
