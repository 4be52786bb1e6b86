"""What a run can tell, and what it costs, before it is played: from a pilot that never counts."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from engine_ext.batch import StopFlag
from pipeline import stopping
from pipeline.config import RunConfig
from pipeline.course import has_claim
from pipeline.landing import Landing, Task, file_metadata
from pipeline.pilot_sigma import BLOCKS, FIRST_BLOCK, ClaimValues, pilot_player
from pipeline.plan import Shard, units_of_block
from pipeline.play import TablePlayer, slices
from pipeline.stats.anytime import factor
from pipeline.stats.estimate import t_quantile
from pipeline.stats.power import anytime_blocks, sprt_blocks, t_blocks
from pipeline.store import parquet
from pipeline.tables import Games

FEW = 4
"""Blocks of the pilot where only files are measured: half of them, and twice as many."""
MOST_GAMES = 2_000
"""Games of a file that is measured, about: a block may have many."""


class Wanted(NamedTuple):
    """What is asked of a plan."""

    difference: float | None = None
    """Points a game that shall be found."""
    power: float = 0.9
    """Probability to find it."""
    sigma: float | None = None
    """Standard deviation of a block's value, if it is known."""


class Prospect(NamedTuple):
    """What a variant's blocks can tell; points a game. None where nothing is claimed."""

    sigma: float | None
    """Standard deviation of a block's value of the claim."""
    half_width: float | None
    """Of the claim's interval after the planned blocks: t on blocks."""
    anytime_half_width: float | None
    """Of the one that holds whenever one looks."""
    difference: float | None
    """What shall be found: as asked for, else ``delta1`` of a test in points."""
    fixed_blocks: int | None
    """Blocks, said before, that find it with the power asked for."""
    anytime_blocks: int | None
    """Blocks until the interval that holds whenever one looks excludes 0, if that is the truth;
    about the mean."""
    rule_blocks: dict[str, float]
    """Mean blocks until the run's rule decides, by what the truth is."""
    bytes: dict[str, int]
    """On disk, by table, if all planned blocks are played."""


def prospect(config: RunConfig, variant: str, shards: int, wanted: Wanted) -> Prospect:
    """Of one variant of a tournament that is cut into so many shards."""
    values = ClaimValues(config, variant) if _wants_pilot(config, variant, wanted) else None
    sizes = _Sizes(config, variant, BLOCKS // 2 if values else FEW // 2)
    player = pilot_player(config, variant)
    for first, n in sizes.pieces(BLOCKS if values else 0):
        for games, whole, ends in _played(player, first, n):
            sizes.add(first, games, whole, ends)
            if values:
                values.add(games)
    sigma = values.sigma() if values else wanted.sigma
    seats = config.variant(variant).seats
    told = _told(config, sigma, wanted) if sigma and has_claim(config, seats) else _NOTHING
    return told._replace(
        sigma=sigma if has_claim(config, seats) else None, bytes=sizes.of(config.blocks, shards)
    )


_NOTHING = Prospect(None, None, None, None, None, None, {}, {})


def _wants_pilot(config: RunConfig, variant: str, wanted: Wanted) -> bool:
    return wanted.sigma is None and has_claim(config, config.variant(variant).seats)


def _told(config: RunConfig, sigma: float, wanted: Wanted) -> Prospect:
    """What follows from how much blocks differ."""
    alpha, stop, blocks = stopping.share(config), config.stop, config.blocks
    half = anytime = None
    if blocks > 1:
        se = sigma / math.sqrt(blocks)
        half = se * t_quantile(blocks - 1, 1 - alpha)
        anytime = se * factor(blocks, stopping.planned(config), alpha)
    find = wanted.difference
    if find is None and stop is not None and stop.rule == "sprt" and stop.unit == "points":
        find = stop.delta1
    rule: dict[str, float] = {}
    if stop is not None and stop.rule == "sprt":
        at = sprt_blocks(stopping.test_of(stop, alpha), sigma, stop.look)
        rule = {"delta0": at.at0, "middle": at.middle, "delta1": at.at1}
    elif stop is not None and stop.width is not None:
        rule = {"width": _anytime(config, stop.width, sigma, alpha)}
    elif stop is not None and find:
        rule = {"difference": _anytime(config, find, sigma, alpha)}
    return Prospect(
        sigma,
        half,
        None if anytime is None or math.isinf(anytime) else anytime,
        find,
        t_blocks(find, sigma, wanted.power, 1 - alpha) if find else None,
        _anytime(config, find, sigma, alpha) if find else None,
        rule,
        {},
    )


def _anytime(config: RunConfig, half: float, sigma: float, alpha: float) -> int:
    planned = stopping.planned(config)
    return anytime_blocks(abs(half), sigma, planned, confidence=1 - alpha)


def _played(player: TablePlayer, first: int, blocks: int) -> Iterator[tuple[Games, bool, bool]]:
    shard = Shard(0, player.variant, first, blocks, 0, player.block_games, whole=True)
    for games, whole, ends in slices(player, shard):
        assert games is not None, "nobody sets this flag"
        yield games, whole, ends


class _Sizes:
    """Measures a shard's files of some blocks and of twice as many: what grows, and what not."""

    def __init__(self, config: RunConfig, variant: str, blocks: int) -> None:
        each = units_of_block(config, config.variant(variant))
        self._half = max(1, min(blocks, MOST_GAMES // each))
        self._config = config
        # Of so few blocks a sample is too small to be measured: all are, and a share is taken.
        if config.sample is not None:
            whole = config.sample.model_copy(update={"share": 1.0})
            config = config.model_copy(update={"sample": whole})
        player = TablePlayer(config, variant, StopFlag())
        self._files = []
        for n in (self._half, 2 * self._half):
            shard = Shard(0, variant, FIRST_BLOCK, n, 0, each, whole=True)
            seats = max(v.rules.seats for v in config.variants)
            task = Task("", "", "", "", seats, shard)
            landing = Landing(task, config, player.rules.numbers, player.labels, player.tables)
            self._files.append((n, landing))

    def pieces(self, blocks: int) -> Iterator[tuple[int, int]]:
        """First block and number of the pieces to be played, ``blocks`` in all if not more."""
        half = self._half
        yield FIRST_BLOCK, half
        yield FIRST_BLOCK + half, half
        if blocks > 2 * half:
            yield FIRST_BLOCK + 2 * half, blocks - 2 * half

    def add(self, first: int, games: Games, whole: bool, ends: bool) -> None:
        """Take in games of the piece that begins at ``first``."""
        for n, landing in self._files:
            if first < FIRST_BLOCK + n:
                landing.add(games)
                landing.add_to_summary(games, whole, ends)

    def of(self, blocks: int, shards: int) -> dict[str, int]:
        """Bytes by table of so many blocks in so many shards."""
        one, two = (
            {
                name: len(parquet(frame, file_metadata("", "0" * 64)))
                for name, frame in landing.frames()
                if len(frame)  # else there is no file
            }
            for _, landing in self._files
        )
        found = {}
        for table, size in two.items():
            small = one.get(table, 0)
            grows = max(0, size - small) / self._half
            sample = self._config.sample
            share = sample.share if sample and table in sample.tables else 1.0
            found[table] = round(shards * max(0, 2 * small - size) + share * blocks * grows)
        return found
