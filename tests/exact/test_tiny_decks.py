"""Exact values of random play on tiny packs: all deals, all lines, no chance left.

The fractions were counted by independent programs; the engine must give them to the last
digit. Leader first, then each of the others, who must be equal: who is not on lead and does
not look at ranks has no better and no worse seat.
"""

from fractions import Fraction
from typing import Any

import pytest

from engine_ext.batch import Rules
from tests.exact.tiny import HEARTS, layout, mean_points, tricks, variant_of, whole

ONE = {"per": "trick"}
FIRST = {"per": "trick_at", "tricks": (1,)}
LAST = {"per": "trick_at", "tricks": (-1,)}
CONTRACTS = {
    "tricks": tricks(ONE),
    "first": tricks(FIRST),
    "last": tricks(LAST),
    "hearts": tricks({"per": "card", "of": HEARTS}, lead_ban={"cards": HEARTS}),
    "trumps": tricks(ONE, trump="drawn"),
    "trump_first": tricks(FIRST, trump="drawn"),
}
VALUES = [
    (4, "HS", "2345", "tricks", "13/21", "29/63"),
    (4, "HS", "2345", "last", "61/210", "149/630"),
    (4, "HS", "2345", "first", "23/70", "47/210"),
    (4, "HS", "2345", "hearts", "6/5", "14/15"),
    (4, "HS", "2345", "trumps", "1/2", "1/2"),
    (4, "HS", "2345", "trump_first", "27/140", "113/420"),
    (2, "HS", "234", "tricks", "27/16", "21/16"),
    (3, "DHS", "23", "tricks", "17/15", "13/30"),
    (3, "HS", "234", "tricks", "49/60", "71/120"),
]
LARGE = [
    (4, "DHS", "2345", "tricks", "4247/4620", "9613/13860"),
    (4, "DHS", "2345", "last", "181/660", "479/1980"),
    (4, "DHS", "2345", "first", "7/20", "13/60"),
    (4, "DHS", "2345", "trumps", "10601/13860", "30979/41580"),
    (4, "DHS", "2345", "trump_first", "1061/4620", "3559/13860"),
]


def means(
    seats: int, suits: str, ranks: str, contracts: dict[str, Any], contract: str
) -> list[Fraction]:
    """Exact means by seat; the last suit is trump where one is drawn."""
    rules = Rules(variant_of(seats, suits, ranks, contracts))
    trump = len(suits) - 1 if contracts[contract].get("trump") else None
    fixed = suits[-1] if trump is not None else "H" if contract == "hearts" else ""
    return mean_points(
        rules, contract, *whole(seats, suits, ranks, suits.replace(fixed, "")), trump
    )


def holds(seats: int, suits: str, ranks: str, contract: str, leader: str, other: str) -> None:
    found = means(seats, suits, ranks, CONTRACTS, contract)
    assert found == [Fraction(leader)] + [Fraction(other)] * (seats - 1)


@pytest.mark.parametrize(("seats", "suits", "ranks", "contract", "leader", "other"), VALUES)
def test_random_play_of_a_tiny_pack_is_worth_what_was_counted(
    seats: int, suits: str, ranks: str, contract: str, leader: str, other: str
) -> None:
    holds(seats, suits, ranks, contract, leader, other)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "suits", "ranks", "contract", "leader", "other"), LARGE)
def test_random_play_of_a_pack_of_twelve_is_worth_what_was_counted(
    seats: int, suits: str, ranks: str, contract: str, leader: str, other: str
) -> None:
    holds(seats, suits, ranks, contract, leader, other)


def test_the_values_add_up_to_what_the_contract_has_to_give() -> None:
    totals = {"tricks": 2, "first": 1, "last": 1, "hearts": 4, "trumps": 2, "trump_first": 1}
    for seats, suits, ranks, contract, leader, other in VALUES + LARGE:
        total = Fraction(leader) + (seats - 1) * Fraction(other)
        hand = len(suits) * len(ranks) // seats
        assert total == (hand if totals[contract] == 2 else totals[contract])


def any_card(ranks: str, of: dict[str, Any], **rules: Any) -> list[Fraction]:
    """Exact mean of the cards of a set that each seat takes; four seats, two suits."""
    contract = tricks({"per": "card", "of": of}, **rules)
    return means(4, "HS", ranks, {"hearts": contract}, "hearts")


