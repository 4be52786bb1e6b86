"""Chances to win, and the objectives that follow them: by hand, and calibrated on games played."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from engine_ext.reference.streams import philox
from pipeline.tuning.chances import DRAWS, SURE, Chances, chances_of
from pipeline.tuning.results import Played
from pipeline.tuning.winners import WIN, winners
from tests.played_games import made_up, measured, of_engine

VARIANT = "barbu_52_doubling"
ANY, OTHER = "hearts", "trumps"


def chances(played: Played) -> list[list[float]]:
    found: list[list[float]] = (chances_of(played).chance / SURE).tolist()
    return found


def test_where_every_deal_is_known_the_winner_is_sure_from_the_start() -> None:
    games = [[(ANY, [1, 0, 0, 0]), (OTHER, [0, 3, 0, 0]), (ANY, [1, 0, 0, 0])]] * 4
    played = made_up(VARIANT, games)
    assert chances(played) == [[0, 1, 0, 0]] * 12
    assert measured("dead_deals", played) == 1
    assert measured("decisiveness", played) == 0
    # Never below one half.
    assert measured("drama", played) == 0


def test_a_win_that_is_shared_is_a_chance_for_each() -> None:
    played = made_up(VARIANT, [[(ANY, [0, 0, 0, 0])] * 2] * 3)
    assert chances(played) == [[1 / 4] * 4] * 6
    assert measured("drama", played) == pytest.approx(sqrt(1 / 4))
    # Not even the last deal made anybody's chance good.
    assert measured("decisiveness", played) == 1
    assert measured("dead_deals", played) == 0


def test_futures_are_of_other_games_and_turned_to_the_same_declarer() -> None:
    games = [[(ANY, [5, 0, 0, 0])], [(ANY, [0, 5, 0, 0])]]
    # In game 1 the seat before the declarer gets the points, in game 0 the declarer.
    played = made_up(VARIANT, games, declarer=np.array([0, 2], np.int8))
    assert chances(played) == [[0, 0, 0, 1], [0, 0, 1, 0]]
    # Both winners had no chance at all, in the one deal there was.
    assert measured("drama", played) == pytest.approx(sqrt(1 / 2))
    assert measured("decisiveness", played) == 0


def test_side_bets_are_part_of_what_a_deal_brings() -> None:
    side = np.array([[0, 0, 0, 9]] * 3, np.int32)
    played = made_up(VARIANT, [[(ANY, [5, 0, 0, 0])]] * 3, side=side)
    assert chances(played) == [[0, 0, 0, 1]] * 3


def test_decisiveness_and_dead_deals_count_deals() -> None:
    # The first three deals are worth nothing to anybody, the fourth is anybody's by the other
    # games, and what it brought decides.
    blank = [(ANY, [0, 0, 0, 0])] * 2
    games = [[*blank, (OTHER, np.roll([8, 0, 0, 0], k).tolist()), *blank] for k in range(4)]
    played = made_up(VARIANT, games)
    found = np.array(chances(played)).reshape(4, 5, 4)
    assert (found[:, 3:].max(axis=2) == 1).all()
    assert (found[:, :3].max(axis=2) < 0.8).all()
    assert (found[range(4), 0, range(4)] == 0).all()
    assert measured("decisiveness", played) == pytest.approx(3 / 5)
    assert measured("dead_deals", played) == pytest.approx(2 / 5)
    assert measured("drama", played) == pytest.approx(sqrt(1 / 2))


def test_draws_do_not_depend_on_what_is_at_stake() -> None:
    played = of_engine("king_ru_fixed14", 60)
    twice = replace(played, points=2 * played.points, side=2 * played.side, score=2 * played.score)
    assert chances(twice) == chances(played)


def test_games_of_every_kth_block_are_followed() -> None:
    played = of_engine("barbu_king_br_short", 4100)
    found = chances_of(played)
    assert (found.blocks, len(found.win), found.n_groups) == (1367, 1367, 100)
    assert found.game[-1] == 1366
    assert len(found.chance) == 1367 * 5
    assert (found.win == winners(played).win[::3]).all()


def slowly(played: Played, game: int) -> list[list[int]]:
    """Chances of one game, reckoned future by future."""
    seats, first = played.rules.seats, played.first_row
    starts = [*first.tolist(), len(played.contract)]
    rows = range(starts[game], starts[game + 1])
    brought = (played.points + played.side).tolist()
    base = played.declarer if played.rules.has_choice else played.leader
    chance = [[0] * seats for _ in rows]
    for k in range(DRAWS):
        future = [0] * seats
        for row in reversed(rows):
            block = philox((0x62617262752D7770, 0), (1 + k // 8, game << 20, row - rows[0], 4))
            word = block[k % 8 // 2] >> 32 * (k % 2) & 2**32 - 1
            others = [
                r
                for r in range(len(played.contract))
                if played.contract[r] == played.contract[row] and r not in rows
            ]
            product = word * len(others)
            drawn = others[product >> 32]
            turn = int(base[row]) - int(base[drawn])
            if played.rules.leader_card:
                turn = (product % 2**32 * seats) >> 32
            for s in range(seats):
                future[(s + turn) % seats] += brought[drawn][s]
            totals = [sum(brought[r][s] for r in range(rows[0], row)) for s in range(seats)]
            totals = [before + later for before, later in zip(totals, future, strict=True)]
            for s in range(seats):
                if totals[s] == max(totals):
                    chance[row - rows[0]][s] += WIN // totals.count(max(totals))
    return chance


@pytest.mark.parametrize("variant", ["barbu_52_doubling", "barbu_5", "hearts"])
def test_chances_are_those_of_a_slow_reckoning(variant: str) -> None:
    played = of_engine(variant, 7)
    found = chances_of(played)
    for game in (0, 4, 6):
        assert found.chance[found.game == game].tolist() == slowly(played, game)


def as_seen(found: Chances) -> tuple[np.ndarray, np.ndarray]:
    """What was said and what came, of every seat before every deal."""
    return (found.chance / SURE).ravel(), (found.win[found.game] / WIN).ravel()


@pytest.mark.parametrize(
    "variant", ["barbu_52_doubling", "barbu_fr_reussite", "barbu_3_leaver", "king_ru_fixed14"]
)
def test_chances_come_true_as_often_as_they_say(variant: str) -> None:
    found = chances_of(of_engine(variant, 1000))
    assert (found.chance.sum(axis=1) == SURE).all()
    said, came = as_seen(found)
    seats = found.win.shape[1]
    # The slope of what comes on what is said is 1 less what 64 draws blur.
    assert 0.88 < np.cov(said, came)[0, 1] / said.var(ddof=1) < 1.06
    assert ((said - came) ** 2).mean() < 0.95 * ((1 / seats - came) ** 2).mean()
    for low, high in ((0, 0.1), (0.2, 0.4), (0.45, 0.65), (0.9, 1.01)):
        inside = (low <= said) & (said < high)
        if inside.sum() > 500:
            assert came[inside].mean() == pytest.approx(said[inside].mean(), abs=0.06)


def test_before_the_first_card_all_have_the_same_chance() -> None:
    found = chances_of(of_engine("barbu_fr_reussite", 1000))
    first = np.cumsum(found.n_deals) - found.n_deals
    assert found.chance[first].mean(axis=0) / SURE == pytest.approx([1 / 4] * 4, abs=0.02)
