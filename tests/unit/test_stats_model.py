"""Strength of many entrants: least squares, its errors, and what is made of them."""

from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from pipeline.stats import control, wild
from pipeline.stats.estimate import Estimate, excludes, of_blocks, ratio, t_quantile
from pipeline.stats.exact import gram, inverse, product
from pipeline.stats.letters import letters
from pipeline.stats.lineups import Played, changing, games_a_table, information, of_tables
from pipeline.stats.score_model import claim, fit, pairs, strengths
from pipeline.stats.simultaneous import ranks
from tests.round_robins import Games, exploded, games_of, played

Ints = npt.NDArray[np.int64]


def _games(k: int = 7, seats: int = 3, blocks: int = 12, seed: int = 1) -> Games:
    rng = np.random.default_rng([k, seats, blocks, seed])
    return games_of(rng, np.linspace(6, -6, k), seats, blocks)


def _close(a: list[float], b: list[float]) -> bool:
    return bool(np.allclose(a, b, rtol=1e-9, atol=0))


# Exact arithmetic.


def test_an_inverse_times_its_matrix_is_one() -> None:
    rng = np.random.default_rng(2)
    for size in (1, 2, 5, 12):
        part = rng.integers(-9, 9, (size + 2, size))
        matrix = (part.T @ part).tolist()
        found = inverse(matrix)
        assert found is not None
        assert product(matrix, found.above) == [
            [found.below * (i == k) for k in range(size)] for i in range(size)
        ]
    assert inverse([[1, 1], [1, 1]]) is None


def test_products_of_large_numbers_are_exact() -> None:
    rng = np.random.default_rng(3)
    u = rng.integers(-(2**52) + 1, 2**52, (1300, 3))
    big = u.astype(object)
    assert gram(u) == (big.T @ big).tolist()
    with pytest.raises(OverflowError, match="2\\^52"):
        gram(np.array([[2**52]]))


# The score model.


def test_where_all_sit_at_every_table_strength_is_the_mean_above_the_table() -> None:
    what = played(_games(k=4, seats=4))
    fitted = fit(what)
    assert fitted is not None
    for i, found in enumerate(strengths(fitted)):
        plain = ratio(
            of_blocks(zip(what.n[:, i].tolist(), what.x[:, i].tolist(), strict=True)),
            Fraction(1, 4),
            contrast=True,
        )
        assert found.value == plain.value
        assert found.se == pytest.approx(plain.se, rel=1e-9)
        alone = claim(what, fitted, i)
        assert alone.kind == "t"
        assert (alone.low, alone.high) == pytest.approx((plain.low, plain.high), rel=1e-9)


def test_where_all_met_equally_often_strength_is_so_many_times_the_mean() -> None:
    # Six entrants at tables of four, all 15 line-ups in turn, once in each of 15 blocks.
    rng = np.random.default_rng(4)
    every = [[a, b, c, d] for a in range(6) for b in range(a) for c in range(b) for d in range(c)]
    lineups = np.array(every)[:, None, :]
    what = played(games_of(rng, np.linspace(9, -3, 6), 4, 15, lineups))
    fitted = fit(what)
    assert fitted is not None
    factor = Fraction(4 * 5, 3 * 6)
    for i, theta in enumerate(fitted.theta):
        mean = Fraction(int(what.x[:, i].sum()), 4 * int(what.n[:, i].sum()))
        assert theta == factor * mean


@pytest.mark.parametrize(("k", "seats"), [(5, 3), (7, 3), (8, 4), (9, 4), (13, 6)])
def test_errors_are_those_of_statsmodels_on_rows_of_games(k: int, seats: int) -> None:
    # T4: a row for each seat-game, clustered by block; with and without a term for the seat.
    games = _games(k, seats)
    what = played(games)
    fitted = fit(what)
    assert fitted is not None
    y, x, seat, block = exploded(games)
    # Strengths of all but the last, which is minus their sum.
    design = x[:, :-1] - x[:, -1:]
    for terms in (design, np.column_stack([design, seat[:, :-1]])):
        model = sm.OLS(y, terms).fit(
            cov_type="cluster", cov_kwds={"groups": block, "use_correction": False}
        )
        assert _close([float(t) for t in fitted.theta[:-1]], model.params[: k - 1])
        g = games.lineups.shape[0]
        cov = model.cov_params()[: k - 1, : k - 1] * g / (g - 1)
        ours = [[float(v) for v in row[:-1]] for row in fitted.covariance[:-1]]
        size = np.sqrt(np.diag(cov))
        assert np.abs((ours - cov) / np.outer(size, size)).max() < 1e-9


