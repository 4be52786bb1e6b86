"""What a driver knows of the shards that landed is what their receipts say, in a few bytes."""

import random

from hypothesis import given
from hypothesis import strategies as st

from pipeline.config import Entrant
from pipeline.landed import Landed
from pipeline.plan import Bounds, Plan
from tests.made_up import receipt_of
from tests.runs import BASE, cut_into, entrants, small

RUN = "0123456789abcdef"


@given(
    blocks=st.integers(1, 12),
    size=st.integers(1, 4),
    parts=st.integers(1, 3),
    seed=st.integers(0, 2**32),
)
def test_blocks_are_whole_where_every_shard_is_there(
    blocks: int, size: int, parts: int, seed: int
) -> None:
    config = small(BASE[:2], blocks=blocks)
    plan = Plan(config, cut_into(config, size if parts == 1 else 1, parts))
    landed, there = Landed(plan), set[int]()
    order = list(plan)
    random.Random(seed).shuffle(order)
    for shard in order:
        landed.take(receipt_of(RUN, shard))
        there.add(shard.number)
        for variant in plan.lanes:
            assert landed.whole(variant) == next(
                (s.first_block for s in plan if s.variant == variant and s.number not in there),
                blocks,
            )
        assert landed.is_of(shard)
        assert landed.numbers().tolist() == sorted(there)
        assert len(landed) == len(there)
    assert shard.number in landed
    assert landed.whole(BASE[1]) == blocks


def race(since: int) -> Plan:
    """Ten blocks of five shards; two of three candidates leave, the last one never."""
    config = small(
        BASE[:1],
        blocks=80,
        design="candidates",
        lineups=(),
        entrants=(*entrants("duck.v1", "random.v1"), Entrant(strategy="lowest.v1")),
        field=("lowest.v1",),
        stop={"rule": "race", "look": 16},
    )
    bounds = {BASE[0]: Bounds(blocks=1, parts=12)}
    return Plan(config, bounds, {BASE[0]: {1: since, 2: since}})


def test_nobody_waits_for_numbers_that_a_race_left_without_games() -> None:
    before, after = race(80), race(16)
    landed = Landed(before)
    for shard in after:
        landed.take(receipt_of(RUN, shard))
    assert landed.whole(BASE[0]) == 16
    landed.go_on(after.lanes[BASE[0]])
    assert landed.whole(BASE[0]) == 80
    first = next(before.between(BASE[0], 17, 18))
    assert not landed.is_of(first)
    assert landed.is_of(next(after.between(BASE[0], 17, 18)))


def test_what_lands_twice_counts_once_as_it_landed_last() -> None:
    config = small(BASE[:1], blocks=4)
    plan = Plan(config, cut_into(config, 2))
    landed, (first, second) = Landed(plan), plan
    landed.take(receipt_of(RUN, first, files={}))
    landed.take(receipt_of(RUN, first))
    landed.take(receipt_of(RUN, second, files={}))
    assert len(landed) == 2
    assert landed.all_have(("totals", "joint"), range(1))
    assert not landed.all_have(("totals", "joint"), range(2))
