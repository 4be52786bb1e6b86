"""Round robin of more entrants than seats: each block is a round, some may sit out.

Over a cycle of rounds every two entrants meet equally often, each sits next to each other
equally often on either side, and all sit out equally often; that last holds after every
``modulus`` rounds as well, where nearly all pairs have met equally often too. Who bears
which number in a cycle and in which sequence a base round is turned are drawn, so that
what a prefix lacks falls on anybody alike.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pipeline.seating.base_rounds import cycle_of
from pipeline.seating.draws import NAMES, TURNS, Key, shuffled


def rounds_of(
    key: Key, entrants: int, seats: int, blocks: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint8]:
    """(blocks, tables, seats): the entrants' indices; who is missing sits out."""
    return np.stack([_round(key, entrants, seats, block) for block in blocks.tolist()])


def _round(key: Key, entrants: int, seats: int, block: int) -> npt.NDArray[np.uint8]:
    """The base rounds come in turn, all by one unit, then all by the next one."""
    found = cycle_of(entrants, seats)
    number, step = divmod(block, found.rounds)
    stretch, turn = divmod(step, found.modulus)
    by, base = divmod(stretch, len(found.base))
    turns = _turns(key, found.modulus, block // found.modulus)
    members = found.base[base]
    turned = (members * found.units[by] + turns[turn]) % found.modulus
    numbers: npt.NDArray[np.int64] = np.where(members < found.modulus, turned, members)
    return _names(key, entrants, number)[numbers]


@lru_cache(maxsize=64)
def _names(key: Key, entrants: int, cycle: int) -> npt.NDArray[np.uint8]:
    """Entrants by the numbers that they bear in a cycle."""
    return np.array(shuffled(key, NAMES, cycle, entrants), np.uint8)


@lru_cache(maxsize=64)
def _turns(key: Key, modulus: int, stretch: int) -> list[int]:
    """Steps by which a base round is turned in its stretch of ``modulus`` rounds."""
    return shuffled(key, TURNS, stretch, modulus)
