"""An evolution strategy with one step size a number: sep-CMA-ES (Ros and Hansen 2008).

Without matrices, so that the same seed gives the same numbers with any library of them.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def evolve(
    value: Callable[[list[int], int, int], float],
    start: list[int],
    step: list[float],
    generations: int,
    candidates: int,
    deals: int,
    *,
    seed: int,
) -> list[int]:
    """Return the mean of the last generation; only the first ``len(step)`` numbers move.

    ``value`` takes a row of numbers, the first deal and how many.
    """
    random = np.random.default_rng(seed)
    n, parents = len(step), candidates // 2
    share = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
    share /= share.sum()
    mass = 1 / (share**2).sum()
    c_path = c_sigma = (mass + 2) / (n + mass + 5)
    c_one = 2 / ((n + 1.3) ** 2 + mass) * (n + 2) / 3
    c_many = min(1 - c_one, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass) * (n + 2) / 3)
    usual = np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
    mean, spread, sigma = np.zeros(n), np.ones(n), 0.6
    path, sigma_path = np.zeros(n), np.zeros(n)

    def weights(at: Floats) -> list[int]:
        moved = np.round(np.array(start[:n]) + np.array(step) * at).astype(int)
        return [*map(int, moved), *start[n:]]

    for generation in range(generations):
        draws = random.standard_normal((candidates, n))
        steps = draws * np.sqrt(spread)
        worth = [value(weights(mean + sigma * s), deals * generation, deals) for s in steps]
        best = np.argsort(-np.array(worth), kind="stable")[:parents]
        mean = mean + sigma * (share @ steps[best])
        sigma_path += -c_sigma * sigma_path + np.sqrt(c_sigma * (2 - c_sigma) * mass) * (
            share @ draws[best]
        )
        path += -c_path * path + np.sqrt(c_path * (2 - c_path) * mass) * (share @ steps[best])
        spread = (1 - c_one - c_many) * spread + c_one * path**2
        spread += c_many * (share @ steps[best] ** 2)
        length = float(np.sqrt((sigma_path**2).sum()))
        sigma *= float(np.exp(c_sigma / (1 + c_sigma) * (length / usual - 1)))
    return weights(mean)
