"""Who sits where in which block, and how blocks are cut: pure, without playing."""

from collections import Counter
from itertools import permutations
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.seeds import run_key
from pipeline.config import RunConfig
from pipeline.plan import (
    LONGEST_S,
    TARGET_S,
    Bounds,
    cut,
    games_of_block,
    seat_orders,
    shards,
    shuffled,
    tables,
)
from tests.runs import BASE, entrants, small

KEY = run_key(7)
FOUR = ("duck.v1", "random.v1", "a:A", "b:B")


def table_of(n: int) -> RunConfig:
    """Design ``table`` with n entrants; the seats of its variant are not asked here."""
    config = small(design="table", lineups=(), entrants=entrants(*FOUR))
    names = entrants(*(f"m:E{i}" for i in range(n)))
    return config.model_copy(update={"entrants": names})


def orders(n: int, blocks: int, first: int = 0) -> list[tuple[int, ...]]:
    numbers = np.arange(first, first + blocks, dtype=np.uint64)
    return [tuple(row) for row in seat_orders(table_of(n), n, KEY, numbers)[:, 0].tolist()]


def test_a_gauntlet_sets_the_first_entrant_among_each_other() -> None:
    config = small(design="gauntlet", lineups=(), entrants=entrants(*FOUR))
    assert tables(config, 4) == [(0, 1, 1, 1), (0, 2, 2, 2), (0, 3, 3, 3)]
    assert games_of_block(config, 4) == 12


def test_line_ups_stand_as_they_are_listed() -> None:
    assert tables(small(), 4) == [(0, 1, 1, 1), (0, 0, 1, 1)]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_a_cycle_of_blocks_plays_every_circular_order_once(n: int) -> None:
    cycle = factorial(n - 1)
    every = {(0, *rest) for rest in permutations(range(1, n))}
    for number in range(5):
        seen = orders(n, cycle, number * cycle)
        assert len(seen) == cycle
        assert set(seen) == every


def test_cycles_come_in_different_sequences() -> None:
    sequences = {tuple(orders(4, 6, 6 * cycle)) for cycle in range(15)}
    assert len(sequences) > 12


def test_the_order_of_a_block_does_not_depend_on_where_one_begins() -> None:
    for n in (3, 4, 5, 6):
        assert orders(n, 5, 7) == orders(n, 12)[7:]


def test_larger_tables_draw_a_circular_order_for_each_block() -> None:
    seen = Counter(orders(5, 2400))
    assert len(seen) == 24
    # Chi-square with 23 degrees of freedom; 58 is the 99.99 % quantile.
    assert sum((count - 100) ** 2 / 100 for count in seen.values()) < 58


def test_the_shuffle_is_the_one_of_the_documented_stream() -> None:
    words = np.random.Philox(
        key=np.array(KEY, np.uint64), counter=np.array([0, 3, 1 << 40, 2], np.uint64)
    ).random_raw(2)
    items = list(range(3))
    j = int(words[0]) * 3 >> 64
    items[0], items[j] = items[j], items[0]
    j = int(words[1]) * 2 >> 64
    items[1], items[1 + j] = items[1 + j], items[1]
    assert shuffled(KEY, 3, 3) == items


def test_every_order_of_a_shuffle_is_as_likely() -> None:
    seen = Counter(tuple(shuffled(KEY, c1, 3)) for c1 in range(6000))
    # Chi-square with 5 degrees of freedom; 26 is the 99.99 % quantile.
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 26


@given(
    blocks=st.integers(1, 60),
    size=st.integers(1, 70),
    parts=st.integers(1, 8),
    n_variants=st.integers(1, 4),
)
def test_shards_cover_every_game_exactly_once(
    blocks: int, size: int, parts: int, n_variants: int
) -> None:
    config = CONFIGS[n_variants].model_copy(update={"blocks": blocks})
    bounds = Bounds(blocks=size if parts == 1 else 1, parts=parts)
    seen: Counter[tuple[str, int, int]] = Counter()
    pieces = shards(config, {v.name: bounds for v in config.variants})
    for shard in pieces:
        assert shard.whole == (parts == 1)
        assert shard.n_blocks == 1 or shard.whole
        for block in range(shard.first_block, shard.first_block + shard.n_blocks):
            for game in range(shard.first_game, shard.first_game + shard.n_games):
                seen[shard.variant, block, game] += 1
    assert [shard.number for shard in pieces] == list(range(len(pieces)))
    assert set(seen.values()) == {1}
    assert len(seen) == n_variants * blocks * 8


CONFIGS = {n: small(BASE[:n]) for n in range(1, 5)}


def test_shards_take_seconds_whatever_a_game_costs() -> None:
    config = small(BASE[:1], blocks=10**6)
    for block_s in (1e-3, 1e-2, 0.5, 1.9, 3.0):
        found = cut(config, {BASE[0]: block_s})[BASE[0]]
        assert found.parts == 1
        assert found.blocks * block_s <= max(TARGET_S, block_s)
        assert (found.blocks + 1) * block_s > TARGET_S
    config = small(BASE[:1], blocks=10**5)
    slow = cut(config, {BASE[0]: 11.0})[BASE[0]]
    assert slow == Bounds(blocks=1, parts=6)
    assert cut(config, {BASE[0]: 1e4})[BASE[0]] == Bounds(blocks=1, parts=8)
    assert cut(config, {BASE[0]: LONGEST_S})[BASE[0]].parts == 1


def test_a_short_run_still_has_shards_for_many_workers() -> None:
    config = small(BASE[:1], blocks=1000)
    found = cut(config, {BASE[0]: 0.008})  # 8 s in all
    assert len(shards(config, found)) == 17


def test_a_shard_is_bounded_in_rows_however_fast_it_plays() -> None:
    config = small(BASE[:1], blocks=10**9)
    assert cut(config, {BASE[0]: 1e-9})[BASE[0]].blocks <= 500_000 // 8


def test_a_word_that_would_favour_some_orders_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # Below three, the word 0 is refused (2^64 mod 3 = 1); 2^63 gives 1, the next 0 gives 0.
    monkeypatch.setattr("pipeline.plan._words", lambda key, c1: iter([0, 2**63, 0]))
    assert shuffled(KEY, 0, 3) == [1, 0, 2]
