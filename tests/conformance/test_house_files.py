"""A new contract, a new payout and a new lead ban: each a TOML file and no code, played by all."""

from pathlib import Path

import numpy as np
import pytest

from engine_ext.batch import GameRecords, Rules, play_games
from engine_ext.reference.game import play_game
from engine_ext.reference.players import RandomTwin
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key
from strategies.registry import create
from tests.quick import quick_names

KEY = run_key(41)
GAMES = 12
NEW_CONTRACT = """
extends = "barbu_52_doubling"
title = "Barbu with jacks and the seventh trick"
schedule.uses.jacks = 1
schedule.dealership = 8

[contracts.jacks]
kind = "trick"
title = "No jacks, no seventh trick"
tone = "negative"
source = "our table"
total = -27
terms = [
    { per = "card", of = { ranks = ["J"] }, points = -5, name = "jacks" },
    { per = "trick_at", tricks = [7], points = -7, name = "seventh" },
]
"""
NEW_PAYOUT = """
extends = "barbu_king_br"
title = "Barbu King, the winner of the domino takes it all"

[contracts.domino]
total = 0
payout = [-90, 30, 30, 30]
"""
NEW_BAN = """
extends = "king_ru_fixed14"
title = "King, no spade is led before the fourth trick"

[contracts.tricks.lead_ban]
cards = { suits = ["S"] }
until = "trick"
trick = 4
"""


def house(folder: Path, text: str) -> Variant:
    file = folder / "house.toml"
    file.write_text(text, "utf-8")
    return load_variant(file)


def played(variant: Variant, strategy: str) -> GameRecords:
    """Play some games in which one strategy has all seats; nobody may foul."""
    return play_games(
        Rules(variant),
        [create(strategy)],
        key=KEY,
        blocks=np.arange(GAMES, dtype=np.uint64),
        seating=np.zeros((GAMES, variant.seats), np.uint8),
        log=True,
        stop_on_foul=True,
    )


@pytest.mark.parametrize("strategy", quick_names())
def test_a_new_contract_is_chosen_played_and_scored(tmp_path: Path, strategy: str) -> None:
    variant = house(tmp_path, NEW_CONTRACT)
    deals = played(variant, strategy).deals
    jacks = deals.contract == list(variant.contracts).index("jacks")
    assert jacks.sum() == 4 * GAMES
    assert (deals.points[jacks].sum(axis=1) == -27).all()
    items = deals.items[jacks]
    assert ((items & 255).sum(axis=1) == 4).all()
    assert ((items >> 8 & 255).sum(axis=1) == 1).all()


@pytest.mark.parametrize("strategy", quick_names())
def test_a_new_payout_is_paid(tmp_path: Path, strategy: str) -> None:
    variant = house(tmp_path, NEW_PAYOUT)
    deals = played(variant, strategy).deals
    domino = deals.contract == list(variant.contracts).index("domino")
    paid = np.where(deals.finish[domino] == 1, 90, -30)
    assert (deals.points[domino] == paid).all()


@pytest.mark.parametrize("strategy", quick_names())
def test_a_new_lead_ban_holds(tmp_path: Path, strategy: str) -> None:
    variant = house(tmp_path, NEW_BAN)
    first = list(variant.contracts).index("tricks")
    rules = Rules(variant)
    assert rules.numbers.contracts[first].lead_ban == rules.numbers.suit[3]
    deals = played(variant, strategy).deals
    assert deals.moves is not None
    moves = deals.moves[deals.contract == first].reshape(-1, 128 * 4)[:, :32]
    led = moves.reshape(-1, 8, 4)[:, :, 0] // 16
    # Whoever holds spades alone may lead them; so early in the deal nobody here does.
    assert (led[:, :3] != 3).all()
    assert (led[:, 3:] == 3).any()


@pytest.mark.parametrize(
    "text", [NEW_CONTRACT, NEW_PAYOUT, NEW_BAN], ids=["contract", "payout", "ban"]
)
def test_the_twin_plays_the_same_file(tmp_path: Path, text: str) -> None:
    variant = house(tmp_path, text)
    records = played(variant, "random.v1")
    twin = play_game(variant, [RandomTwin()] * variant.seats, key=KEY, block=3)
    assert records.score[3].tolist() == twin.scores
