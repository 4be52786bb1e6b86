"""From a run's config to shards: pure, nothing is played.

A *shard* is one worker's piece: whole blocks of a variant, or some games of a single block
where a block takes too long. Who sits where in them: :mod:`pipeline.seating`.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field

from engine_ext.rules.facts import n_deals
from engine_ext.rules.resolve import resolve
from engine_ext.rules.spec import Frozen, Variant
from pipeline.config import EVENINGS, ConfigError, RunConfig
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
MANY = 200_000
"""Shards of a long run, about: in a longer one they get longer instead, up to ``LONG_S``, since
each costs the driver and the store the same however much is in it (docs/scale.md)."""
LONG_S = 60.0
"""Seconds of work in a shard at most, however long the run: lost where a node is lost."""
MOST_SHARDS = 1_000_000
"""Of a run: two years of a processor."""
MAX_DEALS = 500_000
"""Rows of ``deals`` in a shard, however fast it is played; bounds memory and files."""
MOST_DEALS = 100_000_000
"""Deals in a shard of which no rows are kept; its sums fit their columns by far."""

MOST_PLAYED = 100_000
"""Games of a run that keeps the moves of all of them: 45 bytes a deal."""


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

    Raises ``ConfigError`` where a run is too long to be listed, or to keep the moves of all games.
    """
    _check_plays(config)
    whole_s = config.blocks * sum(block_s.values())
    target_s = min(LONG_S, max(TARGET_S, whole_s / MANY), max(LEAST_S, whole_s / FEW))
    most_deals = _most_deals(config)
    found = {}
    for variant in config.variants:
        seconds = max(block_s[variant.name], 1e-9)
        games = units_of_block(config, variant.rules)
        if seconds > max(LONGEST_S, target_s) and games > 1:
            parts = round(seconds / max(TARGET_S, target_s))
            found[variant.name] = Bounds(blocks=1, parts=min(games, parts))
        else:
            deals = games * deals_of_unit(config, variant.rules)
            fit = min(target_s / seconds, most_deals / deals)
            found[variant.name] = Bounds(blocks=_fitting(config, max(1, int(fit))), parts=1)
    number = len(Plan(config, found))
    if number > MOST_SHARDS:
        most = config.blocks * MOST_SHARDS // number
        raise ConfigError(
            f"blocks: {config.blocks} make about {whole_s / 86400:,.0f} days of work here "
            f"(want at most about {most} in a run)"
        )
    return found


def _check_plays(config: RunConfig) -> None:
    """Moves of all blocks are kept of small runs only."""
    games = config.blocks * sum(units_of_block(config, v.rules) for v in config.variants)
    if "plays" in config.recorded and games > MOST_PLAYED:
        raise ConfigError(
            f"record: 'plays' of {games} games (want at most {MOST_PLAYED}, or [sample] with "
            '"plays" among its tables)'
        )


def _most_deals(config: RunConfig) -> float:
    """Deals in a shard, by how many of their rows are kept."""
    if config.recorded or config.design in STUDIES:
        return MAX_DEALS
    return min(MOST_DEALS, MAX_DEALS / config.sample.share) if config.sample else MOST_DEALS


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
"""By variant and table, from which block on it is no longer played (rule ``race``); in
``evenings`` which block is the first of those that have fewer games."""
_NOTHING: Dropped = MappingProxyType({})


def not_played(config: RunConfig) -> dict[str, dict[int, int]]:
    """Games of the longest evening that later ones do not have, as a race's dropped tables; of
    other designs none."""
    if config.design != EVENINGS:
        return {}
    games = [len(evening.games) for evening in config.evenings]
    since = {k: sum(n > k for n in games) for k in range(1, games[0])}
    shorter = {k: block for k, block in since.items() if block < config.blocks}
    return {config.variants[0].name: shorter} if shorter else {}


class Stage(NamedTuple):
    """A stretch of a variant's blocks that all have the same games."""

    first_block: int
    games: int
    """Games of each block."""
    tables: tuple[int, ...] | None
    """As in :class:`Shard`."""


