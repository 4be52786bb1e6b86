"""Side bets and totals obey their laws exactly, whatever the points.

A deal is set up before its last trick, with every earlier trick given to a seat, so that
any distribution of points can be had; doubles are laid on the table with it.
"""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.batch import Rules, play_deals, play_games
from engine_ext.build import load
from engine_ext.position import Setup
from engine_ext.rules.facts import contract_total
from engine_ext.rules.load import load_variant
from engine_ext.rules.resolve import KIND_LAYOUT, SLOT_CARDS, SLOT_TRICKS
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key
from strategies.registry import create
from strategies.testing import BASE_VARIANTS, play
from tests.exact.tiny import layout, tricks, variant_of

kernel = load("engine_ext.kernel")
KEY = run_key(31)
PLAY = 2
RANKS = "23456789TJQK"


def betting(seats: int, points: int = 1, shift: int = 0) -> Rules:
    """Rules with doubles for any number of seats; ``shift`` is added to every place of the
    layout, ``points`` multiplies all."""
    payout = tuple(points * (k * k + shift) for k in range(seats))
    doubling = {
        "in_negative": "anyone",
        "in_positive": "anyone",
        "declarer": "doublers",
        "source": "counted",
    }
    schedule = {
        "kind": "choice",
        "uses": {"counted": 1, "layout": 1},
        "dealership": 1,
        "dealer": "declarer",
        "leader": "declarer",
    }
    contracts = {
        "counted": tricks({"per": "trick", "points": points}),
        "layout": layout(payout),
    }
    variant = variant_of(seats, "CDHS"[:seats], RANKS, contracts, doubling=doubling, schedule=schedule)
    return Rules(variant)


def last_card(n: int) -> tuple[int, ...]:
    """Hands of one card, the last one each; seat 0 takes the trick."""
    return tuple(1 << 16 * 0 + 11 - seat for seat in range(n))


def settled(rules: Rules, setup: Setup) -> tuple[list[int], list[int]]:
    """Points and side bets of a deal played to its end."""
    table = kernel.Tabletop(rules.packed)
    table.set_up(setup.filled(rules))
    lowest = create("random.v1")
    assert table.play_on([lowest.capsule] * rules.numbers.seats, PLAY)
    outcome = table.outcome()
    assert outcome["scores"] == [
        p + s for p, s in zip(outcome["points"], outcome["side"], strict=True)
    ]
    return outcome["points"], outcome["side"]


