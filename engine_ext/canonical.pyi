from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

def canonical_bytes(
    games: Any, names: Sequence[bytes]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]: ...
