"""What is wanted, in steps: losses against the parent, fronts."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.tuning.file import Wanted
from pipeline.tuning.front import front
from pipeline.tuning.losses import Aims, total
from pipeline.tuning.measured import Measured, difference, estimate
from tests.boxes import aims, objective


def flat(value: float, n: int = 4) -> Measured:
    return Measured(np.full(n, value), n)


def test_loss_counts_steps_in_the_direction_that_is_wanted() -> None:
    three = aims(
        Wanted(name="ties", step=2.0),
        Wanted(name="drama", aim="more", step=0.5, weight=3.0),
        Wanted(name="length", aim=28.0, step=4.0),
    )
    parent = {"ties": flat(10.0), "drama": flat(1.0), "length": flat(20.0)}
    other = {"ties": flat(6.0), "drama": flat(0.5), "length": flat(30.0)}
    # Ties 4 less, 2 steps won; drama half less, 1 step of weight 3 lost; 8 off becomes 2 off.
    assert three.loss(other, parent).value == pytest.approx(-2 + 3 - 1.5)
    assert three.vector(other) == pytest.approx((3.0, -1.0, 0.5))
    assert not three.loss(parent, parent).parts.any()


def test_what_is_not_said_is_the_registrys() -> None:
    more = objective("drama", step=0.25)._replace(better="more")
    assert Aims([Wanted(name="drama")], [more]).vector({"drama": flat(1.0)}) == (-4.0,)


def test_noise_that_is_common_leaves_the_loss_without_error() -> None:
    noise = np.random.default_rng(1).standard_normal(40)
    parent = {"ties": Measured(5 + noise, 400)}
    other = {"ties": Measured(4 + noise, 400)}
    loss = aims(Wanted(name="ties")).loss(other, parent)
    assert estimate(loss).se == pytest.approx(0, abs=1e-12)
    assert loss.value == pytest.approx(-1)


def test_a_number_aimed_at_is_not_missed_by_noise() -> None:
    """Groups scatter around the number, but the figure as a whole hits it."""
    noise = np.random.default_rng(1).standard_normal(100)
    noise -= noise.mean()
    aim = aims(Wanted(name="length", aim=28.0))
    assert aim.vector({"length": Measured(28 + noise, 1000)}) == pytest.approx((0.0,), abs=1e-12)
    assert aim.vector({"length": Measured(26 + noise, 1000)}) == pytest.approx((2.0,))


def test_a_figure_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="ties: nan is no figure"):
        aims(Wanted(name="ties")).vector({"ties": flat(float("nan"))})


def test_other_deals_are_refused() -> None:
    with pytest.raises(ValueError, match="4 and 5 groups are not the same deals"):
        aims(Wanted(name="ties")).loss({"ties": flat(1)}, {"ties": flat(1, 5)})


def test_figures_of_unequal_groups_add_up_with_their_errors() -> None:
    rng = np.random.default_rng(3)
    squares = []
    for _ in range(400):
        one, other = (
            Measured(7 + rng.standard_normal(100), 1000),
            Measured(3 + 2 * rng.standard_normal(60), 60),
        )
        both = total([one, other])
        assert both.value == pytest.approx(one.value + other.value)
        assert (len(both.parts), both.blocks) == (60, 60)
        se = estimate(both).se
        assert se is not None
        squares.append(se**2)
    # Variances 1 / 100 and 4 / 60; the mean of 400 such estimates is 1 % off.
    assert np.mean(squares) == pytest.approx(0.01 + 4 / 60, rel=0.04)


def test_the_difference_of_two_totals_has_no_common_noise() -> None:
    rng = np.random.default_rng(4)
    games, choices = rng.standard_normal(100), rng.standard_normal(60)
    one = total([Measured(games, 1000), Measured(choices, 60)])
    other = total([Measured(games - 1, 1000), Measured(choices, 60)])
    found = difference(one, other)
    assert found.value == pytest.approx(1)
    assert found.se == pytest.approx(0, abs=1e-12)


vectors = st.lists(st.tuples(*[st.integers(0, 3).map(float)] * 3), min_size=1, max_size=30)


@given(vectors)
def test_the_front_is_whom_nobody_beats(found: list[tuple[float, ...]]) -> None:
    def beats(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
        pairs = list(zip(one, other, strict=True))
        return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)

    slow = [not any(beats(other, one) for other in found) for one in found]
    assert front(found) == slow


def test_a_front_of_many_is_found_soon() -> None:
    grid = [(float(a), float(b)) for a, b in itertools.product(range(100), range(100))]
    assert [v for v, on in zip(grid, front(grid), strict=True) if on] == [(0.0, 0.0)]
