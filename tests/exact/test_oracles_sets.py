"""Values of what is left, prices and thresholds: against numbers known exactly."""

from fractions import Fraction

import numpy as np
import pytest

from engine_ext.build import load
from pipeline.stats.blocks import moved
from pipeline.stats.regret import Choices, regret
from pipeline.stats.sets import (
    Floats,
    Ints,
    Policy,
    Side,
    available,
    averages,
    by_surplus,
    by_value,
    in_order,
    number_left,
    reach,
    solve,
    strides,
)
from pipeline.stats.spending import full, prices, prophet, prophet_bound, spent, usual_prices


def sure(worth: Floats) -> list[Side]:
    """Hands whose worth is known without noise."""
    return [Side(worth, worth)]


def alone(hands: int) -> Ints:
    """Each hand a block."""
    return np.arange(hands)


def noisy(seed: int, contracts: int, hands: int) -> list[Side]:
    """Hands of unlike contracts, judged by two halves."""
    dice = np.random.default_rng(seed)
    spread = 1 + np.arange(contracts)[:, None]
    worth = dice.normal(size=(contracts, hands)) * spread + spread % 3
    a, b = worth + dice.normal(size=(2, contracts, hands))
    return [Side(a, b), Side(b, a)]


@pytest.mark.parametrize("n", [1, 2, 5, 7])
def test_contracts_of_independent_even_worth(n: int) -> None:
    exact = float(n + 1 - sum(Fraction(1, k) for k in range(1, n + 2)))
    assert n != 7 or exact == pytest.approx(1479 / 280, abs=1e-15)
    worth = np.random.default_rng(n).random((n, 20_000))
    found = solve(Policy(sure(worth)), [1] * n, alone(20_000))
    e = moved(float(found.value[0, -1]), found.influence[0, -1])
    assert e.se is not None
    assert e.value == pytest.approx(exact, abs=4 * e.se)
    assert e.se < 2 * (n / 12 / 20_000) ** 0.5


@pytest.mark.parametrize(
    ("n", "edges"),
    [
        (2, [1 / 2]),
        (3, [3 / 8, 5 / 8]),
        (4, [39 / 128, 1 / 2, 89 / 128]),
        (5, [0.258270, 0.421417, 0.578583, 0.741730]),
        (7, [0.199624, 0.324299, 0.441968, 0.558032, 0.675701, 0.800376]),
    ],
)
def test_better_hands_take_dearer_jobs_from_known_edges_on(n: int, edges: list[float]) -> None:
    quality = (np.arange(4000) + 0.5) / 4000
    jobs = np.array([0.2, 0.3, 0.7, 1.0, 1.1, 1.9, 2.5])[:n]
    found = solve(Policy(sure(quality * jobs[:, None])), [1] * n, alone(4000))
    after = found.value[0, -1 - 2 ** np.arange(n)]
    taken = np.argmax(quality * jobs[:, None] + after[:, None], axis=0)
    assert [quality[taken == k].min() for k in range(1, n)] == pytest.approx(edges, abs=1e-3)


def test_every_order_is_worth_the_averages_together() -> None:
    sides = noisy(1, 4, 500)
    mean = averages(sides).sum()
    for order in ([0, 1, 2, 3], [3, 1, 0, 2]):
        turned = [Side(s.choose[order], s.value[order]) for s in sides]
        found = solve(in_order(turned), [1] * 4, alone(500))
        assert found.value[0, -1] == pytest.approx(mean, abs=1e-7)


def test_the_best_way_of_choosing_lies_between_any_order_and_the_prophet() -> None:
    worth = noisy(2, 4, 800)[0].choose
    sides, uses, blocks = sure(worth), [1, 2, 1, 1], np.repeat(np.arange(160), 5)
    best = solve(Policy(sides), uses, blocks)
    for other in (in_order(sides), by_value(sides), by_surplus(sides)):
        assert solve(other, uses, blocks).value[0, -1] <= best.value[0, -1] + 1e-7
    prophesied = prophet(worth, uses, blocks)
    assert best.value[0, -1] < prophesied.mean() == prophet_bound(sides, uses, blocks).value
    # Each state on its own: no worse than spending any one of its contracts blindly.
    step, mean = strides(uses), averages(sides)
    for state in range(1, step[-1]):
        for c in available(state, step):
            assert best.value[0, state] >= mean[c] + best.value[0, state - step[c]] - 1e-7


def test_a_prophet_is_at_least_as_good_as_any_order_in_every_block() -> None:
    worth = noisy(3, 3, 300)[0].choose
    found = prophet(worth, [1, 1, 1], np.repeat(np.arange(100), 3))
    dealt = worth.T.reshape(100, 3, 3)
    for order in ([0, 1, 2], [2, 0, 1]):
        assert (found >= dealt[:, np.arange(3), order].sum(axis=1) - 1e-12).all()


