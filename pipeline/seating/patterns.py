"""Who has which seat where two kinds of entrants share a table, and where a candidate sits."""

from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from pipeline.seating.draws import PLACES, SEATS, Key, shuffled

Blocks = npt.NDArray[np.uint64]


@lru_cache
def placements(seats: int, heads: int) -> tuple[tuple[bool, ...], ...]:
    """Every placement of ``heads`` at a table with one of them at place 0, the others' places
    in lexicographic order; in all rotations each seating comes ``heads`` times."""
    return tuple(
        tuple(place in (0, *others) for place in range(seats))
        for others in combinations(range(1, seats), heads - 1)
    )


def mixed(key: Key, seats: int, heads: int, blocks: Blocks) -> npt.NDArray[np.bool_]:
    """(blocks, seats): where the first entrant sits, every placement once in each cycle."""
    every = placements(seats, heads)
    at = [divmod(block, len(every)) for block in blocks.tolist()]
    return np.array([_placed(key, seats, heads, cycle)[step] for cycle, step in at], bool)


@lru_cache(maxsize=64)
def _placed(key: Key, seats: int, heads: int, cycle: int) -> list[tuple[bool, ...]]:
    every = placements(seats, heads)
    return [every[i] for i in shuffled(key, PLACES + heads, cycle, len(every))]


def candidate_seats(key: Key, seats: int, blocks: Blocks) -> npt.NDArray[np.int64]:
    """(blocks,): the candidate's seat, every one once in each cycle of as many blocks."""
    at = [divmod(block, seats) for block in blocks.tolist()]
    return np.array([_seats(key, seats, cycle)[step] for cycle, step in at], np.int64)


@lru_cache(maxsize=64)
def _seats(key: Key, seats: int, cycle: int) -> list[int]:
    return shuffled(key, SEATS, cycle, seats)
