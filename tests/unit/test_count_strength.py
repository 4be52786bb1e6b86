"""count.v1 beats duck.v1 in every contract of the yardstick, and by what it was made for.

Seeds are fixed: a failure is a change of play, never bad luck.
"""

from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

import strategies
from engine_ext import batch
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key

KEY = run_key(91)

# Own points less the mean of three duck.v1: half of what a search of 20 worlds gains there.
BARS = {
    "tricks": 0.37,
    "hearts": 0.85,
    "queens": 0.185,
    "king": 0.04,
    "last_two": 0.22,
    "salad": 10.0,
    "trumps": 0.45,
}


@cache
def rules(name: str) -> batch.Rules:
    return batch.Rules(load_variant(name))


def gains(variant: str, contract: str, deals: int) -> npt.NDArray[np.float64]:
    """By deal: count.v1 in each seat in turn on the same cards, the others duck.v1."""
    played = rules(variant)
    seats, number = played.numbers.seats, played.numbers.contract_names.index(contract)
    total = np.zeros(deals)
    for seat in range(seats):
        players = [strategies.create("count.v1" if s == seat else "duck.v1") for s in range(seats)]
        points = batch.play_deals(
            played, players, key=KEY, contracts=[number], first_block=0, n=deals
        ).points
        total += points[:, seat] - (points.sum(axis=1) - points[:, seat]) / (seats - 1)
    return total / seats


def least(gained: npt.NDArray[np.float64]) -> float:
    """What the mean is at least, three standard errors down."""
    return float(gained.mean() - 3 * gained.std() / np.sqrt(len(gained)))


@pytest.mark.parametrize("contract", [*BARS, "first_last"])
def test_beats_the_duck_in_every_contract_of_the_yardstick(contract: str) -> None:
    assert least(gains("yardstick", contract, 2_000)) > 0.8 * BARS.get(contract, 0)


@pytest.mark.slow
@pytest.mark.parametrize("contract", BARS)
def test_gains_half_of_what_a_search_gains(contract: str) -> None:
    assert least(gains("yardstick", contract, 50_000)) > BARS[contract]


@pytest.mark.parametrize(
    ("variant", "contract"),
    [
        ("king_ru_fixed14", "kings"),
        ("king_ru_fixed14", "plus_tricks"),
        ("king_ru_fixed14", "plus_hearts"),
        ("king_ru_fixed14", "plus_last_two"),
        ("barbu_fr_reussite", "queens"),
        ("canadian_salad_3", "salad"),
        ("barbu_king_br_5", "hearts"),
        ("barbu_king_br_6", "hearts"),
    ],
)
def test_beats_the_duck_elsewhere(variant: str, contract: str) -> None:
    assert least(gains(variant, contract, 2_000)) > 0


@pytest.mark.parametrize(
    ("variant", "contract"),
    [("barbu_52_doubling", "domino"), ("barbu_king_br", "domino"), ("bga_barbu_52", "domino")],
)
def test_beats_the_duck_in_layouts(variant: str, contract: str) -> None:
    assert least(gains(variant, contract, 20_000)) > 0
