import numpy as np
import numpy.typing as npt

from engine_ext.rules.resolve import VariantNumbers

class Solver:
    @property
    def n_nodes(self) -> int: ...
    def __init__(
        self,
        rules: VariantNumbers,
        contract: int,
        trump: int,
        counted: int,
        wanting: int,
        sign: int,
        table_bits: int,
    ) -> None: ...
    def values(
        self,
        hands: npt.NDArray[np.uint64],
        leaders: npt.NDArray[np.uint8],
        out: npt.NDArray[np.int32],
    ) -> None: ...
    def value(self, hands: tuple[int, ...], leader: int, trick: tuple[int, ...]) -> int: ...
    def by_card(
        self, hands: tuple[int, ...], leader: int, trick: tuple[int, ...]
    ) -> dict[int, int]: ...
