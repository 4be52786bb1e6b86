"""Exact means of perfect play over all deals of tiny packs, known from elsewhere."""

from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest

from engine_ext.batch import Rules, View
from engine_ext.build import load
from engine_ext.cards import cards_in
from engine_ext.endings import Solver
from engine_ext.position import PLAY
from tests.exact.open_hands import TRICKS, TRUMPS, all_deals, tiny
from tests.exact.tiny import every_deal, layout, setup, variant_of

if TYPE_CHECKING:
    import engine_ext.kernel as _kernel
    import engine_ext.pypolicy as _pypolicy
else:
    _kernel = load("engine_ext.kernel")
    _pypolicy = load("engine_ext.pypolicy")

Aim = Literal["most", "fewest"]

SMALL = (4, 2, 4)
"""Seats, suits, ranks: 2520 deals of two cards a hand."""
LARGE = (4, 3, 4)
"""369,600 deals of three cards a hand."""


def mean(shape: tuple[int, int, int], contract: int, aim: Aim, *seats: int) -> Fraction:
    """Mean over all deals of the tricks that ``seats``, counted from the leader, make sure of."""
    rules = tiny(*shape)
    deals = all_deals(rules)
    trump = rules.numbers.n_suits - 1 if contract == TRUMPS else None
    solver = Solver(rules, contract, trump=trump, seats=seats, aim=aim, table_bits=16)
    values = solver.values(deals, np.zeros(len(deals), np.uint8))
    return Fraction(int(values.sum()), len(deals))


def by_seat(shape: tuple[int, int, int], contract: int, aim: Aim) -> list[str]:
    return [str(mean(shape, contract, aim, seat)) for seat in range(shape[0])]


def test_a_seat_against_three_takes_these_tricks_of_two_suits() -> None:
    assert by_seat(SMALL, TRICKS, "most") == ["7/10", "73/210", "73/210", "73/210"]
    assert by_seat(SMALL, TRUMPS, "most") == ["69/140", "209/420", "211/420", "71/140"]


def test_three_force_these_tricks_of_two_suits_upon_a_seat() -> None:
    assert by_seat(SMALL, TRICKS, "fewest") == ["17/30", "1/2", "1/2", "1/2"]


def test_partners_take_these_tricks_of_two_suits() -> None:
    assert mean(SMALL, TRICKS, "most", 0, 2) == Fraction(128, 105)
    assert mean(SMALL, TRUMPS, "most", 0, 2) == Fraction(209, 210)


@pytest.mark.slow
def test_a_seat_against_three_takes_these_tricks_of_three_suits() -> None:
    assert by_seat(LARGE, TRICKS, "most") == ["1737/1540", "2843/7700", "5689/15400", "1423/3850"]
    assert by_seat(LARGE, TRUMPS, "most") == [
        "307/440",
        "100951/184800",
        "1553/2800",
        "17279/30800",
    ]


@pytest.mark.slow
def test_three_force_these_tricks_of_three_suits_upon_a_seat() -> None:
    last = ["4553/4400"] * 3
    assert by_seat(LARGE, TRICKS, "fewest") == ["21381/30800", *last]
    assert by_seat(LARGE, TRUMPS, "fewest") == [
        "4691/6160",
        "3697/3850",
        "88169/92400",
        "58621/61600",
    ]


@pytest.mark.slow
def test_partners_take_these_tricks_of_three_suits() -> None:
    assert mean(LARGE, TRICKS, "most", 0, 2) == Fraction(3767, 1925)
    assert mean(LARGE, TRUMPS, "most", 0, 2) == Fraction(12499, 7700)


@pytest.mark.parametrize(
    ("n", "most", "fewest"),
    [
        (1, "1/2", "1/2"),
        (2, "5/6", "7/6"),
        (3, "7/5", "7/4"),
        (4, "64/35", "82/35"),
        (5, "33/14", "184/63"),
        (6, "2603/924", "3229/924"),
    ],
)
def test_whist_for_two_with_one_suit_is_worth_this_to_the_leader(
    n: int, most: str, fewest: str
) -> None:
    # Kahn, Lagarias and Witsenhausen's game; means for n cards each after Waestlund.
    assert str(mean((2, 1, 2 * n), TRICKS, "most", 0)) == most
    assert str(mean((2, 1, 2 * n), TRICKS, "fewest", 0)) == fewest


def test_four_and_one_against_three_and_two_take_a_trick_each_whoever_leads() -> None:
    rules = tiny(2, 1, 4)
    hands = [0b1001, 0b0110]
    for leader in (0, 1):
        for seat in (0, 1):
            assert Solver(rules, TRICKS, seats=(seat,)).value(hands, leader) == 1


class OpenHands:
    """Lays a domino for two as well as can be: it sees both hands, and says what may be laid."""

    def __init__(self, deck: int, start: int) -> None:
        self.deck = deck
        self.start = sum(1 << 16 * suit + start for suit in range(4)) & deck
        self.known: dict[tuple[int, int, int], bool] = {}

    def options(self, hand: int, laid: int) -> int:
        """Return the cards of a hand that fit: the start rank, and next to what is laid."""
        return hand & (self.start | laid << 1 | laid >> 1)

    def wins(self, mine: int, others: int, laid: int) -> bool:
        """Whether the seat to move goes out first."""
        key = (mine, others, laid)
        if key not in self.known:
            options = self.options(mine, laid)
            self.known[key] = (
                any(self.wins_by(1 << card, *key) for card in cards_in(options))
                if options
                else not self.wins(others, mine, laid)
            )
        return self.known[key]

    def wins_by(self, card: int, mine: int, others: int, laid: int) -> bool:
        return mine == card or not self.wins(others, mine ^ card, laid | card)

    def lay(self, view: View) -> int:
        others = self.deck & ~view.hand & ~view.played
        assert view.legal == self.options(view.hand, view.played)
        cards = list(cards_in(view.legal))
        for card in cards:
            if self.wins_by(1 << card, view.hand, others, view.played):
                return card
        return cards[0]


@pytest.mark.parametrize(
    ("suits", "ranks", "start", "wins", "deals"),
    [
        ("HS", "234", 1, 14, 20),
        ("HS", "234", 0, 8, 20),
        ("HS", "2345", 1, 29, 70),
        ("DHS", "2345", 1, 288, 924),
    ],
)
def test_the_first_to_lay_wins_this_many_dominoes_for_two(
    suits: str, ranks: str, start: int, wins: int, deals: int
) -> None:
    """Played out by the engine, both hands open to both. To begin is no advantage here."""
    rules = Rules(variant_of(2, suits, ranks, {"domino": layout((1, 0))}))
    players = OpenHands(rules.numbers.deck, start)
    policies = [_pypolicy.PyPolicy(players, rules.numbers) for _ in range(2)]
    table = _kernel.Tabletop(rules.packed)
    won = []
    for hands in every_deal(2, suits, ranks):
        table.set_up(setup(rules, "domino", hands, start).filled(rules))
        assert table.play_on([policy.capsule for policy in policies], PLAY)
        outcome = table.outcome()
        assert outcome["fouls"] == [0, 0]
        won.append(outcome["places"] == [1, 2])
        first, second = hands
        assert won[-1] == players.wins(first, second, 0)
    assert (sum(won), len(won)) == (wins, deals)
