"""Which blocks keep their rows where a run keeps those of a share of its blocks: ``[sample]``.

Drawn by the run key for each block alone (domain 6 of docs/seeds.md), so it is the same blocks
whatever the executor, the shards and the other variants; more with a larger share. What an audit
plays again is drawn otherwise (:mod:`pipeline.sample`).
"""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import polars as pl

from engine_ext.rules.resolve import VariantNumbers
from engine_ext.seeds import run_key
from pipeline.config import RunConfig
from pipeline.plan import Shard
from pipeline.plays import Plays
from pipeline.rows import Hashes, Rows
from pipeline.tables import Games, some

_DOMAIN = 6
"""Counter word c3."""
_A_BLOCK = 4
"""Words that one value of the counter gives."""


def drawn(key: tuple[int, int], share: float, first: int, n: int) -> npt.NDArray[np.bool_]:
    """Which of the blocks ``first`` to ``first + n - 1`` are in the sample, (n,).

    Block b is, if word b of the stream is below ``share`` times 2^64.
    """
    before = first % _A_BLOCK
    counter = np.array([first // _A_BLOCK, 0, 0, _DOMAIN], np.uint64)
    cipher = np.random.Philox(key=np.array(key, np.uint64), counter=counter)
    words = cipher.random_raw(before + n)[before:]
    # The last word that is in: 2^64 itself, of a share of 1, is no word.
    last = int(Fraction(share) * 2**64) - 1
    found: npt.NDArray[np.bool_] = words <= np.uint64(last)
    return found


def drawn_of(config: RunConfig, first: int, n: int) -> npt.NDArray[np.bool_]:
    """The same of a run; none where it has no sample."""
    if config.sample is None:
        return np.zeros(n, np.bool_)
    return drawn(run_key(config.seed), config.sample.share, first, n)


class SampleRows:
    """What a shard keeps of its sampled blocks, and the plays of all blocks if they are kept."""

    def __init__(
        self, config: RunConfig, shard: Shard, rules: VariantNumbers, labels: tuple[str, ...]
    ) -> None:
        self._first = shard.first_block
        self._in = drawn_of(config, shard.first_block, shard.n_blocks)
        self._rows = Rows(shard.variant, rules, labels, config.sampled)
        self._all_plays = "plays" in config.recorded
        self._plays = Plays(shard.variant, rules) if config.logs_moves else None

    def add(self, games: Games, hashes: Hashes) -> None:
        """Add a slice; ``hashes`` is V32."""
        if self._plays is not None and self._all_plays:
            self._plays.add(games)
        wanted = self._in[games.block.astype(np.int64) - self._first]
        if not wanted.any():
            return
        kept = games if wanted.all() else some(games, wanted)
        self._rows.add(kept, hashes[wanted])
        if self._plays is not None and not self._all_plays:
            self._plays.add(kept)

    def frames(self, seats: int) -> Iterator[tuple[str, pl.DataFrame]]:
        """The tables by name, as from :meth:`pipeline.rows.Rows.frames`."""
        yield from self._rows.frames(seats)
        if self._plays is not None:
            yield "plays", self._plays.frame(seats)

    def release(self) -> None:
        """Leave the memory to the next shard."""
        self._rows.release()
