"""What skill is worth: shares worked out by hand, and a part of skill that is free of bias."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from pipeline.tuning.objectives.skill import (
    nobody_lacks,
    restricted_balance,
    restricted_gap,
    skill_share,
)
from pipeline.tuning.results import Played, Results
from tests.played_games import made_up

VARIANT = "barbu_52_doubling"
LABELS = ("full", "blind", "deaf")


def tables(games: Sequence[tuple[int, int, Sequence[int]]], blocks: int) -> Results:
    """Games (who lacks something, his seat, points by seat), one of each kind in every block."""
    played: Played = made_up(VARIANT, [[("hearts", points)] for *_, points in games])
    entrant = np.zeros((len(games), 4), np.uint8)
    for row, (who, seat, _) in enumerate(games):
        entrant[row, seat] = who
    block = np.repeat(np.arange(blocks, dtype=np.int64), len(games) // blocks)
    return Results(
        skill=replace(played, labels=LABELS, entrant=entrant, block=block, blocks=blocks)
    )


def test_a_gap_is_what_lacks_of_an_equal_share() -> None:
    # Blind wins none of four, deaf one and shares another: 25 and 25 - 37.5.
    games = [
        (1, 0, [0, 1, 2, 3]), (2, 1, [0, 9, 2, 3]),
        (1, 1, [1, 0, 2, 3]), (2, 2, [3, 0, 3, 1]),
        (1, 2, [1, 1, 0, 1]), (2, 3, [3, 0, 2, 1]),
        (1, 3, [3, 1, 2, 1]), (2, 0, [0, 1, 2, 1]),
    ]  # fmt: skip
    results = tables(games, 4)
    assert restricted_gap(results).value == pytest.approx((25 - 12.5) / 2)
    assert restricted_gap(results).blocks == 4
    # Blind lost all there was, deaf gained: less than nothing.
    assert restricted_balance(results).value < 0
    # In which order the tables of a block stand makes no difference.
    turned = tables([games[i] for i in (0, 1, 3, 2, 4, 5, 7, 6)], 4)
    assert restricted_balance(turned).parts.tolist() == restricted_balance(results).parts.tolist()


def test_the_balance_is_of_the_restriction_nearest_to_nothing_or_everything() -> None:
    # Blind wins 1 game of 20, deaf 3 of 20: 20 and 10 points less than 25; 5 are left of blind's.
    rows = []
    for block in range(20):
        seat = block % 4
        for who, wins in ((1, 1), (2, 3)):
            points = [1] * 4
            points[seat if block < wins else (seat + 1) % 4] = 7
            rows.append((who, seat, points))
    results = tables(rows, 20)
    assert restricted_gap(results).value == pytest.approx(15)
    assert restricted_balance(results).value == pytest.approx(5)


def drawn(rng: np.random.Generator, effects: Sequence[float], blocks: int) -> Results:
    """Points of each seat: a game's luck, and what one lacks."""
    rows: list[tuple[int, int, Sequence[int]]] = []
    for block in range(blocks):
        for who, effect in enumerate(effects, start=1):
            points: npt.NDArray[np.float64] = rng.normal(0, 100, 4)
            points[block % 4] += effect
            rows.append((who, block % 4, np.rint(points).astype(int).tolist()))
    return tables(rows, blocks)


def test_the_part_of_skill_is_that_of_a_known_law() -> None:
    # Ahead of the table: luck 100^2 x 3/4, and 3/4 of what is lacking: 0, -90 and -30 points.
    law = np.var([0, -90, -30])
    expected = law / (law + 7500)
    found = skill_share(drawn(np.random.default_rng(1), (-120, -40), 2000))
    se = found.parts.std(ddof=1) / len(found.parts) ** 0.5
    assert abs(found.value - expected) < 4 * se
    assert 0.005 < se < 0.02


def test_where_nobody_lacks_anything_luck_alone_decides() -> None:
    rng = np.random.default_rng(2)
    found = [skill_share(drawn(rng, (0, 0), 40)).value for _ in range(100)]
    mean, se = np.mean(found), np.std(found, ddof=1) / 10
    # The squares of means of 40 games are some 0.011 of the variance.
    assert abs(mean) < 4 * se
    assert se < 0.002


def test_all_is_skill_where_nothing_varies() -> None:
    games = [(1 + k % 2, k // 2 % 4, [10] * 4) for k in range(16)]
    for who, seat, points in games:
        points[seat] = 2 * who
    assert skill_share(tables(games, 8)).value == pytest.approx(1)


def test_without_restricted_players_there_is_a_reason() -> None:
    assert "restricted" in str(nobody_lacks(Results()))
    assert nobody_lacks(tables([(1, 0, [1, 2, 3, 4])], 1)) is None
    with pytest.raises(ValueError, match="without restricted"):
        skill_share(Results())


def test_a_table_with_two_who_lack_something_is_a_mistake_of_ours() -> None:
    results = tables([(1, 0, [1, 2, 3, 4])], 1)
    assert results.skill is not None
    both = replace(results.skill, entrant=np.array([[1, 2, 0, 0]], np.uint8))
    with pytest.raises(AssertionError, match="full ones"):
        restricted_gap(Results(skill=both))
