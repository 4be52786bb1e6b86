"""From a run's config to tables, seatings and shards: pure, nothing is played.

A *table* is a line-up that stands in every block. Each block plays every table in
all n cyclic rotations on the same deals: seat s is held by member
``(s - rotation) mod n`` of the table's order. A *shard* is one worker's piece: whole
blocks of a variant, or some games of a single block where a block takes too long.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise, permutations
from math import factorial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field

from engine_ext.rules.facts import n_deals
from engine_ext.rules.resolve import resolve
from engine_ext.rules.spec import Frozen, Variant
from pipeline.config import ConfigError, RunConfig
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

_SCHEDULE = 2
"""Domain of the schedule's draws (docs/seeds.md)."""
_ORDERS = 1 << 40
"""Counter word c2 of the draws of seat orders: replicate 1, the rest 0."""

Table = tuple[int, ...]
"""Entrants by index around a table, in playing order."""


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


def tables(config: RunConfig, seats: int) -> list[Table]:
    """The tables of every block, of designs whose line-ups change those of the first cycle.

    What each block plays is drawn, see :func:`seat_orders`.
    """
    every = range(len(config.entrants))
    number = {entrant.label: i for i, entrant in enumerate(config.entrants)}
    if config.design in STUDIES:
        return [(one,) * seats for one in every]
    if config.design == "gauntlet":
        pairs = [(0, other) for other in every[1:]]
        if config.invasions == "both":
            pairs = [pair for a, b in pairs for pair in ((a, b), (b, a))]
        return [(a, *[b] * (seats - 1)) for a, b in pairs]
    if config.design == "mix":
        heads = config.heads or tuple(range(1, seats))
        return [(*[0] * h, *[other] * (seats - h)) for other in every[1:] for h in heads]
    if config.design == "table":
        return [tuple(range(seats))]
    if config.design == "round_robin":
        return [tuple(range(t * seats, (t + 1) * seats)) for t in range(len(every) // seats)]
    if config.design == "candidates":
        field = tuple(number[label] for label in config.field)
        around = field * (seats - 1) if len(field) == 1 else field
        return [(one, *around) for one in (field[0], *candidates(config))]
    if config.design == "full":
        return [(0, *rest) for rest in permutations(range(1, seats))]
    return [tuple(number[label] for label in lineup) for lineup in config.lineups]


def candidates(config: RunConfig) -> tuple[int, ...]:
    """Design ``candidates``: the entrants that are not in the field, in order; the one at i
    leads table i + 1, table 0 is the field alone (the datum)."""
    return tuple(i for i, one in enumerate(config.entrants) if one.label not in config.field)


def changes_company(config: RunConfig) -> bool:
    """Whether it differs from block to block who sits at which table."""
    return config.design == "round_robin"


def rotations(config: RunConfig, seats: int) -> int:
    """Games that a block plays at each table."""
    return 1 if config.rotations == "one" else seats


def games_of_block(config: RunConfig, seats: int) -> int:
    """Games that one block plays: tables times rotations."""
    return len(tables(config, seats)) * rotations(config, seats)


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


def seat_orders(
    config: RunConfig, seats: int, key: tuple[int, int], blocks: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint8]:
    """Entrant index by block, table and place in the order: (blocks, tables, seats)."""
    if config.design != "table" or seats < 3:
        orders = np.array(tables(config, seats), np.uint8)
        return np.broadcast_to(orders, (len(blocks), *orders.shape))
    draw = _cycled_order if seats <= 4 else _drawn_order
    return np.array([[draw(key, seats, int(block))] for block in blocks], np.uint8)


def _cycled_order(key: tuple[int, int], seats: int, block: int) -> Table:
    """All circular orders, in a new random sequence for each cycle of blocks."""
    cycle, step = divmod(block, factorial(seats - 1))
    return _cycle(key, seats, cycle)[step]


@lru_cache(maxsize=64)
def _cycle(key: tuple[int, int], seats: int, cycle: int) -> list[Table]:
    orders = [(0, *rest) for rest in permutations(range(1, seats))]
    return [orders[i] for i in shuffled(key, cycle, len(orders))]


def _drawn_order(key: tuple[int, int], seats: int, block: int) -> Table:
    """A circular order at random; exact balance would take too many blocks."""
    return (0, *(1 + i for i in shuffled(key, block, seats - 1)))


def shuffled(key: tuple[int, int], c1: int, n: int) -> list[int]:
    """0..n-1 in an order drawn from the schedule's stream at position ``c1``.

    For i = 0, 1, ... the element at i is exchanged with the one at i + j, j drawn
    uniformly from 0..n-i-1 by multiply and reject, one 64-bit word a try.
    """
    words = _words(key, c1)
    items = list(range(n))
    for i in range(n - 1):
        choices = n - i
        high, low = divmod(next(words) * choices, 2**64)
        while low < 2**64 % choices:
            high, low = divmod(next(words) * choices, 2**64)
        items[i], items[i + high] = items[i + high], items[i]
    return items


def _words(key: tuple[int, int], c1: int) -> Iterator[int]:
    counter = np.array([0, c1, _ORDERS, _SCHEDULE], np.uint64)
    cipher = np.random.Philox(key=np.array(key, np.uint64), counter=counter)
    while True:
        yield int(cipher.random_raw())


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
            found[variant.name] = Bounds(blocks=max(1, int(fit)), parts=1)
    number = sum(-(-config.blocks // bounds.blocks) * bounds.parts for bounds in found.values())
    if number > MOST_SHARDS:
        most = config.blocks * MOST_SHARDS // number
        raise ConfigError(
            f"blocks: {config.blocks} make about {whole_s / 86400:,.0f} days of work here "
            f"(want at most about {most} in a run)"
        )
    return found


def shards(config: RunConfig, bounds: dict[str, Bounds]) -> list[Shard]:
    """Every shard of the run, variant by variant, blocks in order."""
    found: list[Shard] = []
    for variant in config.variants:
        games = units_of_block(config, variant.rules)
        blocks, parts = bounds[variant.name].blocks, bounds[variant.name].parts
        edges = [games * part // parts for part in range(parts + 1)]
        for first in range(0, config.blocks, blocks):
            for start, end in pairwise(edges):
                n_blocks = min(blocks, config.blocks - first)
                found.append(
                    Shard(len(found), variant.name, first, n_blocks, start, end - start, parts == 1)
                )
    return found
