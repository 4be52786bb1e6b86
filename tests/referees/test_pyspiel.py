"""OpenSpiel's bridge as referee: the same deals card by card, with and without trumps.

What it rules on: the cards dealt are followed suit with, every card may be played that it
allows and no other, and each trick belongs to whom it says.
"""

import random
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from engine_ext.batch import DealRecords, Rules, View, deal_hands, play_deals
from engine_ext.cards import cards_in
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from tests.referees.invite import invite

pytestmark = pytest.mark.slow
N = 5000
"""Deals of each contract."""
PASS, FIRST_BID = 52, 55


class Witness:
    """Plays anything legal, and writes down who was asked and what was allowed."""

    def __init__(self) -> None:
        self.random = random.Random(7)
        self.asked: list[tuple[int, int]] = []

    def play(self, view: View) -> int:
        self.asked.append((view.seat, view.legal))
        return self.random.choice(list(cards_in(view.legal)))


@pytest.mark.parametrize("contract", ["tricks", "trumps"])
def test_bridge_allows_the_same_cards_and_gives_the_tricks_to_the_same_seats(contract: str) -> None:
    pyspiel = invite("pyspiel")
    bridge = pyspiel.load_game("bridge", {"use_double_dummy_result": False})
    rules = Rules(load_variant("yardstick"))
    witness = Witness()
    played = play_deals(
        rules,
        [witness] * 4,
        key=run_key(11),
        contracts=[rules.numbers.contract_names.index(contract)],
        first_block=0,
        n=N,
        log=True,
    )
    hands = deal_hands(rules, key=run_key(11), blocks=np.arange(N, dtype=np.uint64))
    assert len(witness.asked) == 52 * N
    for deal in range(N):
        asked = witness.asked[52 * deal : 52 * deal + 52]
        replay(bridge, played, deal, [int(hand) for hand in hands[deal]], asked)


def replay(
    bridge: Any,
    played: DealRecords,
    deal: int,
    hands: Sequence[int],
    asked: Sequence[tuple[int, int]],
) -> None:
    """Play one deal through at the bridge table, the first leader left of its declarer."""
    leader = int(played.leader[deal])
    sides = [(leader + 3 + player) % 4 for player in range(4)]
    state = bridge.new_initial_state()
    for card in zip(*(cards_in(hands[seat]) for seat in sides), strict=True):
        for number in card:
            state.apply_action(bridge_card(number))
    trump = int(played.param[deal])
    for call in (FIRST_BID + (4 if trump < 0 else trump), PASS, PASS, PASS):
        state.apply_action(call)
    assert played.moves is not None
    for move, (seat, legal) in zip(played.moves[deal], asked, strict=False):
        # On lead the cards allowed are the whole hand: they tell whose turn it is.
        allowed = sorted(map(bridge_card, cards_in(legal)))
        assert state.legal_actions() == allowed, (deal, seat)
        state.apply_action(bridge_card(int(move)))
    assert state.is_terminal()
    items = played.items[deal] & np.uint64(255)
    ours = int(items[sides[0]] + items[sides[2]])
    assert tricks_of_declarer(str(state)) == ours, deal


def tricks_of_declarer(text: str) -> int:
    found = re.search(r"Declarer tricks won: (\d+)", text)
    assert found
    return int(found[1])


def bridge_card(card: int) -> int:
    """Return the number of a card at the bridge table: rank by rank, C D H S."""
    return card % 16 * 4 + card // 16
