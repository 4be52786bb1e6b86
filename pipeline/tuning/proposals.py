"""Which points to look at next: all there are, or what a sampler of Optuna makes of the last.

A proposal is any point; what is looked at is the nearest that fulfils what must hold, and the
sampler is told what came of its proposal by that. The study lives in memory and draws by a seed,
so that the same answers bring the same proposals: a search that was interrupted goes through its
proposals again and finds them measured.
"""

import itertools
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from engine_ext.errors import UserError
from pipeline.tuning.file import Search
from pipeline.tuning.points import Box, Point, every_point, is_ordered, n_points

if TYPE_CHECKING:
    import optuna

MOST_POINTS = 200_000
"""Points gone through, at most, to see which of them fulfil what must hold."""
REPEATS = 200
"""Proposals in a row, all seen before or beyond mending, that end a search."""
WALKS = 60
"""Points tried near a proposal that was seen before."""
SMALL_BOX = 2_000
"""Points that are gone through for one that was not seen yet."""
LARGEST_GENERATION = 50

Ended = Literal["spent", "every"]
Values = tuple[float, ...]


class Proposals(Protocol):
    """Points to look at, in the order in which they are proposed."""

    def more(self, n: int) -> list[Point]:
        """``n`` points that were not proposed before, or fewer; none: that was all."""

    def tell(self, values: Mapping[Point, Values]) -> None:
        """What points came to; less is better."""

    def ended(self) -> Ended:
        """Why there are no more: ``every`` point was proposed, or nothing new was found."""


def proposals(
    space: Box, settings: Search, seed: int, frozen: frozenset[int], seen: Mapping[Point, Values]
) -> Proposals:
    """By the method of the tuning file; ``seen`` fulfils what must hold and is not proposed."""
    if settings.method == "every":
        return Every(space, settings.candidates, frozen, seen)
    return Sampled(space, settings, seed, frozen, seen)


class Every:
    """All points that fulfil what must hold, the last knob fastest."""

    def __init__(
        self, space: Box, most: int, frozen: frozenset[int], seen: Mapping[Point, Values]
    ) -> None:
        n = n_points(space, frozen)
        if n > MOST_POINTS:
            raise UserError(
                f'search.method: "every" would go through {n:,} points, at most {MOST_POINTS:,} '
                'are (want fewer knobs or larger steps, or "tpe")'
            )
        found = [p for p in every_point(space, frozen) if p != space.parent and space.fulfils(p)]
        if len(found) > most:
            raise UserError(
                f'search.candidates: {most:,}, but method = "every" finds {len(found):,} '
                f'(want candidates = {len(found)}, or "tpe")'
            )
        self._found = iter([point for point in found if point not in seen])

    def more(self, n: int) -> list[Point]:
        """The next ones."""
        return list(itertools.islice(self._found, n))

    def tell(self, values: Mapping[Point, Values]) -> None:
        """Nothing depends on it."""

    def ended(self) -> Ended:
        """Always ``every``."""
        return "every"


