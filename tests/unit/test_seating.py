"""Who sits where in which block: the tables of every design, and what is drawn for them."""

import re
from collections import Counter
from itertools import combinations, permutations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_ext.seeds import run_key
from pipeline.config import RunConfig
from pipeline.seating import candidates, games_of_block, rotations, seat_orders, tables
from pipeline.seating.base_rounds import cycle_of
from pipeline.seating.draws import NAMES, ORDERS, shuffled
from pipeline.seating.orders import neighbour_balanced
from tests.runs import entrants, small

KEY = run_key(7)
SEEDS = Path(__file__).parents[2] / "docs" / "seeds.md"
SIZES = {2: 1, 3: 2, 4: 6, 5: 4, 6: 10, 7: 6, 8: 14, 9: 8, 10: 18}
"""Circular orders of the balanced set, by seats."""


def of_design(design: str, n: int, **said: Any) -> RunConfig:
    """``n`` entrants in a design; the seats of its variant are not asked here."""
    names = entrants(*(f"m:E{i}" for i in range(n)))
    changes = {"design": design, "lineups": (), "entrants": names} | said
    return small().model_copy(update=changes)


def drawn(config: RunConfig, seats: int, blocks: int, first: int = 0) -> list[Any]:
    """By block, table and place."""
    numbers = np.arange(first, first + blocks, dtype=np.uint64)
    found: list[Any] = seat_orders(config, seats, KEY, numbers).tolist()
    return found


def orders(n: int, blocks: int, first: int = 0) -> list[tuple[int, ...]]:
    return [tuple(block[0]) for block in drawn(of_design("table", n), n, blocks, first)]


def next_to(order: tuple[int, ...], distance: int = 1) -> list[tuple[int, int]]:
    """Who sits how many places after whom."""
    return [(a, order[(i + distance) % len(order)]) for i, a in enumerate(order)]


# The sets of orders


@pytest.mark.parametrize("seats", SIZES)
def test_in_a_set_of_orders_everybody_is_next_to_everybody_equally_often(seats: int) -> None:
    found = neighbour_balanced(seats)
    assert len(set(found)) == len(found) == SIZES[seats]
    assert list(found) == sorted(found)
    assert all(sorted(order) == list(range(seats)) and order[0] == 0 for order in found)
    seen = Counter(pair for order in found for pair in next_to(order))
    assert set(seen) == set(permutations(range(seats), 2))
    assert set(seen.values()) == {1 if seats % 2 or seats == 2 else 2}


@pytest.mark.parametrize("seats", [3, 4, 5, 7])
def test_with_a_prime_number_of_seats_every_distance_is_balanced_too(seats: int) -> None:
    for distance in range(1, seats):
        pairs = [pair for order in neighbour_balanced(seats) for pair in next_to(order, distance)]
        assert len(set(Counter(pairs).values())) == 1
        assert len(set(pairs)) == seats * (seats - 1)


@pytest.mark.parametrize("seats", [3, 4])
def test_small_tables_have_all_their_orders(seats: int) -> None:
    assert list(neighbour_balanced(seats)) == [(0, *r) for r in permutations(range(1, seats))]


# Design table


@pytest.mark.parametrize("n", SIZES)
def test_a_cycle_of_blocks_plays_every_order_of_the_set_once(n: int) -> None:
    for number in range(5):
        seen = orders(n, SIZES[n], number * SIZES[n])
        assert sorted(seen) == list(neighbour_balanced(n))


def test_cycles_come_in_different_sequences() -> None:
    assert len({tuple(orders(4, 6, 6 * cycle)) for cycle in range(15)}) > 12


DRAWN = {
    "table": (of_design("table", 5), 5),
    "round_robin": (of_design("round_robin", 11), 4),
    "mix": (of_design("mix", 3), 5),
    "one": (of_design("candidates", 4, field=("m:E1",), rotations="one"), 4),
}


@pytest.mark.parametrize("design", DRAWN)
def test_what_a_block_plays_does_not_depend_on_where_one_begins(design: str) -> None:
    config, seats = DRAWN[design]
    assert drawn(config, seats, 5, 70) == drawn(config, seats, 75)[70:]
    far = 10**9
    assert drawn(config, seats, 1, far) == drawn(config, seats, 9, far - 8)[8:]


@pytest.mark.parametrize("design", DRAWN)
def test_another_seed_draws_something_else(design: str) -> None:
    config, seats = DRAWN[design]
    blocks = np.arange(60, dtype=np.uint64)
    here, there = (seat_orders(config, seats, run_key(seed), blocks) for seed in (7, 8))
    assert (here != there).any()


