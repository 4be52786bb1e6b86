"""Domino on the slow twin; numbers in names are cases of the dossier's section 3."""

from typing import Any

import pytest

from engine_ext.reference.cards import Pack
from engine_ext.reference.game import DealRecord, Game
from engine_ext.reference.layout import playable, start_ranks
from engine_ext.reference.players import LowestTwin
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import LayoutContract, Variant
from tests.differential.scripted import (
    KEY,
    PACK32,
    PACK52,
    Script,
    cards,
    changed,
    document,
    table_of,
)

BRAZIL = load_variant("barbu_king_br")
FRANCE = load_variant("barbu_fr_reussite")


def five_players(table: dict[str, Any]) -> None:
    """Turn Barbu King into its form for five (000 A35)."""
    table["seats"] = 5
    table["deck"]["remove"] = ("2C", "2D")
    table["contracts"]["domino"]["payout"] = (-50, -25, 0, 25, 50)


def small_domino(table: dict[str, Any]) -> None:
    """Three suits of four ranks for four seats: three cards each, domino alone."""
    table["deck"] = {"suits": ("D", "H", "S"), "ranks": tuple("6789")}
    table["contracts"] = {"domino": table["contracts"].popitem()[1]}
    table["schedule"]["sequence"] = ("domino",)


def small_reussite(table: dict[str, Any]) -> None:
    """The same pack with aces, réussite alone."""
    table["deck"] = {"suits": ("D", "H", "S"), "ranks": tuple("QKA")}
    table["contracts"] = {"reussite": table["contracts"].popitem()[1]}
    table["contracts"]["reussite"]["payout"] = (100, 50, 0)
    table["schedule"]["uses"] = {"reussite": 1}
    table["seats"] = 3


SMALL = changed(BRAZIL, small_domino)
SMALL_FRANCE = changed(FRANCE, small_reussite)


def laid_out(
    variant: Variant, start_rank: str, hands: str, **moves: str
) -> tuple[DealRecord, list[Script], Game]:
    """Play a layout: hands divided by ``|``, seat 0 to move first, moves of ``seat0`` ...

    A seat whose moves are used up lays its first card that fits.
    """
    by_seat = [cards(hand) for hand in hands.split("|")]
    choice = (next(iter(variant.contracts)), start_rank)
    scripts = [Script(moves.get(f"seat{seat}", ""), choice) for seat in range(len(by_seat))]
    game = Game(variant, scripts, key=KEY, deals=lambda number: by_seat)
    # The leader is the dealer's neighbour in 000 and the declarer's in 003.
    return game.play_deal(0, first=len(by_seat) - 1), scripts, game


def told(deal: DealRecord) -> str:
    """Return the moves as a text: seat, then the card, ``-`` for a pass, ``(card)`` if taken
    back."""
    return " ".join(
        f"{m.seat}:" + (f"({m.card})" if m.taken_back else m.card or "-") for m in deal.moves
    )


def test_what_fits_case_14() -> None:
    hand = cards("4H 6H 5S 7H 4S")
    assert playable(hand, ["5H"], "5", PACK52) == cards("4H 6H 5S")


def test_a_row_grows_from_both_ends_and_ranks_do_not_wrap() -> None:
    laid = cards("7S 8S AS KS")
    assert playable(cards("9S QS 7H 8H"), laid, "7", PACK32) == cards("9S QS 7H")


def test_removed_start_cards_count_as_laid_case_28() -> None:
    five = changed(BRAZIL, five_players)
    pack = Pack(five.deck)
    hand = cards("2H 3C 3D 3H 4C")
    assert playable(hand, [], "2", pack) == cards("2H 3C 3D")
    rules = five.contracts["domino"]
    assert isinstance(rules, LayoutContract)
    assert start_ranks(rules, pack) == list("23456789TJQKA")


def test_a_rank_with_a_card_missing_may_be_forbidden() -> None:
    def forbid(table: dict[str, Any]) -> None:
        five_players(table)
        table["contracts"]["domino"]["missing_start"] = "forbid"

    five = changed(BRAZIL, forbid)
    rules = five.contracts["domino"]
    assert isinstance(rules, LayoutContract)
    assert start_ranks(rules, Pack(five.deck)) == list("3456789TJQKA")


@pytest.mark.parametrize(
    ("variant", "contract", "places", "points"),
    [
        pytest.param(BRAZIL, "domino", [2, 4, 1, 3], [-20, 40, -50, 20], id="case 16"),
        pytest.param(FRANCE, "reussite", [3, 2, 4, 1], [0, 50, 0, 100], id="case 66"),
        pytest.param(
            changed(BRAZIL, five_players),
            "domino",
            [1, 2, 3, 4, 5],
            [-50, -25, 0, 25, 50],
            id="case 29",
        ),
    ],
)
def test_payout_by_finishing_place(
    variant: Variant, contract: str, places: list[int], points: list[int]
) -> None:
    game = Game(variant, [LowestTwin()] * variant.seats, key=KEY)
    table = table_of(variant, contract)
    table.places = places
    assert document(variant, game.book(table, 0).points) == points


HANDS = "6D 7D 8D | 9D 6H 7H | 8H 9H 6S | 7S 8S 9S"


def test_a_leader_without_the_start_rank_passes_unasked_case_17() -> None:
    deal, scripts, _ = laid_out(SMALL, "9", HANDS, seat1="9D")
    assert told(deal).startswith("0:- 1:9D 2:9H 3:9S 0:8D")
    assert len(scripts[0].seen) == 3
    assert deal.named == "9"


def test_an_unplayable_card_is_taken_back_and_the_turn_lost_case_18() -> None:
    # Seat 1 shows 7H though it could lay 6H.
    deal, _, game = laid_out(SMALL, "6", HANDS, seat1="7H")
    assert told(deal).startswith("0:6D 1:(7H) 2:6S 3:7S 0:7D 1:6H 2:- 3:8S 0:8D 1:9D")
    assert game.ask.fouls == [0, 0, 0, 0]


