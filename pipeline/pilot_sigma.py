"""How much a claim's blocks differ, before any of them is played: a little play that never counts.

The deals are those of blocks from 2^40 on, which no run reaches, so what is planned from them
tells nothing of what will come out. The same run file gives the same number anywhere.
"""

import math
from fractions import Fraction

import numpy as np

from engine_ext.batch import StopFlag
from engine_ext.seeds import run_key
from pipeline.config import RunConfig
from pipeline.figures import difference, of_claim, unit
from pipeline.plan import Shard
from pipeline.play import TablePlayer, slices
from pipeline.seating import seat_orders, tables
from pipeline.stats.joint import of_blocks
from pipeline.tables import Games
from pipeline.totals import BlockTable, Totals

FIRST_BLOCK = 2**40
"""A run has fewer blocks."""
BLOCKS = 64
"""Blocks of a pilot: its sigma is within a sixth or so of the truth, 19 times in 20."""


def block_sigma(config: RunConfig, variant: str) -> float:
    """Standard deviation of a block's value of the claim, points a game; 0 if all are alike.

    With it the mean of B blocks has a standard error of sigma over the root of B.
    """
    player, values = pilot_player(config, variant), ClaimValues(config, variant)
    shard = Shard(0, variant, FIRST_BLOCK, BLOCKS, 0, player.block_games, whole=True)
    for games, _, _ in slices(player, shard):
        assert games is not None, "nobody sets this flag"
        values.add(games)
    return values.sigma()


def pilot_player(config: RunConfig, variant: str) -> TablePlayer:
    """Who plays the pilot's games."""
    # Given deals are those of the run; other deals of the same rules stand in for them.
    dealt = config.model_copy(update={"dealt": None})
    return TablePlayer(dealt, variant, StopFlag())


class ClaimValues:
    """What the blocks of a pilot say of the claim."""

    def __init__(self, config: RunConfig, variant: str) -> None:
        self._config = config
        self._seats = config.variant(variant).seats
        self._totals = Totals(self._seats, len(tables(config, self._seats)), FIRST_BLOCK, BLOCKS)

    def add(self, games: Games) -> None:
        """Take in some games of the pilot's blocks."""
        self._totals.add(games)

    def sigma(self) -> float:
        """The deviation of a block's value, when all games are there."""
        config = self._config
        blocks = np.arange(FIRST_BLOCK, FIRST_BLOCK + BLOCKS, dtype=np.uint64)
        orders = seat_orders(config, self._seats, run_key(config.seed), blocks)
        table = BlockTable(FIRST_BLOCK, orders, **self._totals.arrays())
        square = difference(of_blocks(*of_claim(config, table)), unit(config, self._seats))[1]
        return math.sqrt(float((square or Fraction(0)) * BLOCKS))
