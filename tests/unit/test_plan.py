"""How blocks are cut into shards: pure, without playing."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pipeline.plan import LONGEST_S, MANY, TARGET_S, Bounds, Plan, cut
from tests.runs import BASE, entrants, small


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
    pieces = list(Plan(config, {v.name: bounds for v in config.variants}))
    for shard in pieces:
        assert shard.whole == (parts == 1)
        assert shard.n_blocks == 1 or shard.whole
        for block in range(shard.first_block, shard.first_block + shard.n_blocks):
            for game in range(shard.first_game, shard.first_game + shard.n_games):
                seen[shard.variant, block, game] += 1
    assert [shard.number for shard in pieces] == list(range(len(pieces)))
    plan = Plan(config, {v.name: bounds for v in config.variants})
    assert [plan.shard(number) for number in range(-1, plan.numbers + 1)] == [None, *pieces, None]
    assert len(plan) == len(pieces)
    assert set(seen.values()) == {1}
    assert len(seen) == n_variants * blocks * 8


CONFIGS = {n: small(BASE[:n]) for n in range(1, 5)}


def test_shards_take_seconds_whatever_a_game_costs() -> None:
    config = small(BASE[:1], blocks=10**5)
    for block_s in (1e-3, 1e-2, 0.5, 1.9, 3.0):
        found = cut(config, {BASE[0]: block_s})[BASE[0]]
        assert found.parts == 1
        assert found.blocks * block_s <= max(TARGET_S, block_s)
        assert (found.blocks + 1) * block_s > TARGET_S
    config = small(BASE[:1], blocks=10**4)
    slow = cut(config, {BASE[0]: 11.0})[BASE[0]]
    assert slow == Bounds(blocks=1, parts=6)
    assert cut(config, {BASE[0]: 1e4})[BASE[0]] == Bounds(blocks=1, parts=8)
    assert cut(config, {BASE[0]: LONGEST_S})[BASE[0]].parts == 1


def test_a_short_run_still_has_shards_for_many_workers() -> None:
    config = small(BASE[:1], blocks=1000)
    found = cut(config, {BASE[0]: 0.008})  # 8 s in all
    assert len(Plan(config, found)) == 17


def test_a_shard_is_bounded_in_rows_however_fast_it_plays() -> None:
    config = small(BASE[:1], blocks=10**9)
    assert cut(config, {BASE[0]: 1e-9})[BASE[0]].blocks <= 500_000 // 8


def test_shards_of_a_long_run_get_longer_instead_of_more() -> None:
    """10^12 deals, of which no rows are kept, can be cut: 45 days of a processor."""
    config = small(BASE[3:], blocks=10**12 // (8 * 28), record=())
    found = cut(config, {BASE[3]: 8 * 28 / 250_000})
    assert MANY - 1000 < len(Plan(config, found)) < MANY + 1000
    forever = cut(config.model_copy(update={"blocks": 10**6}), {BASE[3]: 59.0})
    assert forever[BASE[3]] == Bounds(blocks=1, parts=1)


@given(
    size=st.sampled_from((1, 2, 8, 16)),
    parts=st.integers(1, 6),
    since=st.dictionaries(st.integers(1, 2), st.integers(1, 7).map(lambda look: 16 * look)),
    last=st.integers(0, 8).map(lambda look: min(120, 16 * look)),
)
def test_a_race_leaves_the_shards_of_the_tables_that_go_on(
    size: int, parts: int, since: dict[int, int], last: int
) -> None:
    bounds = Bounds(blocks=1 if parts > 1 else size, parts=parts)
    plan = Plan(RACE, {BASE[0]: bounds}, {BASE[0]: since})
    own = list(plan.between(BASE[0], 0, last))
    seen: Counter[int] = Counter()
    for shard in own:
        assert plan.shard(shard.number) == shard
        for block in range(shard.first_block, shard.first_block + shard.n_blocks):
            seen.update({block: shard.n_games})
            live = [t for t in range(3) if since.get(t, block + 1) > block]
            assert set(shard.games(4) // 4) <= set(live)
            assert shard.tables is None or list(shard.tables) == live
    each = {b: 4 * sum(since.get(t, b + 1) > b for t in range(3)) for b in range(last)}
    assert seen == each
    assert plan.lanes[BASE[0]].until(last) == (len(own), sum(each.values()))


RACE = small(
    BASE[:1],
    blocks=120,
    design="candidates",
    lineups=(),
    entrants=entrants("duck.v1", "random.v1", "lowest.v1"),
    field=("lowest.v1",),
    stop={"rule": "race", "look": 16},
)
