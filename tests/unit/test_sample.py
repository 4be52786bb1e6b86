"""Which blocks are played again: as many as said, drawn fairly, and more hold the fewer."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.seeds import run_key
from pipeline.sample import MOST_BLOCKS, audit_size, chosen, share_size

KEY = run_key(1)


@pytest.mark.parametrize(
    ("blocks", "block_games", "size"),
    [
        (1, 4, 1),
        (200, 4, 1),
        (201, 4, 2),
        (6000, 20, 30),
        (10**6, 4, MOST_BLOCKS),
        (10**6, 1_000, 100),
        (10**6, 10**6, 1),
    ],
)
def test_half_a_per_cent_is_audited_up_to_a_limit(blocks: int, block_games: int, size: int) -> None:
    assert audit_size(blocks, block_games) == size


@given(st.integers(1, 3_000), st.fractions(Fraction(1, 1000), 1), st.integers(1, 10**5))
def test_a_share_holds_the_audit_and_every_smaller_share(
    blocks: int, share: Fraction, block_games: int
) -> None:
    audited = chosen(KEY, blocks, audit_size(blocks, block_games))
    fewer = chosen(KEY, blocks, share_size(share / 2, blocks, block_games))
    some = chosen(KEY, blocks, share_size(share, blocks, block_games))
    assert len(set(some)) == len(some) >= share * blocks
    assert set(audited) <= set(fewer) <= set(some) <= set(range(blocks))
    assert some[: len(audited)] == audited


def test_all_blocks_are_all_blocks() -> None:
    assert sorted(chosen(KEY, 777, share_size(Fraction(1), 777, 4))) == list(range(777))


def test_every_block_is_as_likely_to_be_drawn() -> None:
    n = [0] * 20
    for seed in range(2_000):
        for block in chosen(run_key(seed), 20, 5):
            n[block] += 1
    chi2 = sum((seen - 500) ** 2 / 500 for seen in n)
    assert chi2 < 43.8  # 0.1 % of 19 degrees of freedom; drawing without replacement is below


def test_a_long_run_is_drawn_from_at_once() -> None:
    drawn = chosen(KEY, 2**40, 1_000)
    assert len(set(drawn)) == 1_000
    assert max(drawn) > 2**39
