"""What contracts left, and doubles owed, are worth: against values known exactly.

The tables are made up: hands of whose contracts the worth is drawn, or goes through a grid.
"""

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import linear_sum_assignment

from engine_ext.build import load

Table = npt.NDArray[np.float64]
DICE = np.random.default_rng(24)


def value(
    chosen: Table, valued: Table | None = None, uses: tuple[int, ...] = (), seats: int = 0
) -> tuple[list[float], list[list[float]]]:
    """Return the contracts' averages, and what is left is worth by seat and state."""
    found: tuple[list[float], list[list[float]]] = load("strategies.choosing").value_of_states(
        chosen.tolist(), (chosen if valued is None else valued).tolist(),
        uses or (1,) * chosen.shape[1], seats,
    )  # fmt: skip
    return found


@pytest.mark.parametrize(
    ("n", "exact"), [(1, 1 / 2), (2, 7 / 6), (3, 23 / 12), (4, 163 / 60), (5, 71 / 20)]
)
def test_contracts_of_independent_worth(n: int, exact: float) -> None:
    averages, (left,) = value(DICE.random((20_000, n)))
    # Five standard errors of a sum that varies less than the hands alone do.
    assert left[-1] == pytest.approx(exact, abs=5 * (n / 12 / 20_000) ** 0.5)
    assert sum(averages) == pytest.approx(n / 2, abs=5 * (n / 12 / 20_000) ** 0.5)
    assert left[-1] > sum(averages) or n == 1


@pytest.mark.slow
def test_seven_contracts_of_independent_worth() -> None:
    _, (left,) = value(DICE.random((200_000, 7)))
    assert left[-1] == pytest.approx(1479 / 280, abs=5 * (7 / 12 / 200_000) ** 0.5)


MATCHED = (0.179699, 0.291639, 0.396885, 0.5, 0.603115, 0.708361, 0.820301)
"""Quality of the hand that the k-th dearest of seven jobs is given, hands U(0,1)."""


def test_jobs_are_matched_to_hands_as_well_as_can_be() -> None:
    hands = (np.arange(2000) + 0.5) / 2000
    jobs = np.array([0.2, 0.3, 0.7, 1.0, 1.1, 1.9, 2.5])
    _, (left,) = value(hands[:, None] * jobs)
    assert left[-1] == pytest.approx(sum(jobs * MATCHED), abs=2e-5)
    # Jobs alike are worth what the hands are, whatever the order.
    _, (left,) = value(hands[:, None] * np.ones(7))
    assert left[-1] == pytest.approx(3.5, abs=1e-9)


