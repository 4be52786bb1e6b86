"""Side bets and totals obey their laws exactly, whatever the points.

A deal is set up before its last trick, with every earlier trick given to a seat, so that
any distribution of points can be had; doubles are laid on the table with it.
"""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.batch import Rules
from engine_ext.build import load
from engine_ext.position import PLAY, Setup
from engine_ext.seeds import run_key
from strategies.registry import create
from strategies.testing import play
from tests.exact.tiny import layout, tricks, variant_of

kernel = load("engine_ext.kernel")
KEY = run_key(31)
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
    variant = variant_of(
        seats, "CDHS"[:seats], RANKS, contracts, doubling=doubling, schedule=schedule
    )
    return Rules(variant)


def last_card(n: int) -> tuple[int, ...]:
    """Hands of one card of one suit, the highest with seat 0, who takes the last trick."""
    return tuple(1 << 11 - seat for seat in range(n))


def settled(rules: Rules, setup: Setup) -> tuple[list[int], list[int]]:
    """Points and side bets of a deal played to its end."""
    table = kernel.Tabletop(rules.packed)
    table.set_up(setup.filled(rules))
    player: Any = create("random.v1")
    assert table.play_on([player.capsule] * rules.numbers.seats, PLAY)
    outcome = table.outcome()
    assert outcome["scores"] == [
        p + s for p, s in zip(outcome["points"], outcome["side"], strict=True)
    ]
    return outcome["points"], outcome["side"]


def after_tricks(
    rules: Rules, owners: tuple[int, ...], doubled: tuple[int, ...]
) -> tuple[list[int], list[int]]:
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
BETS = st.tuples(*[st.sampled_from([m for m in range(16) if not m >> s & 1]) for s in range(4)])
"""By seat, the set of others it doubled."""


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


@given(OWNERS, BETS)
def test_side_bets_are_the_differences_of_the_doubled_pairs(owners: Any, doubled: Any) -> None:
    points, side = after_tricks(betting(4), owners, doubled)
    assert points == [owners.count(seat) + (seat == 0) for seat in range(4)]
    expected = [0] * 4
    for one in range(4):
        for other in range(4):
            times = (doubled[one] >> other & 1) + (doubled[other] >> one & 1)
            expected[one] += times * (points[one] - points[other])
    assert side == expected
    assert sum(side) == 0


@given(OWNERS, BETS, st.integers(2, 50))
def test_multiplied_points_multiply_side_bets(owners: Any, doubled: Any, k: int) -> None:
    points, side = after_tricks(betting(4), owners, doubled)
    assert after_tricks(betting(4, points=k), owners, doubled) == (
        [k * p for p in points],
        [k * s for s in side],
    )


@given(st.permutations(range(4)), BETS, st.integers(-40, 40))
def test_a_constant_for_everybody_leaves_side_bets_alone(
    order: Any, doubled: Any, shift: int
) -> None:
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
    # The highest of the last cards moves with its holder.
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
