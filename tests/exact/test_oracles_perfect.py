"""Exact means of perfect play over all deals of tiny packs, known from elsewhere."""

from fractions import Fraction

import numpy as np
import pytest

from engine_ext.endings import Solver
from tests.exact.open_hands import TRICKS, TRUMPS, all_deals, tiny

SMALL = (4, 2, 4)
"""Seats, suits, ranks: 2520 deals of two cards a hand."""
LARGE = (4, 3, 4)
"""369,600 deals of three cards a hand."""


def mean(shape: tuple[int, int, int], contract: int, aim: str, *seats: int) -> Fraction:
    """Mean over all deals of the tricks that ``seats``, counted from the leader, make sure of."""
    rules = tiny(*shape)
    deals = all_deals(rules)
    trump = rules.numbers.n_suits - 1 if contract == TRUMPS else None
    solver = Solver(rules, contract, trump=trump, seats=seats, aim=aim, table_bits=16)  # type: ignore[arg-type]
    values = solver.values(deals, np.zeros(len(deals), np.uint8))
    return Fraction(int(values.sum()), len(deals))


def by_seat(shape: tuple[int, int, int], contract: int, aim: str) -> list[str]:
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
