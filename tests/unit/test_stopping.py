"""A stop in the middle of a deal: what is given are the deals before it, and nothing of it."""

from typing import Any

import numpy as np
import pytest

from engine_ext.batch import Rules, StopFlag, play_deals, play_games
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key

KEY = run_key(12)


class Stopper:
    """Plays the lowest legal card, and stops everything when the deal of some number begins."""

    def __init__(self, deal: int) -> None:
        self.stop = StopFlag()
        self.deals_left = deal
        self.n_moves = 0

    def play(self, view: Any) -> Any:
        assert not self.stop.is_set()
        self.deals_left -= len(view.moves) <= self.n_moves
        self.n_moves = len(view.moves)
        if not self.deals_left:
            self.stop.set()
        return view.lowest()

    lay = play


@pytest.mark.parametrize(
    ("name", "contract"),
    [
        ("barbu_52_doubling", "tricks"),
        ("barbu_5", "tricks"),
        ("barbu_52_doubling", "domino"),
        ("hearts", "hearts"),
        ("barbu_king_br_honour", "tricks"),
    ],
)
def test_a_single_deal_that_was_stopped_is_not_given(name: str, contract: str) -> None:
    rules = Rules(load_variant(name))
    contracts = list(rules.variant.contracts)
    player = Stopper(3)
    records = play_deals(
        rules,
        [player] * rules.variant.seats,
        key=KEY,
        contracts=[contracts.index(contract)],
        first_block=0,
        n=9,
        stop=player.stop,
    )
    assert len(records.points) == 2


@pytest.mark.parametrize("deal", [1, 28, 30])
def test_a_game_that_was_stopped_is_not_given(deal: int) -> None:
    rules = Rules(load_variant("barbu_52_doubling"))
    player = Stopper(deal)
    games = play_games(
        rules,
        [player],
        key=KEY,
        blocks=np.arange(3, dtype=np.uint64),
        seating=np.zeros((3, 4), np.uint8),
        stop=player.stop,
    )
    assert len(games.score) == (deal - 1) // 28
