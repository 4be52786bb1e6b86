"""Facts of seats and side bets that can be proved, asked of the studies' figures."""

import math
from itertools import permutations

import numpy as np
import pytest

from pipeline.stats.duty import Duty, Gains
from pipeline.studies.bets import EVERY, blind, steered
from pipeline.studies.risk import risks
from pipeline.studies.seat_worth import causes, role_worth, whole_game
from tests.study_frames import study, trial

SEATS = 4
GRID = 400_000
"""Points of the uniform law; what integrals over pieces of lines lack is below 1e-9."""


@pytest.fixture(scope="module")
def uniform() -> Duty:
    """Deals whose double pays D, uniform on (-1, 1), seen without error."""
    d = (2 * np.arange(GRID) + 1) / GRID - 1
    gains = Gains(np.arange(GRID) % 10, d, d)
    return Duty(dict.fromkeys(range(1, 8), gains), 10, 7)


@pytest.mark.parametrize(
    ("owed", "worth"), [(0, 3 / 4), (1, 11441 / 16384), (2, 7921 / 16384), (3, 0)]
)
def test_three_deals_are_worth_their_fractions(uniform: Duty, owed: int, worth: float) -> None:
    assert uniform.worth(3, owed).value == pytest.approx(worth, abs=1e-9)


@pytest.mark.parametrize(
    ("owed", "worth"), [(0, 1.75), (1, 1.7469209542), (2, 1.7241634557), (3, 1.6457115529)]
)
def test_seven_deals_are_worth_what_was_computed(uniform: Duty, owed: int, worth: float) -> None:
    assert uniform.worth(7, owed).value == pytest.approx(worth, abs=1e-9)


def test_owing_more_is_worth_less_and_owing_all_is_the_mean(uniform: Duty) -> None:
    for deals in range(1, 8):
        worth = [uniform.worth(deals, owed).value for owed in range(deals + 1)]
        assert worth == sorted(worth, reverse=True)
        assert worth[-1] == pytest.approx(0, abs=1e-9)
        assert uniform.bonus(deals, deals).value >= 0


def test_owing_all_is_so_many_means_whatever_they_are() -> None:
    rng = np.random.default_rng(3)
    gains = {h: Gains(np.arange(50), rng.normal(size=50), rng.normal(h, 1, 50)) for h in (1, 2, 3)}
    owed = Duty(gains, 50, 3)
    assert owed.worth(3, 3).value == pytest.approx(sum(g.worth.mean() for g in gains.values()))


def rotated(contract: str = "tricks", n: int = 1) -> list[dict[str, object]]:
    """Points that hands alone decide, each hand held by every role once a block."""
    rng = np.random.default_rng(5)
    out = []
    for block in range(9):
        held = rng.multinomial(13, [0.1, 0.2, 0.3, 0.4]) * -2
        for step in range(SEATS):
            points = np.roll(held, step)
            out.append(trial("forced", block, step, points, contract, n=n))
            out.append(trial("chosen", block, step, points, contract, n=n, n_left=1))
            out.append(trial("side", block, step, [0] * SEATS, contract, n=n))
            out.append(trial("score", block, step, points))
            wins = 2520 * (points == points.max()) // (points == points.max()).sum()
            out.append(trial("win", block, step, wins))
    return out


def test_where_roles_are_alike_every_seat_is_worth_exactly_nothing() -> None:
    found = study(rotated(), design="seats")
    (worth,) = role_worth(found)
    game = whole_game(found)
    assert game is not None
    shown = [*worth.roles, *game.points, *game.wins, game.unfair]
    shown += [e for c in causes(found) for e in (c.lead, c.choice, c.bets, c.whole) if e]
    assert {(e.value, e.low, e.high, e.kind) for e in shown} == {(0.0, 0.0, 0.0, "identical")}
    assert [v.p for v in (worth.verdict, game.points_verdict, game.wins_verdict)] == [1.0] * 3


