"""From a run's config to shards: pure, nothing is played.

A *shard* is one worker's piece: whole blocks of a variant, or some games of a single block
where a block takes too long. Who sits where in them: :mod:`pipeline.seating`.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field

from engine_ext.rules.facts import n_deals
from engine_ext.rules.resolve import resolve
from engine_ext.rules.spec import Frozen, Variant
from pipeline.config import ConfigError, RunConfig
from pipeline.seating import games_of_block, rotations, tables
from pipeline.studies.designs import STUDIES, n_steps, n_trials

TARGET_S = 2.0
"""Seconds of work in a shard: cheap to lose, dear enough not to be seen."""
LEAST_S = 0.2
"""The same in a run so short that there would be few shards."""
FEW = 16
"""Shards that a short run is cut into, if they do not get shorter than that."""
LONGEST_S = 5.0
"""A block that takes longer is cut into parts."""
MOST_SHARDS = 1_000_000
"""Of a run: a month of a processor. The list of them lies in memory."""
MAX_DEALS = 500_000
"""Rows of ``deals`` in a shard, however fast it is played; bounds memory and files."""


class Bounds(Frozen):
    """How a variant's blocks are cut; measured once, kept in the manifest."""

    blocks: int = Field(ge=1)
    """Blocks in a shard; 1 where ``parts`` is over 1."""
    parts: int = Field(ge=1)
    """Shards that one block is cut into; 1 for whole blocks."""


class Shard(NamedTuple):
    """A worker's piece of a run."""

    number: int
    """In the run; names its files."""
    variant: str
    first_block: int
    n_blocks: int
    first_game: int
    """First game of each block: table * rotations + rotation. 0 for whole blocks."""
    n_games: int
    """Games of each block."""
    whole: bool
    """False: a part of its only block."""
    tables: tuple[int, ...] | None = None
    """Tables that are still played, where a race has dropped some; games count through these.
    None: all."""

    def games(self, each: int) -> npt.NDArray[np.int64]:
        """Its games of a block, (n_games,): table * rotations + rotation, ``each`` rotations."""
        game = np.arange(self.first_game, self.first_game + self.n_games)
        if self.tables is None:
            return game
        return np.array(self.tables, np.int64)[game // each] * each + game % each


def units_of_block(config: RunConfig, rules: Variant) -> int:
    """Smallest pieces of work in one block: games, or a study's units, table by table."""
    if config.design in STUDIES:
        return len(config.entrants) * n_steps(config.design, resolve(rules))
    return games_of_block(config, rules.seats)


def deals_of_unit(config: RunConfig, rules: Variant) -> int:
    """Deals that one of them plays, about."""
    if config.design in STUDIES:
        return n_trials(config.design, resolve(rules), config.worlds)
    return n_deals(rules)


def cut(config: RunConfig, block_s: dict[str, float]) -> dict[str, Bounds]:
    """How to cut each variant's blocks, which take ``block_s`` seconds each.

    Raises ``ConfigError`` where a run is too long to be listed.
    """
    whole_s = config.blocks * sum(block_s.values())
    target_s = min(TARGET_S, max(LEAST_S, whole_s / FEW))
    found = {}
    for variant in config.variants:
        seconds = max(block_s[variant.name], 1e-9)
        games = units_of_block(config, variant.rules)
        if seconds > LONGEST_S and games > 1:
            found[variant.name] = Bounds(blocks=1, parts=min(games, round(seconds / TARGET_S)))
        else:
            fit = min(
                target_s / seconds, MAX_DEALS / (games * deals_of_unit(config, variant.rules))
            )
            found[variant.name] = Bounds(blocks=_fitting(config, max(1, int(fit))), parts=1)
    number = sum(-(-config.blocks // bounds.blocks) * bounds.parts for bounds in found.values())
    if number > MOST_SHARDS:
        most = config.blocks * MOST_SHARDS // number
        raise ConfigError(
            f"blocks: {config.blocks} make about {whole_s / 86400:,.0f} days of work here "
            f"(want at most about {most} in a run)"
        )
    return found


def _fitting(config: RunConfig, blocks: int) -> int:
    """The most blocks of a shard, up to ``blocks``, that leave no shard across a look."""
    if config.stop is None:
        return blocks
    look = config.stop.look
    return next(n for n in range(min(blocks, look), 0, -1) if look % n == 0)


def seen_at(config: RunConfig, look: int) -> int:
    """Blocks that the run's rule sees at its look number ``look``, from 0: whole looks, at the
    last all blocks. Without a rule there is one look, at the end."""
    if config.stop is None:
        return config.blocks
    return min(config.blocks, (look + 1) * config.stop.look)


Dropped = Mapping[str, Mapping[int, int]]
"""By variant and table, from which block on it is no longer played (rule ``race``)."""
_NOTHING: Dropped = MappingProxyType({})


def shards(
    config: RunConfig, bounds: dict[str, Bounds], dropped: Dropped = _NOTHING
) -> list[Shard]:
    """Every shard of the run, variant by variant, blocks in order."""
    return [
        shard
        for variant in config.variants
        for shard in shards_between(config, bounds, variant.name, 0, config.blocks, dropped)
    ]


def shards_between(
    config: RunConfig,
    bounds: dict[str, Bounds],
    variant: str,
    first: int,
    last: int,
    dropped: Dropped = _NOTHING,
) -> Iterator[Shard]:
    """Those of a variant's blocks ``first`` to ``last - 1``; ``first`` begins a shard.

    A shard's number tells its variant, blocks and part, whatever a race drops; one that has
    nothing left to play is not there.
    """
    before, rules = 0, config.variant(variant)
    for other in config.variants:
        if other.name == variant:
            break
        before += -(-config.blocks // bounds[other.name].blocks) * bounds[other.name].parts
    blocks, parts = bounds[variant].blocks, bounds[variant].parts
    since = dropped.get(variant, {})
    everything = units_of_block(config, rules)
    for start in range(first, last, blocks):
        n_blocks = min(blocks, config.blocks - start)
        games, live = everything, None
        if any(block <= start for block in since.values()):
            n_tables = len(tables(config, rules.seats))
            live = tuple(t for t in range(n_tables) if since.get(t, start + 1) > start)
            games = len(live) * rotations(config, rules.seats)
        edges = [games * part // parts for part in range(parts + 1)]
        for part, (low, high) in enumerate(pairwise(edges)):
            if high > low:
                number = before + start // blocks * parts + part
                yield Shard(number, variant, start, n_blocks, low, high - low, parts == 1, live)
