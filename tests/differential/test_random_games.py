"""The engine and the slow twin play the same games, move for move.

They share no code but the schema of variants, and the compiled ``random.v1`` shares none
with the twin's.
"""

import os
from typing import Any

import numpy as np
import pytest

from engine_ext.batch import GameRecords, Rules, play_games
from engine_ext.build import load
from engine_ext.reference.game import play_game
from engine_ext.reference.players import RandomTwin
from engine_ext.reference.schedule import n_deals
from engine_ext.reference.streams import run_key
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.spec import Variant
from strategies.testing import BASE_VARIANTS
from tests.differential.numbers import assert_same
from tests.differential.scripted import changed
from tests.samples import slowly

Random = load("strategies.random").Random
DEALS = int(os.environ.get("BARBU_TWIN_DEALS", "1000000"))
"""Deals of each base variant in the slow run."""
SLICES = 8
"""Tests that a base variant's deals are cut into, so that two workers end together."""
BATCH = 100
"""Games played before they are compared: their records are all that lies in memory."""


def engine_games(
    variant: Variant, seed: int, first_block: int, n_games: int, replicate: int = 0
) -> GameRecords:
    """Let ``random.v1`` play in all seats, moves logged."""
    return play_games(
        Rules(variant),
        [Random()],
        key=run_key(seed),
        blocks=np.arange(first_block, first_block + n_games, dtype=np.uint64),
        seating=np.zeros((n_games, variant.seats), np.uint8),
        replicates=np.full(n_games, replicate, np.uint32),
        log=True,
    )


def same_games(variant: Variant, seed: int, first_block: int, n_games: int) -> None:
    records = engine_games(variant, seed, first_block, n_games)
    assert len(records.score) == n_games
    assert not records.fouls.any()
    players = [RandomTwin()] * variant.seats
    for game in range(n_games):
        block = first_block + game
        twin = play_game(variant, players, key=run_key(seed), block=block)
        assert_same(variant, records, game, twin)


@pytest.mark.parametrize(
    ("name", "deals"),
    [
        *((name, 500 if name in BASE_VARIANTS else 75) for name in variant_names()),
        *(slowly(name, 1000) for name in variant_names()),
    ],
)
def test_engine_and_twin_play_many_deals_alike(name: str, deals: int) -> None:
    """Hundreds of each base form, a few games of each that varies it."""
    variant = load_variant(name)
    same_games(variant, 2024, 0, -(-deals // n_deals(variant)))


def slice_of(variant: Variant, number: int) -> range:
    """Return the blocks of one slice; all slices together have ``DEALS`` deals or a few more."""
    n_games = -(-DEALS // (n_deals(variant) * SLICES))
    first = 2**63 + number * n_games
    return range(first, first + n_games)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(SLICES))
@pytest.mark.parametrize("name", BASE_VARIANTS)
def test_engine_and_twin_play_a_million_deals_alike(name: str, number: int) -> None:
    variant = load_variant(name)
    blocks = slice_of(variant, number)
    assert blocks, "no deals asked for"
    for first in blocks[::BATCH]:
        same_games(variant, 7, first, min(BATCH, blocks.stop - first))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(variant_names()) - set(BASE_VARIANTS)))
def test_engine_and_twin_play_thirty_thousand_deals_of_other_variants_alike(name: str) -> None:
    variant = load_variant(name)
    same_games(variant, 7, 2**63, -(-30_000 // n_deals(variant)))


@pytest.mark.parametrize("name", BASE_VARIANTS)
def test_the_slices_of_the_long_run_leave_no_game_out_and_play_none_twice(name: str) -> None:
    variant = load_variant(name)
    blocks = [block for number in range(SLICES) for block in slice_of(variant, number)]
    assert blocks == list(range(2**63, 2**63 + len(blocks)))
    assert len(blocks) * n_deals(variant) >= DEALS


def test_independent_streams_change_the_choices_and_not_the_cards() -> None:
    variant = load_variant("king_ru_fixed14")
    common, apart = (engine_games(variant, 3, 5, 1, replicate) for replicate in (0, 11))
    twin = play_game(variant, [RandomTwin()] * 4, key=run_key(3), block=5, replicate=11)
    assert_same(variant, apart, 0, twin)
    assert common.deals.moves is not None
    assert apart.deals.moves is not None
    assert (common.deals.moves != apart.deals.moves).any()


def test_a_seat_that_decides_more_than_sixteen_times_draws_from_its_next_block() -> None:
    """Doubles, and then seventeen cards: the last but one is still a choice."""

    def three(table: dict[str, Any]) -> None:
        table["seats"] = 3
        table["deck"]["remove"] = ("2C",)
        table["contracts"] = {"tricks": table["contracts"]["tricks"]}
        table["schedule"]["uses"] = {"tricks": 2}
        table["schedule"]["dealership"] = 2
        table["contracts"]["tricks"]["total"] = None
        table["doubling"]["duty"] = 0

    same_games(changed(load_variant("barbu_52_doubling"), three), 6, 0, 4)
