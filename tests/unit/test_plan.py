"""How blocks are cut into shards: pure, without playing."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pipeline.plan import LONGEST_S, TARGET_S, Bounds, cut, shards
from tests.runs import BASE, small


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
