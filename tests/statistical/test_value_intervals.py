"""Errors of values, prices and differences are what they say; halves do not flatter."""

import numpy as np
import pytest

from pipeline.stats.blocks import moved, ratio_of
from pipeline.stats.estimate import Estimate
from pipeline.stats.sets import Floats, Policy, Side, by_surplus, in_order, solve
from pipeline.stats.spending import prices, spent

MEAN = np.array([[0.0], [1.0], [-2.0], [4.0]])
SPREAD = np.array([[1.0], [2.0], [1.5], [4.0]])
STUDIES, BLOCKS, NOISE = 500, 100, 1.5
USES = [1, 1, 1, 1]


def halves(dice: np.random.Generator, hands: int) -> list[Side]:
    """Hands judged twice: unlike contracts, noise about as large as what is to be seen."""
    worth = MEAN + SPREAD * dice.standard_normal((4, hands))
    a, b = worth + NOISE * dice.standard_normal((2, 4, hands))
    return [Side(a, b), Side(b, a)]


def figures(sides: list[Side]) -> dict[str, tuple[float, Floats]]:
    """What is looked at: a value, a difference on the same blocks, a price, a share kept."""
    blocks = np.repeat(np.arange(sides[0].value.shape[1] // 4), 4)
    best = solve(Policy(sides), USES, blocks)
    rest = {"order": in_order(sides), "surplus": by_surplus(sides)}
    found = {name: solve(policy, USES, blocks) for name, policy in rest.items()}
    value = {name: s.value[0, -1] for name, s in found.items()} | {"best": best.value[0, -1]}
    moves = {name: s.influence[0, -1] for name, s in found.items()}
    moves["best"] = best.influence[0, -1]
    gain, kept = moves["best"] - moves["order"], moves["surplus"] - moves["order"]
    both = [
        moved(float(value[n] - value["order"]), g) for n, g in (("surplus", kept), ("best", gain))
    ]
    cost = best.influence[0, 15] - best.influence[0, 7]
    return {
        "value": (float(value["best"]), moves["best"]),
        "gain": (both[1].value, gain),
        "price": (float(best.value[0, 15] - best.value[0, 7]), cost),
        "kept": (
            both[0].value / both[1].value,
            ratio_of_moves(both[0].value, kept, both[1].value, gain),
        ),
    }


def ratio_of_moves(a: float, ia: Floats, b: float, ib: Floats) -> Floats:
    return (ia - a / b * ib) / b


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    # A thousand times a study's hands: the truth is known to a thirtieth of a study's error.
    truth = {
        name: value
        for name, (value, _) in figures(halves(np.random.default_rng(1), 400_000)).items()
    }
    dice = np.random.default_rng(2)
    held = dict.fromkeys(truth, 0)
    for _ in range(STUDIES):
        for name, (value, influence) in figures(halves(dice, 4 * BLOCKS)).items():
            e = moved(value, influence)
            assert e.low is not None
            assert e.high is not None
            held[name] += e.low <= truth[name] <= e.high
    # 95 % of 500 is 475; a binomial figure lies between 465 and 485 with 96 %.
    for name in ("value", "gain", "price"):
        assert 0.93 * STUDIES <= held[name] <= 0.97 * STUDIES, (name, held)
    assert held["kept"] >= 0.92 * STUDIES, held


def thresholds(sides: list[Side]) -> dict[tuple[int, int], Estimate]:
    """Worth from which half of all hands would be spent, by contracts left and contract."""
    blocks = np.repeat(np.arange(sides[0].value.shape[1] // 4), 4)
    policy = Policy(sides)
    told = spent(policy, solve(policy, USES, blocks), USES, blocks)
    return {(s.left, s.contract): s.threshold for s in told if s.threshold is not None}


def test_intervals_of_thresholds_hold_the_truth_prices_and_all() -> None:
    # Known to a sixteenth of a study's error.
    truth = thresholds(halves(np.random.default_rng(6), 100_000))
    dice = np.random.default_rng(7)
    studies = 300
    held = dict.fromkeys(truth, 0)
    for _ in range(studies):
        for key, e in thresholds(halves(dice, 4 * BLOCKS)).items():
            assert e.low is not None
            assert e.high is not None
            held[key] += e.low <= truth[key].value <= e.high
    assert held
    assert all(count >= 0.9 * studies for count in held.values()), held


def test_what_both_halves_choose_and_value_is_too_much() -> None:
    dice = np.random.default_rng(3)
    blocks = np.repeat(np.arange(2000), 4)
    sides = halves(dice, 8000)
    honest = solve(Policy(sides), USES, blocks)
    flattered = solve(Policy([Side(s.choose, s.choose) for s in sides]), USES, blocks)
    more = flattered.value[0, -1] - honest.value[0, -1]
    e = moved(float(more), flattered.influence[0, -1] - honest.influence[0, -1])
    assert e.low is not None
    assert e.low > 0.5
    # More deals a half, less of it: the noise of four of them is half as large.
    worth = MEAN + SPREAD * dice.standard_normal((4, 8000))
    a, b = worth + NOISE / 2 * dice.standard_normal((2, 4, 8000))
    sides = [Side(a, b), Side(b, a)]
    honest = solve(Policy(sides), USES, blocks)
    flattered = solve(Policy([Side(s.choose, s.choose) for s in sides]), USES, blocks)
    assert flattered.value[0, -1] - honest.value[0, -1] < more / 2


def test_halves_tell_the_variance_of_what_a_hand_is_worth() -> None:
    dice = np.random.default_rng(4)
    found = []
    for _ in range(200):
        a, b = (side.choose for side in halves(dice, 400))
        found.append([np.cov(a[c], b[c])[0, 1] for c in range(4)])
    mean, se = np.mean(found, axis=0), np.std(found, axis=0) / 200**0.5
    assert (np.abs(mean - SPREAD[:, 0] ** 2) < 4 * se).all()


def test_a_ratio_of_figures_has_the_error_of_its_logarithm() -> None:
    ia = np.array([0.1, -0.1, 0.2, -0.2])
    e = ratio_of(moved(2.0, ia), ia, moved(4.0, 2 * ia), 2 * ia)
    assert e.value == pytest.approx(0.5)
    assert e.se is None  # above and below move together


def test_prices_add_up_to_the_value_along_any_way_down() -> None:
    blocks = np.repeat(np.arange(100), 4)
    found = solve(Policy(halves(np.random.default_rng(5), 400)), USES, blocks)
    one = {(p.left, p.contract): p.price for p in prices(found, USES)}
    assert one[4, 3].value > one[4, 0].value
