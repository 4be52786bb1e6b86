"""The study of choices: what ways of choosing bring, on the same hands."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.stats.blocks import mean, moved, per_block, proportion_of, share
from pipeline.stats.estimate import Estimate
from pipeline.stats.regret import CLASSES, class_of, hindsight, regret
from pipeline.stats.sets import (
    Floats,
    Ints,
    Policy,
    Side,
    Solved,
    by_surplus,
    by_value,
    in_order,
    solve,
)
from pipeline.stats.spending import curve, prophet
from pipeline.studies.worth import (
    Worth,
    choices_of,
    flattered,
    named,
    noise_of,
    sides_of,
    single_deals,
)

PROGRAM, SURPLUS, VALUE, ORDER = "program", "surplus", "value", "order"
ENTRANT, CHART, PROPHET, FLATTERED = "entrant", "chart", "prophet", "flattered"
WAYS = (PROPHET, FLATTERED, PROGRAM, SURPLUS, CHART, ENTRANT, VALUE, ORDER)
"""Ways of choosing in the order of a table."""


Bools = npt.NDArray[np.bool_]


class Figure(NamedTuple):
    """An estimate with what each block moves it, for differences on the same blocks."""

    estimate: Estimate
    influence: Floats

    def less(self, other: "Figure") -> "Figure":
        """This figure less another one of the same blocks."""
        influence = self.influence - other.influence
        value = self.estimate.value - other.estimate.value
        return Figure(moved(value, influence, self.estimate.n, contrast=True), influence)


def figure(value: float, influence: Floats, n: int = 0, contrast: bool = False) -> Figure:
    """A figure of this value, its error from ``influence`` as in ``moved``."""
    return Figure(moved(value, influence, n, contrast), influence)


class Valued(NamedTuple):
    """Hands with the values of what is left, by several ways of choosing."""

    worth: Worth
    best_named: Ints
    """(2, contracts, hands): option that each half names."""
    sides: list[Side]
    solved: dict[str, Solved]

    @property
    def best(self) -> Solved:
        """The dynamic program's values."""
        return self.solved[PROGRAM]


def valued(worth: Worth, guess: Floats) -> Valued:
    """Solve the dynamic program and what it is compared with, choices made by what each half
    guesses (2, options, hands): its own mean, or better.

    Where the table shares its contracts, one seat follows the way of choosing and the
    others the program.
    """
    sides = sides_of(worth, guess)
    best = solve(Policy(sides), worth.uses, worth.blocks, worth.turns)
    others = best if worth.turns > 1 else None
    ways = {SURPLUS: by_surplus(sides), VALUE: by_value(sides), ORDER: in_order(sides)}
    solved = {
        way: solve(policy, worth.uses, worth.blocks, worth.turns, others)
        for way, policy in ways.items()
    }
    return Valued(worth, named(worth, guess), sides, {PROGRAM: best} | solved)


def of_full(solved: Solved, hands: int) -> Figure:
    """What all contracts together are worth."""
    return figure(float(solved.value[0, -1]), solved.influence[0, -1], hands)


def totals(found: Valued) -> dict[str, Figure]:
    """Points of a dealership by way of choosing, those of the entrant and a bound among them.

    The entrant's own choices and the prophet are left out where the table shares its
    contracts: what others choose is part of theirs. ``FLATTERED`` is the program where the
    same deals choose and value: what it is worth with endless deals lies between the two.
    """
    worth, hands = found.worth, len(found.worth.blocks)
    out = {way: of_full(solved, hands) for way, solved in found.solved.items()}
    if worth.turns == 1:
        own = entrant_total(worth)
        if own is not None:
            out[ENTRANT] = own
        seen = flattered(worth)
        plugged = solve(Policy([Side(seen, seen)]), worth.uses, worth.blocks)
        out[FLATTERED] = of_full(plugged, hands)
        matched = prophet(seen, worth.uses, worth.blocks)
        out[PROPHET] = Figure(mean(matched, hands), matched - matched.mean())
    return out


