"""Circular orders in which everybody sits next to everybody else equally often.

Who sits to the left of whom matters for scores. So design ``table`` cycles its blocks over
a *neighbour-balanced* set of circular orders, in which each ordered pair of entrants is next
to each other equally often: once with an odd number of seats, twice with an even one (with 4
and 6 seats once is impossible, Tillson 1980).
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pipeline.seating.draws import ORDERS, Key, shuffled

Table = tuple[int, ...]
"""Entrants by index around a table, in playing order."""


@lru_cache
def neighbour_balanced(seats: int) -> tuple[Table, ...]:
    """The set, entrant 0 in front, in lexicographic order.

    With a prime number of seats the multiples of 0, 1, 2, ... by 1..seats-1: there each
    ordered pair stands at every distance once. Else the zigzags 0, 1, -1, 2, -2, ... of all
    but entrant 0, turned by every step, and the same backwards (Walecki, in Lucas 1892);
    an odd number of seats needs half of the turns.
    """
    if seats < 3:
        return (tuple(range(seats)),)
    if all(seats % i for i in range(2, seats)):
        return tuple(tuple(k * i % seats for i in range(seats)) for k in range(1, seats))
    others = seats - 1
    zigzag = [(i + 1) // 2 * (1 if i % 2 else -1) for i in range(others)]
    turns = range(others // 2 if seats % 2 else others)
    orders = [[1 + (x + turn) % others for x in zigzag] for turn in turns]
    return tuple(sorted((0, *way) for order in orders for way in (order, order[::-1])))


def cycled_orders(key: Key, seats: int, blocks: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
    """(blocks, 1, seats): the orders of the set, in a new sequence for each cycle of blocks."""
    cycle = len(neighbour_balanced(seats))
    at = [divmod(block, cycle) for block in blocks.tolist()]
    orders = [_sequence(key, seats, number)[step] for number, step in at]
    return np.array(orders, np.uint8).reshape(-1, 1, seats)


# A shard's are asked for when it is played and once more when its joint sums are made.
@lru_cache(maxsize=4096)
def _sequence(key: Key, seats: int, cycle: int) -> list[Table]:
    orders = neighbour_balanced(seats)
    return [orders[i] for i in shuffled(key, ORDERS, cycle, len(orders))]
