"""A rule sees exact sums of whole blocks and nothing else; what it says of them, and when."""

from typing import Any

import numpy as np
import pytest

from pipeline import stopping
from pipeline.cap import check_cap
from pipeline.config import ConfigError, RunConfig
from pipeline.figures import Claimed
from pipeline.plan import Plan, cut, seen_at
from pipeline.stats.joint import Joint, of_blocks
from tests.runs import BASE, entrants, small

SEATS = 4
NOISE = np.tile([30, -30, 10, -10], 64)


def gauntlet(variants: int = 1, blocks: int = 2560, **changes: Any) -> RunConfig:
    changes = {"entrants": entrants("duck.v1", "random.v1")} | changes
    return small(BASE[:variants], design="gauntlet", lineups=(), blocks=blocks, **changes)


def of_claim(mean: int, blocks: int, noise: int = 1) -> Joint:
    """Blocks in which the entrant has ``mean`` points a game more than his tables, about."""
    x = SEATS * SEATS * mean + noise * NOISE[:blocks]
    return of_blocks(np.full((blocks, 1), SEATS), x[:, None])


def sprt(**changes: Any) -> dict[str, Any]:
    return {"rule": "sprt", "delta1": 2.0} | changes


@pytest.mark.parametrize(
    ("mean", "decision"), [(3, "better"), (-1, "not better"), (1, "open")], ids=str
)
def test_a_sequential_test_says_on_which_side_the_mean_is(mean: int, decision: str) -> None:
    found = stopping.at_look(gauntlet(stop=sprt()), SEATS, of_claim(mean, 64))
    assert (found.decision, found.ends) == (decision, decision != "open")
    assert found.claim == Claimed(0, None)
    assert found.estimate.value == mean
    assert found.estimate.kind == "anytime"
    assert found.statistic is not None


def test_nothing_at_all_in_every_block_is_identical_and_ends_any_rule() -> None:
    for stop in (sprt(), {"rule": "width", "width": 1.0}, {"rule": "decided"}):
        config = gauntlet(stop=stop)
        found = stopping.at_look(config, SEATS, of_claim(0, 64, noise=0))
        assert (found.decision, found.ends) == ("identical", True)
        early = stopping.at_look(config, SEATS, of_claim(0, 32, noise=0))
        assert not early.ends, "32 blocks alike say little of players who seldom differ"


def test_a_width_may_be_reached_with_nothing_decided() -> None:
    config = gauntlet(blocks=512, stop={"rule": "width", "width": 2.0})
    found = stopping.at_look(config, SEATS, of_claim(0, 64))
    assert (found.decision, found.ends) == ("open", True)
    assert found.statistic is not None
    assert found.statistic <= 2.0
    narrow = gauntlet(blocks=512, stop={"rule": "width", "width": 0.2})
    assert not stopping.at_look(narrow, SEATS, of_claim(0, 64)).ends


def test_decided_is_a_difference_or_none_that_matters() -> None:
    config = gauntlet(blocks=512, stop={"rule": "decided"})
    assert stopping.at_look(config, SEATS, of_claim(5, 64)).decision == "better"
    assert stopping.at_look(config, SEATS, of_claim(-5, 64)).decision == "worse"
    assert not stopping.at_look(config, SEATS, of_claim(0, 64)).ends
    near = gauntlet(blocks=512, stop={"rule": "decided"}, claim={"equal": 2.0})
    assert stopping.at_look(near, SEATS, of_claim(0, 64)).decision == "equal"


def test_the_end_of_a_planned_run_is_a_t_interval_and_a_narrower_one() -> None:
    config = gauntlet(blocks=64)
    found = stopping.at_end(config, SEATS, of_claim(1, 64))
    assert (found.estimate.kind, found.decision) == ("t", "better")
    always = stopping.at_look(gauntlet(stop={"rule": "decided"}), SEATS, of_claim(1, 64))
    assert always.estimate.low is not None
    assert found.estimate.low is not None
    assert always.estimate.low < found.estimate.low
    alone = stopping.at_end(config, SEATS, of_claim(1, 1))
    assert (alone.estimate.kind, alone.decision) == ("none", "open")


def test_variants_share_what_may_go_wrong() -> None:
    one, two = gauntlet(1), gauntlet(2)
    assert stopping.share(two) == stopping.share(one) / 2 == pytest.approx(0.025)
    joint = of_claim(1, 64)
    wide, narrow = (stopping.at_end(c, SEATS, joint).estimate for c in (two, one))
    assert wide.low is not None
    assert narrow.low is not None
    assert wide.low < narrow.low
    assert stopping.share(gauntlet(2, stop=sprt(alpha=0.1))) == 0.05


