"""Objectives about games: values worked out by hand, and as a slow reckoning has them."""

from math import isfinite, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_ext.batch import View
from engine_ext.rules.load import load_variant, variant_names
from pipeline.tuning.measured import estimate
from pipeline.tuning.objectives import OBJECTIVES
from pipeline.tuning.objectives.ends import no_moves
from pipeline.tuning.results import Results
from pipeline.tuning.schedule import is_main, is_step
from pipeline.tuning.winners import WIN, winners
from tests.differential.scripted import changed
from tests.played_games import as_played, engine_games, made_up, measured, of_engine, pairs

VARIANT = "barbu_52_doubling"
"""Whom to double: anyone in a negative contract, the declarer in a positive one; each other seat
must double a declarer twice in his seven deals."""
NEGATIVE, POSITIVE = "hearts", "trumps"


def test_seats_that_win_alike_are_fair_and_luck_is_taken_off() -> None:
    games = [[(NEGATIVE, p)] for p in ([9, 0, 0, 0], [9, 1, 0, 0], [9, 0, 0, 0], [0, 5, 5, 0])]
    # Shares 3/4, 1/8, 1/8, 0: squares of 50, 12.5, 12.5 and 25 points, 859.375 on average. Luck:
    # variances 1/4, 1/16, 1/16, 0 by 4 games, 234.375.
    assert measured("seat_fairness", made_up(VARIANT, games)) == pytest.approx(625)
    # As many games won by each seat: less than nothing, by what luck should have made.
    fair = [[(NEGATIVE, np.roll([9, 0, 0, 0], k).tolist())] for k in range(4)]
    assert measured("seat_fairness", made_up(VARIANT, fair)) == pytest.approx(-625)


def test_a_seat_that_has_the_same_lead_in_every_game_makes_all_the_variance() -> None:
    games = [[(NEGATIVE, [3, 1, 0, 0])]] * 5
    assert measured("seat_points", made_up(VARIANT, games)) == pytest.approx(100)


def test_contracts_are_compared_by_how_far_they_spread_points() -> None:
    # Points ahead (3, -1, -1, -1) and twice that: logarithms ln 2 apart, half of it either way.
    games = [[(NEGATIVE, [4, 0, 0, 0]), (POSITIVE, [0, 8, 0, 0])]] * 3
    assert measured("scale_balance", made_up(VARIANT, games)) == pytest.approx(log(2) / 2)
    # What all get alike does not count, nor does a contract that is not played.
    same = [[(NEGATIVE, [4, 0, 0, 0]), (POSITIVE, [95, 95, 99, 95])]] * 3
    assert measured("scale_balance", made_up(VARIANT, same)) == pytest.approx(0)
    # One that moves nothing counts as a thousandth of the other.
    nothing = [[(NEGATIVE, [4, 0, 0, 0]), (POSITIVE, [7, 7, 7, 7])]] * 3
    assert measured("scale_balance", made_up(VARIANT, nothing)) == pytest.approx(log(1000) / 2)


def test_shares_of_contracts_and_side_bets_add_up_to_the_whole() -> None:
    side = np.array([[0, 0, 0, 0], [0, 0, 4, -4]] * 3, np.int32)
    games = [[(NEGATIVE, [4, 0, 0, 0]), (POSITIVE, [0, 4, 0, 0])]] * 3
    # Times four: (12, -4, -4, -4), (-4, 12, -4, -4), bets (0, 0, 16, -16): all (8, 8, 8, -24) of
    # square 768; its products with the parts are 128, 128 and 512.
    assert measured("largest_share", made_up(VARIANT, games, side=side)) == pytest.approx(1 / 6)


def test_ends_are_counted_game_by_game() -> None:
    games = [[(NEGATIVE, [2, 2, 0, 0])] * 2, [(NEGATIVE, [2, 1, 0, 0])] * 3, [(NEGATIVE, [1] * 4)]]
    played = made_up(VARIANT, games, n_moves=np.array([52, 40, 9, 9, 9, 1], np.int64))
    assert measured("tie_rate", played) == pytest.approx(2 / 3)
    assert measured("deals", played) == pytest.approx(2)
    assert measured("turns", played) == pytest.approx(40)
    assert "record" in str(no_moves(Results(games=made_up(VARIANT, games))))


def test_only_those_who_were_tied_win_where_ties_are_played_out() -> None:
    name = "barbu_king_br_tiebreak"
    schedule = [(0, [5, 5, 0, 0])] + [(0, [0, 0, 0, 0])] * 7
    played = made_up(
        name, [[*schedule, (7, [0, 1, 9, 0])], [*schedule, (7, [1, 1, 9, 0])], [(0, [1, 2, 3, 9])]]
    )
    assert winners(played).win.tolist() == [
        [0, WIN, 0, 0],
        [WIN // 2, WIN // 2, 0, 0],
        [0, 0, 0, WIN],
    ]
    assert measured("tie_rate", played) == pytest.approx(1 / 3)


def test_the_lead_changes_when_another_leads_alone() -> None:
    leads = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [9, 0, 0, 0]]
    # Seat 0; both; seat 1; seat 1; seat 0: two changes.
    assert winners(made_up(VARIANT, [[(NEGATIVE, p) for p in leads]])).lead_changes.tolist() == [2]