def test_a_ratio_of_unequal_counts_has_the_error_of_statsmodels() -> None:
    # T4 for plain means: each row a game, clustered by block.
    rng = np.random.default_rng(5)
    counts = rng.integers(1, 6, 25)
    block = np.repeat(np.arange(25), counts)
    points = np.rint(rng.normal(3, 20, 25)[block] + rng.normal(0, 9, len(block)))
    sums = of_blocks((int(counts[b]), int(points[block == b].sum())) for b in range(25))
    model = sm.OLS(points, np.ones((len(points), 1))).fit(
        cov_type="cluster", cov_kwds={"groups": block, "use_correction": False}
    )
    found = ratio(sums)
    assert found.value == pytest.approx(model.params[0], rel=1e-12)
    assert found.se == pytest.approx(model.bse[0] * (25 / 24) ** 0.5, rel=1e-9)


def test_the_order_of_blocks_changes_no_bit() -> None:
    what = played(_games(blocks=40))
    order = np.random.default_rng(6).permutation(40)
    turned = Played(*(part[order] for part in what))
    assert fit(what) == fit(turned)


def test_names_of_entrants_change_nothing_but_their_order() -> None:
    games = _games()
    k = games.entrants
    fitted = fit(played(games))
    order = np.random.default_rng(7).permutation(k)
    renamed = fit(played(games._replace(lineups=order[games.lineups])))
    assert fitted is not None
    assert renamed is not None
    assert [renamed.theta[order[i]] for i in range(k)] == list(fitted.theta)
    assert all(
        renamed.covariance[order[i]][order[j]] == fitted.covariance[i][j]
        for i in range(k)
        for j in range(k)
    )


def test_strengths_without_luck_are_found_to_the_last_digit() -> None:
    # Whoever has met whom: strength adds up, so an unfinished schedule is no bias.
    games = _games(k=8, seats=4, blocks=3)
    strength = np.array([12, 7, 3, 0, -1, -4, -6, -11])
    points = np.zeros(games.points.shape, np.int64)
    points += strength[games.seated()]
    fitted = fit(played(games._replace(points=points)))
    assert fitted is not None
    assert list(fitted.theta) == strength.tolist()
    assert all(v == 0 for row in fitted.covariance for v in row)


def test_identical_entrants_have_exactly_nothing_between_them() -> None:
    games = _games(k=5)
    what = played(games._replace(points=np.full_like(games.points, 7)))
    fitted = fit(what)
    assert fitted is not None
    assert {e.kind for e in pairs(fitted).values()} == {"identical"}
    assert claim(what, fitted, 0, 1)[:4] == (0.0, 0.0, 0.0, 0.0)
    assert ranks(5, pairs(fitted)) == [(1, 5)] * 5


def test_entrants_whom_no_table_links_are_not_compared() -> None:
    rng = np.random.default_rng(8)
    apart = np.array([[[0, 1, 2], [3, 4, 5]], [[2, 1, 0], [4, 3, 5]]])
    assert fit(played(games_of(rng, np.zeros(6), 3, 2, apart))) is None
    linked = np.array([[[0, 1, 2], [3, 4, 5]], [[0, 1, 3], [2, 4, 5]]])
    assert fit(played(games_of(rng, np.zeros(6), 3, 2, linked))) is not None


def test_pairs_are_told_together_and_ranks_follow() -> None:
    fitted = fit(played(_games(k=6, seats=3, blocks=200)))
    assert fitted is not None
    found = pairs(fitted)
    assert list(found) == [(i, k) for i in range(6) for k in range(i + 1, 6)]
    assert {e.kind for e in found.values()} == {"max_t"}
    for (i, k), e in found.items():
        assert e.value == float(fitted.theta[i] - fitted.theta[k])
        half = t_quantile(e.df) * (e.se or 0)
        assert e.high is not None
        assert e.high - e.value > 1.2 * half
    best, worst = ranks(6, found)[0], ranks(6, found)[-1]
    assert best[0] == 1
    assert worst[1] == 6
    assert best[1] < 6


def test_another_unit_turns_the_interval_with_the_sign() -> None:
    for blocks in (12, 40):
        what = played(_games(blocks=blocks))
        fitted = fit(what)
        assert fitted is not None
        one, other = claim(what, fitted, 1, 3), claim(what, fitted, 1, 3, Fraction(-1, 2))
        assert one.low is not None
        assert one.high is not None
        assert one.se is not None
        turned = (-one.value / 2, one.se / 2, -one.high / 2, -one.low / 2)
        assert other[:4] == pytest.approx(turned)
        back = claim(what, fitted, 3, 1)
        assert (back.low, back.high) == pytest.approx((-one.high, -one.low))