def test_a_race_drops_who_is_surely_behind_and_ends_with_the_last() -> None:
    config = small(
        BASE[:1],
        design="candidates",
        lineups=(),
        field=("random.v1",),
        blocks=2560,
        entrants=entrants("random.v1", "duck.v1", "count.v1", "lowest.v1"),
        stop={"rule": "race"},
    )
    n = np.full((64, 3), SEATS)
    x = SEATS * SEATS * np.array([4, 5, -20]) + NOISE[:64, None] * np.array([1, -1, 1])
    left, found = stopping.in_race(config, SEATS, of_blocks(n, x), (0, 1, 2))
    assert left == (0, 1)
    assert (found.decision, found.ends, found.claim) == ("open", False, Claimed(2, None))
    last, found = stopping.in_race(config, SEATS, of_blocks(n, x).only([1]), (0,))
    assert (last, found.decision, found.ends) == ((0,), "best", True)


def test_looks_are_multiples_and_the_end() -> None:
    config = gauntlet(blocks=100, stop={"rule": "decided", "look": 48})
    assert [seen_at(config, look) for look in range(3)] == [48, 96, 100]
    assert seen_at(gauntlet(blocks=100), 0) == 100


@pytest.mark.parametrize("look", [16, 60, 64, 97])
def test_no_shard_crosses_a_look(look: int) -> None:
    config = gauntlet(blocks=1000, stop={"rule": "decided", "look": look})
    for block_s in (1e-4, 0.01, 0.07, 3.0, 20.0):
        bounds = cut(config, {BASE[0]: block_s})
        assert look % bounds[BASE[0]].blocks == 0
        for shard in Plan(config, bounds):
            assert shard.first_block // look == (shard.first_block + shard.n_blocks - 1) // look


def test_shards_keep_their_numbers_when_a_race_drops_tables() -> None:
    config = small(
        BASE[:1],
        design="candidates",
        lineups=(),
        field=("random.v1",),
        blocks=64,
        entrants=entrants("random.v1", "duck.v1", "count.v1", "lowest.v1"),
        stop={"rule": "race", "look": 16},
    )
    for blocks, parts in ((8, 1), (1, 3), (1, 13)):
        bounds = {BASE[0]: cut(config, {BASE[0]: 0.1})[BASE[0]].model_copy()}
        bounds[BASE[0]] = type(bounds[BASE[0]])(blocks=blocks, parts=parts)
        every = {s.number: s for s in Plan(config, bounds)}
        fewer = Plan(config, bounds, {BASE[0]: {1: 16, 3: 48}})
        seen = set()
        for shard in fewer:
            whole = every[shard.number]
            assert whole.first_block == shard.first_block
            for block in range(shard.first_block, shard.first_block + shard.n_blocks):
                seen |= {(block, int(game)) for game in shard.games(SEATS)}
        due = {
            (block, game)
            for block in range(64)
            for game in range(16)
            if not (game // 4 == 1 and block >= 16) and not (game // 4 == 3 and block >= 48)
        }
        assert seen == due
        assert sum(s.n_blocks * s.n_games for s in fewer) == len(due)


def test_a_cap_that_would_often_be_hit_is_refused() -> None:
    wants = r"blocks: 100 is less than 4 times the \d+ that the test is expected to take \(want"
    short = gauntlet(blocks=100, stop=sprt(delta1=0.5, unit="sigma"))
    with pytest.raises(ConfigError, match=wants) as refused:
        check_cap(short)
    assert "\n" not in str(refused.value)
    enough = int(str(refused.value).split("at least ")[1].split(";")[0])
    check_cap(short.model_copy(update={"blocks": enough}))
    with pytest.raises(ConfigError, match="less than 4 times"):
        check_cap(short.model_copy(update={"blocks": enough - 1}))


def test_in_points_a_pilot_tells_how_much_blocks_differ() -> None:
    short = gauntlet(blocks=400, stop=sprt(delta1=5.0))
    said = set()
    for _ in range(2):
        with pytest.raises(ConfigError, match="less than 4 times") as refused:
            check_cap(short)
        said.add(str(refused.value))
    assert len(said) == 1, "the pilot is the same every time"
    check_cap(gauntlet(blocks=400, stop=sprt(delta1=100.0)))
    check_cap(gauntlet(blocks=100, stop={"rule": "decided"}))


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"stop": {"rule": "decided"}, "blocks": 64}, "entrant"),
        ({"claim": {"against": "lowest.v1", "entrant": "duck.v1"}}, "against"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_verdict_is_asked_of_those_who_sit(changes: dict[str, Any], key: str) -> None:
    four = entrants("count.v1", "duck.v1", "random.v1", "lowest.v1")
    with pytest.raises(ValueError, match=rf"claim\.{key}: '\w+\.v1' sits in no line-up"):
        small(BASE[:1], entrants=four, **changes)
    small(BASE[:1], entrants=four)
