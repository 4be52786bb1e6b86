import numpy as np
import numpy.typing as npt

WIN: int

def follow(
    points: npt.NDArray[np.int32],
    side: npt.NDArray[np.int32],
    n_deals: npt.NDArray[np.int64],
    n_main: npt.NDArray[np.int64],
    all_eligible: bool,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]: ...
def scale_sums(
    points: npt.NDArray[np.int32],
    side: npt.NDArray[np.int32],
    contract: npt.NDArray[np.uint8],
    n_deals: npt.NDArray[np.int64],
    group: npt.NDArray[np.int64],
    contracts: int,
    groups: int,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
def bet_sums(
    row: npt.NDArray[np.int64],
    doubler: npt.NDArray[np.uint8],
    doubled: npt.NDArray[np.uint8],
    redoubled: npt.NDArray[np.uint8],
    points: npt.NDArray[np.int32],
    declarer: npt.NDArray[np.int8],
    n_deals: npt.NDArray[np.int64],
    step: npt.NDArray[np.uint8],
    group: npt.NDArray[np.int64],
    groups: int,
    duty: int,
) -> npt.NDArray[np.int64]: ...
def win_chances(
    scores: npt.NDArray[np.int32],
    contract: npt.NDArray[np.uint8],
    base: npt.NDArray[np.int8],
    n_deals: npt.NDArray[np.int64],
    number: npt.NDArray[np.uint64],
    contracts: int,
    draws: int,
) -> npt.NDArray[np.int64]: ...