# The other designs


def test_a_gauntlet_sets_the_first_entrant_among_each_other() -> None:
    config = of_design("gauntlet", 4)
    assert tables(config, 4) == [(0, 1, 1, 1), (0, 2, 2, 2), (0, 3, 3, 3)]
    assert games_of_block(config, 4) == 12
    assert drawn(config, 4, 2) == [[list(order) for order in tables(config, 4)]] * 2


def test_both_invasions_set_each_other_one_among_the_first_too() -> None:
    config = of_design("gauntlet", 3, invasions="both")
    assert tables(config, 3) == [(0, 1, 1), (1, 0, 0), (0, 2, 2), (2, 0, 0)]


def test_line_ups_stand_as_they_are_listed() -> None:
    assert tables(small(), 4) == [(0, 1, 1, 1), (0, 0, 1, 1)]


def test_line_ups_of_one_rotation_have_every_seat_once_in_a_cycle() -> None:
    config = small(rotations="one")
    assert rotations(config, 4) == 1
    assert games_of_block(config, 4) == 2
    for cycle in range(6):
        block = drawn(config, 4, 4, 4 * cycle)
        seats = [one.index(0) for one, _ in block]
        assert sorted(seats) == [0, 1, 2, 3]
        for at, (one, two) in zip(seats, block, strict=True):
            assert [one[(at + i) % 4] for i in range(4)] == [0, 1, 1, 1]
            assert [two[(at + i) % 4] for i in range(4)] == [0, 0, 1, 1]


@pytest.mark.parametrize("seats", range(2, 8))
def test_a_mix_has_a_table_for_each_head_count_against_each_other(seats: int) -> None:
    config = of_design("mix", 3)
    assert len(tables(config, seats)) == 2 * (seats - 1)
    for block in drawn(config, seats, 3):
        assert [Counter(table) for table in block] == [Counter(t) for t in tables(config, seats)]
        assert all(table[0] == 0 for table in block)
        # The same seats against either.
        against = [[who == 0 for who in table] for table in block]
        assert against[: seats - 1] == against[seats - 1 :]


@pytest.mark.parametrize(("seats", "heads"), [(3, 2), (4, 1), (4, 2), (5, 3), (6, 2)])
def test_a_mix_seats_the_first_in_every_way_equally_often(seats: int, heads: int) -> None:
    config = of_design("mix", 2, heads=(heads,))
    cycle = comb(seats - 1, heads - 1)
    for first in (0, 3 * cycle):
        seen: Counter[tuple[int, ...]] = Counter()
        for block in drawn(config, seats, cycle, first):
            for turn in range(seats):
                seen[tuple(s for s in range(seats) if block[0][(s - turn) % seats] == 0)] += 1
        assert seen == dict.fromkeys(combinations(range(seats), heads), heads)


def test_candidates_take_the_same_place_in_one_field() -> None:
    config = of_design("candidates", 5, field=("m:E1", "m:E3", "m:E3"))
    assert candidates(config) == (0, 2, 4)
    assert tables(config, 4) == [(1, 1, 3, 3), (0, 1, 3, 3), (2, 1, 3, 3), (4, 1, 3, 3)]
    assert games_of_block(config, 4) == 16
    alone = of_design("candidates", 3, field=("m:E2",))
    assert tables(alone, 3) == [(2, 2, 2), (0, 2, 2), (1, 2, 2)]


def test_a_candidate_in_one_seat_a_block_has_every_seat_once_in_a_cycle() -> None:
    config = of_design("candidates", 3, field=("m:E2",), rotations="one")
    assert rotations(config, 4) == 1
    assert games_of_block(config, 4) == 3
    sequences = set()
    for cycle in range(12):
        seats = []
        for block in drawn(config, 4, 4, 4 * cycle):
            assert block[0] == [2, 2, 2, 2]
            seats.append(block[1].index(0))
            assert block[1] == [0 if s == seats[-1] else 2 for s in range(4)]
            assert block[2] == [1 if s == seats[-1] else 2 for s in range(4)]
        assert sorted(seats) == [0, 1, 2, 3]
        sequences.add(tuple(seats))
    assert len(sequences) > 6


def test_a_candidate_in_one_seat_keeps_his_neighbours() -> None:
    field = ("m:E1", "m:E2", "m:E3")
    config = of_design("candidates", 4, field=field, rotations="one")
    for block in drawn(config, 4, 4):
        at = block[1].index(0)
        assert [block[1][(at + i) % 4] for i in range(4)] == [0, 1, 2, 3]
        assert [block[0][(at + i) % 4] for i in range(4)] == [1, 1, 2, 3]


