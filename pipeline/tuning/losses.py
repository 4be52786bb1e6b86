"""What is wanted, as numbers to be made small: steps that a candidate lacks.

A *step* is the difference in an objective that one would care about, so objectives of any unit
are added up in steps. Losses are kept group by group like the figures they come from
(:mod:`pipeline.tuning.measured`), so that two candidates are compared on the same deals.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pipeline.tuning.file import Wanted
from pipeline.tuning.measured import Floats, Measured, less
from pipeline.tuning.objectives import Objective
from pipeline.tuning.points import Figures


class _Aim(NamedTuple):
    name: str
    step: float
    weight: float
    sign: float
    """1 where less is better, -1 where more is; unused where a number is aimed at."""
    number: float | None


class Aims:
    """Objectives with what is wanted of each.

    ``wanted`` must name objectives of ``registry``, each once; what it does not say is the
    registry's.
    """

    def __init__(self, wanted: Sequence[Wanted], registry: Sequence[Objective]) -> None:
        known = {objective.name: objective for objective in registry}
        self._aims = tuple(_aim(one, known[one.name]) for one in wanted)

    @property
    def names(self) -> tuple[str, ...]:
        """Objectives, in the file's order."""
        return tuple(aim.name for aim in self._aims)

    @property
    def steps(self) -> tuple[float, ...]:
        """The step of each, in its unit."""
        return tuple(aim.step for aim in self._aims)

    def lacks(self, measured: Figures) -> tuple[Measured, ...]:
        """By objective, how far it is from what is wanted, in steps; less is better.

        Where a number is aimed at that is the distance of the figure, on the side where the
        figure as a whole lies: taken group by group, distances would measure noise.
        """
        return tuple(_lack(aim, measured[aim.name]) for aim in self._aims)

    def vector(self, measured: Figures) -> tuple[float, ...]:
        """The same without errors: coordinates of a front, each the better the less."""
        return tuple(lack.value for lack in self.lacks(measured))

    def loss(self, measured: Figures, parent: Figures) -> Measured:
        """Weighed sum of the steps that it lacks more than the parent does; the parent's is 0.

        Both must have been measured on the same deals.
        """
        found = zip(self._aims, self.lacks(measured), self.lacks(parent), strict=True)
        more = [(aim.weight, less(mine, its)) for aim, mine, its in found]
        return total([Measured(weight * one.parts, one.blocks) for weight, one in more])


def _aim(wanted: Wanted, objective: Objective) -> _Aim:
    aim = objective.better if wanted.aim is None else wanted.aim
    return _Aim(
        name=wanted.name,
        step=objective.step if wanted.step is None else wanted.step,
        weight=wanted.weight,
        sign=-1.0 if aim == "more" else 1.0,
        number=None if isinstance(aim, str) else float(aim),
    )


def _lack(aim: _Aim, measured: Measured) -> Measured:
    value = measured.value
    if not math.isfinite(value):
        raise ValueError(f"{aim.name}: {value} is no figure that candidates can be compared by")
    parts = measured.parts
    if aim.number is None:
        return Measured(aim.sign / aim.step * parts, measured.blocks)
    side = 1.0 if value >= aim.number else -1.0
    return Measured(side / aim.step * (parts - aim.number), measured.blocks)


def total(figures: Sequence[Measured]) -> Measured:
    """The sum of figures, group by group.

    Objectives that need other runs have other groups. The sum has as many as the one with
    fewest; in the others neighbouring groups are taken together. Its value is the sum of their
    values, and where they are independent the variance it tells is the sum of theirs, as far as
    groups of unequal numbers allow.
    """
    fewest = min(len(figure.parts) for figure in figures)
    parts = np.sum([_fewer(figure.parts, fewest) for figure in figures], axis=0)
    return Measured(parts, min(figure.blocks for figure in figures))


def _fewer(parts: Floats, groups: int) -> Floats:
    """(groups,): the same mean, and deviations from it taken together in stretches."""
    n = len(parts)
    if n == groups:
        return parts
    mean = parts.mean()
    starts = -(-np.arange(groups) * n // groups)
    # Deviations, not parts: a stretch of two groups beside one of three would be short of a
    # third of the mean, and that is no noise.
    together: Floats = mean + np.add.reduceat(parts - mean, starts) * groups / n
    return together
