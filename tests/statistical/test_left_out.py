"""What leaving out groups tells of the error of figures that are not smooth."""

import numpy as np

from pipeline.tuning.measured import Floats, estimate, jackknife


def largest(sums: Floats) -> Floats:
    return np.asarray((sums[:, 1:] / sums[:, :1]).max(axis=1))


def found(draws: list[Floats], *, leaps: bool) -> tuple[float, float]:
    """How many of 100 intervals hold the mean of all figures, and how far these are spread."""
    told = [estimate(jackknife(sums, largest, len(sums), leaps=leaps)) for sums in draws]
    values = np.array([one.value for one in told])
    low, high = (np.array([one[i] for one in told], np.float64) for i in (2, 3))
    holds = (low <= values.mean()) & (values.mean() <= high)
    return 100 * float(holds.mean()), float(values.std())


def test_a_largest_of_several_strays_no_farther_than_it_tells() -> None:
    """The larger of two means that are alike, which is as bad as it gets, in 40 blocks."""
    rng = np.random.default_rng(3)
    draws = [np.column_stack((np.ones(40), rng.normal(1, 1, (40, 2)))) for _ in range(400)]
    covered, spread = found(draws, leaps=True)
    assert covered >= 93
    # Control: with its bias taken off it strays half as far again, and tells no more.
    covered_without, spread_without = found(draws, leaps=False)
    assert covered_without < 93
    assert spread < 0.8 * spread_without