def after_tricks(rules: Rules, owners: tuple[int, ...], doubled: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Points and side bets where ``owners`` took the tricks before the last."""
    place = Setup(
        hands=last_card(rules.numbers.seats),
        dealer=0,
        leader=0,
        declarer=0,
        contract=0,
        owners=owners,
        to_move=owners[-1],
        doubled=doubled,
    )
    return settled(rules, place)


def everybody(n: int) -> tuple[int, ...]:
    """Each has doubled all others: every pair is redoubled."""
    return tuple((1 << n) - 1 - (1 << seat) for seat in range(n))


def once(n: int) -> tuple[int, ...]:
    """Each has doubled those after it: every pair is doubled once."""
    return tuple((1 << n) - (2 << seat) for seat in range(n))


OWNERS = st.lists(st.integers(0, 3), min_size=11, max_size=11).map(tuple)
BETS = st.tuples(*[st.integers(0, 15).map(lambda m, s=s: m & ~(1 << s)) for s in range(4)])


@given(st.integers(2, 4), st.data())
def test_where_all_pairs_are_doubled_each_gets_n_plus_1_times_his_own_less_the_total(
    n: int, data: st.DataObject
) -> None:
    owners = data.draw(st.lists(st.integers(0, n - 1), min_size=11, max_size=11))
    rules = betting(n, points=-2)
    total = -2 * 12
    points, side = after_tricks(rules, tuple(owners), once(n))
    assert [p + s for p, s in zip(points, side, strict=True)] == [
        (n + 1) * p - total for p in points
    ]
    points, side = after_tricks(rules, tuple(owners), everybody(n))
    assert [p + s for p, s in zip(points, side, strict=True)] == [
        (2 * n + 1) * p - 2 * total for p in points
    ]
    if n == 4:  # the common table
        assert [p + s for p, s in zip(points, side, strict=True)] == [9 * p - 2 * total for p in points]


@given(OWNERS, BETS)
def test_side_bets_are_the_differences_of_the_doubled_pairs(owners: Any, doubled: Any) -> None:
    points, side = after_tricks(betting(4), owners, doubled)
    assert points == [owners.count(seat) + (seat == owners_of_last(owners)) for seat in range(4)]
    expected = [0] * 4
    for one in range(4):
        for other in range(4):
            times = (doubled[one] >> other & 1) + (doubled[other] >> one & 1)
            expected[one] += times * (points[one] - points[other])
    assert side == expected
    assert sum(side) == 0


def owners_of_last(owners: tuple[int, ...]) -> int:
    """All hold one card of the same suit: the highest takes the trick, whoever leads."""
    return 0


@given(OWNERS, BETS, st.integers(2, 50))
def test_multiplied_points_multiply_side_bets(owners: Any, doubled: Any, k: int) -> None:
    points, side = after_tricks(betting(4), owners, doubled)
    assert after_tricks(betting(4, points=k), owners, doubled) == (
        [k * p for p in points],
        [k * s for s in side],
    )


@given(st.permutations(range(4)), BETS, st.integers(-40, 40))
def test_a_constant_for_everybody_leaves_side_bets_alone(order: Any, doubled: Any, shift: int) -> None:
    place = Setup(
        hands=tuple(1 << 16 * order.index(seat) for seat in range(4)),
        dealer=0,
        leader=0,
        declarer=0,
        contract=1,
        param=0,
        to_move=0,
        doubled=doubled,
    )
    points, side = settled(betting(4), place)
    assert sorted(points) == [0, 1, 4, 9]
    shifted, same = settled(betting(4, shift=shift), place)
    assert shifted == [p + shift for p in points]
    assert same == side


@given(OWNERS, BETS, st.permutations(range(4)))
def test_seats_that_change_places_change_payments(owners: Any, doubled: Any, to: Any) -> None:
    def moved(seats: int) -> int:
        return sum(1 << to[seat] for seat in range(4) if seats >> seat & 1)

    points, side = after_tricks(betting(4), owners, doubled)
    # The last trick is seat 0's here and seat to[0]'s there: its holder moves too.
    hands = last_card(4)
    place = Setup(
        hands=tuple(hands[to.index(seat)] for seat in range(4)),
        dealer=to[0],
        leader=to[0],
        declarer=to[0],
        contract=0,
        owners=tuple(to[seat] for seat in owners),
        to_move=to[owners[-1]],
        doubled=tuple(moved(doubled[to.index(seat)]) for seat in range(4)),
    )
    assert settled(betting(4), place) == (
        [points[to.index(seat)] for seat in range(4)],
        [side[to.index(seat)] for seat in range(4)],
    )


def test_side_bets_of_whole_games_are_those_of_their_doubles() -> None:
    games = play("barbu_52_doubling", [create("duck.v1"), create("random.v1")], range(100))
    deals = games.deals
    bets = deals.doubled[:, :, None] >> np.arange(4) & 1
    times = (bets + bets.transpose(0, 2, 1)).astype(int)
    difference = deals.points[:, :, None] - deals.points[:, None, :]
    assert (times == 2).any()
    assert np.array_equal(deals.side, (times * difference).sum(axis=2))
    scores = (deals.points + deals.side).reshape(100, -1, 4).sum(axis=1)
    assert np.array_equal(games.score, scores)


ITEMS = {
    # What there is to take in a deal: 52 cards, 32 cards.
    "tricks": (13, 8), "queens": (4, 4), "kings": (4, 4), "hearts": (13, 8), "king": (1, 1),
    "last_two": (2, 2), "last_but_one": (1, 1), "last": (1, 1), "first_last": (2, 2), "ace": (1, 1),
}  # fmt: skip
TOTALS = {
    # As the documents print them, contract by contract in the order of the files.
    "barbu_king_br": (65, 65, 80, 80, 290, -65, 80, -10),
    "king_ru_fixed14": (-16,) * 6 + (-96,) + (16,) * 6 + (96,),
    "barbu_fr_reussite": (-40, -40, -60, -70, -210, 150),
    "barbu_52_doubling": (-26, -24, -30, -30, -20, 65, 65),
}


@pytest.mark.parametrize("strategy", ["random.v1", "duck.v1"])
@pytest.mark.parametrize("name", BASE_VARIANTS)
def test_every_deal_adds_up_to_its_contracts_total_and_all_its_items(name: str, strategy: str) -> None:
    variant = load_variant(name)
    rules = Rules(variant)
    numbers = rules.numbers
    for contract, total in zip(numbers.contracts, TOTALS[name], strict=True):
        assert contract_total(variant, numbers.contract_names[contract.id]) == total
        players = [create(strategy) for _ in range(4)]
        deals = play_deals(rules, players, key=KEY, contracts=[contract.id], first_block=0, n=200)
        assert (deals.points.sum(axis=1) == numbers.objective * total).all()
        if contract.kind == KIND_LAYOUT:
            assert (np.sort(deals.finish, axis=1) == [1, 2, 3, 4]).all()
            continue
        for slot, item in enumerate(contract.slot_names):
            there = ITEMS[item][numbers.hand_size == 8]
            if "ace" in contract.slot_names and item == "hearts":
                there -= 1  # the ace is an item of its own
            counted = (deals.items >> np.uint64(8 * slot) & np.uint64(255)).sum(axis=1)
            if contract.slot_kind[slot] == SLOT_TRICKS:
                assert contract.end_cards == 0
            assert contract.slot_kind[slot] != SLOT_CARDS or contract.slot_cards[slot]
            assert (counted == there).all(), (contract.id, item)


def scaled(variant: Variant, k: int) -> Variant:
    """Return rules with all points times ``k``."""
    table = variant.model_dump(mode="json")
    for contract in table["contracts"].values():
        contract["total"] = None
        for term in contract.get("terms", ()):
            term["points"] *= k
        if "payout" in contract:
            contract["payout"] = [k * points for points in contract["payout"]]
    return Variant.model_validate(table)


@pytest.mark.parametrize("strategy", ["random.v1", "duck.v1", "cautious.v1"])
@pytest.mark.parametrize("name", BASE_VARIANTS)
def test_multiplied_points_change_no_card_within_a_contract(name: str, strategy: str) -> None:
    variant = load_variant(name)
    one, many = Rules(variant), Rules(scaled(variant, 7))
    for contract in range(one.numbers.n_contracts):
        found = [
            play_deals(
                rules, [create(strategy)] * 4, key=KEY, contracts=[contract], first_block=0, n=40, log=True
            )
            for rules in (one, many)
        ]
        assert np.array_equal(found[0].moves, found[1].moves)
        assert np.array_equal(7 * found[0].points, found[1].points)


# Not duck.v1: it reckons its bets in whole hundredths, rounded at every step.
@pytest.mark.parametrize("strategy", ["random.v1", "cautious.v1"])
def test_multiplied_points_multiply_scores_and_side_bets_of_whole_games(strategy: str) -> None:
    variant = load_variant("barbu_52_doubling")
    blocks = np.arange(60, dtype=np.uint64)
    found = [
        play_games(
            Rules(rules), [create(strategy)], key=KEY, blocks=blocks, seating=np.zeros((60, 4), np.uint8)
        )
        for rules in (variant, scaled(variant, 7))
    ]
    assert found[0].deals.side.any()
    assert np.array_equal(found[0].deals.doubled, found[1].deals.doubled)
    assert np.array_equal(7 * found[0].deals.side, found[1].deals.side)
    assert np.array_equal(7 * found[0].score, found[1].score)