@pytest.mark.parametrize(("seats", "games"), [(3, 6), (4, 24), (5, 20), (6, 60)])
def test_a_full_block_plays_every_order_of_the_set_in_every_rotation(
    seats: int, games: int
) -> None:
    config = of_design("full", seats)
    assert games_of_block(config, seats) == games
    assert [tuple(table) for table in drawn(config, seats, 1, 5)[0]] == list(
        neighbour_balanced(seats)
    )


# What is drawn


def test_the_shuffle_is_the_one_of_the_documented_stream() -> None:
    words = np.random.Philox(
        key=np.array(KEY, np.uint64), counter=np.array([0, 3, 1 << 40, 2], np.uint64)
    ).random_raw(2)
    items = list(range(3))
    j = int(words[0]) * 3 >> 64
    items[0], items[j] = items[j], items[0]
    j = int(words[1]) * 2 >> 64
    items[1], items[1 + j] = items[1 + j], items[1]
    assert shuffled(KEY, ORDERS, 3, 3) == items


def test_every_order_of_a_shuffle_is_as_likely() -> None:
    seen = Counter(tuple(shuffled(KEY, ORDERS, c1, 3)) for c1 in range(6000))
    # Chi-square with 5 degrees of freedom; 26 is the 99.99 % quantile.
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 26


def test_a_word_that_would_favour_some_orders_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # Below three, the word 0 is refused (2^64 mod 3 = 1); 2^63 gives 1, the next 0 gives 0.
    drawn = [0, 2**63, 0]
    monkeypatch.setattr("pipeline.seating.draws.words", lambda *at: iter(drawn))
    monkeypatch.setattr("pipeline.seating.draws._first", lambda *at: drawn[: at[-1]])
    assert shuffled(KEY, ORDERS, 0, 3) == [1, 0, 2]
    monkeypatch.setattr("pipeline.seating.draws._first", lambda *at: drawn[:1])
    monkeypatch.setattr("pipeline.seating.draws.words", lambda *at: iter([7, 7, 7, *drawn[1:]]))
    assert shuffled(KEY, ORDERS, 0, 3) == [1, 0, 2]


def test_a_long_shuffle_reads_one_word_after_the_other() -> None:
    found = shuffled(KEY, NAMES, 0, 40)
    words = np.random.Philox(
        key=np.array(KEY, np.uint64), counter=np.array([0, 0, 2 << 40, 2], np.uint64)
    ).random_raw(39)
    items = list(range(40))
    for i, word in enumerate(words.tolist()):
        j = i + (word * (40 - i) >> 64)
        items[i], items[j] = items[j], items[i]
    assert found == items


# The worked vectors of the document, for seed 1


def vectors() -> dict[str, str]:
    section = SEEDS.read_text("utf-8").split("## Worked vectors")[1]
    return dict(re.findall(r"^    (\S+(?: \S+)*?)  +(\S.*)$", section, re.MULTILINE))


def said(label: str) -> list[list[list[int]]]:
    """Tables of blocks as the document writes them: ``0 1 2 | 3 4 5 ; ...``."""
    blocks = vectors()[label].split(" ; ")
    return [[[int(i) for i in table.split()] for table in block.split(" | ")] for block in blocks]


@pytest.mark.parametrize(
    ("label", "config", "seats"),
    [
        ("table 4", of_design("table", 4), 4),
        ("table 5", of_design("table", 5), 5),
        ("table 6", of_design("table", 6), 6),
        ("mix 4", of_design("mix", 2, heads=(2,)), 4),
        ("one 4", of_design("candidates", 2, field=("m:E1",), rotations="one"), 4),
        ("robin 8", of_design("round_robin", 8), 4),
        ("robin 10", of_design("round_robin", 10), 4),
    ],
)
def test_blocks_are_seated_as_the_document_says(label: str, config: RunConfig, seats: int) -> None:
    expected = said(label)
    blocks = np.arange(len(expected), dtype=np.uint64)
    assert seat_orders(config, seats, run_key(1), blocks).tolist() == expected


def test_far_blocks_are_seated_as_the_document_says() -> None:
    blocks = np.arange(1000, 1002, dtype=np.uint64)
    found = seat_orders(of_design("round_robin", 10), 4, run_key(1), blocks)
    assert found.tolist() == said("far 10")


@pytest.mark.parametrize(("label", "entrants", "seats"), [("base 8", 8, 4), ("base 10", 10, 4)])
def test_base_rounds_are_those_in_the_document(label: str, entrants: int, seats: int) -> None:
    assert cycle_of(entrants, seats).base.tolist() == said(label)
