"""What rules do to each objective, on deals that the search has not seen, and what may be said.

Winner and parent are measured on the same deals, group of blocks by group of blocks, so an
effect is a mean of differences of pseudo-values. All intervals of a tuning hold together: within
objectives that look at the same games by the largest |t| of correlated figures, between kinds of
runs by Bonferroni.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pipeline.stats.estimate import CONFIDENCE, Estimate
from pipeline.stats.simultaneous import Matrix, critical_value
from pipeline.tuning.file import Wanted
from pipeline.tuning.losses import Aims
from pipeline.tuning.measured import Measured, contrast, difference, estimate, less, side
from pipeline.tuning.objectives import Objective
from pipeline.tuning.outcome import Effect, Figure, HeldBy, Verdict
from pipeline.tuning.points import Figures


class Held(NamedTuple):
    """An effect with play held still."""

    effect: Measured
    by: HeldBy


class Contrast(NamedTuple):
    """What one has more than the other on the same deals, with an interval of a family."""

    effect: Estimate
    loss: Estimate
    """In steps that it brings the objective farther from what is wanted; below 0: better."""


def contrasts(
    wanted: Sequence[Wanted],
    registry: Mapping[str, Objective],
    candidate: Figures,
    parent: Figures,
    confidence: float = CONFIDENCE,
) -> dict[str, Contrast]:
    """By objective the candidate less the parent; the intervals of all hold together."""
    families: dict[tuple[str, int], list[Wanted]] = {}
    for one in wanted:
        kind = "games" if registry[one.name].needs == "moves" else registry[one.name].needs
        families.setdefault((kind, len(candidate[one.name].parts)), []).append(one)
    found: dict[str, Contrast] = {}
    for family in families.values():
        own = 1 - (1 - confidence) * len(family) / len(wanted)
        rows = [less(candidate[one.name], parent[one.name]) for one in family]
        rows += [Aims((one,), tuple(registry.values())).loss(candidate, parent) for one in family]
        quantile = _quantile(rows, own)
        told = [_estimate(row, quantile) for row in rows]
        pairs = zip(family, told[: len(family)], told[len(family) :], strict=True)
        found |= {one.name: Contrast(effect, loss) for one, effect, loss in pairs}
    return {one.name: found[one.name] for one in wanted}


def verdict(found: Contrast, gap: Estimate | None) -> Verdict:
    """What may be said of an effect, beside what it moves when players adapt."""
    if found.effect.kind == "identical":
        return "alike"
    if not side(found.loss):
        return "open"
    if gap is not None and abs(gap.value) >= abs(found.effect.value):
        return "within gap"
    return "better" if found.loss.value < 0 else "worse"


def effects(
    wanted: Sequence[Wanted],
    registry: Mapping[str, Objective],
    candidate: Figures,
    parent: Figures,
    held: Mapping[str, Held],
    searched: Mapping[str, float],
) -> tuple[Effect, ...]:
    """What the candidate's rules do to each objective; ``held`` has those that could be held."""
    found = contrasts(wanted, registry, candidate, parent)
    return tuple(
        _effect(one.name, found[one.name], candidate, parent, held.get(one.name), searched)
        for one in wanted
    )


def _effect(
    name: str,
    found: Contrast,
    candidate: Figures,
    parent: Figures,
    held: Held | None,
    searched: Mapping[str, float],
) -> Effect:
    gap = None
    if held is not None:
        gap = difference(less(candidate[name], parent[name]), held.effect)
    return Effect(
        objective=name,
        parent=Figure.of(estimate(parent[name])),
        winner=Figure.of(estimate(candidate[name])),
        effect=Figure.of(found.effect),
        held=None if held is None else Figure.of(contrast(held.effect)),
        held_by="none" if held is None else held.by,
        gap=None if gap is None else Figure.of(gap),
        searched=searched[name],
        verdict=verdict(found, gap),
    )


def _quantile(rows: Sequence[Measured], confidence: float) -> float:
    """Of the largest |t| of rows that are measured on the same groups."""
    table = np.stack([row.parts for row in rows])
    if table.shape[1] < 2:
        return 0.0  # one group tells of no error: no interval is made
    cov = np.atleast_2d(np.cov(table)) / table.shape[1]
    exact: Matrix = [[Fraction(float(value)) for value in row] for row in cov]
    return critical_value(exact, table.shape[1] - 1.0, confidence)


def _estimate(row: Measured, quantile: float) -> Estimate:
    plain = contrast(row)
    if plain.kind != "t" or plain.se is None:
        return plain
    half = quantile * plain.se
    return plain._replace(low=plain.value - half, high=plain.value + half, kind="max_t")
