"""OpenSpiel's hearts as referee: the same deals card by card, lead bans, tricks and points.

What it rules on: who leads, whose turn it is (so who took each trick before), which cards may
be played at each turn and no other, and the points, shooting the moon with them.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from engine_ext.batch import DealRecords, Rules, View, deal_hands, play_deals
from engine_ext.cards import cards_in
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from tests.referees.invite import invite

pytestmark = pytest.mark.slow
N = 3000
"""Deals of each way to play and each variant."""
NO_PASS = 0
HOUSE = {
    "pass_cards": False,
    "no_pts_on_first_trick": True,
    "can_lead_any_club": False,
    "qs_breaks_hearts": False,
    "must_break_hearts": True,
    "avoid_all_tricks_bonus": False,
    "jd_bonus": False,
    "can_lead_hearts_instead_of_qs": False,
}
ALL_POINTS = 26
"""What OpenSpiel takes a seat's points from, so that more is better."""


def anything(view: View, cards: Sequence[int], chance: random.Random) -> int:
    return chance.choice(cards)


def one_wants_all(view: View, cards: Sequence[int], chance: random.Random) -> int:
    """Seat 0 takes what it can and the others let it: the moon is shot often."""
    by_rank = sorted(cards, key=lambda card: card % 16)
    return by_rank[-1] if view.seat == 0 else by_rank[0]


Manner = Callable[[View, Sequence[int], random.Random], int]


class Witness:
    """Plays in its manner, and writes down who was asked and what was allowed."""

    def __init__(self, manner: Manner) -> None:
        self.manner = manner
        self.random = random.Random(13)
        self.asked: list[tuple[int, int]] = []

    def play(self, view: View) -> int:
        self.asked.append((view.seat, view.legal))
        return self.manner(view, list(cards_in(view.legal)), self.random)


@pytest.mark.parametrize("manner", [anything, one_wants_all])
@pytest.mark.parametrize("variant", ["hearts", "hearts_moon"])
def test_hearts_is_played_and_counted_alike(variant: str, manner: Manner) -> None:
    hearts = invite("pyspiel").load_game("hearts", HOUSE)
    rules = Rules(load_variant(variant))
    witness = Witness(manner)
    key = run_key(26)
    played = play_deals(rules, [witness] * 4, key=key, contracts=[0], first_block=0, n=N, log=True)
    hands = deal_hands(rules, key=key, blocks=np.arange(N, dtype=np.uint64))
    assert len(witness.asked) == 52 * N
    moons = 0
    for deal in range(N):
        asked = witness.asked[52 * deal : 52 * deal + 52]
        state = replay(hearts, played, deal, [int(hand) for hand in hands[deal]], asked)
        theirs = [ALL_POINTS - int(points) for points in state.returns()]
        ours = [-int(points) for points in played.points[deal]]
        moon = sum(theirs) == 3 * ALL_POINTS
        moons += moon
        if moon and variant == "hearts":
            assert ours == [ALL_POINTS - points for points in theirs], deal
        else:
            assert ours == theirs, deal
    assert moons > 10


def replay(
    hearts: Any,
    played: DealRecords,
    deal: int,
    hands: Sequence[int],
    asked: Sequence[tuple[int, int]],
) -> Any:
    """Play one deal through at their table; the state at its end."""
    state = hearts.new_initial_state()
    state.apply_action(NO_PASS)
    for card in zip(*(cards_in(hand) for hand in hands), strict=True):
        for number in card:
            state.apply_action(their_card(number))
    assert state.current_player() == played.leader[deal]
    assert played.moves is not None
    for move, (seat, legal) in zip(played.moves[deal], asked, strict=False):
        assert state.current_player() == seat, deal
        assert state.legal_actions() == sorted(map(their_card, cards_in(legal))), (deal, seat)
        state.apply_action(their_card(int(move)))
    assert state.is_terminal()
    return state


def their_card(card: int) -> int:
    """Return the number of a card at their table: rank by rank, C D H S."""
    return card % 16 * 4 + card // 16