def test_compulsory_doubles_are_not_counted_as_doubles() -> None:
    game = [(NEGATIVE, [4, 1, 0, -2])] * 3
    bets = [
        (0, 1, 2, False),  # not the declarer: never compulsory
        (0, 3, 0, True),  # the first of two owed, three deals left
        (1, 1, 0, False),  # two owed, two deals left
        (2, 1, 0, True),  # one owed, one left
        (2, 2, 0, False),  # two owed, one left (deal 1's double was out of reach)
        (2, 3, 0, False),  # one owed, one left
    ]
    again = [(row + 3, by, to, answered) for row, by, to, answered in bets]
    played = made_up(VARIANT, [game] * 2, bets=pairs(*bets, *again))
    assert measured("double_rate", played) == pytest.approx(2 / 3)
    # 1 - 0 and twice -2 - 4, by two.
    assert measured("double_value", played) == pytest.approx((1 - 12) / 2)
    assert measured("redouble_rate", played) == pytest.approx(2 / 6)


class _Silent:
    """Says nothing unless it must, and plays the first card."""


class _Eager(_Silent):
    """Doubles whom it may."""

    def double(self, view: View) -> int:
        return view.may_double


def test_what_players_must_say_is_no_double_and_what_they_say_is() -> None:
    silent = of_engine(VARIANT, 3, who=_Silent())
    # Three seats, two doubles each for every declarer.
    assert len(silent.bets.row) == 3 * 4 * 3 * 2
    assert measured("double_rate", silent) == 0
    eager = of_engine(VARIANT, 3, who=_Eager())
    assert measured("double_rate", eager) * 28 * 3 == pytest.approx(len(eager.bets.row))


class _Careless(_Silent):
    """Plays any card of the hand, on honour or not."""

    def play(self, view: View) -> int:
        cards = [card for card in range(52) if view.hand >> card & 1]
        return cards[view.random.below(len(cards))]


def on_honour(table: dict[str, Any]) -> None:
    table["legality"] = {"then": "replay_deal"}


def on_honour_and_often_tied(table: dict[str, Any]) -> None:
    on_honour(table)
    table["schedule"]["sequence"] = ("king",)
    table["ties"] = {"contract": "take_tricks", "at_most": 3}


def test_deals_that_are_played_again_are_told_from_those_that_play_out_a_tie() -> None:
    rules = changed(load_variant("barbu_king_br"), on_honour_and_often_tied)
    games = engine_games(rules, 40, who="slips.v1(of=random.v1, revoke=0.05)")
    played = as_played(rules, games)
    assert games.deals.extra is not None
    assert games.deals.revoked is not None
    main = games.deals.extra == 0
    assert (is_main(played) == main).all()
    # One deal each, and it again at most once; then up to three for the tie.
    lengths = np.bincount(np.repeat(np.arange(40), games.n_deals), main).astype(int)
    assert set(lengths.tolist()) == {1, 2}
    assert set((games.n_deals - lengths).tolist()) >= {1, 2}
    steps = np.bincount(np.repeat(np.arange(40), games.n_deals), is_step(played))
    assert (steps == 1).all()


def test_a_deal_that_is_played_again_leaves_as_many_to_double_in() -> None:
    again = of_engine(changed(load_variant(VARIANT), on_honour), 3, who=_Careless())
    assert (again.n_deals > 28).all()
    assert len(again.bets.row) >= 3 * 4 * 3 * 2
    assert measured("double_rate", again) == 0


def test_a_double_in_a_deal_that_is_played_again_may_leave_the_next_one_free() -> None:
    # Deal 0 is stopped and played again as deal 1, so two are left in both of them: the first
    # double of the two owed is compulsory, the second is not yet.
    played = made_up(
        changed(load_variant(VARIANT), on_honour),
        [[(NEGATIVE, [4, 1, 0, -2])] * 3] * 2,
        bets=pairs(*[(row, 1, 0, False) for row in (0, 1, 3, 4)]),
        revoked=np.array([2, -1, -1] * 2, np.int8),
    )
    assert measured("double_rate", played) == pytest.approx(1 / 3)


@pytest.mark.parametrize("variant", variant_names())
def test_every_objective_is_finite_or_says_why_not(variant: str) -> None:
    results = Results(games=of_engine(variant, 7, who="random.v1", moves=True))
    for objective in OBJECTIVES:
        if objective.needs not in ("games", "moves"):
            continue
        if objective.why_not is not None and (why := objective.why_not(results)) is not None:
            assert why
            continue
        found = estimate(objective.measure(results))
        assert all(map(isfinite, (found.value, found.se or 0)))


@pytest.mark.parametrize("variant", ["barbu_king_br_tiebreak", "barbu_king_br", "barbu_5"])
def test_winners_are_those_of_the_engine(variant: str) -> None:
    rules = load_variant(variant)
    games = engine_games(rules, 400, who="random.v1")
    played = as_played(rules, games)
    shares = np.where(games.place == 1, WIN // games.n_first[:, None].astype(np.int64), 0)
    assert (winners(played).win == shares).all()
    assert "tie" not in variant or (games.n_deals > played.rules.n_deals).any()


def test_the_page_says_what_the_registry_says() -> None:
    page = (Path(__file__).parents[2] / "docs" / "objectives.md").read_text("utf-8")
    rows = [line.strip("|").split("|") for line in page.splitlines() if line.startswith("| `")]
    told = {cells[0].strip(" `"): [cell.strip() for cell in cells[2:5]] for cells in rows}
    for objective in OBJECTIVES:
        said = [objective.unit, objective.better, f"{objective.step:g}"]
        assert told[objective.name] == said, objective.name


def test_games_of_a_block_are_left_out_together() -> None:
    games = [[(NEGATIVE, [k, 0, 0, 0])] for k in (1, 2, 3, 4)]
    played = made_up(VARIANT, games, blocks=2, block=np.array([0, 0, 1, 1]))
    for objective in OBJECTIVES:
        if objective.needs == "games" and objective.why_not is None:
            found = objective.measure(Results(games=played))
            assert (len(found.parts), found.blocks) == (2, 2), objective.name
