"""What holds for every schedule of a round robin, whoever plays and whatever is drawn."""

from collections import Counter
from itertools import permutations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine_ext.seeds import run_key
from pipeline.seating.base_rounds import cycle_of
from pipeline.seating.rounds import rounds_of

LONGEST = 3_000
"""Rounds that are looked at one by one."""

SIZES = st.integers(3, 6).flatmap(
    lambda seats: st.tuples(st.integers(seats + 1, 40), st.just(seats))
)
KEYS = st.integers(0, 2**64 - 1).map(run_key)


def counted(
    rounds: npt.NDArray[np.uint8], entrants: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """How often entrants sat out, met, and sat down after one another."""
    lines = rounds.reshape(-1, rounds.shape[2]).astype(np.int64)
    seats = lines.shape[1]
    met, after = (np.zeros((entrants, entrants), np.int64) for _ in range(2))
    for i in range(seats):
        np.add.at(after, (lines[:, i], lines[:, (i + 1) % seats]), 1)
        for j in range(seats):
            np.add.at(met, (lines[:, i], lines[:, j]), 1)
    byes = len(rounds) - np.bincount(lines.reshape(-1), minlength=entrants)
    return byes, met, after


def pairs(table: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Cells of two different entrants."""
    return table[~np.eye(len(table), dtype=bool)]


def check_cycle(entrants: int, seats: int, key: tuple[int, int], cycle: int) -> None:
    """A whole cycle is balanced: byes, pairs and ordered neighbours, all to the last one."""
    n = cycle_of(entrants, seats).rounds
    blocks = np.arange(cycle * n, (cycle + 1) * n, dtype=np.uint64)
    rounds = rounds_of(key, entrants, seats, blocks)
    byes, met, after = counted(rounds, entrants)
    in_play = entrants // seats * seats
    assert set(byes * entrants) == {n * (entrants - in_play)}
    assert set(pairs(met) * (entrants - 1) * entrants) == {n * in_play * (seats - 1)}
    assert set(pairs(after) * (entrants - 1) * entrants) == {n * in_play}


@settings(max_examples=25, deadline=None)
@given(SIZES, KEYS, st.integers(0, 10**6))
@example((8, 4), run_key(1), 0)
@example((13, 4), run_key(1), 10**9)
@example((40, 5), run_key(1), 3)
def test_over_a_cycle_everything_is_equal(
    size: tuple[int, int], key: tuple[int, int], cycle: int
) -> None:
    if cycle_of(*size).rounds <= LONGEST:
        check_cycle(*size, key, cycle)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_over_a_cycle_everything_is_equal_for_any_number_of_entrants(seats: int) -> None:
    for entrants in range(seats + 1, 41):
        check_cycle(entrants, seats, run_key(entrants), 2)


@settings(max_examples=25, deadline=None)
@given(SIZES, KEYS, st.integers(0, 10**12))
def test_a_round_seats_nobody_twice_and_as_many_as_it_can(
    size: tuple[int, int], key: tuple[int, int], block: int
) -> None:
    entrants, seats = size
    (one,) = rounds_of(key, entrants, seats, np.array([block], np.uint64))
    assert one.shape == (entrants // seats, seats)
    assert max(Counter(one.reshape(-1).tolist()).values()) == 1
    assert one.max() < entrants


@settings(max_examples=25, deadline=None)
@given(SIZES, KEYS, st.integers(0, 100))
def test_after_every_stretch_of_rounds_all_have_sat_out_equally_often_and_nearly_all_pairs_met(
    size: tuple[int, int], key: tuple[int, int], stretch: int
) -> None:
    entrants, seats = size
    found = cycle_of(entrants, seats)
    first = stretch % (found.rounds // found.modulus) * found.modulus
    blocks = np.arange(first, first + found.modulus, dtype=np.uint64)
    byes, met, _ = counted(rounds_of(key, entrants, seats, blocks), entrants)
    assert len(set(byes)) == 1
    mean = found.modulus * (entrants // seats * seats) * (seats - 1) / entrants / (entrants - 1)
    assert abs(pairs(met) - mean).max() <= max(3.0, mean)


def test_what_a_prefix_lacks_falls_on_anybody_alike() -> None:
    """In the first round of many cycles every two sit next to each other equally often."""
    n = cycle_of(6, 4).rounds
    cycles = 4_000
    blocks = np.arange(0, cycles * n, n, dtype=np.uint64)
    _, _, after = counted(rounds_of(run_key(3), 6, 4, blocks), 6)
    expected = cycles * 4 / 30
    assert pairs(after).sum() == cycles * 4
    # Each round has 4 of the 30 ordered pairs: chi-square with 29 degrees of freedom, and
    # those drawn together only lower it; 65 is the 99.99 % quantile.
    assert ((pairs(after) - expected) ** 2 / expected).sum() < 65
    assert len(pairs(after)) == len(list(permutations(range(6), 2)))