class Lane(NamedTuple):
    """The shards of a variant."""

    variant: str
    first: int
    """Number of its first shard."""
    bounds: Bounds
    blocks: int
    """Blocks of the run."""
    stages: tuple[Stage, ...]
    """By their first block, from 0 on."""

    @property
    def end(self) -> int:
        """Number beyond its last shard."""
        return self.numbers(0, self.blocks).stop

    def shard(self, number: int) -> Shard | None:
        """The shard of this number; None where a race left nothing to play of it."""
        start, part = divmod(number - self.first, self.bounds.parts)
        start *= self.bounds.blocks
        stage = next(one for one in reversed(self.stages) if one.first_block <= start)
        low, high = (stage.games * at // self.bounds.parts for at in (part, part + 1))
        if high == low:
            return None
        n_blocks = min(self.bounds.blocks, self.blocks - start)
        whole = self.bounds.parts == 1
        return Shard(number, self.variant, start, n_blocks, low, high - low, whole, stage.tables)

    def numbers(self, first: int, last: int) -> range:
        """Numbers of the shards of blocks ``first`` to ``last - 1``; ``first`` begins one."""
        starts = (-(-block // self.bounds.blocks) for block in (first, min(last, self.blocks)))
        return range(*(self.first + start * self.bounds.parts for start in starts))

    def between(self, first: int, last: int) -> Iterator[Shard]:
        """The same, those of them in which there is anything to play."""
        for number in self.numbers(first, last):
            shard = self.shard(number)
            if shard is not None:
                yield shard

    def until(self, last: int) -> tuple[int, int]:
        """Shards and games of blocks 0 to ``last - 1``, which end a shard."""
        each, n_shards, n_games = self.bounds.blocks, 0, 0
        ends = [stage.first_block for stage in self.stages[1:]] + [self.blocks]
        for stage, after in zip(self.stages, ends, strict=True):
            begin, end = (-(-min(at, last) // each) for at in (stage.first_block, after))
            n_shards += (end - begin) * min(self.bounds.parts, stage.games)
            n_games += (min(end * each, self.blocks) - min(begin * each, self.blocks)) * stage.games
        return n_shards, n_games


class Plan:
    """Every shard of a run, variant by variant, blocks in order.

    None is held, each is made when it is asked for: there may be a million. A shard's number
    tells its variant, blocks and part, whatever a race drops; one that has nothing left to play
    is not there.
    """

    def __init__(
        self, config: RunConfig, bounds: Mapping[str, Bounds], dropped: Dropped = _NOTHING
    ) -> None:
        self.lanes: dict[str, Lane] = {}
        """By variant."""
        first = 0
        for variant in config.variants:
            stages = _stages(config, variant.rules, dropped.get(variant.name, {}))
            lane = Lane(variant.name, first, bounds[variant.name], config.blocks, stages)
            self.lanes[variant.name] = lane
            first = lane.end
        self.numbers = first
        """Every shard's number is below this."""

    def __iter__(self) -> Iterator[Shard]:
        for lane in self.lanes.values():
            yield from lane.between(0, lane.blocks)

    def __len__(self) -> int:
        return sum(lane.until(lane.blocks)[0] for lane in self.lanes.values())

    def shard(self, number: int) -> Shard | None:
        """The shard of this number, None where there is none."""
        for lane in self.lanes.values():
            if lane.first <= number < lane.end:
                return lane.shard(number)
        return None

    def between(self, variant: str, first: int, last: int) -> Iterator[Shard]:
        """Those of a variant's blocks ``first`` to ``last - 1``; ``first`` begins a shard."""
        return self.lanes[variant].between(first, last)


def _stages(config: RunConfig, rules: Variant, since: Mapping[int, int]) -> tuple[Stage, ...]:
    """Where the games of a variant's blocks change, since a race drops tables."""
    found = [Stage(0, units_of_block(config, rules), None)]
    if since:
        n_tables, each = len(tables(config, rules.seats)), rotations(config, rules.seats)
        for block in sorted(set(since.values())):
            live = tuple(t for t in range(n_tables) if since.get(t, block + 1) > block)
            found.append(Stage(block, len(live) * each, live))
    return tuple(found)