def test_totals_of_tables_are_summed_over_whoever_sits_there() -> None:
    games = _games()
    what = played(games)
    blocks, tables, seats = games.lineups.shape
    n = np.full((blocks, tables, seats), seats)
    centred = seats * games.points - games.points.sum(axis=3, keepdims=True)
    x = np.zeros((blocks, tables, seats), np.int64)
    for rotation in range(seats):
        x += np.roll(centred[:, :, rotation], -rotation, axis=2)
    found = of_tables(games.lineups.astype(np.uint8), n, x, games.entrants)
    for a, b in zip(found, what, strict=True):
        assert np.array_equal(a, b)


def test_blocks_that_do_not_fit_their_line_ups_are_refused() -> None:
    what = played(_games())
    assert games_a_table(what) == 3
    with pytest.raises(ValueError, match="not those of the line-ups"):
        fit(what._replace(n=np.roll(what.n, 1, axis=0)))
    with pytest.raises(ValueError, match="add up to nothing"):
        fit(what._replace(x=what.x + 1))
    with pytest.raises(ValueError, match="other than 0 to 6"):
        fit(what._replace(lineups=what.lineups + 1))
    with pytest.raises(ValueError, match="one block"):
        fit(Played(*(part[:1] for part in what)))


# The wild bootstrap.


def test_few_blocks_of_changing_line_ups_ask_for_the_bootstrap() -> None:
    kinds = {}
    for blocks in (5, 6, 29, 30):
        what = played(_games(k=8, seats=4, blocks=blocks))
        fitted = fit(what)
        assert fitted is not None
        kinds[blocks] = claim(what, fitted, 0, 7).kind
    assert kinds == {5: "t", 6: "wild", 29: "wild", 30: "t"}
    always = _games(k=4, seats=4, blocks=9)
    assert not changing(played(always))
    fitted = fit(played(always))
    assert fitted is not None
    assert claim(played(always), fitted, 0, 1).kind == "t"


def test_turns_of_signs_are_all_of_them_or_keyed() -> None:
    every = wild.signs(6)
    assert len({tuple(row) for row in every.tolist()}) == 32
    assert (every[:, 0] == 1).all()
    assert (every[0] == 1).all()
    drawn = wild.signs(20)
    assert np.array_equal(drawn, wild.signs(20))
    assert (drawn[0] == 1).all()
    assert abs(drawn[:, 1:].mean()) < 4 / np.sqrt(drawn.size)


def test_the_bootstrap_of_a_restricted_model_is_done_as_its_authors_say() -> None:
    # The slow way: residuals under the restriction, signs turned, the model fitted anew.
    what = played(_games(k=5, seats=3, blocks=10))
    parts = np.array([information(tables[None], 5, 3) for tables in what.lineups])
    c = np.array([1.0, 0.0, 0.0, -1.0, 0.0])
    inverted = np.linalg.inv(parts.sum(axis=0) + 1.0)

    def studentized(x: npt.NDArray[np.float64], v: float) -> float:
        theta = inverted @ x.sum(axis=0)
        u = x - parts @ theta
        square = c @ inverted @ (u.T @ u) @ inverted @ c
        return float(abs(c @ theta - v) / np.sqrt(square))

    turned = wild.Turned(parts, what.x, c)
    for away in (-12.0, -5.0, -2.0, -0.5, 1.0, 3.0, 8.0):
        v = turned.value + away
        theta = inverted @ what.x.sum(axis=0)
        q = inverted @ c
        held = theta - q * (c @ theta - v) / (c @ q)
        residual = what.x - parts @ held
        seen = studentized(what.x.astype(float), v)
        again = [studentized(parts @ held + w[:, None] * residual, v) for w in wild.signs(10)]
        assert turned.p(v) == np.mean([t >= seen * (1 - 1e-9) for t in again])


def test_the_ends_of_the_bootstrap_are_where_values_begin_to_be_refused() -> None:
    what = played(_games(k=5, seats=3, blocks=9))
    parts = np.array([information(tables[None], 5, 3) for tables in what.lineups])
    c = np.array([1.0, -1.0, 0.0, 0.0, 0.0])
    found = wild.interval(parts, what.x, c)
    assert found is not None
    turned = wild.Turned(parts, what.x, c)
    low, high = found
    near = 1e-5 * (high - low)
    assert turned.p(low - near) <= 0.05 < turned.p(low + near)
    assert turned.p(high + near) <= 0.05 < turned.p(high - near)


def test_five_blocks_exclude_nothing_at_95_per_cent() -> None:
    what = played(_games(k=5, seats=3, blocks=5))
    parts = np.array([information(tables[None], 5, 3) for tables in what.lineups])
    c = np.array([1.0, -1.0, 0.0, 0.0, 0.0])
    assert wild.interval(parts, what.x, c) is None
    assert wild.interval(parts, what.x, c, confidence=0.9) is not None