def test_after_a_full_circle_of_passes_a_card_is_forced() -> None:
    deal, scripts, game = laid_out(SMALL, "6", HANDS, seat1="-", seat2="-", seat0="6D -")
    # Seat 3 passes unasked; the fifth to speak must lay.
    assert told(deal).startswith("0:6D 1:- 2:- 3:- 0:- 1:6H 2:6S")
    assert [view.may_pass for view in scripts[1].seen[:3]] == [True, False, True]
    assert game.ask.fouls == [0, 0, 0, 0]


def test_the_circle_that_forces_a_card_gets_smaller_with_those_who_are_out() -> None:
    deal, scripts, _ = laid_out(SMALL, "6", HANDS, seat1="- - -", seat3="7S 8S -")
    # Seat 0 goes out with 8D; then the three passes of those left make a circle.
    assert told(deal).startswith("0:6D 1:- 2:6S 3:7S 0:7D 1:- 2:- 3:8S 0:8D 1:- 2:- 3:- 1:9D")
    assert [view.may_pass for view in scripts[1].seen[:4]] == [True, True, True, False]


def test_passing_or_showing_the_wrong_card_is_a_foul_where_a_card_is_forced() -> None:
    for answer in ("-", "7H", "8C"):
        deal, _, game = laid_out(SMALL, "6", HANDS, seat0="6D -", seat1=f"- {answer}", seat2="-")
        assert told(deal).startswith("0:6D 1:- 2:- 3:- 0:- 1:6H")
        assert game.ask.fouls == [0, 1, 0, 0]


def test_passing_is_refused_where_it_is_forbidden_case_61() -> None:
    hands = "QD KD KH | QH AH QS | KS AS AD"
    deal, scripts, game = laid_out(SMALL_FRANCE, "K", hands, seat0="-")
    assert scripts[0].seen[0].legal == ("KD", "KH")
    assert not scripts[0].seen[0].may_pass
    assert game.ask.fouls == [1, 0, 0]
    assert told(deal).startswith("0:KD 1:-")


def test_a_card_that_does_not_fit_is_a_foul_unless_it_costs_the_turn() -> None:
    hands = "QD KD KH | QH AH QS | KS AS AD"
    deal, _, game = laid_out(SMALL_FRANCE, "K", hands, seat0="QD")
    assert game.ask.fouls == [1, 0, 0]
    assert told(deal).startswith("0:KD 1:-")


def test_a_player_who_cannot_open_passes_case_61() -> None:
    deal, scripts, _ = laid_out(SMALL_FRANCE, "K", "QD AD QH | KH AH QS | KS AS KD")
    assert told(deal).startswith("0:- 1:KH 2:KD 0:QD")
    assert scripts[0].seen[0].legal == ("QD", "AD", "QH")


def test_an_ace_gives_another_turn_and_aces_chain_case_63() -> None:
    deal, scripts, game = laid_out(SMALL_FRANCE, "A", "AD AS QH | KD QD KS | AH KH QS")
    # After both aces seat 0 holds QH alone, which does not fit: its turn is over unasked.
    assert told(deal).startswith("0:AD 0:AS 1:KD 2:AH 2:KH 0:QH")
    assert [view.may_pass for view in scripts[0].seen] == [False, True, False]
    assert game.ask.fouls == [0, 0, 0]
    assert deal.places[0] == 1


def test_a_further_turn_may_be_declined_and_is_no_pass() -> None:
    deal, _, game = laid_out(
        SMALL_FRANCE, "A", "AD AS QH | KD QD KS | AH KH QS", seat0="AD -", seat2="AH -"
    )
    assert told(deal).startswith("0:AD 1:KD 2:AH 0:AS 1:QD 2:KH")
    assert game.ask.fouls == [0, 0, 0]


def test_a_declined_turn_does_not_bring_the_forced_card_nearer() -> None:
    def free_passing(table: dict[str, Any]) -> None:
        small_reussite(table)
        rules = {"passing": "may_pass", "stall": "force_after_full_circle"}
        table["contracts"]["reussite"].update(rules)

    variant = changed(FRANCE, free_passing)
    hands = "AD AS QH | KD QD KS | AH KH QS"
    deal, scripts, game = laid_out(variant, "A", hands, seat0="AD - -", seat1="-", seat2="-")
    assert told(deal).startswith("0:AD 1:- 2:- 0:- 1:KD")
    assert [view.may_pass for view in scripts[0].seen[:3]] == [True, True, True]
    assert game.ask.fouls == [0, 0, 0]


def test_no_further_turn_after_the_last_card_case_64() -> None:
    deal, scripts, _ = laid_out(SMALL_FRANCE, "Q", "AD KD QD | AH KH QH | QS KS AS")
    assert [len(script.seen) for script in scripts] == [3, 3, 2]
    assert deal.places == [1, 2, 3]


def test_the_last_seat_lays_its_cards_too_where_play_goes_on_until_all_are_out() -> None:
    def end_at_one(table: dict[str, Any]) -> None:
        small_domino(table)
        table["contracts"]["domino"]["end"] = "one_left"

    all_out, _, _ = laid_out(SMALL, "9", HANDS)
    one_left, _, _ = laid_out(changed(BRAZIL, end_at_one), "9", HANDS)
    assert all_out.places == one_left.places
    assert sorted(all_out.places) == [1, 2, 3, 4]
    assert sum(move.card is not None for move in all_out.moves) == 12
    assert all_out.moves[: len(one_left.moves)] == one_left.moves
    assert sum(move.card is not None for move in one_left.moves) < 12
