"""Schedules and whole games on the slow twin; numbers are cases of the dossier's section 3."""

from typing import Any

import pytest

from engine_ext.reference.asking import Asker
from engine_ext.reference.cards import Pack
from engine_ext.reference.game import DealRecord, Game, play_game
from engine_ext.reference.players import HighestTwin, LowestTwin, RandomTwin
from engine_ext.reference.schedule import Turn, final_places, n_deals, roles
from engine_ext.reference.streams import Dice
from engine_ext.reference.table import Option, View
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Deck, Selector, Variant
from tests.differential.scripted import KEY, PACK52, changed, table_of

BRAZIL = load_variant("barbu_king_br")
RUSSIA = load_variant("king_ru_fixed14")
FRANCE = load_variant("barbu_fr_reussite")
DOUBLING = load_variant("barbu_52_doubling")


def deals_of(variant: Variant) -> list[DealRecord]:
    """Return the deals of a game of lowest cards."""
    return play_game(variant, [LowestTwin()] * variant.seats, key=KEY).deals


def test_selectors_pick_suits_ranks_cards_and_exceptions() -> None:
    pack = Pack(Deck(ranks=("Q", "K", "A"), remove=("QC",)))
    assert pack.pick(Selector(ranks=("Q",))) == {"QD", "QH", "QS"}
    assert pack.pick(Selector(suits=("H",), but=("AH",))) == {"QH", "KH"}
    assert pack.pick(Selector(suits=("H", "S"), ranks=("K",))) == {"KH", "KS"}
    assert pack.pick(Selector(suits=("H",), ranks=("K",), cards=("AS",))) == {"KH", "AS"}
    assert pack.pick(Selector(cards=("QC",))) == set()


def test_the_pack_stands_suit_by_suit_and_the_lowest_card_is_so_by_rank() -> None:
    pack = Pack(Deck(suits=("S", "H"), ranks=("7", "8")))
    assert pack.cards == ["7S", "8S", "7H", "8H"]
    assert pack.in_order(["7H", "8S"]) == ["8S", "7H"]
    assert pack.lowest(["8S", "7H"]) == "7H"
    assert pack.lowest(["7H", "7S"]) == "7S"


def test_dealer_and_leader_move_on_in_a_fixed_order_cases_41_and_56() -> None:
    seen = [(d.dealer, d.declarer, d.leader) for d in deals_of(BRAZIL)]
    assert seen[:2] == [(0, None, 1), (1, None, 2)]
    assert seen[4] == (0, None, 1)
    seen = [(d.dealer, d.declarer, d.leader) for d in deals_of(RUSSIA)]
    assert len(seen) == 14
    assert seen[13] == (1, None, 2)


def test_the_dealers_right_hand_neighbour_leads_counter_clockwise_case_57() -> None:
    assert roles(FRANCE, 2) == (2, 2, 3)
    assert [d.declarer for d in deals_of(FRANCE)] == [0, 1, 2, 3] * 7


def test_seven_deals_in_a_row_for_each_declarer_case_87() -> None:
    deals = deals_of(DOUBLING)
    assert [d.declarer for d in deals] == [0] * 7 + [1] * 7 + [2] * 7 + [3] * 7
    assert (deals[0].dealer, deals[0].leader) == (3, 0)
    assert (deals[7].dealer, deals[7].leader) == (0, 1)


@pytest.mark.parametrize(
    ("relation", "direction", "leader"),
    [
        ("left_of_dealer", "clockwise", 1),
        ("right_of_dealer", "clockwise", 3),
        ("left_of_dealer", "counter_clockwise", 3),
        ("right_of_dealer", "counter_clockwise", 1),
        ("dealer", "clockwise", 0),
    ],
)
def test_seats_count_in_the_direction_of_play(relation: str, direction: str, leader: int) -> None:
    def turn(table: dict[str, Any]) -> None:
        table["direction"] = direction
        table["schedule"]["leader"] = relation

    assert roles(changed(BRAZIL, turn), 0) == (0, None, leader)


def test_a_game_has_as_many_deals_as_the_schedule_says_case_67() -> None:
    assert [n_deals(v) for v in (BRAZIL, RUSSIA, FRANCE, DOUBLING)] == [8, 14, 28, 28]


def test_the_last_deal_of_a_declarer_leaves_one_choice_case_40() -> None:
    def by_choice(table: dict[str, Any]) -> None:
        uses = dict.fromkeys(table["contracts"], 1)
        table["schedule"] = {
            "kind": "choice", "uses": uses, "dealership": 8,
            "dealer": "declarer", "leader": "declarer",
        }  # fmt: skip

    deals = play_game(changed(BRAZIL, by_choice), [HighestTwin()] * 4, key=KEY).deals
    assert [d.declarer for d in deals] == [0] * 8 + [1] * 8 + [2] * 8 + [3] * 8
    assert all(d.leader == d.declarer == d.dealer for d in deals)
    assert [d.left for d in deals] == [8, 7, 6, 5, 4, 3, 2, 1] * 4


