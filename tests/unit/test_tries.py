"""What follows on a try, by what came of it and when."""

import pytest

from pipeline.executors import TRIES, Lost
from pipeline.manifest import Receipt
from pipeline.plan import Shard
from pipeline.tries import FIRST_WAIT_S, GLANCE_S, GROWTH, SLOW, SLOW_S, NothingLands, Tries

DIED, FULL = "worker died (SIGKILL)", "x: cannot be written: no space left on device"
WINDOW = 3


def shard(number: int, variant: str = "v") -> Shard:
    return Shard(number, variant, number, 1, 0, 4, whole=True)


def receipt(number: int, ms: int = 2000, variant: str = "v") -> Receipt:
    none: dict[str, object] = {"first_game": 0, "fouls": 0, "first_fouls": (), "files": {}}
    said = {"n_blocks": 1, "n_games": 4, "games": 4, "deals": 4, "digest": "0" * 64, "build": ""}
    which = {"run": "", "shard": number, "variant": variant, "first_block": number, "ms": ms}
    return Receipt.model_validate(none | said | which)


def lose(tries: Tries, number: int, now: float, *, store: bool = False) -> None:
    tries.lost(Lost(number, FULL if store else DIED, store), now, WINDOW)


def test_a_shard_is_set_aside_after_its_tries_with_their_causes() -> None:
    tries = Tries()
    for n in range(TRIES):
        assert not tries.set_aside
        tries.begun(shard(7), n)
        lose(tries, 7, n)
        assert (tries.again(n) == shard(7)) == (n < TRIES - 1)
    assert tries.set_aside[7].causes == (DIED,) * TRIES
    assert (tries.set_aside[7].first_block, tries.set_aside[7].tries) == (7, TRIES)
    assert (tries.flying, tries.pending) == (0, False)


def test_waits_for_a_store_grow_and_hold_new_shards_back() -> None:
    tries, now = Tries(), 100.0
    for n in range(TRIES - 1):
        tries.begun(shard(0), now)
        lose(tries, 0, now, store=True)
        wait = FIRST_WAIT_S * GROWTH**n
        assert tries.holding
        assert tries.wait_s(now, idle=False) == wait
        assert tries.again(now + wait - 0.1) is None
        now += wait
        assert tries.again(now) == shard(0)
    tries.begun(shard(0), now)
    assert tries.landed(receipt(0), now)
    assert not tries.holding


def test_what_the_store_alone_failed_has_its_tries_back_once() -> None:
    tries = Tries()

    def fail(number: int) -> None:
        for n in range(TRIES):
            tries.begun(shard(number), 100 * n)
            lose(tries, number, 100 * n, store=True)
            assert (tries.again(100 * n + 99) is None) == (n == TRIES - 1)
        assert set(tries.set_aside) == {number}

    fail(0)
    tries.begun(shard(1), 300)
    tries.landed(receipt(1), 300)
    assert not tries.set_aside
    assert tries.again(300) == shard(0)
    fail(0)
    assert tries.set_aside[0].tries == 2 * TRIES
    tries.begun(shard(2), 600)
    tries.landed(receipt(2), 600)
    assert set(tries.set_aside) == {0}
    tries.check_store()


def test_a_store_that_fails_to_the_last_is_what_is_wrong() -> None:
    tries = Tries()
    for _ in range(TRIES):
        tries.begun(shard(0), 0)
        lose(tries, 0, 0, store=True)
    with pytest.raises(NothingLands, match=r"3 tries in a row .*no space left"):
        tries.check_store()


def test_more_tries_in_a_row_than_the_window_can_have_stop_the_run() -> None:
    tries = Tries()
    for number in range(WINDOW):
        for _ in range(TRIES):
            tries.begun(shard(number), 0)
            lose(tries, number, 0)
    assert len(tries.set_aside) == WINDOW  # which the last shards of a run may all be
    tries.begun(shard(9), 0)
    with pytest.raises(NothingLands, match=rf"10 tries in a row .*{'SIGKILL'}"):
        lose(tries, 9, 0)


def test_a_landing_begins_the_count_anew() -> None:
    tries = Tries()
    for number in range(30):
        tries.begun(shard(number), 0)
        lose(tries, number, 0)
        assert tries.again(0) == shard(number)
        tries.begun(shard(number), 0)
        tries.landed(receipt(number), 0)
    assert not tries.set_aside


def test_a_straggler_is_tried_once_more_and_the_first_to_land_counts() -> None:
    tries = Tries()
    tries.begun(shard(0), 0)
    tries.begun(shard(1), 0)
    assert tries.straggler(10_000) is None  # nothing like it has landed
    tries.landed(receipt(0, ms=2000), 10_000)
    late = max(SLOW_S, 2 * SLOW)
    tries.begun(shard(2), 10_000)
    tries.landed(receipt(2, ms=2000), 10_000)
    tries.begun(shard(3), 10_001)
    assert tries.straggler(10_001.5) == shard(1)
    tries.begun(shard(1), 10_001.5)
    assert tries.straggler(10_001 + late) is None
    assert tries.wait_s(10_001 + late, idle=True) == GLANCE_S
    assert tries.straggler(10_001 + late + GLANCE_S) == shard(3)
    assert tries.landed(receipt(1), 10_002)
    assert not tries.landed(receipt(1), 10_003)
    assert tries.repeated == {1}
    assert tries.flying == 1


def test_a_try_that_dies_beside_another_does_not_begin_a_third() -> None:
    tries = Tries()
    tries.begun(shard(0), 0)
    tries.begun(shard(0), 0)
    lose(tries, 0, 0)
    assert tries.again(0) is None
    assert tries.pending
    lose(tries, 0, 0)
    assert tries.again(0) == shard(0)


def test_nothing_of_a_variant_that_ended_is_tried_again() -> None:
    tries = Tries()
    for number, variant in ((0, "a"), (1, "a"), (2, "b")):
        tries.begun(shard(number, variant), 0)
        if number != 1:
            lose(tries, number, 0)
    tries.end("a")
    lose(tries, 1, 0)
    assert tries.again(0) == shard(2, "b")
    assert tries.again(0) is None
    assert not tries.set_aside
