from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

def spread(
    values: npt.NDArray[Any], times: npt.NDArray[np.uint16], out: npt.NDArray[Any]
) -> None: ...
def count_up(times: npt.NDArray[np.uint16], out: npt.NDArray[np.uint16]) -> None: ...
def split_seats(values: npt.NDArray[Any], outs: Sequence[npt.NDArray[Any]]) -> None: ...
def pairs_of_games(game: npt.NDArray[np.int64], n: int) -> npt.NDArray[np.uint16]: ...
def add_totals(
    games: Any,
    first_block: int,
    win: int,
    sums: npt.NDArray[np.int64],
    who: npt.NDArray[np.int64],
) -> None: ...
