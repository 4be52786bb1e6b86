"""Errors of the studies of seats and doubles are as large as they say, on known laws."""

import numpy as np
import numpy.typing as npt
import pytest

from pipeline.stats.duty import Duty, Gains
from pipeline.stats.estimate import Estimate
from pipeline.stats.hotelling import no_effect
from pipeline.stats.spread import deviation, worst
from pipeline.studies.bets import EVERY, selected
from pipeline.studies.seat_worth import largest, whole_game
from tests.betting_model import CONTRACTS, Model, chosen
from tests.study_frames import study, trial

TRIES = 2000
LOW, HIGH = 0.934, 0.966
"""Coverage of 2,000 tries at 95 %: more than three standard errors to either side."""


def covers(e: Estimate, truth: float) -> bool:
    assert e.low is not None
    assert e.high is not None
    return e.low <= truth <= e.high


@pytest.mark.parametrize("blocks", [8, 40])
def test_no_effect_is_refuted_in_one_of_twenty_studies(blocks: int) -> None:
    rng = np.random.default_rng(1)
    mix = np.array([[3, 1, 0], [0, 2, 1], [1, 0, 4]])
    n = np.full(blocks, 28)
    x = np.rint(20 * rng.standard_normal((TRIES, blocks, 3)) @ mix).astype(np.int64)
    refuted = np.mean([(no_effect(n, one).p or 0) < 0.05 for one in x])
    assert 1 - HIGH < refuted < 1 - LOW


def test_no_effect_keeps_its_promise_where_counts_differ() -> None:
    rng = np.random.default_rng(2)
    refuted = []
    for _ in range(TRIES):
        n = rng.integers(1, 8, 60)
        x = np.rint(10 * n[:, None] * rng.standard_normal((60, 3))).astype(np.int64)
        refuted.append((no_effect(n, x).p or 0) < 0.05)
    assert 1 - HIGH - 0.01 < np.mean(refuted) < 1 - LOW + 0.01


def test_a_true_effect_is_found() -> None:
    rng = np.random.default_rng(3)
    n = np.full(40, 4)
    x = rng.integers(-20, 21, (40, 3)) + np.array([24, 0, 0])
    assert (no_effect(n, x).p or 1) < 0.01


def test_worth_of_a_duty_is_inside_its_interval() -> None:
    """D uniform on (-1, 1) with error in what is believed: the truth from a large sample."""
    rng = np.random.default_rng(4)

    def made(blocks: int) -> dict[int, Gains]:
        out = {}
        for h in (1, 2, 3):
            d = rng.uniform(-1, 1, blocks)
            noise = rng.normal(0, 0.5, (2, blocks))
            out[h] = Gains(
                np.tile(np.arange(blocks), 2),
                np.concatenate([d + noise[0], d + noise[1]]),
                np.concatenate([d + noise[1], d + noise[0]]),
            )
        return out

    truth = Duty(made(300_000), 300_000, 2)
    tries = [Duty(made(60), 60, 2) for _ in range(TRIES)]
    for deals, owed in ((1, 0), (3, 0), (3, 1), (3, 2)):
        worth = truth.worth(deals, owed).value
        hit = np.mean([covers(t.worth(deals, owed), worth) for t in tries])
        assert LOW - 0.005 < hit < HIGH + 0.005
    price = truth.price(3, 2).value
    assert LOW - 0.01 < np.mean([covers(t.price(3, 2), price) for t in tries]) < HIGH + 0.01


def test_spread_and_tail_are_inside_their_intervals() -> None:
    rng = np.random.default_rng(5)
    blocks = 500
    where = np.repeat(np.arange(blocks), 6)

    def drawn() -> npt.NDArray[np.float64]:
        own = rng.normal(size=(blocks, 1)) + rng.normal(size=(blocks, 6))
        return 10 * own.ravel()

    sd, tail = 10 * np.sqrt(2), -10 * np.sqrt(2) * 2.0627128
    tries = [drawn() for _ in range(600)]
    assert 0.93 < np.mean([covers(deviation(t, where, blocks), sd) for t in tries]) < 0.97
    # The mean of 150 deals at the edge: its intervals are a little short.
    assert 0.915 < np.mean([covers(worst(t, where, blocks), tail) for t in tries]) < 0.97


def test_the_largest_unfairness_is_inside_its_interval_of_a_fair_game_and_an_unfair_one() -> None:
    rng = np.random.default_rng(6)
    for odds in ((0.25, 0.25, 0.25, 0.25), (0.32, 0.26, 0.22, 0.2)):
        truth = max(abs(p - 0.25) for p in odds)
        hits = []
        for _ in range(50):
            won = rng.choice(4, (40, 4), p=odds)
            games = [
                row
                for b in range(40)
                for r in range(4)
                for row in (
                    trial("win", b, r, 2520 * np.eye(4, dtype=int)[won[b, r]]),
                    trial("score", b, r, [0, 0, 0, 0]),
                )
            ]
            game = whole_game(study(games, design="seats"))
            assert game is not None
            assert game.unfair == largest(list(game.wins))
            hits.append(covers(game.unfair, truth))
        assert np.mean(hits) > 0.86


STEP = {"first": (0,), "middle": (1, 2, 3, 4), "late": (5, 6)}


def test_cells_of_chosen_contracts_are_inside_their_intervals() -> None:
    """How often a contract is chosen at a stage varies by block, and so does what it pays."""
    truth = {}
    large = chosen(Model(), 200_000, 99)
    for name, steps in STEP.items():
        for k, contract in enumerate(CONTRACTS):
            ahead = [
                p[c == k, 1:].mean(axis=1) - p[c == k, 0] for c, p in map(large.__getitem__, steps)
            ]
            truth[contract, name] = float(np.concatenate(ahead).mean())
    hits = []
    for key in range(80):
        rows = [
            trial("chosen", b, step, points[b], CONTRACTS[c[b]], n_left=7 - step)
            for step, (c, points) in enumerate(chosen(Model(), 60, key))
            for b in range(60)
        ]
        for b in selected(study(rows)):
            if b.doubler == EVERY and (b.contract, b.stage) in truth and b.pays.blocks >= 15:
                hits.append(covers(b.pays, truth[b.contract, b.stage]))
    assert len(hits) > 900
    assert 0.925 < np.mean(hits) < 0.97
