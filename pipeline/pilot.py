"""How long a block takes: a little play that is thrown away, to size shards by."""

import time
from collections.abc import Callable

import numpy as np

from engine_ext.batch import StopFlag
from engine_ext.rules.numbers import VariantNumbers, without_points
from engine_ext.rules.resolve import resolve
from pipeline import digest
from pipeline.config import RunConfig
from pipeline.pace import SLICE_S, STUDY_S
from pipeline.plan import units_of_block
from pipeline.play import TablePlayer
from pipeline.studies.designs import STUDIES
from pipeline.studies.play import Blocks, play_units
from pipeline.studies.player import Player
from pipeline.studies.rows import Ints
from pipeline.summary import Summary

MOST_BLOCKS = 64
"""Blocks of a variant that are played at most."""
COLD_S = 5.0
"""Seconds beside which those that a first game needs for imports are nothing."""


def pilot(config: RunConfig) -> dict[str, float]:
    """Seconds of work in a block of each variant, files not counted.

    Games of the first blocks are played, twice as many each time, until it took a
    twentieth of a second; the last time counts, when everything is warm: not the first, unless it
    takes long. Variants that are told apart by points alone take as long as the first of them.
    """
    found: dict[VariantNumbers, float] = {}
    for variant in config.variants:
        alike = without_points(resolve(variant.rules))
        if alike not in found:
            found[alike] = _block_seconds(config, variant.name)
    return {v.name: found[without_points(resolve(v.rules))] for v in config.variants}


def _block_seconds(config: RunConfig, variant: str) -> float:
    block_games = units_of_block(config, config.variant(variant))
    study = config.design in STUDIES
    play = _study(config, variant) if study else _games(config, variant)
    most = min(config.blocks, MOST_BLOCKS) * block_games
    n, warm = 1, False
    while True:
        started = time.perf_counter()
        at = np.arange(n)
        play((at // block_games).astype(np.uint64), at % block_games)
        seconds = time.perf_counter() - started
        warm = warm or seconds > COLD_S
        if warm and (seconds > (STUDY_S if study else SLICE_S) or n == most):
            return seconds / n * block_games
        n, warm = min(2 * n, most) if warm else n, True


def _games(config: RunConfig, variant: str) -> Callable[[Blocks, Ints], None]:
    """What plays and counts games of a tournament."""
    player = TablePlayer(config, variant, StopFlag())

    def play(block: Blocks, game: Ints) -> None:
        games = player.play(block, game)
        assert games is not None, "nobody sets this flag"
        digest.game_hashes(games)
        Summary(player.rules.numbers, player.labels, player.settled).add_part(games)

    return play


def _study(config: RunConfig, variant: str) -> Callable[[Blocks, Ints], None]:
    """What plays units of a study."""
    player = Player(config, variant, StopFlag())

    def play(block: Blocks, unit: Ints) -> None:
        units = play_units(player, block, unit, player.numbers.seats)
        assert units is not None, "nobody sets this flag"

    return play
