import numpy as np
import numpy.typing as npt

def rescore(
    code: npt.NDArray[np.uint32],
    value: npt.NDArray[np.int32],
    n_deals: npt.NDArray[np.int64],
    n_bets: npt.NDArray[np.uint8],
    bets: npt.NDArray[np.uint16],
    points: npt.NDArray[np.int32],
    side: npt.NDArray[np.int32],
    score: npt.NDArray[np.int32],
) -> None: ...
def add_fines(
    row: npt.NDArray[np.int64],
    game: npt.NDArray[np.int64],
    seat: npt.NDArray[np.uint8],
    lacking: npt.NDArray[np.uint8],
    penalty: int,
    side: npt.NDArray[np.int32],
    score: npt.NDArray[np.int32],
) -> None: ...
