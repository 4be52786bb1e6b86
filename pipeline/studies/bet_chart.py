"""When to double: what it pays by strength of the hand, and a chart that a player can learn.

The chart says, contract by contract and early or late: double with the best so many tenths
of the hands. Its worth is measured on blocks that had no say in it.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.stats.estimate import Estimate, Sums, proportion, ratio
from pipeline.studies.bets import ALWAYS
from pipeline.studies.cells import Ints, sums_of
from pipeline.studies.chances import SCALE, Chances

Cell = tuple[str, str]
"""Contract and stage."""
Mask = npt.NDArray[np.bool_]
Charted = dict[Cell, int]
"""How many of the strongest bins double."""


class Strength(NamedTuple):
    """What a double pays with hands of one strength."""

    contract: str
    stage: str
    bin: int
    pays: Estimate


class Advice(NamedTuple):
    """A line of the chart."""

    contract: str
    stage: str
    best: int
    """Of the bins of strength, the best so many double."""
    of: int
    pays: Estimate | None
    """What such a double pays, by charts of the other half of the blocks: on those that made the
    chart luck would look like advice. None where none is advised, or none was tried."""


class Way(NamedTuple):
    """A way to double the declarer, a chance on average."""

    name: str
    gain: Estimate
    share: Estimate
    """How often it doubles."""
    more: Estimate | None
    """``gain`` less that of the entrant's own doubles, on the same deals."""


OWN, EACH, CHART, WORLDS, COUNTS = "own", "always", "chart", "worlds", "counts"
"""Ways: the entrant's own doubles; every one; the chart's; those that pay by half of the worlds
of a hand; those that counts of a hand advise."""


def summed(found: Chances, x: Ints, mask: Mask | None = None, n: Ints | None = None) -> Sums:
    """Sums over blocks of ``x`` over the chances of a mask."""
    count = np.ones(len(x), np.int64) if n is None else n
    use = np.ones(len(x), bool) if mask is None else mask
    blocks = int(found.block.max()) + 1
    many, much = np.zeros(blocks, np.int64), np.zeros(blocks, np.int64)
    np.add.at(many, found.block[use], count[use])
    np.add.at(much, found.block[use], x[use])
    return sums_of(many, much)


def judged(found: Chances, doubles: Sequence[Mask]) -> tuple[Ints, Ints]:
    """What the chances pay together, and how many of the two are doubled, the halves judging
    in turn: ``doubles[h]`` says where half h doubles, the other half says what it pays."""
    x = sum(np.where(doubles[h], found.worth[1 - h], 0) for h in (0, 1))
    return np.asarray(x), np.asarray(doubles[0].astype(np.int64) + doubles[1])


def cells_of(found: Chances) -> Iterator[tuple[Cell, Mask]]:
    """Each contract and stage that occurs, and each contract whatever the stage."""
    contracts, stages = np.array(found.contract), np.array(found.stage)
    for contract in sorted(set(found.contract)):
        mine = contracts == contract
        for name in sorted(set(found.stage)):
            if (mine & (stages == name)).any():
                yield (contract, name), mine & (stages == name)
        if len(set(found.stage)) > 1:
            yield (contract, ALWAYS), mine


def by_strength(found: Chances) -> list[Strength]:
    """What a double pays in each contract, stage and bin of strength."""
    out = []
    for (contract, name), mask in cells_of(found):
        for k in range(found.n_bins):
            x, n = judged(found, [mask & (found.bin[h] == k) for h in (0, 1)])
            sums = summed(found, x, n=n)
            if sums.n:
                out.append(Strength(contract, name, k, ratio(sums, Fraction(1, SCALE))))
    return out


def best_bins(found: Chances, use: Mask | None = None) -> Charted:
    """For each cell how many of the strongest bins, taken from the top, gain most together."""
    chart = {}
    for cell, mask in cells_of(found):
        chosen = mask if use is None else mask & use
        totals = [
            sum(int(found.worth[1 - h][chosen & (found.bin[h] == k)].sum()) for h in (0, 1))
            for k in reversed(range(found.n_bins))
        ]
        running = np.cumsum([0, *totals])
        chart[cell] = int(np.argmax(running))
    return chart


def charted(found: Chances) -> list[Advice]:
    """The chart, with what doubles like those that it advises pay."""
    chart, out = best_bins(found), []
    for cell, doubles in crossed(found).items():
        x, n = judged(found, doubles)
        told = bool(chart[cell] and n.any())
        pays = ratio(summed(found, x, n=n), Fraction(1, SCALE)) if told else None
        out.append(Advice(*cell, chart[cell], found.n_bins, pays))
    return out


def crossed(found: Chances) -> dict[Cell, tuple[Mask, Mask]]:
    """For each cell which of its chances either half doubles by a chart that was made of the
    other half of the blocks."""
    odd = found.block % 2 == 1
    charts = [(side, best_bins(found, ~side)) for side in (odd, ~odd)]

    def doubles(cell: Cell, mask: Mask, half: int) -> Mask:
        out = np.zeros(len(mask), bool)
        for side, chart in charts:
            out |= mask & side & (found.bin[half] >= found.n_bins - chart[cell])
        return out

    return {
        cell: (doubles(cell, mask, 0), doubles(cell, mask, 1)) for cell, mask in cells_of(found)
    }


def advised(found: Chances) -> tuple[Mask, Mask]:
    """The same of all cells by stage together."""
    nothing = np.zeros(len(found.block), bool)
    mine = [masks for cell, masks in crossed(found).items() if cell[1] != ALWAYS]
    first, second = (np.logical_or.reduce([nothing, *column]) for column in zip(*mine, strict=True))
    return first, second


def ways_to_double(found: Chances, by_counts: Mask | None = None) -> list[Way]:
    """Ways to double the declarer, on the same chances, two a chance (a half judging each);
    ``by_counts``: which chances are doubled by the counts of hands."""
    twice = np.full(len(found.block), 2, np.int64)
    every = np.ones(len(found.block), bool)
    own = 2 * found.made * found.played, 2 * found.made
    done_by: dict[str, tuple[Ints, Ints]] = {
        OWN: own,
        EACH: judged(found, (every, every)),
        CHART: judged(found, advised(found)),
        WORLDS: judged(found, [found.believed[h] > 0 for h in (0, 1)]),
    }
    if by_counts is not None:
        done_by[COUNTS] = judged(found, (by_counts, by_counts))
    return [
        Way(
            name,
            ratio(summed(found, x, n=twice), Fraction(1, SCALE), contrast=True),
            proportion(summed(found, done, n=twice)),
            None
            if name == OWN
            else ratio(summed(found, x - own[0], n=twice), Fraction(1, SCALE), contrast=True),
        )
        for name, (x, done) in done_by.items()
    ]
