"""What a seat is worth, from trials that a test has made: sums, errors, causes, fairness."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy import stats

from pipeline.stats.estimate import Estimate
from pipeline.stats.hotelling import no_effect
from pipeline.studies.seat_worth import (
    WIN_SHARE,
    causes,
    largest,
    role_worth,
    whole_game,
)
from tests.study_frames import study, trial

SEATS = 4
USES = ("tricks", "queens", "last_two", "hearts", "king", "trumps", "domino")


def played(blocks: int = 12, lead: Sequence[int] = (-3, 0, 1, 2), key: int = 3) -> list[Any]:
    """Games of four rotations: what a role is worth, what choosing adds, side bets, luck."""
    rng = np.random.default_rng(key)
    rows = []
    for block in range(blocks):
        for step in range(SEATS):
            for contract in USES:
                luck = rng.integers(-9, 10, SEATS)
                forced = 7 * (np.array(lead) + luck)
                rows.append(trial("forced", block, step, forced, contract, n=7, squares=7 * 50))
                more = np.array([9, -3, -3, -3])
                chosen = 4 * (np.array(lead) + luck + more)
                rows.append(trial("chosen", block, step, chosen, contract, n=4))
                rows.append(trial("side", block, step, [8, -8, 4, -4], contract, n=4))
            score = rng.integers(-50, 50, SEATS)
            rows.append(trial("score", block, step, score))
            first = score == score.max()
            rows.append(trial("win", block, step, WIN_SHARE * first // first.sum()))
    return rows


def test_the_roles_of_a_contract_add_up_to_nothing() -> None:
    for worth in role_worth(study(played(), design="seats")):
        assert sum(e.value for e in worth.roles) == pytest.approx(0, abs=1e-12)


def test_contracts_stand_in_the_order_of_the_rules() -> None:
    found = [w.contract for w in role_worth(study(played(), design="seats"))]
    assert found == list(USES)


def test_a_role_is_worth_its_mean_above_the_deals_mean() -> None:
    rows = [
        trial("forced", 0, 0, [-14, 0, 0, 0], "tricks", n=7),
        trial("forced", 0, 1, [0, 0, -14, 0], "tricks", n=7),
        trial("forced", 1, 0, [-28, 0, 0, 0], "tricks", n=7),
        trial("forced", 1, 1, [0, 0, 0, 0], "tricks", n=7),
    ]
    (worth,) = role_worth(study(rows, design="seats"))
    assert [e.value for e in worth.roles] == [-1.0, 0.5, 0.0, 0.5]
    assert (worth.roles[0].n, worth.roles[0].blocks) == (28, 2)


def test_deviation_is_of_one_score() -> None:
    rows = [trial("forced", b, 0, [b, 0, 0, -b], "tricks", squares=b * b) for b in (-3, 3, 1, -1)]
    (worth,) = role_worth(study(rows, design="seats"))
    assert worth.sd == pytest.approx(np.std([-3, 3, 1, -1]))


def test_lead_choice_and_bets_add_up_to_the_whole() -> None:
    found = causes(study(played(), design="seats"))
    for role, cause in enumerate(found):
        assert cause.choice is not None
        assert cause.bets is not None
        parts = cause.lead.value + cause.choice.value + cause.bets.value
        assert cause.whole.value == pytest.approx(parts)
        assert cause.choice.value == pytest.approx([9, -3, -3, -3][role])
        assert cause.bets.value == pytest.approx([2, -2, 1, -1][role])
        assert cause.whole.n == 12 * SEATS * len(USES) * 4
    # The same luck in both: only the choice differs, in no block by anything else.
    assert found[0].choice is not None
    assert found[0].choice.kind == "none"


def test_imposed_contracts_are_weighed_as_often_as_they_were_chosen() -> None:
    rows = [
        trial("forced", b, 0, [p + b, 0, 0, 0], c, n=n)
        for b in range(3)
        for c, p, n in (("tricks", 8, 2), ("trumps", 80, 3))
    ]
    rows += [
        trial("chosen", b, 0, [0, 0, 0, 0], c, n=n)
        for b in range(3)
        for c, n in (("tricks", 3), ("trumps", 1))
    ]
    lead = causes(study(rows, design="seats"))[0].lead
    mean = (3 * 9 / 2 + 81 / 3) / 4
    assert lead.value == pytest.approx(mean * 3 / 4)


def test_without_a_choice_the_lead_is_all() -> None:
    rows = [row for row in played() if row["kind"] in ("forced", "score", "win")]
    for cause in causes(study(rows, design="seats")):
        assert (cause.choice, cause.bets) == (None, None)
        assert cause.lead == cause.whole


def test_wins_add_up_and_the_unfairness_is_the_largest() -> None:
    game = whole_game(study(played(), design="seats"))
    assert game is not None
    assert sum(e.value for e in game.wins) == pytest.approx(0, abs=1e-12)
    assert game.unfair.value == max(abs(e.value) for e in game.wins)
    assert game.unfair.low is not None
    assert game.unfair.low <= game.unfair.value <= (game.unfair.high or 0)
    assert {e.kind for e in game.wins} == {"max_t"}


def test_no_games_no_answer() -> None:
    assert whole_game(study([trial("forced", 0, 0, [0] * 4, "tricks")], design="seats")) is None


def test_the_largest_is_inside_what_the_intervals_allow() -> None:
    one = Estimate(0.02, 0.01, -0.01, 0.05, 9, 9, 8.0, "max_t")
    other = Estimate(-0.06, 0.01, -0.09, -0.03, 9, 9, 8.0, "max_t")
    found = largest([one, other])
    assert (found.value, found.low, found.high) == (0.06, 0.03, 0.09)


def test_one_block_has_no_error() -> None:
    rows = [row for row in played() if row["block"] == 0]
    game = whole_game(study(rows, design="seats"))
    assert game is not None
    assert {e.kind for e in (*game.wins, *game.points, game.unfair)} == {"none"}
    assert role_worth(study(rows, design="seats"))[0].verdict.p is None


def test_hotelling_is_the_textbooks_and_takes_no_notice_of_a_column_too_many() -> None:
    rng = np.random.default_rng(1)
    x, n = rng.integers(-20, 30, (50, 3)), np.full(50, 8)
    y = x / 8
    t2 = 50 * y.mean(0) @ np.linalg.solve(np.cov(y.T), y.mean(0))
    f = t2 * 47 / (3 * 49)
    found = no_effect(n, x)
    assert found.f == pytest.approx(f)
    assert found.p == pytest.approx(float(stats.f.sf(f, 3, 47)))
    assert (found.df, found.df_blocks) == (3, 47)
    assert no_effect(n, np.c_[x, -x.sum(axis=1)]) == found


def test_hotelling_of_nothing_is_sure_and_of_a_constant_unsaid() -> None:
    n, nothing = np.full(6, 4), np.zeros((6, 3), np.int64)
    assert no_effect(n, nothing).p == 1.0
    assert no_effect(n, nothing + 1).p is None
    assert no_effect(n[:1], nothing[:1] + 1).p is None
