"""Made-up spaces of rules for the search, and figures for their points, noisy at will."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np
from pydantic import JsonValue

from engine_ext.errors import RuleError
from pipeline.tuning.file import Wanted
from pipeline.tuning.losses import Aims
from pipeline.tuning.measured import Measured
from pipeline.tuning.objectives import Objective
from pipeline.tuning.points import Point

GROUPS = 60


class FakeBox:
    """Knobs with settings; what must hold, and which points are rules, are functions."""

    def __init__(
        self,
        settings: Sequence[Sequence[JsonValue]],
        parent: Point,
        holds: Callable[[Point], bool] = lambda point: True,
        are_rules: Callable[[Point], bool] = lambda point: True,
        feasible: list[Point] | None = None,
        most_changes: int | None = None,
    ) -> None:
        self._settings = tuple(tuple(of) for of in settings)
        self.parent = parent
        self.most_changes = most_changes
        self._holds = holds
        self._are_rules = are_rules
        if feasible is not None:
            self.feasible = feasible
            return
        every = itertools.product(*(range(n) for n in self.sizes))
        self.feasible = [point for point in every if self.fulfils(point)]

    @property
    def n_knobs(self) -> int:
        return len(self._settings)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(len(of) for of in self._settings)

    def _changes(self, point: Point) -> int:
        return sum(at != own for at, own in zip(point, self.parent, strict=True))

    def settings(self, knob: int) -> tuple[JsonValue, ...]:
        return self._settings[knob]

    def rules(self, point: Point) -> object:
        if not self._are_rules(point):
            raise RuleError(f"contracts.tricks: {point} are no rules")
        return point

    def fulfils(self, point: Point) -> bool:
        few = self.most_changes is None or self._changes(point) <= self.most_changes
        return few and self._holds(point) and self._are_rules(point)

    def nearest(self, point: Point, frozen: frozenset[int] = frozenset()) -> Point | None:
        def away(one: Point) -> tuple[int, Point]:
            return sum(abs(a - b) for a, b in zip(one, point, strict=True)), one

        kept = [p for p in self.feasible if all(p[k] == self.parent[k] for k in frozen)]
        return min(kept, key=away, default=None)


def objective(name: str, step: float = 1.0) -> Objective:
    def never(_: object) -> Measured:
        raise AssertionError("figures are made up")

    return Objective(name, name, name, "points", "less", step, "games", never)


def aims(*wanted: Wanted, step: float = 1.0) -> Aims:
    return Aims(wanted, [objective(one.name, step) for one in wanted])


class FakePlay:
    """Figures of points: the truth, noise that all have in common, and noise of their own.

    Round k brings groups of deals of its own; after it the figures are the means of 0..k.
    """

    def __init__(
        self,
        truth: Callable[[Point], Mapping[str, float]],
        common: float = 0.0,
        own: float = 0.0,
        key: int = 0,
    ) -> None:
        self._truth = truth
        self._common = common
        self._own = own
        self._key = key
        self.asked: list[tuple[Point, int]] = []

    def __call__(self, points: Sequence[Point], round_: int) -> list[dict[str, Measured]]:
        self.asked += [(point, round_) for point in points]
        return [self._figures(point, round_) for point in points]

    def _figures(self, point: Point, round_: int) -> dict[str, Measured]:
        truth = self._truth(point)
        out = {}
        for i, (name, value) in enumerate(truth.items()):
            noise = np.zeros(GROUPS)
            for k in range(round_ + 1):
                noise += self._common * normal(self._key, 1, k, i)
                noise += self._own * normal(self._key, 2, k, i, *point)
            out[name] = Measured(value + noise / (round_ + 1), 10 * GROUPS)
        return out


@cache
def normal(*key: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.random.default_rng(list(key)).standard_normal(GROUPS)