def prophet(hands: Table) -> float:
    """Return what is got on average by who sees all hands of a round at once."""
    n = hands.shape[1]
    total = 0.0
    rounds = hands[: len(hands) // n * n].reshape(-1, n, n)
    for some in rounds:
        rows, columns = linear_sum_assignment(-some)
        total += some[rows, columns].sum()
    return float(total / len(rounds))


@pytest.mark.parametrize("seed", range(4))
def test_choice_lies_between_any_order_and_foresight(seed: int) -> None:
    dice = np.random.default_rng(seed)
    common = dice.normal(size=(1800, 1))
    hands = dice.normal(0, 3, 6) + common * dice.normal(size=6) + dice.normal(size=(1800, 6))
    averages, (left,) = value(hands)
    assert averages == pytest.approx(hands.mean(axis=0))
    assert sum(averages) < left[-1] < prophet(hands)
    for state in range(64):
        those = [k for k in range(6) if state >> k & 1]
        assert left[state] >= sum(averages[k] for k in those) - 1e-9
        for k in those:
            assert left[state] >= averages[k] + left[state - (1 << k)] - 1e-9


def test_nothing_is_gained_where_all_contracts_take_the_hand_alike() -> None:
    hands = DICE.normal(size=(500, 1)) + np.array([3, -2, 0, 7])
    averages, (left,) = value(hands)
    assert left[-1] == pytest.approx(sum(averages))


def test_what_was_chosen_by_chance_is_worth_the_average() -> None:
    """Half of the worlds choose, the others value: luck of the first is not counted."""
    chosen, valued = DICE.normal(size=(2, 4000, 4))
    averages, (left,) = value(chosen, valued)
    assert left[-1] == pytest.approx(sum(averages), abs=0.12)
    assert value(chosen)[1][0][-1] > 2


def rival(gains: tuple[float, ...], uses: tuple[int, ...], seats: int) -> tuple[float, ...]:
    """Return what each seat comes out ahead, the first to choose first, all as well as can be."""

    @cache
    def ahead(left: tuple[int, ...]) -> tuple[float, ...]:
        if not any(left):
            return (0.0,) * seats
        found = []
        for k, n in enumerate(left):
            if n:
                *rest, own = ahead((*left[:k], n - 1, *left[k + 1 :]))
                found.append((gains[k] + own, *(r - gains[k] / (seats - 1) for r in rest)))
        return max(found)

    return ahead(uses)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_who_shares_the_contracts_reckons_with_the_next(seats: int) -> None:
    for seed in range(20):
        dice = np.random.default_rng(seed)
        uses = tuple(map(int, dice.integers(1, 3, 4)))
        gains = dice.normal(0, 5, 4)
        _, left = value(gains[None, :], uses=uses, seats=seats)
        assert [row[-1] for row in left] == pytest.approx(rival(tuple(gains), uses, seats))


def test_contracts_of_several_uses_are_as_many_contracts() -> None:
    hands = DICE.normal(size=(300, 3))
    _, (twice,) = value(hands[:, :2], uses=(2, 1))
    _, (apart,) = value(hands[:, [0, 0, 1]])
    assert twice[-1] == pytest.approx(apart[-1])


def test_too_many_ways_are_not_counted() -> None:
    averages, left = value(np.ones((1, 17)))
    assert averages == [1] * 17
    assert left is None


GRID: list[Any] = [(x, x) for x in (np.arange(2048) + 0.5) / 1024 - 1]


def duty(gains: list[Any], forced: bool, penalty: int = 0) -> list[list[float]]:
    found: list[list[float]] = load("strategies.betting").value_of_duty(gains, forced, penalty)
    return found


def test_doubles_owed_cost_what_they_must() -> None:
    worth = duty(GRID, True)
    assert worth[3][:4] == pytest.approx([3 / 4, 11441 / 16384, 7921 / 16384, 0], abs=1e-6)
    want = [1.75, 1.7469209542, 1.7241634557, 1.6457115529]
    assert worth[7][:4] == pytest.approx(want, abs=1e-5)
    for deals in range(1, 12):
        assert all(a > b for a, b in pairwise(worth[deals][: deals + 1]))


def test_who_must_double_always_gets_the_mean() -> None:
    gains = [(x + 0.3, x + 0.3) for x, _ in GRID]
    worth = duty(gains, True)
    for deals in range(1, 9):
        assert worth[deals][deals] == pytest.approx(0.3 * deals)


def test_a_penalty_is_paid_where_that_is_cheaper() -> None:
    # A double loses 10: whoever owes one pays 4 rather.
    assert duty([(-10.0, -10.0)], False, -4)[5][:3] == [0, -4, -8]
    assert duty([(-3.0, -3.0)], False, -4)[5][:3] == [0, -3, -6]
    assert duty([(-10.0, -10.0)], True)[5][:3] == [0, -10, -20]


def test_deals_in_which_nobody_may_double_are_waited_for() -> None:
    worth = duty([None, (2.0, 2.0)], True)
    assert worth[1][0] == worth[1][1] == 1
    assert worth[4][0] == pytest.approx(4)


def test_doubles_are_chosen_by_half_and_valued_by_half() -> None:
    first, second = DICE.normal(size=(2, 4000))
    worth = duty(list(zip(first.tolist(), second.tolist(), strict=True)), False)
    assert worth[1][0] == pytest.approx(0, abs=0.1)