# Letters.


def _pair(apart: bool) -> Estimate:
    low, high = (1.0, 3.0) if apart else (-1.0, 3.0)
    return Estimate(1.0, 1.0, low, high, 9, 9, 8.0, "max_t")


def _lettered(k: int, apart: set[tuple[int, int]]) -> list[str]:
    pairs_ = {(i, j): _pair((i, j) in apart) for i in range(k) for j in range(i + 1, k)}
    return letters(range(k), pairs_)


def test_letters_are_right_where_being_told_apart_goes_in_a_ring() -> None:
    # First from third and second from fourth only: no row of overlapping groups says that.
    assert _lettered(4, {(0, 2), (1, 3)}) == ["ab", "ac", "cd", "bd"]


def test_letters_in_a_row_overlap_where_neighbours_are_not_told_apart() -> None:
    assert _lettered(3, set()) == ["a", "a", "a"]
    assert _lettered(3, {(0, 2)}) == ["a", "ab", "b"]
    assert _lettered(3, {(0, 1), (0, 2), (1, 2)}) == ["a", "b", "c"]
    assert _lettered(1, set()) == ["a"]


def test_the_first_letters_go_to_the_best() -> None:
    pairs_ = {(0, 1): _pair(True), (0, 2): _pair(True), (1, 2): _pair(True)}
    assert letters((2, 0, 1), pairs_) == ["b", "c", "a"]


def test_more_groups_than_letters_have_two() -> None:
    every = {(i, j) for i in range(28) for j in range(i + 1, 28)}
    found = _lettered(28, every)
    assert found[25:] == ["z", "aa", "ab"]


@given(st.integers(1, 9), st.data())
def test_two_share_a_letter_just_where_they_are_not_told_apart(k: int, data: st.DataObject) -> None:
    every = [(i, j) for i in range(k) for j in range(i + 1, k)]
    apart = data.draw(st.sets(st.sampled_from(every))) if every else set()
    held = [set(found) for found in _lettered(k, apart)]
    assert all(held)
    for i, j in every:
        assert bool(held[i] & held[j]) == ((i, j) not in apart)
    # No letter could be left out.
    for letter in set().union(*held):
        less = [one - {letter} for one in held]
        assert not all(less) or any(not less[i] & less[j] for i, j in every if (i, j) not in apart)


# Controls.


def test_coefficients_are_those_of_least_squares() -> None:
    rng = np.random.default_rng(12)
    z = rng.integers(-50, 50, (40, 3))
    y = np.rint(z @ np.array([0.5, -1.25, 2.0]) + rng.normal(4, 9, 40)).astype(np.int64)
    found = control.coefficients(y, z) / control.UNIT
    expected = np.linalg.lstsq(np.column_stack([np.ones(40), z]), y, rcond=None)[0][1:]
    assert found == pytest.approx(expected, abs=0.6 / control.UNIT)
    order = rng.permutation(40)
    assert np.array_equal(control.coefficients(y[order], z[order]), control.coefficients(y, z))


def test_coefficients_that_nothing_tells_are_refused() -> None:
    z = np.arange(12).reshape(6, 2)
    with pytest.raises(ValueError, match="made of others"):
        control.coefficients(np.arange(6), z)
    with pytest.raises(ValueError, match="4 are needed"):
        control.coefficients(np.arange(3), z[:3])


def test_no_block_has_a_say_in_its_own_coefficient() -> None:
    rng = np.random.default_rng(13)
    z = rng.integers(-50, 50, (40, 2))
    y = rng.integers(-50, 50, 40)
    values = control.cross_fitted(y, z)
    changed = y.copy()
    changed[11] += 1000
    again = control.cross_fitted(changed, z)
    mine = np.arange(40) % control.FOLDS == 11 % control.FOLDS
    moved = np.flatnonzero(again != values)
    # Of its own fold only the block itself moves, by just what it was changed.
    assert again[11] - values[11] == 1000 * control.UNIT
    assert [b for b in moved if mine[b]] == [11]
    assert len(moved) > 20


def test_an_adjusted_figure_has_its_mean_in_points() -> None:
    n, y = np.full(5, 4), np.array([8, 4, 0, 12, 16])
    z = np.array([[1], [-1], [0], [0], [2]])
    values = control.adjusted(y, z, np.array([2 * control.UNIT]))
    found = control.estimate(n, values, Fraction(1, 2))
    assert found.value == (8 - 2 + 4 + 2 + 0 + 12 + 16 - 4) / 20 / 2
    assert excludes(found)