def test_under_random_play_every_card_is_taken_as_often_as_its_share_of_a_trick() -> None:
    tricks_taken = means(4, "HS", "2345", CONTRACTS, "tricks")
    for card in ("2H", "3S", "5H", "5S"):
        assert any_card("2345", {"cards": (card,)}) == [t / 2 for t in tricks_taken]
    assert any_card("2345", {"ranks": ("4",)}) == tricks_taken
    assert any_card("2345", HEARTS) == [2 * t for t in tricks_taken]


def test_under_a_ban_on_hearts_every_heart_is_taken_as_often() -> None:
    ban = {"lead_ban": {"cards": HEARTS}}
    hearts = any_card("2345", HEARTS, **ban)
    for card in ("2H", "4H", "5H"):
        assert any_card("2345", {"cards": (card,)}, **ban) == [h / 4 for h in hearts]


def test_two_seats_that_do_not_lead_have_nothing_to_win_from_each_other() -> None:
    # What a double between them would settle has the mean 0, with a ban and with trumps too.
    for contract in CONTRACTS:
        _, second, third, fourth = means(4, "HS", "2345", CONTRACTS, contract)
        assert second - third == third - fourth == 0
    # In a layout they differ: who moves earlier has the better of it.
    ranked = {"layout": layout((3, 2, 1, 0))}
    rules = Rules(variant_of(4, "HS", "2345", ranked))
    _, second, third, fourth = mean_points(rules, "layout", *whole(4, "HS", "2345", "HS"), 1)
    assert second > third > fourth


def test_each_trump_goes_to_each_seat_alike_leader_or_not() -> None:
    trumps = {"t": tricks({"per": "card", "of": {"suits": ("S",)}}, trump="drawn")}
    assert means(4, "HS", "2345", trumps, "t") == [Fraction(1)] * 4


PLACES: list[tuple[int, str, str, int, tuple[float, ...]]] = [
    (4, "HS", "2345", 1, (0.3520833, 0.1212302, 0.2700397, 0.2566468)),
    (4, "HS", "2345", 2, (0.3520833, 0.1212302, 0.2700397, 0.2566468)),
    (2, "HS", "234", 1, (0.7333333, 0.2666667)),
    (2, "HS", "234", 0, (0.575, 0.425)),
]
LARGE_PLACES: list[tuple[int, str, str, int, tuple[float, ...]]] = [
    (4, "DHS", "2345", 1, (0.4219238, 0.0858281, 0.2303856, 0.2618624)),
    (4, "CDHS", "234", 1, (0.5803090, 0.0224892, 0.1681764, 0.2290254)),
]


def place_odds(seats: int, suits: str, ranks: str, start: int) -> list[list[Fraction]]:
    """Exact chance, by place, that each seat takes it; seat 0 moves first."""
    odds = []
    for place in range(seats):
        payout = tuple(int(p == place) for p in range(seats))
        rules = Rules(variant_of(seats, suits, ranks, {"layout": layout(payout)}))
        odds.append(mean_points(rules, "layout", *whole(seats, suits, ranks, suits), start))
    return odds


def starter_goes_out(
    seats: int, suits: str, ranks: str, start: int, told: tuple[float, ...]
) -> None:
    odds = place_odds(seats, suits, ranks, start)
    for by_seat, chance in zip(odds, told, strict=True):
        assert abs(by_seat[0] - Fraction(chance)) < 6e-8
        assert sum(by_seat) == 1
    assert all(sum(column) == 1 for column in zip(*odds, strict=True))


@pytest.mark.parametrize(("seats", "suits", "ranks", "start", "told"), PLACES)
def test_who_begins_a_tiny_layout_goes_out_with_the_chances_that_were_counted(
    seats: int, suits: str, ranks: str, start: int, told: tuple[float, ...]
) -> None:
    starter_goes_out(seats, suits, ranks, start, told)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "suits", "ranks", "start", "told"), LARGE_PLACES)
def test_who_begins_a_layout_of_twelve_goes_out_with_the_chances_that_were_counted(
    seats: int, suits: str, ranks: str, start: int, told: tuple[float, ...]
) -> None:
    starter_goes_out(seats, suits, ranks, start, told)


def test_a_start_rank_and_its_mirror_are_worth_the_same() -> None:
    for size in ((2, "HS", "234"), (2, "HS", "2345"), (4, "HS", "2345")):
        for start in range(len(size[2])):
            mirror = len(size[2]) - 1 - start
            assert place_odds(*size, start) == place_odds(*size, mirror)