class Asked(LowestTwin):
    """Notes the contracts it is offered."""

    def __init__(self) -> None:
        self.offered: list[tuple[int, int, tuple[Option, ...]]] = []

    def choose(self, view: View, dice: Dice) -> Option:
        self.offered.append((view.table.deal, view.seat, view.options))
        return view.options[0]


def test_a_declarer_is_asked_even_for_his_last_contract() -> None:
    player = Asked()
    play_game(DOUBLING, [player] * 4, key=KEY)
    assert [(deal, seat) for deal, seat, _ in player.offered] == [(d, d // 7) for d in range(28)]
    assert player.offered[0][2][5:10] == (
        ("trumps", "C"), ("trumps", "D"), ("trumps", "H"), ("trumps", "S"), ("domino", "2"),
    )  # fmt: skip
    assert player.offered[6][2] == tuple(("domino", rank) for rank in "23456789TJQKA")


def test_in_a_fixed_order_only_the_start_rank_is_asked_for_and_the_leader_names_it() -> None:
    player = Asked()
    play_game(BRAZIL, [player] * 4, key=KEY)
    assert [(deal, seat) for deal, seat, _ in player.offered] == [(7, 0)]
    assert [named for _, named in player.offered[0][2]] == list("23456789TJQKA")


def test_a_drawn_trump_is_known_and_asked_of_nobody() -> None:
    yardstick = load_variant("yardstick")
    player = Asked()
    deals = play_game(yardstick, [player] * 4, key=KEY).deals
    assert not player.offered
    assert deals[-1].named in set("CDHS")
    assert {deal.named for deal in deals[:-1]} == {None}


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([-10, 24, -14, 0], [3, 1, 4, 2]),
        ([12, 12, -10, -14], [1, 1, 3, 4]),
        ([0, 0, 0, 0], [1, 1, 1, 1]),
    ],
)
def test_ties_share_the_better_place_case_55(scores: list[int], expected: list[int]) -> None:
    assert final_places(Turn(0, 0), scores) == expected


def test_scores_add_up_points_and_side_bets() -> None:
    game = play_game(DOUBLING, [RandomTwin()] * 4, key=KEY)
    assert any(any(deal.side) for deal in game.deals)
    for seat, score in enumerate(game.scores):
        assert score == sum(deal.points[seat] + deal.side[seat] for deal in game.deals)


def test_inside_points_are_turned_where_the_lowest_total_wins() -> None:
    game = play_game(BRAZIL, [RandomTwin()] * 4, key=KEY)
    assert sum(game.deals[0].points) == -65
    assert sum(game.deals[5].points) == 65
    assert sum(game.scores) == -585


class Cheat(LowestTwin):
    """Gives answers that are never allowed."""

    def choose(self, view: View, dice: Dice) -> Option:
        return ("queens", "H")

    def play(self, view: View, dice: Dice) -> str:
        return "XX"

    def lay(self, view: View, dice: Dice) -> str | None:
        return "XX"


def test_fouls_are_counted_and_the_defaults_take_their_place() -> None:
    cheats: list[LowestTwin] = [LowestTwin(), Cheat(), LowestTwin(), LowestTwin()]
    game = play_game(FRANCE, cheats, key=KEY)
    own = [deal for deal in game.deals if deal.declarer == 1]
    uses = ["tricks", "hearts", "queens", "king", "generale", "reussite", "reussite"]
    assert [deal.contract for deal in own] == uses
    assert own[5].named == "7"
    asked = 7 + sum(seat == 1 for deal in game.deals for seat, _ in deal.cards)
    laid = sum(m.seat == 1 and m.card is not None for deal in game.deals for m in deal.moves)
    assert game.fouls == [0, asked + laid, 0, 0]


def test_the_default_card_is_the_lowest_by_rank_not_the_first_of_the_pack() -> None:
    ask = Asker(PACK52, [Cheat()] * 4, KEY, 0)
    table = table_of(BRAZIL, "tricks")
    legal = ("9C", "TC", "3D", "3H", "4S")
    assert ask.card(View(table, 0, hand=legal, legal=legal)) == "3D"
    assert ask.move(View(table, 1, hand=legal, legal=legal), may_lose_turn=True) == "3D"
    assert ask.fouls == [1, 1, 0, 0]


def test_decisions_of_a_seat_are_counted_within_a_deal() -> None:
    game = Game(DOUBLING, [LowestTwin()] * 4, key=KEY)
    game.play_deal(0)
    # The declarer chose, was not doubled, and played 13 cards; the others each had
    # somebody to double.
    assert game.ask.decisions == [14, 14, 14, 14]
    game.play_deal(1)
    assert max(game.ask.decisions) == 14
