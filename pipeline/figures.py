"""Which figures a tournament has, and what each block adds to them: pure arithmetic on totals.

An entrant's figure is his points a game above the mean of his tables. Where company changes
(``round_robin``) it is what he has above an average entrant at the same table: the mean of a table
has a part of him, and of k entrants he meets the k - 1 others, so that it is S (k - 1) / ((S - 1)
k) times the former once all have met as often (:mod:`pipeline.stats.score_model` for any other
time). In design ``candidates``
it is a candidate's points less those that the datum, the field alone on the same cards, makes in
the same place: luck of the cards drops out even where only one seat is played.
"""

from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.allowed import PAIRED
from pipeline.config import RunConfig
from pipeline.seating import candidates, changes_company, tables
from pipeline.stats.estimate import variance
from pipeline.stats.joint import Joint
from pipeline.stats.simultaneous import contrast_covariance, covariance
from pipeline.totals import BlockTable, Ints

HEADS = 24
"""Entrants, at most, of whom pairs are compared head to head where line-ups are listed."""


class Claimed(NamedTuple):
    """The claim of a run, resolved: entrants by index."""

    entrant: int
    against: int | None
    """None: the mean of his tables, in ``candidates`` the field."""


def claimed(config: RunConfig) -> Claimed:
    """What the verdict of the run is about."""
    labels = [entrant.label for entrant in config.entrants]
    first = candidates(config)[0] if config.design == "candidates" else 0
    claim = config.claim
    if claim is None:
        return Claimed(first, None)
    entrant = first if claim.entrant is None else labels.index(claim.entrant)
    return Claimed(entrant, None if claim.against is None else labels.index(claim.against))


def ranked(config: RunConfig) -> tuple[int, ...]:
    """Entrants that have a figure: all, in ``candidates`` those who are not the field."""
    if config.design == "candidates":
        return candidates(config)
    return tuple(range(len(config.entrants)))


def of_entrants(config: RunConfig, blocks: BlockTable) -> tuple[Ints, Ints]:
    """Counts and totals of the ranked entrants, both (blocks, k); a point is worth as many as
    there are seats."""
    return _figures(config, blocks, ranked(config), None)


def met(config: RunConfig, seats: int) -> dict[tuple[int, int], npt.NDArray[np.bool_]]:
    """Pairs of entrants whose own figures do not compare them, since others' tables are in these,
    and which tables (T,) seat both: in a gauntlet or a mix the first and each other one, where
    line-ups are listed any, of up to :data:`HEADS` entrants, and the claim's. Pairs that no table
    seats are not among them."""
    if config.design not in (*PAIRED, "lineups"):
        return {}
    k, (entrant, against) = len(config.entrants), claimed(config)
    pairs = [] if against is None else [(min(entrant, against), max(entrant, against))]
    if config.design in PAIRED:
        pairs += [(0, other) for other in range(1, k)]
    elif k <= HEADS:
        pairs += combinations(range(k), 2)
    orders = [set(order) for order in tables(config, seats)]
    found = {pair: np.array([set(pair) <= order for order in orders]) for pair in pairs}
    return {pair: at for pair, at in sorted(found.items()) if at.any()}


def by_table(config: RunConfig, blocks: BlockTable) -> tuple[Ints, Ints]:
    """Counts and totals of every entrant at every table, both (entrants, blocks, tables)."""
    held = [blocks.entrant == one for one in range(len(config.entrants))]
    return (
        np.stack([np.where(mine, blocks.n, 0).sum(axis=2) for mine in held]),
        np.stack([np.where(mine, blocks.x, 0).sum(axis=2) for mine in held]),
    )


def of_claim(config: RunConfig, blocks: BlockTable) -> tuple[Ints, Ints]:
    """The same of the claim's entrant and, if it has one, the other, (blocks, 1 or 2).

    Where line-ups are listed or paired and some seat both, only these count: head to head.
    """
    entrant, against = claimed(config)
    if against is None:
        return _figures(config, blocks, (entrant,), None)
    both = None
    if config.design in (*PAIRED, "lineups"):
        found = [
            {entrant, against} <= set(order) for order in tables(config, blocks.entrant.shape[2])
        ]
        both = np.array(found) if any(found) else None
    return _figures(config, blocks, (entrant, against), both)


def _figures(
    config: RunConfig,
    blocks: BlockTable,
    who: tuple[int, ...],
    at: npt.NDArray[np.bool_] | None,
) -> tuple[Ints, Ints]:
    """Of the entrants ``who`` at the tables ``at``, all of them unless given."""
    n, x, entrant = blocks.n, blocks.x, blocks.entrant
    if config.design == "candidates":
        # A candidate's place is the same at every table of a block; the datum has him not.
        known = candidates(config)
        place = (entrant[:, 1] == known[0]).argmax(axis=1)[:, None, None]
        n, x = (np.take_along_axis(a, place, axis=2)[:, :, 0] for a in (n, x))
        table = [1 + known.index(one) for one in who]
        counts = n[:, table]
        return counts, np.where(counts > 0, x[:, table] - x[:, :1], 0)
    if at is not None:
        n, x, entrant = n[:, at], x[:, at], entrant[:, at]
    held = [entrant == one for one in who]
    return (
        np.stack([np.where(mine, n, 0).sum(axis=(1, 2)) for mine in held], axis=1),
        np.stack([np.where(mine, x, 0).sum(axis=(1, 2)) for mine in held], axis=1),
    )


def unit(config: RunConfig, seats: int) -> Fraction:
    """How much of a total makes a point of the figures."""
    k = len(config.entrants)
    return Fraction((seats - 1) * k, k - 1) if changes_company(config) else Fraction(seats)


def difference(joint: Joint, point: Fraction | int) -> tuple[Fraction, Fraction | None]:
    """The first figure less the second if there is one, points a game in the first's favour, and
    its exact variance (None below two blocks). Every figure must have been counted; ``point`` is
    the :func:`unit`."""
    cells = [joint.sums(i) for i in range(len(joint.n))]
    means = [Fraction(cell.x, cell.n) / point for cell in cells]
    value = means[0] - means[1] if len(means) == 2 else means[0]
    if joint.blocks < 2 or min(joint.there) < 2:
        return value, None
    if len(cells) == 1:
        return value, variance(cells[0]) / (point * point)
    cov = covariance(cells, joint.cross(), joint.blocks)
    return value, contrast_covariance(cov, [(1, -1)])[0][0] / (point * point)
