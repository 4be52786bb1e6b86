"""Every line of ``totals.txt`` holds: by the rules, in a game of the engine and in one of the twin."""

from pathlib import Path

import numpy as np
import pytest

from engine_ext.batch import Rules, play_games
from engine_ext.reference.game import play_game
from engine_ext.reference.players import LowestTwin, RandomTwin
from engine_ext.rules.load import load_variant
from engine_ext.rules.totals import totals
from engine_ext.seeds import run_key
from strategies.registry import create

HERE = Path(__file__).parent
LINES = [
    line
    for line in (HERE / "totals.txt").read_text("utf-8").splitlines()
    if line and line[0] != "#"
]
KEY = run_key(55)


@pytest.mark.parametrize("line", LINES, ids=[line.split("|")[0].strip() for line in LINES])
def test_a_game_adds_up_to_what_the_table_says(line: str) -> None:
    name, game, declarer = (part.strip() for part in line.split("|"))
    variant = load_variant(HERE / name if name.endswith(".toml") else name)
    sums = totals(variant)
    assert (sums["game"], str(sums.get("declarer", ""))) == (int(game), declarer)
    better = -1 if variant.objective == "lowest" else 1
    played = play_games(
        Rules(variant),
        [create("random.v1")],
        key=KEY,
        blocks=np.arange(3, dtype=np.uint64),
        seating=np.zeros((3, variant.seats), np.uint8),
    )
    assert (better * played.score.sum(axis=1) == int(game)).all()
    for player in (LowestTwin(), RandomTwin()):
        twin = play_game(variant, [player] * variant.seats, key=KEY)
        points = [sum(deal.points) for deal in twin.deals]
        assert better * sum(points) == better * sum(twin.scores) == int(game)
