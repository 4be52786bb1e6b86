"""Haglund's double dummy solver, by way of endplay, as referee of partnerships' tricks."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from engine_ext.cards import Pack, cards_in
from engine_ext.endings import Solver
from tests.exact.open_hands import TRICKS, TRUMPS, tiny
from tests.referees.invite import invite

pytestmark = pytest.mark.slow
DENOMINATIONS = ["clubs", "diamonds", "hearts", "spades", "nt"]


@pytest.mark.parametrize("n_left", [2, 3, 4, 5, 6])
def test_double_dummy_takes_the_same_tricks_with_every_card(n_left: int) -> None:
    types, dds = invite("endplay.types"), invite("endplay.dds")
    rules = tiny(4, 4, 13)
    pack = Pack(rules.variant.deck)
    chance = random.Random(n_left)
    n_cards = 0
    for ending in range(150):
        cards = chance.sample(list(cards_in(pack.deck)), 4 * n_left)
        hands = [cards[n_left * seat : n_left * (seat + 1)] for seat in range(4)]
        leader, n_lying = ending % 4, ending // 4 % 4
        for denomination, name in enumerate(DENOMINATIONS):
            deal = lay_out(types, pack, hands, leader, name)
            lying = play_some(types, deal, pack, hands, leader, n_lying)
            held = [sum(1 << c for c in hand if c not in lying) for hand in hands]
            mover = (leader + n_lying) % 4
            solver = Solver(
                rules,
                TRICKS if name == "nt" else TRUMPS,
                trump=None if name == "nt" else denomination,
                seats={mover, (mover + 2) % 4},
            )
            theirs = {pack.number(name_of(card)): tricks for card, tricks in dds.solve_board(deal)}
            assert solver.by_card(held, leader, lying) == theirs, deal
            assert solver.value(held, leader, lying) == max(theirs.values())
            n_cards += len(theirs)
    assert n_cards > 150 * 5


def lay_out(
    types: Any, pack: Pack, hands: Sequence[Sequence[int]], leader: int, denomination: str
) -> Any:
    """Return their deal of these hands: seat 0 is North."""
    written = [
        ".".join(
            "".join(pack.name(c)[0] for c in sorted(hand, reverse=True) if pack.name(c)[1] == suit)
            for suit in "SHDC"
        )
        for hand in hands
    ]
    deal = types.Deal("N:" + " ".join(written))
    deal.first = types.Player(leader)
    deal.trump = types.Denom[denomination]
    return deal


def play_some(
    types: Any, deal: Any, pack: Pack, hands: Sequence[Sequence[int]], leader: int, n: int
) -> list[int]:
    """Play ``n`` cards to the trick, each the first that follows suit; what lies there."""
    lying: list[int] = []
    for k in range(n):
        hand = hands[(leader + k) % 4]
        following = [card for card in hand if not lying or card // 16 == lying[0] // 16]
        lying.append((following or list(hand))[0])
        name = pack.name(lying[-1])
        deal.play(types.Card(name[1] + name[0]))
    return lying


def name_of(card: Any) -> Any:
    """Return our name of one of their cards, ``AS`` say."""
    return card.rank.abbr + card.suit.name[0].upper()