class Sampled:
    """Proposals of a sampler that learns from what it is told.

    A proposal that was seen before is told again at once, and a neighbour of it that was not is
    looked at in its place.
    """

    def __init__(
        self,
        space: Box,
        settings: Search,
        seed: int,
        frozen: frozenset[int],
        seen: Mapping[Point, Values],
    ) -> None:
        self._space = space
        self._frozen = frozen
        draws, walks = np.random.SeedSequence(seed).spawn(2)
        self._rng = np.random.Generator(np.random.Philox(walks))
        self._free = [k for k in range(space.n_knobs) if k not in frozen]
        self._ordered = {k: is_ordered(space, k) for k in self._free}
        most = space.most_changes
        self._slots = [] if most is None or most >= len(self._free) else list(range(most))
        self._told = dict(seen)
        self._feasible: list[Point] | None = None
        """All there are, once they were gone through; none of a box that is not small."""
        self._asked: list[tuple[optuna.trial.Trial | None, Point]] = []
        self._study = _study(settings, int(draws.generate_state(1)[0]), seen)
        self._ranges = self._distributions()
        for point, values in seen.items():
            self._add(point, values)

    def more(self, n: int) -> list[Point]:
        """Proposals made feasible; fewer than ``n`` where :data:`REPEATS` in a row were seen."""
        from optuna.trial import TrialState

        new: list[Point] = []
        repeats = 0
        while len(new) < n and repeats < REPEATS:
            trial = self._study.ask(self._ranges)
            point = self._space.nearest(self._place(trial.params), self._frozen)
            if point is None:  # what must hold is not to be had near it
                self._study.tell(trial, state=TrialState.FAIL)
                repeats += 1
                continue
            if point in self._told:
                self._study.tell(trial, self._told[point])
            else:
                self._asked.append((trial, point))
            if point not in self._told and point not in new:
                repeats = 0
                new.append(point)
                continue
            repeats += 1
            beside = self._beside(point, new)
            if beside is None:
                break
            self._asked.append((None, beside))
            new.append(beside)
        return new

    def tell(self, values: Mapping[Point, Values]) -> None:
        """What the points of the last call came to."""
        self._told.update(values)
        for trial, point in self._asked:
            if trial is None:
                self._add(point, values[point])
            else:
                self._study.tell(trial, values[point])
        self._asked = []

    def ended(self) -> Ended:
        """``every`` where a box is small enough to be sure of it."""
        small = n_points(self._space, self._frozen) <= SMALL_BOX
        return "every" if small else "spent"

    def _distributions(self) -> "dict[str, optuna.distributions.BaseDistribution]":
        from optuna.distributions import (
            BaseDistribution,
            CategoricalDistribution,
            IntDistribution,
        )

        sizes = self._space.sizes
        ranges: dict[str, BaseDistribution] = {
            str(k): IntDistribution(0, sizes[k] - 1)
            if self._ordered[k]
            else CategoricalDistribution(range(sizes[k]))
            for k in self._free
        }
        # Where few knobs may change, which ones is a question of its own: if all were drawn and
        # most of them put back, which are left would be up to what must hold, not to learning.
        for slot in self._slots:
            ranges[f"change {slot}"] = CategoricalDistribution(self._free)
        return ranges

    def _place(self, params: Mapping[str, int]) -> Point:
        changed = {params[f"change {slot}"] for slot in self._slots} or set(self._free)
        parent = self._space.parent
        return tuple(params[str(k)] if k in changed else at for k, at in enumerate(parent))

    def _add(self, point: Point, values: Values) -> None:
        import optuna

        params = {str(k): point[k] for k in self._free}
        changed = [k for k in self._free if point[k] != self._space.parent[k]] or self._free
        params |= {f"change {slot}": changed[slot % len(changed)] for slot in self._slots}
        self._study.add_trial(
            optuna.trial.create_trial(params=params, distributions=self._ranges, values=values)
        )

    def _beside(self, point: Point, new: list[Point]) -> Point | None:
        """A point near ``point`` that was not seen; the longer that takes the farther away."""
        for tries in range(WALKS):
            reach = 1 + tries // 5
            moved = list(point)
            for k in self._rng.permutation(np.array(self._free, np.int64))[:reach]:
                moved[k] = self._moved(int(k), point[k], reach)
            found = self._space.nearest(tuple(moved), self._frozen)
            if found is not None and found not in self._told and found not in new:
                return found
        return next((one for one in self._missed() if one not in new), None)

    def _moved(self, knob: int, at: int, reach: int) -> int:
        """Another setting of a knob: of numbers one not farther than ``reach``."""
        size = self._space.sizes[knob]
        low, high = (max(0, at - reach), at + reach + 1) if self._ordered[knob] else (0, size)
        others = [one for one in range(low, min(high, size)) if one != at]
        return others[int(self._rng.integers(len(others)))] if others else at

    def _missed(self) -> Iterator[Point]:
        """What was not proposed, where the box is small enough to go through it."""
        if self._feasible is None:
            small = n_points(self._space, self._frozen) <= SMALL_BOX
            every = every_point(self._space, self._frozen) if small else ()
            self._feasible = [point for point in every if self._space.fulfils(point)]
        return (point for point in self._feasible if point not in self._told)


def _study(settings: Search, seed: int, seen: Mapping[Point, Values]) -> "optuna.Study":
    try:
        import optuna
    except ModuleNotFoundError as error:
        raise UserError(
            "search: optuna is not installed, and candidates are looked for with it (want "
            'pip install "barbu-sim[tune]")'
        ) from error
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    n_values = len(next(iter(seen.values())))
    return optuna.create_study(directions=["minimize"] * n_values, sampler=_sampler(settings, seed))


def _sampler(settings: Search, seed: int) -> "optuna.samplers.BaseSampler":
    from optuna import samplers

    if settings.method == "nsga2":
        # A generation is told before the next is bred: of 100 candidates there are to be five.
        size = min(LARGEST_GENERATION, max(10, settings.candidates // 5))
        return samplers.NSGAIISampler(population_size=size, seed=seed)
    return samplers.TPESampler(multivariate=True, constant_liar=True, seed=seed)
