"""Which blocks, and which of their deals, moved the claim: exact, from totals and from deals."""

import heapq
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.figures import claimed, of_claim, unit
from pipeline.totals import BlockTable
from pipeline.watermark import block_tables
from reports.reading import Reading
from reports.recorded import lacks

MOST = 10
"""Blocks that are told."""
Ints = npt.NDArray[np.int64]


class Block(NamedTuple):
    """One block."""

    number: int
    part: Fraction
    """What it adds to the claim's figure, inside points; over all blocks these are the figure."""
    seated: BlockTable
    """It alone."""


class Decisive(NamedTuple):
    """The blocks that count most."""

    blocks: int
    """How many there are in all."""
    value: Fraction
    """The claim's figure: points a game in the entrant's favour, inside points."""
    weights: tuple[Fraction, ...]
    """What a point of each of the claim's one or two entrants adds to it."""
    most: tuple[Block, ...]
    """By the size of their part; equals by number."""


class Played(NamedTuple):
    """A deal of a game."""

    block: int
    table: int
    rotation: int
    deal: int
    contract: str
    param: int
    declarer: int
    leader: int
    entrants: tuple[str, ...]
    """By seat."""
    points: tuple[int, ...]
    """By seat, before side bets, inside points."""
    side: tuple[int, ...]
    """Side bets by seat."""


def lacks_totals(run: Reading, variant: str) -> str | None:
    """Why nothing can be said of single blocks, or None."""
    why = lacks(run, variant, "totals")
    if why is None or "did not record" not in why:
        return why
    return "The run keeps no totals of its blocks: a version before them played it."


def decisive(run: Reading, variant: str) -> Decisive | None:
    """The blocks that moved the claim most; None where its entrants were not both counted."""
    point, whole = unit(run.config, run.rules(variant).seats), run.prefix(variant)
    k = 1 if claimed(run.config).against is None else 2
    n, x = [0] * k, [0] * k
    for table in _tables(run, variant, whole):
        counts, totals = of_claim(run.config, table)
        for i in range(k):
            n[i] += int(counts[:, i].sum())
            x[i] += int(totals[:, i].sum())
    if not all(n):
        return None
    weights = tuple(way / (n[i] * point) for i, way in zip(range(k), (1, -1), strict=False))
    # A common factor makes whole numbers of all parts, so that they are compared exactly.
    common = point.numerator * math.prod(n)
    factors = [int(weight * common) for weight in weights]
    found: list[tuple[int, Block]] = []
    for table in _tables(run, variant, whole):
        totals = of_claim(run.config, table)[1].tolist()
        parts = [sum(f * v for f, v in zip(factors, row, strict=True)) for row in totals]
        most = heapq.nlargest(MOST, range(len(table)), key=lambda i: (abs(parts[i]), -i))
        found += [
            (
                abs(parts[i]),
                Block(table.first_block + i, Fraction(parts[i], common), _only(table, i)),
            )
            for i in most
        ]
        found = heapq.nsmallest(MOST, found, key=lambda one: (-one[0], one[1].number))
    value = sum((w * total for w, total in zip(weights, x, strict=True)), Fraction(0))
    return Decisive(whole, value, weights, tuple(block for _, block in found))


def _tables(run: Reading, variant: str, blocks: int) -> Iterator[BlockTable]:
    source = run.source
    return block_tables(source, source.planned(), variant, 0, blocks)


def _only(table: BlockTable, i: int) -> BlockTable:
    return table.part(table.first_block + i, table.first_block + i + 1)


def deals_of(run: Reading, variant: str, blocks: list[int]) -> list[Played]:
    """Every deal of these blocks, in order."""
    seats = run.rules(variant).seats
    columns = ", ".join(
        f"{name}_{s}"
        for name, of in (("g.entrant", 0), ("d.points", 1), ("d.side", 2))
        for s in range(seats)
    )
    rows = run.catalog.rows(
        f"""SELECT block, "table", rotation, deal, contract, param, declarer, leader, {columns}
        FROM deals d JOIN games g USING (variant, block, "table", rotation)
        WHERE variant = $variant AND block IN ({", ".join(map(str, blocks))})
        ORDER BY block, "table", rotation, deal""",
        {"variant": variant},
    )
    found = []
    for block, table, rotation, deal, contract, param, declarer, leader, *by_seat in rows:
        names, points, side = (tuple(by_seat[i * seats : (i + 1) * seats]) for i in range(3))
        place = (block, table, rotation, deal)
        found.append(Played(*place, contract, param, declarer, leader, names, points, side))
    return found


def parts_of_deals(
    run: Reading, found: Decisive, block: Block, played: list[Played]
) -> list[Fraction]:
    """What each deal of a block adds to the claim's figure, by number, inside points.

    A deal counts as the block does: its sums over the block's games take the place of the
    games' own, so that all deals of a block add up to its part.
    """
    seats, number = block.seated.entrant.shape[2], 1 + max(one.deal for one in played)
    x = np.zeros((number, *block.seated.n.shape[1:]), np.int64)
    for one in played:
        total = sum(one.points) + sum(one.side)
        for seat in range(seats):
            own = one.points[seat] + one.side[seat]
            x[one.deal, one.table, (seat - one.rotation) % seats] += seats * own - total
    nothing = np.zeros_like(x)
    entrant = np.repeat(block.seated.entrant, number, axis=0)
    n = np.repeat(block.seated.n, number, axis=0)
    _, totals = of_claim(run.config, BlockTable(0, entrant, n, x, nothing, nothing, nothing))
    return [
        sum((w * int(t) for w, t in zip(found.weights, row, strict=True)), Fraction(0))
        for row in totals
    ]