def entrant_total(worth: Worth) -> Figure | None:
    """What the entrant's own choices are worth over all worlds, in blocks where all are known."""
    known, made = choices_of(worth)
    if not known.any():
        return None
    brought = np.zeros(len(known))
    brought[known] = made.value.mean(axis=0)
    whole = per_block((~known).astype(np.float64), worth.blocks, worth.n_blocks) == 0
    if not whole.any():
        return None
    total = per_block(brought, worth.blocks, worth.n_blocks)
    value = float(total[whole].mean())
    influence = np.where(whole, total - value, 0.0) * (len(whole) / whole.sum())
    return figure(value, influence, int(known.sum()))


def curves(found: Valued) -> dict[str, list[Figure]]:
    """By way of choosing: what 1, 2, ... contracts left bring more than any fixed order."""
    base = curve(found.solved[ORDER], found.worth.uses)
    out = {}
    for way in (PROGRAM, SURPLUS, VALUE):
        here = curve(found.solved[way], found.worth.uses)
        out[way] = [
            figure(e.value - e0.value, i - i0, contrast=True)
            for (e, i), (e0, i0) in zip(here, base, strict=True)
        ]
    return out


class Judged(NamedTuple):
    """Regrets of an entrant's choices: a row a choice."""

    blocks: Ints
    n_left: Ints
    contract: Ints
    points: Floats
    naming: Floats
    """Of them, lost by the trump suit or start rank alone."""
    hindsight: Floats
    kind: Ints
    """Place in ``CLASSES``."""


def judged(found: Valued) -> Judged | None:
    """Regret of each known choice; None where none is known."""
    worth = found.worth
    known, made = choices_of(worth)
    if not known.any():
        return None
    at, best = np.flatnonzero(known), found.best_named
    sides = [Side(s.choose[:, at], s.value[:, at]) for s in found.sides]
    noise = noise_named(worth, best)[:, at]
    cost = regret(sides, noise, found.best, worth.uses, made)
    named_best = np.array([side.value[made.contract, np.arange(len(at))] for side in sides])
    deviation = np.sqrt(single_deals(worth, best).sum(axis=1) / len(worth.blocks))
    dealt = np.array([worth.dealt[best[0, c, at], at] for c in range(len(worth.uses))])
    own = worth.dealt[worth.chosen[at], at]
    return Judged(
        worth.blocks[at],
        worth.left[:, at].sum(axis=0),
        made.contract,
        cost.points,
        (named_best - made.value).mean(axis=0),
        hindsight(dealt, own, found.best, worth.uses, made),
        class_of(cost, deviation[made.contract]).astype(np.int64),
    )


def noise_named(worth: Worth, best: Ints) -> Floats:
    """(contracts, hands): standard error of a hand's worth, with what the halves name."""
    every, noise = np.arange(len(worth.blocks)), noise_of(worth)
    square = np.mean([np.square(noise[best[a], every]) for a in (0, 1)], axis=0)
    out: Floats = np.sqrt(square)
    return out


def mean_lost(found: Judged, rows: Bools, n_blocks: int) -> Estimate:
    """Mean regret of these choices, at least one; blocks have different counts of them."""
    above = per_block(found.points * rows, found.blocks, n_blocks)
    below = per_block(rows.astype(np.float64), found.blocks, n_blocks)
    there = below > 0
    return share(above[there], below[there], int(rows.sum()), contrast=True)


def classes(found: Judged, n_blocks: int) -> list[Estimate]:
    """Share of each of ``CLASSES`` among the choices."""
    every = per_block(np.ones(len(found.kind)), found.blocks, n_blocks)
    return [
        proportion_of(
            per_block((found.kind == k) * 1.0, found.blocks, n_blocks), every, len(found.kind)
        )
        for k in range(len(CLASSES))
    ]
