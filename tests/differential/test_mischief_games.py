"""Views, fouls, passes and lost turns: the engine and the twin agree on all of them."""

from typing import Any

import numpy as np
import pytest

from engine_ext.batch import Rules, play_games
from engine_ext.reference.game import GameRecord, play_game
from engine_ext.reference.streams import run_key
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.spec import Variant
from tests.differential.mischief import both
from tests.differential.numbers import Row, assert_same
from tests.differential.scripted import changed


def same_mischief(variant: Variant, block: int) -> tuple[GameRecord, list[Row]]:
    """Play a game of mischief on both sides; views and records must be the same."""
    engine, twin = both(variant)
    records = play_games(
        Rules(variant),
        [engine],
        key=run_key(99),
        blocks=np.array([block], np.uint64),
        seating=np.zeros((1, variant.seats), np.uint8),
        log=True,
    )
    assert records.errors == ()
    game = play_game(variant, [twin] * variant.seats, key=run_key(99), block=block)
    for number, (theirs, ours) in enumerate(zip(engine.seen, twin.seen, strict=False)):
        assert theirs == ours, f"question {number}"
    assert len(engine.seen) == len(twin.seen)
    assert_same(variant, records, 0, game)
    return game, twin.seen


@pytest.mark.parametrize("name", variant_names())
def test_every_view_and_every_foul_is_the_same(name: str) -> None:
    """One game: every question of it is compared, some hundreds to a thousand views."""
    game, _ = same_mischief(load_variant(name), 0)
    assert all(game.fouls)


@pytest.mark.slow
@pytest.mark.parametrize("name", variant_names())
def test_in_more_games_every_view_and_every_foul_is_the_same(name: str) -> None:
    for block in range(1, 20):
        game, _ = same_mischief(load_variant(name), block)
        assert all(game.fouls)


def layout_like(table: dict[str, Any], **rules: Any) -> None:
    table["contracts"]["domino"].update(rules)


@pytest.mark.parametrize("stall", ["force_after_full_circle", "none"])
@pytest.mark.parametrize("unplayable", ["foul", "lose_turn"])
@pytest.mark.parametrize("passing", ["may_pass", "must_play"])
@pytest.mark.parametrize("end", ["all_out", "one_left"])
def test_every_way_to_play_domino_is_the_same(
    stall: str, unplayable: str, passing: str, end: str
) -> None:
    def rules(table: dict[str, Any]) -> None:
        table["contracts"]["domino"].update(
            stall=stall, unplayable=unplayable, passing=passing, end=end
        )
        table["contracts"]["domino"]["replay"] = {"cards": {"ranks": ("A", "7", "8")}}
        table["schedule"]["sequence"] = ("domino",) * 6

    game, seen = same_mischief(changed(load_variant("barbu_king_br"), rules), 3)
    moves = [move for deal in game.deals for move in deal.moves]
    assert any(move.taken_back for move in moves) == (unplayable == "lose_turn")
    assert any(view["may_pass"] for view in seen if view["question"] == "lay")


@pytest.mark.parametrize(("seats", "removed"), [(3, ("2C",)), (5, ("2C", "2D"))])
def test_other_numbers_of_players_are_the_same(seats: int, removed: tuple[str, ...]) -> None:
    def rules(table: dict[str, Any]) -> None:
        table["seats"] = seats
        table["deck"]["remove"] = removed
        table["contracts"]["domino"]["payout"] = tuple(range(seats))

    variant = changed(load_variant("barbu_king_br"), rules)
    same_mischief(variant, 0)
    for rank in "25":
        starting = changed(variant, lambda table: layout_like(table, start=(rank,)))  # noqa: B023
        game, _ = same_mischief(starting, 1)
        assert game.deals[-1].named == rank


class Careless:
    """Plays a card that is not in the pack in some deals, always from one seat."""

    def __init__(self, *fouls: tuple[int, int]) -> None:
        self.fouls = fouls

    def play(self, view: Any) -> int:
        return 63 if (view.deal, view.seat) in self.fouls else view.cards[0]


@pytest.mark.parametrize(
    ("fouls", "first"),
    [((), (-1, -1)), (((0, 2), (3, 1)), (0, 2)), (((1, 3), (2, 0)), (1, 3)), (((4, 0),), (4, 0))],
)
def test_a_game_keeps_where_its_first_foul_was(
    fouls: tuple[tuple[int, int], ...], first: tuple[int, int]
) -> None:
    records = play_games(
        Rules(load_variant("barbu_king_br")),
        [Careless(*fouls)],
        key=run_key(1),
        blocks=np.zeros(1, np.uint64),
        seating=np.zeros((1, 4), np.uint8),
    )
    assert (records.foul_deal[0], records.foul_seat[0]) == first
    cards = 13  # a seat is asked so often in a deal
    assert records.fouls[0].tolist() == [
        sum(cards for _, seat in fouls if seat == number) for number in range(4)
    ]
