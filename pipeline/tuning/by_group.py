"""Games summed up by group of blocks, as the jackknife of an objective wants them."""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from pipeline.tuning.measured import Floats, Ints, group_of
from pipeline.tuning.results import Played, Results

Scalar = TypeVar("Scalar", bound=np.generic)


def games_of(results: Results) -> Played:
    """The games that an objective with ``needs = "games"`` is asked about."""
    if results.games is None:
        raise ValueError("an objective about games was asked without any")
    return results.games


def groups(played: Played) -> tuple[Ints, int]:
    """Group of each game, (G,), and how many groups there are."""
    group = group_of(played.blocks)
    return group[played.block], int(group[-1]) + 1 if len(group) else 0


def of_deals(played: Played, by_game: Ints) -> Ints:
    """What a game has, (G,), for each of its deals, (D,)."""
    return np.repeat(by_game, played.n_deals)


def plain(values: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    """The array in one piece, as compiled sums want it."""
    return np.ascontiguousarray(values)


def summed(group: Ints, n_groups: int, *columns: npt.NDArray[np.generic]) -> Floats:
    """Sums by group, (groups, columns in all), of columns (n,) or several side by side (n, k).

    Exact while whole numbers stay below 2^53.
    """
    table = np.column_stack(columns)
    sums = [np.bincount(group, column, n_groups) for column in table.T]
    return np.column_stack(sums)


def per(part: npt.ArrayLike, whole: npt.ArrayLike) -> Floats:
    """The one divided by the other; 0 where there is nothing to divide by."""
    above, below = np.broadcast_arrays(np.asarray(part, np.float64), np.asarray(whole, np.float64))
    divided: Floats = np.divide(above, below, out=np.zeros(above.shape), where=below != 0)
    return divided
