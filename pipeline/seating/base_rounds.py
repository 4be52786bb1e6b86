"""Base rounds of a round robin: few rounds, from which a balanced cycle is turned.

Entrants are numbers 0..k-1, counted modulo k; where nobody sits out the last one stays
fixed and the others are counted modulo k - 1. A *base round* is multiplied by each unit of
a group and turned by every step. Then two pairs meet equally often if they lie in the same
*class*: if their differences are multiples of each other by a unit of the group. What is
left to find are base rounds in which each class gets its share: of meetings by exchanging
entrants between tables, of neighbours by exchanging places at a table.

The search is a pure function of k and the number of seats; docs/seeds.md has every step.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count
from math import gcd
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.seating.draws import SEARCH, words

MOST_CLASSES = 10
"""More are hard to balance at once: a larger group is taken then."""
EVEN_TRIES, MEETING_TRIES, NEIGHBOUR_TRIES = 300, 600, 1000
"""The third besides one for each table."""
LAST_ROUNDS = 6
"""How often a last base round is tried after the same others."""
EFFORT = 10
"""Times as many where there are more classes, but for the first."""

Round = list[int]
"""All entrants: those of table t stand at t * seats, in order; those who sit out last."""


class Cycle(NamedTuple):
    """What the rounds of a cycle are turned from."""

    modulus: int
    units: tuple[int, ...]
    base: npt.NDArray[np.int64]
    """(base rounds, tables, seats)"""

    @property
    def rounds(self) -> int:
        """Rounds after which all pairs have met equally often."""
        return len(self.base) * len(self.units) * self.modulus


class Classes:
    """Ordered pairs of different entrants, by class."""

    def __init__(self, entrants: int, modulus: int, units: Sequence[int]) -> None:
        self.sizes = [0]
        """Pairs of each class a step; class 0 are those with the entrant that stays."""
        of = [0] * modulus
        for d in range(1, modulus):
            if not of[d]:
                alike = {d * unit % modulus for unit in units}
                for other in alike:
                    of[other] = len(self.sizes)
                self.sizes.append(len(alike))
        if modulus < entrants:
            self.sizes[0] = 2
        self.of = [
            [of[(a - b) % modulus] if max(a, b) < modulus else 0 for b in range(entrants)]
            for a in range(entrants)
        ]
        """By the two entrants."""


@lru_cache(maxsize=16)
def cycle_of(entrants: int, seats: int) -> Cycle:
    """The cycle of more entrants than seats, found in a moment and kept."""
    drawn = words((0, 0), SEARCH + seats, entrants, 4096)
    modulus = entrants if entrants % seats else entrants - 1
    for times in count(1):
        for units in _groups(modulus):
            classes = Classes(entrants, modulus, units)
            n_rounds = times * _least(entrants, seats, classes.sizes)
            found = _search(entrants, seats, modulus, classes, n_rounds, drawn)
            if found:
                at_tables = entrants // seats * seats
                base = np.array([one[:at_tables] for one in found], np.int64)
                return Cycle(modulus, units, base.reshape(n_rounds, -1, seats))
    raise AssertionError("counts without end")


def _groups(modulus: int) -> list[tuple[int, ...]]:
    """Groups of units to multiply by, small ones first: 1 alone, the powers of a unit and
    their negatives, or all units."""
    all_units = tuple(unit for unit in range(1, modulus) if gcd(unit, modulus) == 1)
    groups = {(1,), all_units}
    for unit in all_units:
        powers = {pow(unit, i, modulus) for i in range(modulus)}
        groups.add(tuple(sorted(powers | {modulus - power for power in powers})))
    ordered = sorted(groups, key=lambda group: (len(group), group))
    n_classes = [len(Classes(modulus, modulus, group).sizes) - 1 for group in ordered]
    few = [one for one, n in zip(ordered, n_classes, strict=True) if n <= MOST_CLASSES]
    return few or [ordered[n_classes.index(min(n_classes))]]


def _least(entrants: int, seats: int, sizes: Sequence[int]) -> int:
    """The fewest base rounds in which every class can have its share of neighbours."""
    at_tables = entrants // seats * seats
    if at_tables == entrants:
        return 1
    least = (entrants - 1) // gcd(entrants - 1, at_tables * gcd(*sizes))
    # Of an even number of entrants half a circle's differences are odd, which at any table
    # come in pairs.
    odd = least * at_tables // (entrants - 1) % 2
    return 2 * least if entrants % 2 == 0 and odd else least


def _search(
    entrants: int, seats: int, modulus: int, classes: Classes, n_rounds: int, drawn: Iterator[int]
) -> list[Round] | None:
    """Base rounds in which each class has its share, all of them as even as may be."""
    at_tables = entrants // seats * seats
    shares = [n_rounds * size for size in classes.sizes]
    if at_tables < entrants:
        shares = [share * at_tables // (entrants - 1) for share in shares]
    single = Classes(entrants, modulus, (1,))
    above = [0] * len(single.sizes)
    rounds: list[Round] = []
    for _ in range(n_rounds - 1):
        rounds.append(list(range(entrants)))
        _count_meetings(rounds[-1], seats, single, above)
        _even_meetings(rounds[-1], seats, single, above, EVEN_TRIES, drawn)
    missing = [-share * (seats - 1) for share in shares]
    for one in rounds:
        _count_meetings(one, seats, classes, missing)
    effort = 1 if len(classes.sizes) - 1 <= MOST_CLASSES else EFFORT
    for _ in range(effort * LAST_ROUNDS):
        last, off, still = list(range(entrants)), above.copy(), missing.copy()
        _count_meetings(last, seats, single, off)
        _even_meetings(last, seats, single, off, EVEN_TRIES, drawn)
        _count_meetings(last, seats, classes, still)
        if _even_meetings(last, seats, classes, still, effort * MEETING_TRIES, drawn):
            found = [one.copy() for one in (*rounds, last)]
            if _even_neighbours(found, seats, classes, shares, effort * NEIGHBOUR_TRIES, drawn):
                return found
    return None


def _count_meetings(one: Round, seats: int, classes: Classes, off: list[int]) -> None:
    """Add a round's meetings to what each class has."""
    for start in range(0, len(one) // seats * seats, seats):
        table = one[start : start + seats]
        for a in table:
            for b in table:
                if a != b:
                    off[classes.of[a][b]] += 1


def _even_meetings(
    one: Round, seats: int, classes: Classes, off: list[int], tries: int, drawn: Iterator[int]
) -> bool:
    """Exchange entrants of different tables where that makes the squares of ``off`` no larger.

    True once all of them are 0.
    """
    at_tables, squares = len(one) // seats * seats, sum(x * x for x in off)
    for _ in range(tries):
        if squares == 0:
            return True
        word = next(drawn)
        i, j = (word >> 32) % at_tables, (word & 0xFFFFFFFF) % len(one)
        if i // seats == j // seats:
            continue
        moved = [*_moved(one, i, j, seats, classes.of)]
        if j < at_tables:
            moved += _moved(one, j, i, seats, classes.of)
        more = _move(off, moved)
        if more <= 0:
            squares += more
            one[i], one[j] = one[j], one[i]
        else:
            _move(off, [(new, old) for old, new in moved])
    return squares == 0


def _moved(
    one: Round, place: int, other: int, seats: int, of: list[list[int]]
) -> Iterator[tuple[int, int]]:
    """Old and new class of every pair at a table whose ``place`` goes to another entrant."""
    old, new = one[place], one[other]
    start = place // seats * seats
    for at in range(start, start + seats):
        if at != place:
            mate = one[at]
            yield of[old][mate], of[new][mate]
            yield of[mate][old], of[mate][new]


def _move(off: list[int], moved: Sequence[tuple[int, int]]) -> int:
    """Count pairs in their new classes; how much larger the sum of squares becomes."""
    more = 0
    for old, new in moved:
        if old != new:
            more += 2 * (off[new] - off[old]) + 2
            off[old] -= 1
            off[new] += 1
    return more


def _even_neighbours(
    rounds: list[Round],
    seats: int,
    classes: Classes,
    shares: list[int],
    tries: int,
    drawn: Iterator[int],
) -> bool:
    """Exchange places at tables until each class has its share of neighbours."""
    n_tables, off, of = len(rounds[0]) // seats, [-share for share in shares], classes.of
    for one in rounds:
        for start in range(0, n_tables * seats, seats):
            for pair in _neighbours(one[start : start + seats], of):
                off[pair] += 1
    squares = sum(x * x for x in off)
    for _ in range(tries + len(rounds) * n_tables):
        if squares == 0:
            return True
        word = next(drawn)
        one, start = rounds[(word >> 48) % len(rounds)], (word >> 32 & 0xFFFF) % n_tables * seats
        i, j = (word >> 16 & 0xFFFF) % seats, (word & 0xFFFF) % seats
        table = one[start : start + seats]
        before = _neighbours(table, of)
        table[i], table[j] = table[j], table[i]
        moved = list(zip(before, _neighbours(table, of), strict=True))
        more = _move(off, moved)
        if more <= 0:
            squares += more
            one[start : start + seats] = table
        else:
            _move(off, [(new, old) for old, new in moved])
    return squares == 0


def _neighbours(table: Sequence[int], of: list[list[int]]) -> list[int]:
    """Classes of the pairs that sit next to each other."""
    return [of[a][table[i - 1]] for i, a in enumerate(table)]
