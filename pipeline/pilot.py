"""How long a block takes: a little play that is thrown away, to size shards by."""

import time

import numpy as np

from engine_ext.batch import StopFlag
from pipeline import digest
from pipeline.config import RunConfig
from pipeline.play import SLICE_S, TablePlayer
from pipeline.summary import Summary

MOST_BLOCKS = 64
"""Blocks of a variant that are played at most."""


def pilot(config: RunConfig) -> dict[str, float]:
    """Seconds of work in a block of each variant, files not counted.

    Games of the first blocks are played, twice as many each time, until it took a
    twentieth of a second; the last time counts, when everything is warm.
    """
    return {variant.name: _block_seconds(config, variant.name) for variant in config.variants}


def _block_seconds(config: RunConfig, variant: str) -> float:
    player = TablePlayer(config, variant, StopFlag())
    most = min(config.blocks, MOST_BLOCKS) * player.block_games
    n = 1
    while True:
        started = time.perf_counter()
        at = np.arange(n)
        games = player.play((at // player.block_games).astype(np.uint64), at % player.block_games)
        assert games is not None, "nobody sets this flag"
        digest.game_hashes(games)
        Summary(player.rules.numbers, player.labels, player.tables).add_part(games)
        seconds = time.perf_counter() - started
        if seconds > SLICE_S or n == most:
            return seconds / n * player.block_games
        n = min(2 * n, most)