def test_where_roles_are_alike_every_double_pays_exactly_nothing() -> None:
    found = blind(study(rotated()))
    assert len(found) == 1 + 9 + 1
    assert {(b.pays.value, b.pays.kind) for b in found} == {(0.0, "identical")}


def test_advantages_add_up_to_exactly_nothing_block_by_block() -> None:
    rng = np.random.default_rng(8)
    rows = [
        trial("forced", b, r, rng.integers(-30, 30, SEATS), "tricks", n=7)
        for b in range(6)
        for r in range(SEATS)
    ]
    (worth,) = role_worth(study(rows, design="seats"))
    assert math.fsum(e.value for e in worth.roles) == pytest.approx(0, abs=1e-14)


def test_bets_move_points_and_make_none() -> None:
    """All pairs once: (n + 1) s - T. A constant more for everybody changes no bet, a factor
    multiplies all, and the two sides of a bet are each other's."""
    rng = np.random.default_rng(6)
    deals = [rng.integers(-20, 5, SEATS) for _ in range(8)]

    def of(change: int, factor: int) -> dict[tuple[str, int, int], float]:
        rows = [trial("forced", b, 0, factor * (s + change), "tricks") for b, s in enumerate(deals)]
        return {(b.contract, b.doubler, b.target): b.pays.value for b in blind(study(rows))}

    plain = of(0, 1)
    assert of(11, 1) == plain
    assert of(0, 3) == pytest.approx({key: 3 * value for key, value in plain.items()})
    assert all(
        plain["tricks", i, j] == -plain["tricks", j, i] for i in (1, 2) for j in (2, 3) if i < j
    )
    table = study([trial("chosen", b, 0, s, "tricks", n_left=7) for b, s in enumerate(deals)])
    found = {(r.contract, r.way): r.mean.value for r in risks(table)}
    ahead = np.mean([(SEATS + 1) * s[1:] - s.sum() for s in deals])
    assert found["tricks", "table"] == pytest.approx(ahead)


def test_a_bet_known_to_all_pays_what_it_moves() -> None:
    """The doubler's whole change is the bet and its other points; all changes add up to those
    of the points alone."""
    rng = np.random.default_rng(7)
    rows, total = [], 0
    for block in range(5):
        before, after = rng.integers(-9, 9, SEATS), rng.integers(-9, 9, SEATS)
        rows += [
            trial("forced", block, 0, before, "tricks"),
            trial("aware", block, 0, after, "tricks", who=0, whom=2, weight=2),
        ]
        total += int(after[2] + 2 * (after[2] - after[0]) - before[2])
    (found,) = [s for s in steered(study(rows)) if s.doubler == 2]
    assert found.whole.value == pytest.approx(total / 5)


@pytest.mark.parametrize("points", [(0, -2, -10, -14), (-26, 0, 0, 0)])
def test_alike_seats_that_share_a_sum_are_correlated_by_minus_one_over_the_others(
    points: tuple[int, ...],
) -> None:
    """Corr = -1/3 of four: a double of one multiplies the deviation by sqrt(4 + 1 + 4/3), a
    double of the whole table by exactly 5."""
    rows = [
        trial("chosen", b, 0, p, "tricks", n_left=7) for b, p in enumerate(permutations(points))
    ]
    found = {r.way: r.deviation.value for r in risks(study(rows)) if r.contract}
    assert found["one"] / found["none"] == pytest.approx(math.sqrt(5 + 4 / 3))
    assert found["table"] / found["none"] == pytest.approx(5)


def test_one_of_the_others_is_each_of_them_alike() -> None:
    rng = np.random.default_rng(9)
    rows = [trial("forced", b, 0, rng.integers(-9, 9, SEATS), "king") for b in range(20)]
    found = {b.doubler: b.pays.value for b in blind(study(rows)) if b.contract and b.target == 0}
    assert found[EVERY] == pytest.approx(np.mean([found[i] for i in (1, 2, 3)]))
