import numpy as np
import numpy.typing as npt

def find_pairs(
    said: npt.NDArray[np.uint16],
    declarer: npt.NDArray[np.int8],
    points: npt.NDArray[np.int32],
    n_deals: npt.NDArray[np.uint16],
) -> tuple[
    npt.NDArray[np.int64],
    npt.NDArray[np.uint16],
    npt.NDArray[np.uint8],
    npt.NDArray[np.uint8],
    npt.NDArray[np.bool_],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
]: ...
