"""Who sits where in every block: pure functions of a run's config and key.

A *table* is a line-up that stands in a block. A block plays each of its tables in all n
cyclic rotations on the same deals: seat s is held by member ``(s - rotation) mod n`` of the
table's order. Which order a block plays is drawn by the block's number alone
(docs/seeds.md), so that any block can be looked up, the thousand millionth too.
"""

import numpy as np
import numpy.typing as npt

from pipeline.config import EVENINGS, RunConfig
from pipeline.seating.draws import Key
from pipeline.seating.orders import Table, cycled_orders, neighbour_balanced
from pipeline.seating.patterns import candidate_seats, mixed
from pipeline.seating.rounds import rounds_of
from pipeline.studies.designs import STUDIES

__all__ = [
    "Table",
    "candidates",
    "changes_company",
    "games_of_block",
    "head_counts",
    "keeps_order",
    "rotations",
    "seat_orders",
    "settled_tables",
    "tables",
]

Blocks = npt.NDArray[np.uint64]
Seated = npt.NDArray[np.uint8]


def tables(config: RunConfig, seats: int) -> list[Table]:
    """The tables of every block; of designs that draw theirs, one way in which they may stand.

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
        return [
            (*[0] * heads, *[other] * (seats - heads))
            for other in every[1:]
            for heads in head_counts(config, seats)
        ]
    if config.design == "table":
        return [tuple(range(seats))]
    if config.design == "round_robin":
        return [tuple(range(t * seats, (t + 1) * seats)) for t in range(len(every) // seats)]
    if config.design == "candidates":
        field = tuple(number[label] for label in config.field)
        around = field * (seats - 1) if len(field) == 1 else field
        return [(one, *around) for one in (field[0], *candidates(config))]
    if config.design == "full":
        return list(neighbour_balanced(seats))
    if config.design == EVENINGS:
        return [tuple(number[label] for label in game) for game in config.evenings[0].games]
    return [tuple(number[label] for label in lineup) for lineup in config.lineups]


def head_counts(config: RunConfig, seats: int) -> tuple[int, ...]:
    """Design ``mix``: seats of the first entrant, a table each against every other one."""
    return config.heads or tuple(range(1, seats))


def candidates(config: RunConfig) -> tuple[int, ...]:
    """Design ``candidates``: the entrants that are not in the field, in order; the one at i
    leads table i + 1, table 0 is the field alone (the datum)."""
    return tuple(i for i, one in enumerate(config.entrants) if one.label not in config.field)


def changes_company(config: RunConfig) -> bool:
    """Whether it differs from block to block who sits at which table, by a plan in which all
    meet all (design ``round_robin``)."""
    return config.design == "round_robin"


def settled_tables(config: RunConfig, seats: int) -> list[Table]:
    """The tables, where the same entrants sit at each in every block; else none."""
    mixed_up = changes_company(config) or config.design == EVENINGS
    return [] if mixed_up else tables(config, seats)


def keeps_order(config: RunConfig) -> bool:
    """Whether every block plays its tables in the order in which :func:`tables` lists them."""
    drawn = config.design in ("table", "round_robin", "mix", EVENINGS)
    return not drawn and config.rotations != "one"


def rotations(config: RunConfig, seats: int) -> int:
    """Games that a block plays at each table."""
    return 1 if config.rotations == "one" or config.design == EVENINGS else seats


def games_of_block(config: RunConfig, seats: int) -> int:
    """Games that one block plays: tables times rotations."""
    return len(tables(config, seats)) * rotations(config, seats)


def seat_orders(config: RunConfig, seats: int, key: Key, blocks: Blocks) -> Seated:
    """Entrant index by block, table and place in the order: (blocks, tables, seats).

    Where a table plays one rotation only, the order is that of the seats.
    """
    if config.design == "table":
        return cycled_orders(key, seats, blocks)
    if config.design == "round_robin":
        return rounds_of(key, len(config.entrants), seats, blocks)
    if config.design == EVENINGS:
        return _sat(config, blocks)
    standing = np.array(tables(config, seats), np.uint8)
    if config.design == "mix":
        return _mixed_orders(config, seats, key, blocks)
    if config.rotations == "one":
        place = np.arange(seats) - candidate_seats(key, seats, blocks)[:, None]
        return standing[:, place % seats].swapaxes(0, 1)
    return np.broadcast_to(standing, (len(blocks), *standing.shape))


def _sat(config: RunConfig, blocks: Blocks) -> Seated:
    """Who sat there; an evening with fewer games than the longest has its first again, which
    nobody counts."""
    number = {entrant.label: i for i, entrant in enumerate(config.entrants)}
    most = len(config.evenings[0].games)
    found = []
    for block in blocks.tolist():
        games = config.evenings[block].games
        whole = (*games, *games[:1] * (most - len(games)))
        found.append([[number[label] for label in game] for game in whole])
    return np.array(found, np.uint8)


def _mixed_orders(config: RunConfig, seats: int, key: Key, blocks: Blocks) -> Seated:
    """The same placements against every other entrant."""
    firsts = [mixed(key, seats, heads, blocks) for heads in head_counts(config, seats)]
    first = np.stack(firsts, axis=1)[:, None]  # (blocks, 1, heads, seats)
    others = np.arange(1, len(config.entrants), dtype=np.uint8)[:, None, None]
    return np.where(first, np.uint8(0), others).reshape(len(blocks), -1, seats)
