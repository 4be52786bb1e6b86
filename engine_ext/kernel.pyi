from typing import Any

import numpy as np
import numpy.typing as npt

from engine_ext.rules.resolve import VariantNumbers

class StopFlag:
    def set(self) -> None: ...
    def clear(self) -> None: ...
    def is_set(self) -> bool: ...

class Rules:
    numbers: VariantNumbers
    def __init__(self, numbers: VariantNumbers) -> None: ...

class Tabletop:
    def __init__(self, rules: Rules) -> None: ...
    def set_up(self, setup: object) -> None: ...
    def play_on(self, capsules: list[object], phase: int) -> bool: ...
    def say_stop(self) -> None: ...
    def outcome(self) -> dict[str, Any]: ...
    def roles(self, deal: int) -> tuple[int, int | None, int]: ...
    def walk(self, limit: int) -> dict[int, list[int]]: ...

def play_games(
    rules: Rules,
    capsules: list[object],
    key: tuple[int, int],
    blocks: npt.NDArray[np.uint64],
    seating: npt.NDArray[np.uint8],
    replicates: npt.NDArray[np.uint32],
    score: npt.NDArray[np.int32],
    place: npt.NDArray[np.uint8],
    n_first: npt.NDArray[np.uint8],
    fouls: npt.NDArray[np.uint16],
    foul_deal: npt.NDArray[np.int16],
    foul_seat: npt.NDArray[np.int8],
    rows: dict[str, npt.NDArray[Any]],
    stop: StopFlag,
) -> int: ...
def play_deals(
    rules: Rules,
    capsules: list[object],
    key: tuple[int, int],
    contracts: npt.NDArray[np.uint8],
    first_block: int,
    n: int,
    fouls: npt.NDArray[np.uint16],
    rows: dict[str, npt.NDArray[Any]],
    stop: StopFlag,
) -> int: ...
def deal_blocks(
    rules: Rules,
    key: tuple[int, int],
    blocks: npt.NDArray[np.uint64],
    deal: int,
    hands: npt.NDArray[np.uint64],
) -> None: ...
