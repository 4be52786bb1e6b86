"""Revokes and extra deals in the twin: what the table sees, what they cost, who has won."""

from typing import Any

import pytest

from engine_ext.reference.cards import Card
from engine_ext.reference.game import Game
from engine_ext.reference.players import LowestTwin, RandomTwin
from engine_ext.reference.revokes import settle_revoke
from engine_ext.reference.schedule import Turn, final_places, turn_after
from engine_ext.reference.streams import Dice
from engine_ext.reference.table import View
from engine_ext.rules.load import load_variant
from tests.differential.scripted import KEY, changed

HONOUR = load_variant("barbu_king_br_honour")
TIEBREAK = load_variant("barbu_king_br_tiebreak")


class Revoker(LowestTwin):
    """Never follows a suit while it holds another."""

    def __init__(self) -> None:
        self.seen: list[tuple[list[set[str]], int]] = []

    def play(self, view: View, dice: Dice) -> Card:
        self.seen.append(([set(suits) for suits in view.table.void], view.seat))
        led = view.table.tricks[-1].led_suit
        other = [card for card in view.hand if led is not None and card[1] != led]
        return other[0] if other else view.legal[0]


class Watcher(Revoker):
    """Plays by the rules and notes the same."""

    def play(self, view: View, dice: Dice) -> Card:
        self.seen.append(([set(suits) for suits in view.table.void], view.seat))
        return view.legal[0]


def test_a_revoke_looks_like_a_void_to_the_others() -> None:
    revoker, watcher = Revoker(), Watcher()
    game = Game(HONOUR, [watcher, revoker, watcher, watcher], key=KEY)
    deal = game.play_deal(0)
    assert deal.revoked == 1
    shown = [voids[1] for voids, _ in watcher.seen]
    # Before the revoke nothing, then the suit withheld among others, as a void would be.
    assert shown[0] == set()
    assert any(shown)
    assert sum(deal.points) == deal.points[1] == -65


def test_only_tricks_of_honest_games_are_stopped() -> None:
    honest = Game(HONOUR, [RandomTwin()] * 4, key=KEY).play()
    same = Game(load_variant("barbu_king_br"), [RandomTwin()] * 4, key=KEY).play()
    assert honest.scores == same.scores
    assert [deal.cards for deal in honest.deals] == [deal.cards for deal in same.deals]


@pytest.mark.parametrize(
    ("sign", "total", "inside"),
    [
        ("worsens", 65, -65), ("worsens", -65, -65),
        ("literal_minus", 65, 65), ("literal_minus", -65, 65),
        ("signed_total", 65, -65), ("signed_total", -65, 65),
    ],
)  # fmt: skip
def test_the_sign_of_the_penalty_where_the_lowest_wins(sign: str, total: int, inside: int) -> None:
    def rules(table: dict[str, Any]) -> None:
        table["legality"]["sign"] = sign

    points, counted = [-5, -10, 0, 0], [[1, 2, 0, 0]]
    settle_revoke(changed(HONOUR, rules), points, counted, total, 2)
    assert points == [0, 0, inside, 0]
    assert counted == [[0, 0, 0, 0]]


def test_the_deal_passes_on_and_the_schedule_does_not_where_a_deal_is_played_again() -> None:
    def rules(table: dict[str, Any]) -> None:
        table["legality"]["then"] = "replay_deal"

    variant = changed(HONOUR, rules)
    again = turn_after(variant, Turn(0, 0), "tricks", True, [0] * 4)
    assert again == Turn(1, 0, given="tricks", again=1)
    assert turn_after(variant, again, "tricks", False, [0] * 4) == Turn(2, 1, again=1)
    # No more than the schedule has deals; and the last deal may be played again.
    tired = Turn(15, 7, again=8)
    assert turn_after(variant, tired, "domino", True, [0] * 4) is None
    assert turn_after(variant, Turn(7, 7), "first_last", True, [0] * 4) is not None


def test_a_tie_is_played_out_between_those_who_are_first() -> None:
    tie = turn_after(TIEBREAK, Turn(7, 7), "domino", False, [-140, -140, -150, -155])
    assert tie == Turn(8, 8, "take_tricks", frozenset({0, 1}), extra=1)
    # The second extra deal is between those who are still equal, whatever others have.
    more = turn_after(TIEBREAK, tie, "take_tricks", False, [-120, -120, -110, -150])
    assert more is not None
    assert more.tied == {0, 1}
    assert turn_after(TIEBREAK, more, "take_tricks", False, [-100, -110, -90, -150]) is None
    assert final_places(more, [-100, -110, -90, -150]) == [1, 3, 2, 4]
    assert turn_after(TIEBREAK, Turn(7, 7), "domino", False, [-140, -141, -150, -155]) is None


def test_after_the_last_extra_deal_the_win_is_shared() -> None:
    last = Turn(17, 17, "take_tricks", frozenset({1, 3}), extra=10)
    assert turn_after(TIEBREAK, last, "take_tricks", False, [5, 0, 7, 0]) is None
    assert final_places(last, [5, 0, 7, 0]) == [4, 1, 3, 1]
