"""How much a claim's blocks differ, before any of them is played: a little play that never counts.

The deals are those of blocks from 2^40 on, which no run reaches, so what is planned from them
tells nothing of what will come out. The same run file gives the same number anywhere.
"""

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

from engine_ext.batch import StopFlag
from engine_ext.seeds import run_key
from pipeline.config import RunConfig
from pipeline.figures import difference, of_claim
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
    return sigma_of(config, variant, pilot_games(config, variant))


def pilot_games(config: RunConfig, variant: str, blocks: int = BLOCKS) -> Iterator[Games]:
    """The games of the pilot's blocks, slice by slice."""
    # Given deals are those of the run; other deals of the same rules stand in for them.
    dealt = config.model_copy(update={"deals": None, "dealt": None})
    player = TablePlayer(dealt, variant, StopFlag())
    shard = Shard(0, variant, FIRST_BLOCK, blocks, 0, player.block_games, whole=True)
    for games, _, _ in slices(player, shard):
        assert games is not None, "nobody sets this flag"
        yield games


def sigma_of(config: RunConfig, variant: str, pilot: Iterable[Games]) -> float:
    """The deviation of a block's value in the games of a whole pilot."""
    seats = config.variant(variant).seats
    totals = Totals(seats, len(tables(config, seats)), FIRST_BLOCK, BLOCKS)
    for games in pilot:
        totals.add(games)
    blocks = np.arange(FIRST_BLOCK, FIRST_BLOCK + BLOCKS, dtype=np.uint64)
    orders = seat_orders(config, seats, run_key(config.seed), blocks)
    table = BlockTable(FIRST_BLOCK, orders, **totals.arrays())
    square = difference(of_blocks(*of_claim(config, table)), seats)[1]
    return math.sqrt(float((square or Fraction(0)) * BLOCKS))
