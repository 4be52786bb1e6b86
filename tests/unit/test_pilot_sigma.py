"""How much blocks differ: the same as from a run's own rows, on deals that never count."""

import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np

from engine_ext.batch import StopFlag
from pipeline.config import RunConfig
from pipeline.pilot_sigma import BLOCKS, FIRST_BLOCK, block_sigma, pilot_player
from pipeline.plan import Shard
from pipeline.play import TablePlayer, slices
from pipeline.run_file import run_of
from pipeline.tables import Games


def run_file(**more: object) -> RunConfig:
    said = {
        "title": "pilot",
        "seed": 5,
        "variants": ["king_ru_fixed14"],
        "blocks": 8,
        "design": "gauntlet",
        "entrants": [{"strategy": "duck.v1"}, {"strategy": "random.v1"}],
    }
    return run_of(said | more, "pilot.toml", Path.cwd())


def pilot_games(config: RunConfig, variant: str, blocks: int = BLOCKS) -> Iterator[Games]:
    player = pilot_player(config, variant)
    shard = Shard(0, variant, FIRST_BLOCK, blocks, 0, player.block_games, whole=True)
    for games, _, _ in slices(player, shard):
        assert games is not None
        yield games


def test_it_is_the_deviation_of_the_values_that_blocks_have() -> None:
    config = run_file()
    values: dict[int, Fraction] = {}
    for games in pilot_games(config, "king_ru_fixed14"):
        for g in range(len(games)):
            score = games.records.score[g].tolist()
            own = score[games.entrant[g].tolist().index(0)]
            block = int(games.block[g])
            assert FIRST_BLOCK <= block < FIRST_BLOCK + BLOCKS
            values[block] = values.get(block, Fraction(0)) + Fraction(4 * own - sum(score), 16)
    mean = sum(values.values()) / BLOCKS
    square = sum((value - mean) ** 2 for value in values.values()) / (BLOCKS - 1)
    assert len(values) == BLOCKS
    assert math.isclose(block_sigma(config, "king_ru_fixed14"), math.sqrt(square), rel_tol=1e-12)


def test_more_blocks_or_other_company_in_the_file_change_nothing() -> None:
    sigma = block_sigma(run_file(), "king_ru_fixed14")
    assert sigma == block_sigma(run_file(blocks=10**6, record=["games"]), "king_ru_fixed14")
    assert sigma != block_sigma(run_file(seed=6), "king_ru_fixed14")


def test_blocks_that_are_all_alike_differ_by_nothing() -> None:
    config = run_file(
        entrants=[{"strategy": "duck.v1"}, {"strategy": "duck.v1", "name": "the other"}]
    )
    assert block_sigma(config, "king_ru_fixed14") == 0.0


def test_its_deals_are_none_that_a_run_may_play() -> None:
    most = RunConfig.model_fields["blocks"].metadata
    assert any(getattr(limit, "le", None) == FIRST_BLOCK for limit in most)
    config = run_file()
    player = TablePlayer(config, "king_ru_fixed14", StopFlag())
    first = player.play(np.arange(8, dtype=np.uint64), np.zeros(8, np.int64))
    assert first is not None
    beyond = next(pilot_games(config, "king_ru_fixed14", 8))
    assert not np.array_equal(first.records.deals.points[:14], beyond.records.deals.points[:14])
