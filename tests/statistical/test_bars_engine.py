"""Verdicts of real tournaments are right as often as they say. Seeds are fixed: a failure is a bug.

Games are played by the engine, counted by workers, read from ``totals`` and judged as a run
judges its claim. Of a thousand 95 % intervals 95 % hold the truth, give or take 0.7; two
hundred of them 1.5. What a test measured it prints: ``pytest -rP`` shows it.
"""

from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from engine_ext.rules.load import load_variant
from pipeline.block_totals import WIN
from pipeline.claim import Claim
from pipeline.config import RunConfig
from pipeline.stats.estimate import Estimate, proportion
from pipeline.stats.estimate import of_blocks as sums_of
from pipeline.stopping import Outcome
from pipeline.totals import BlockTable
from tests.many_blocks import PAIRS, TRUTHS, long_run, of_pair, totals_of, truth, verdicts
from tests.runs import BASE, played, rows

BLOCKS = 50
"""Of a tournament."""
SIZES = ("barbu_king_br_3", "barbu_king_br_5", "barbu_king_br_6")


def covered(found: list[Estimate], true: float) -> float:
    """Share of intervals that hold the truth."""
    return float(np.mean([e.low is not None and e.low <= true <= (e.high or 0.0) for e in found]))


def wrong(found: list[Outcome]) -> float:
    """Share of verdicts that tell equals apart."""
    return float(np.mean([one.decision in ("better", "worse") for one in found]))


@cache
def of_equals(variant: str, tournaments: int) -> tuple[RunConfig, BlockTable]:
    """As many at a table as it seats, who answer by chance and are all the same."""
    bots = ("random.v1",) * load_variant(variant).seats
    config = long_run(variant, "table", bots, 31, tournaments * BLOCKS)
    return config, totals_of(config)


SIZED = [
    (BASE[0], 200, 0.92, 0.98),
    *(pytest.param(name, 1000, 0.93, 0.97, marks=pytest.mark.slow) for name in (*BASE, *SIZES)),
]
"""Variants, tournaments, and what their coverage may be."""


# T1: equals


@pytest.mark.parametrize(("variant", "tournaments", "low", "high"), SIZED)
def test_equals_lie_in_their_intervals_and_are_seldom_told_apart(
    variant: str, tournaments: int, low: float, high: float
) -> None:
    config, totals = of_equals(variant, tournaments)
    to_b = config.model_copy(update={"claim": Claim(entrant="a", against="b")})
    for claim, run in (("mean of the tables", config), ("another", to_b)):
        for blocks in (BLOCKS, 10):
            found = verdicts(run, totals, blocks)
            share = covered([one.estimate for one in found], 0.0)
            print(f"T1 {variant}, against {claim}, {blocks} blocks: {share:.4f}")
            assert low <= share <= high
            assert wrong(found) == pytest.approx(1 - share)


# T2: unequals


@pytest.mark.parametrize(
    ("pair", "tournaments", "low", "high"),
    [
        ("gauntlet", 200, 0.92, 0.98),
        *(pytest.param(pair, 1000, 0.93, 0.97, marks=pytest.mark.slow) for pair in PAIRS),
    ],
)
def test_the_true_difference_of_unequals_lies_in_their_intervals(
    pair: str, tournaments: int, low: float, high: float
) -> None:
    config = of_pair(PAIRS[pair], 2, tournaments * BLOCKS)
    totals = totals_of(config)
    for blocks in (BLOCKS, 10):
        found = verdicts(config, totals, blocks)
        share = covered([one.estimate for one in found], float(TRUTHS[pair]))
        better = float(np.mean([one.decision == "better" for one in found]))
        print(f"T2 {pair}, {blocks} blocks: {share:.4f} hold {float(TRUTHS[pair]):.4f}; {better=}")
        assert low <= share <= high
        assert not any(one.decision == "worse" for one in found)


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS)
def test_the_truth_is_what_a_million_games_say(pair: str) -> None:
    assert truth(pair) == TRUTHS[pair]


# T6: win shares


@pytest.mark.parametrize("variant", [*BASE, *SIZES, "barbu_king_br_tiebreak"])
def test_win_shares_of_every_game_are_exactly_one_together(variant: str, tmp_path: Path) -> None:
    seats = load_variant(variant).seats
    strategies = ("duck.v1", "random.v1", *("lowest.v1",) * (seats - 2))
    config = long_run(variant, "table", strategies, 5, 60, record=("games",))
    there, _ = played(config, tmp_path / "run")
    shares: dict[tuple[int, str], Fraction] = {}
    several = 0
    for row in rows(there, "games"):
        score = [row[f"score_{seat}"] for seat in range(seats)]
        first = [seat for seat in range(seats) if score[seat] == max(score)]
        several += len(first) > 1
        assert [seat for seat in range(seats) if row[f"place_{seat}"] == 1] == first
        won = {seat: Fraction(1, row["n_first"]) for seat in first}
        assert sum(won.values()) == 1
        for seat in range(seats):
            key = row["block"], row[f"entrant_{seat}"]
            shares[key] = shares.get(key, Fraction(0)) + won.get(seat, 0)
    kept = {
        (row["block"], row["entrant"]): Fraction(row["win"], WIN) for row in rows(there, "totals")
    }
    print(f"{variant}: {several} ties")
    assert kept == shares
    assert several or variant != "barbu_king_br", "ties must occur, or nothing is shown"


def wins(totals: BlockTable, entrant: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Games and win shares of an entrant, block by block."""
    held = totals.entrant == entrant
    games, won = (np.where(held, a, 0).sum(axis=(1, 2)) for a in (totals.n, totals.win))
    return games, won


@pytest.mark.parametrize(("variant", "tournaments", "low", "high"), SIZED)
def test_equals_win_equally_often_and_as_often_as_intervals_say(
    variant: str, tournaments: int, low: float, high: float
) -> None:
    seats = load_variant(variant).seats
    _, totals = of_equals(variant, tournaments)
    for entrant in range(seats):
        games, won = wins(totals, entrant)
        share = won / games / WIN
        error = float(share.std(ddof=1)) / len(share) ** 0.5
        z = (float(share.mean()) - 1 / seats) / error
        pairs = list(zip(games.tolist(), won.tolist(), strict=True))
        starts = range(0, len(pairs), BLOCKS)
        found = [proportion(sums_of(pairs[i : i + BLOCKS]), WIN) for i in starts]
        inside = covered(found, 1 / seats)
        print(f"T6 {variant} {entrant}: {share.mean():.5f} (z {z:+.2f}), covered {inside:.4f}")
        assert abs(z) < 4
        assert low <= inside <= high
