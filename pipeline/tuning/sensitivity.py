"""Which knobs matter at all: Morris' screening, then Sobol's indices over what is left.

A knob that changes nothing gets exactly 0, since all points have the same deals. Sources:
M. D. Morris, Factorial sampling plans for preliminary computational experiments (1991);
F. Campolongo and others, An effective screening design (2007), for ``mu_star``; A. Saltelli and
others, Variance based sensitivity analysis of model output (2010).
"""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from pipeline.tuning.file import Sensitivity
from pipeline.tuning.losses import Aims
from pipeline.tuning.measured import Floats
from pipeline.tuning.outcome import Sensed
from pipeline.tuning.points import Box, Evaluate, Point
from pipeline.tuning.probing import (
    Design,
    library,
    morris_design,
    number,
    problem,
    sobol_design,
    valid,
    values_of,
)

SMALL = 1 / 20
"""Of an objective's step, or of its variance: what surely moves it less does not matter."""
LEAST_MORRIS = 2
"""Trajectories without which there is no spread."""
LEAST_SOBOL = 4
"""Base samples without which there is none."""
PROBES = 20
"""Points at which a knob is tried for being needed by what must hold."""

_Told = dict[tuple[int, str], Sensed]
"""By knob and objective."""


def sense(
    space: Box, aims: Aims, evaluate: Evaluate, settings: Sensitivity, seed: int
) -> tuple[tuple[Sensed, ...], frozenset[int]]:
    """How much each knob moves each objective, and which of them are frozen.

    A knob is frozen by Morris when for every objective the mean size of its effect over its
    whole range lies with its 95 % confidence below a twentieth of the objective's step. By Sobol
    when for every objective the 95 % interval of its total share covers 0 and the share is below
    a twentieth, or what the interval's upper end comes to in the unit, over the whole range, is
    below a twentieth of the step. One that what must hold leans on is never frozen: without it
    other knobs would have to go farther.

    Returns the figures by knob and objective, none where nothing was asked for, and the frozen
    knobs, none with ``freeze = false``.
    """
    free = [k for k, size in enumerate(space.sizes) if size > 1]
    steps = dict(zip(aims.names, aims.steps, strict=True))
    screened, tested, probed = np.random.SeedSequence(seed).spawn(3)
    found: _Told = {}
    idle: list[int] = []
    if settings.morris and free:
        design = morris_design(space, free, settings.morris, screened)
        design = valid(space, design, "morris", LEAST_MORRIS)
        figures = values_of(space, aims, evaluate, design)
        _note(found, _morris(space, design, figures, screened))
        idle = [k for k in free if _without_effect(found, k, steps)]
    frozen = _freeze(space, idle, settings, probed)
    left = [k for k in free if k not in frozen]
    if settings.sobol and left:
        design = sobol_design(space, left, settings.sobol, tested)
        design = valid(space, design, "sobol", LEAST_SOBOL)
        figures = values_of(space, aims, evaluate, design)
        _note(found, _sobol(design, figures, tested))
        idle = [k for k in left if _without_share(found, k, steps, figures)]
        frozen = _freeze(space, [*sorted(frozen), *idle], settings, probed)
    order = {name: at for at, name in enumerate(aims.names)}
    in_order = sorted(found, key=lambda key: (key[0], order[key[1]]))
    return tuple(found[key] for key in in_order), frozen


def _note(found: _Told, told: Iterator[Sensed]) -> None:
    """Put what is new beside what was told of the same knob and objective before."""
    for one in told:
        before = found.get((one.knob, one.objective), one)
        new = one.model_dump(exclude_none=True)
        found[one.knob, one.objective] = before.model_copy(update=new)


