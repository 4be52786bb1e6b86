"""The search for base rounds once more, straight from docs/seeds.md: slow, and counted anew each try."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from math import gcd
from typing import Any

import numpy as np
import pytest

from pipeline.seating.base_rounds import cycle_of

Rounds = list[list[int]]


def words(k: int, n: int) -> Iterator[int]:
    counter = np.array([0, k, n | 6 << 40, 2], np.uint64)
    cipher = np.random.Philox(key=np.zeros(2, np.uint64), counter=counter)
    while True:
        yield int(cipher.random_raw())


def tables_of(one: list[int], n: int) -> list[list[int]]:
    return [one[at : at + n] for at in range(0, len(one) // n * n, n)]


def meetings(rounds: Rounds, n: int) -> list[tuple[int, int]]:
    at_tables = [table for one in rounds for table in tables_of(one, n)]
    return [(a, b) for table in at_tables for a in table for b in table if a != b]


def neighbours(rounds: Rounds, n: int) -> list[tuple[int, int]]:
    at_tables = [table for one in rounds for table in tables_of(one, n)]
    return [(table[i], table[i - 1]) for table in at_tables for i in range(n)]


class Sorted:
    """Pairs by the class of their difference."""

    def __init__(self, k: int, q: int, units: tuple[int, ...]) -> None:
        self.k, self.q = k, q
        differences = {frozenset(d * u % q for u in units) for d in range(1, q)}
        self.classes: list[Any] = sorted(differences, key=min)

    def of(self, a: int, b: int) -> Any:
        if max(a, b) >= self.q:
            return "fixed"
        return next(c for c in self.classes if (a - b) % self.q in c)

    def squares(self, pairs: list[tuple[int, int]], shares: dict[Any, int]) -> int:
        seen = Counter(self.of(a, b) for a, b in pairs)
        return sum((seen[c] - shares.get(c, 0)) ** 2 for c in {*seen, *shares})


def groups(q: int) -> list[tuple[int, ...]]:
    units = [u for u in range(1, q) if gcd(u, q) == 1]
    found = {(1,), tuple(units)}
    for u in units:
        powers = {u**i % q for i in range(1, q + 1)}
        found.add(tuple(sorted(powers | {-p % q for p in powers})))
    ordered = sorted(found, key=lambda group: (len(group), group))
    n_classes = {group: len(Sorted(q, q, group).classes) for group in ordered}
    few = [group for group in ordered if n_classes[group] <= 10]
    return few or [min(ordered, key=lambda group: n_classes[group])]


def tries(
    most: int, drawn: Iterator[int], squares: Callable[[], int], exchange: Callable[[int], Any]
) -> bool:
    """Tries that stay if they make nothing larger; ``exchange`` done twice undoes itself."""
    now = squares()
    for _ in range(most):
        if now == 0:
            return True
        word = next(drawn)
        exchange(word)
        then = squares()
        if then <= now:
            now = then
        else:
            exchange(word)
    return now == 0


def found_by(k: int, n: int) -> tuple[int, tuple[int, ...], Rounds]:
    t, q, drawn = k // n, k if k % n else k - 1, words(k, n)
    for f in count(1):
        for units in groups(q):
            classes = Sorted(k, q, units)
            sizes: dict[Any, int] = {c: len(c) for c in classes.classes}
            m = 1
            if q == k:
                m = (k - 1) // gcd(k - 1, t * n * gcd(*sizes.values()))
                m *= 2 if k % 2 == 0 and m * t * n // (k - 1) % 2 else 1
                shares = {c: f * m * t * n * size // (k - 1) for c, size in sizes.items()}
            else:
                shares = {c: f * m * size for c, size in {**sizes, "fixed": 2}.items()}
            rounds = search(k, n, q, f * m, classes, shares, drawn)
            if rounds:
                return q, units, rounds
    raise AssertionError


def search(
    k: int,
    n: int,
    q: int,
    s: int,
    classes: Sorted,
    shares: dict[Any, int],
    drawn: Iterator[int],
) -> Rounds | None:
    t, single = k // n, Sorted(k, q, (1,))
    met = {c: share * (n - 1) for c, share in shares.items()}

    def even_meetings(rounds: Rounds, kinds: Sorted, due: dict[Any, int], most: int) -> bool:
        def exchange(word: int) -> None:
            one, i, j = rounds[-1], (word >> 32) % (t * n), word % 2**32 % k
            if i // n != j // n:
                one[i], one[j] = one[j], one[i]

        return tries(most, drawn, lambda: kinds.squares(meetings(rounds, n), due), exchange)

    def even_neighbours(rounds: Rounds) -> bool:
        def exchange(word: int) -> None:
            a, b, c, d = (word >> shift & 0xFFFF for shift in (48, 32, 16, 0))
            one, start = rounds[a % s], b % t * n
            i, j = start + c % n, start + d % n
            one[i], one[j] = one[j], one[i]

        most = 1000 + s * t
        return tries(most, drawn, lambda: classes.squares(neighbours(rounds, n), shares), exchange)

    rounds: Rounds = []
    for _ in range(s - 1):
        rounds.append([*range(k)])
        even_meetings(rounds, single, {}, 300)
    for _ in range(6):
        trial = [one.copy() for one in [*rounds, [*range(k)]]]
        even_meetings(trial, single, {}, 300)
        if even_meetings(trial, classes, met, 600) and even_neighbours(trial):
            return trial
    return None


SIZES = [(3, 2), (4, 3), (5, 3), (6, 3), (9, 3), (8, 4), (9, 4), (10, 4), (6, 5), (7, 6)]


@pytest.mark.parametrize(("k", "n"), SIZES)
def test_base_rounds_are_found_as_the_document_says(k: int, n: int) -> None:
    q, units, rounds = found_by(k, n)
    found = cycle_of(k, n)
    assert (found.modulus, found.units) == (q, units)
    assert found.base.tolist() == [tables_of(one, n) for one in rounds]