def test_choosing_brings_nothing_where_all_contracts_move_together() -> None:
    hand = np.random.default_rng(4).normal(size=600)
    mean = np.array([3.0, -2.0, 0.5])
    found = solve(Policy(sure(mean[:, None] + hand)), [1, 1, 1], alone(600))
    assert found.value[0, -1] == pytest.approx((mean + hand.mean()).sum(), abs=1e-7)


@pytest.mark.parametrize("seats", [0, 3])
@pytest.mark.parametrize("uses", [[1, 1, 1], [1, 2, 1]])
def test_values_are_those_by_which_a_strategy_chooses(uses: list[int], seats: int) -> None:
    sides = noisy(5, 3, 50)
    # Shared contracts are valued for 3 seats here: what a turn brings, the others lose by halves.
    found = solve(Policy(sides), uses, alone(50), turns=max(seats, 1))
    averages_there, left = load("strategies.choosing").value_of_states(
        sides[0].choose.T.tolist(), sides[1].choose.T.tolist(), tuple(uses), seats
    )
    assert averages(sides) == pytest.approx(averages_there)
    assert found.value == pytest.approx(np.array(left), abs=1e-7)


def test_prices_and_shares_are_those_of_the_values() -> None:
    sides, uses = noisy(6, 3, 400), [1, 1, 1]
    blocks = np.repeat(np.arange(100), 4)
    found = solve(Policy(sides), uses, blocks)
    told = prices(found, uses)
    assert [p.left for p in told] == [3] * 3 + [2] * 3 + [1] * 3
    for p in told[:3]:
        assert p.price.value == pytest.approx(found.value[0, 7] - found.value[0, 7 - 2**p.contract])
    for p in told[6:]:
        assert p.price.value == pytest.approx(averages(sides)[p.contract], abs=1e-7)
    often = spent(Policy(sides), found, uses, blocks)
    assert [s.share.value for s in often[:3]] == pytest.approx(found.picked[7].tolist())
    assert all(s.share.value == pytest.approx(1.0) for s in often[6:])
    # In the dearest contract a middling hand waits; the price of each lies among its own worths.
    assert np.argmax(usual_prices(found, uses)) in range(3)


def test_the_threshold_of_two_alike_contracts_is_their_median() -> None:
    worth = np.random.default_rng(7).random((2, 20_000))
    blocks = np.repeat(np.arange(10_000), 2)
    found = solve(Policy(sure(worth)), [1, 1], blocks)
    for one in spent(Policy(sure(worth)), found, [1, 1], blocks)[:2]:
        assert one.threshold is not None
        assert one.threshold.se is not None
        assert one.threshold.value == pytest.approx(0.5, abs=4 * one.threshold.se)
        # Of a median of 20,000 even figures: 1 / (2 sqrt(n)).
        assert one.threshold.se == pytest.approx(0.5 / 20_000**0.5, rel=0.5)


def test_states_are_come_to_as_often_as_deals_are_played() -> None:
    sides, uses = noisy(8, 3, 300), [2, 1, 1]
    weight = reach(solve(Policy(sides), uses, alone(300)), uses, full(uses))
    for k in range(5):
        assert weight[number_left(uses) == k].sum() == pytest.approx(1.0)


def test_who_follows_the_program_regrets_nothing_and_others_lose_what_they_regret() -> None:
    dice, hands = np.random.default_rng(9), 40_000
    size = np.array([[1.0], [2.0], [3.0], [4.0]])
    worth = dice.normal(size=(4, hands)) * size + 3 * size
    sides, uses, step = sure(worth), [1] * 4, strides([1] * 4)
    best = solve(Policy(sides), uses, alone(hands))
    noise = np.zeros_like(worth)
    lost = {}
    for name in ("program", "value"):
        state = np.full(hands // 4, step[-1] - 1)
        total, brought = 0.0, 0.0
        for deal in range(4):  # every fourth hand is a dealership's deal
            mine = [Side(worth[:, deal::4], worth[:, deal::4])]
            prefer = mine[0].choose.copy()
            for c in range(4):
                may = state % step[c + 1] >= step[c]
                later = best.value[0, np.where(may, state - step[c], 0)]
                prefer[c] = np.where(may, prefer[c] + (later if name == "program" else 0), -np.inf)
            chosen = np.argmax(prefer, axis=0)
            value = mine[0].value[chosen, np.arange(len(chosen))]
            made = Choices(state, chosen, value[None], np.zeros(len(chosen)))
            found = regret(mine, noise[:, deal::4], best, uses, made)
            assert (found.points >= -1e-9).all()
            total += float(found.points.mean())
            brought += float(value.mean())
            state = state - np.array(step)[chosen]
        lost[name] = total, brought
    assert lost["program"][0] == pytest.approx(0.0, abs=1e-12)
    # Telescoped: value lost is regret, up to the luck of which hands came when.
    lacking = float(best.value[0, -1]) - lost["value"][1]
    assert lost["value"][0] > 0.5
    assert lacking == pytest.approx(lost["value"][0], abs=4 * (30 / 10_000) ** 0.5)