def _morris(
    space: Box, design: Design, found: Mapping[str, Floats], seed: np.random.SeedSequence
) -> Iterator[Sensed]:
    analyze = library("analyze.morris")
    n_knobs = len(design.knobs)
    # The library divides by the step of its grid; what a knob really moved is not always that.
    ranges = np.array([space.sizes[k] - 1 for k in design.knobs])
    moved = np.abs(np.diff(design.at, axis=1)).sum(axis=2)
    which = np.abs(np.diff(design.unit, axis=1)).argmax(axis=2)
    factor = design.levels / (2 * (design.levels - 1)) / (moved / ranges[which])
    for name, values in found.items():
        steps = np.diff(values, axis=1) * factor
        walks = np.pad(np.cumsum(steps, axis=1), ((0, 0), (1, 0)))
        told = analyze.analyze(
            problem(design.knobs),
            design.unit.reshape(-1, n_knobs),
            walks.ravel(),
            num_levels=design.levels,
            num_resamples=1000,
            seed=number(seed),
        )
        for at, knob in enumerate(design.knobs):
            yield Sensed(
                knob=knob,
                objective=name,
                mu_star=float(told["mu_star"][at]),
                mu_star_conf=float(told["mu_star_conf"][at]),
                sigma=float(told["sigma"][at]),
            )


def _sobol(
    design: Design, found: Mapping[str, Floats], seed: np.random.SeedSequence
) -> Iterator[Sensed]:
    analyze = library("analyze.sobol")
    for name, values in found.items():
        if not np.ptp(values):
            for knob in design.knobs:
                yield Sensed(
                    knob=knob, objective=name,
                    first=0.0, first_conf=0.0, total=0.0, total_conf=0.0,
                )  # fmt: skip
            continue
        if not np.ptp(values[:, [0, -1]]):  # moves, but too rarely to be shared out
            yield from (Sensed(knob=knob, objective=name) for knob in design.knobs)
            continue
        told = analyze.analyze(
            problem(design.knobs),
            values.ravel(),
            calc_second_order=False,
            num_resamples=1000,
            seed=number(seed),
        )
        for at, knob in enumerate(design.knobs):
            yield Sensed(
                knob=knob,
                objective=name,
                first=float(told["S1"][at]),
                first_conf=float(told["S1_conf"][at]),
                total=float(told["ST"][at]),
                total_conf=float(told["ST_conf"][at]),
            )


def _without_effect(found: _Told, knob: int, steps: Mapping[str, float]) -> bool:
    for name, step in steps.items():
        one = found[knob, name]
        assert one.mu_star is not None
        assert one.mu_star_conf is not None
        if one.mu_star + one.mu_star_conf >= SMALL * step:
            return False
    return True


def _without_share(
    found: _Told, knob: int, steps: Mapping[str, float], figures: Mapping[str, Floats]
) -> bool:
    for name, step in steps.items():
        one = found[knob, name]
        if one.total is None or one.total_conf is None:
            return False
        none = one.total <= one.total_conf and one.total < SMALL
        # A straight effect from end to end of a range is root 12 standard deviations.
        share = math.sqrt(12 * (one.total + one.total_conf))
        if not none and share * float(figures[name][:, [0, -1]].std()) >= SMALL * step:
            return False
    return True


def _freeze(
    space: Box, idle: Sequence[int], settings: Sensitivity, seed: np.random.SeedSequence
) -> frozenset[int]:
    """Of knobs that move nothing those that what must hold does not lean on."""
    frozen: frozenset[int] = frozenset()
    if not settings.freeze or space.nearest(space.parent) is None:
        return frozen
    rng = np.random.Generator(np.random.Philox(seed))
    probes = [tuple(rng.integers(space.sizes).tolist()) for _ in range(PROBES)]
    for knob in idle:
        if not any(_leans(space, point, knob, frozen) for point in probes):
            frozen |= {knob}
    return frozen


def _leans(space: Box, point: Point, knob: int, frozen: frozenset[int]) -> bool:
    """Whether other knobs have to go farther from a point for one being frozen."""
    others = [k for k, n in enumerate(space.sizes) if n > 1 and k != knob and k not in frozen]

    def away(found: Point) -> float:
        return sum(abs(found[k] - point[k]) / (space.sizes[k] - 1) for k in others)

    free = space.nearest(_kept(space, point, frozen), frozen)
    kept = space.nearest(_kept(space, point, frozen | {knob}), frozen | {knob})
    if free is None or kept is None:
        return True
    return away(kept) > away(free) + 1e-9


def _kept(space: Box, point: Point, frozen: frozenset[int]) -> Point:
    return tuple(space.parent[k] if k in frozen else at for k, at in enumerate(point))
