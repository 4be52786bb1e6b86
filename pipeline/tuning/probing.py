"""Points that tell what each knob does: sets of them in which one knob after the other moves.

They are drawn from the whole box, whether they fulfil what must hold or not; they only have to
be rules. A set of which some point is none is left out, and what is found holds for the rest.
"""

import importlib
import logging
from collections.abc import Sequence
from types import ModuleType
from typing import NamedTuple

import numpy as np

from engine_ext.errors import RuleError, UserError
from pipeline.tuning.losses import Aims
from pipeline.tuning.measured import Floats, Ints
from pipeline.tuning.points import Box, Evaluate, Point

log = logging.getLogger(__name__)


class Design(NamedTuple):
    """Points in sets that belong together: trajectories, or base samples with their mixtures."""

    knobs: tuple[int, ...]
    at: Ints
    """(sets, rows, knobs): which of its settings each knob has."""
    unit: Floats
    """(sets, rows, knobs): where that was drawn, 0 to 1."""
    levels: int
    """Of Morris' grid."""


def morris_design(
    space: Box, knobs: Sequence[int], trajectories: int, seed: np.random.SeedSequence
) -> Design:
    """Trajectories in which every knob moves once, by about half its range.

    The grid has at least as many levels as any knob has settings, and each setting of a knob as
    equal a share of them as can be: settings between the levels of a coarser grid would never be
    looked at, and among words the one that matters may be there.
    """
    sample = library("sample.morris")
    sizes = np.array([space.sizes[k] for k in knobs])
    levels = int(max(4, sizes.max() + sizes.max() % 2))
    unit = sample.sample(problem(knobs), trajectories, num_levels=levels, seed=number(seed))
    at = np.rint(unit * (levels - 1)).astype(np.int64) * sizes // levels
    shape = (trajectories, len(knobs) + 1, len(knobs))
    return Design(tuple(knobs), at.reshape(shape), unit.reshape(shape), levels)


def sobol_design(
    space: Box, knobs: Sequence[int], samples: int, seed: np.random.SeedSequence
) -> Design:
    """Saltelli's sets: a point, then it with each knob in turn from another, then that one.

    ``samples`` is a power of two.
    """
    sample = library("sample.sobol")
    unit = sample.sample(problem(knobs), samples, calc_second_order=False, seed=number(seed))
    sizes = np.array([space.sizes[k] for k in knobs])
    at = np.minimum((unit * sizes).astype(np.int64), sizes - 1)
    shape = (samples, len(knobs) + 2, len(knobs))
    return Design(tuple(knobs), at.reshape(shape), unit.reshape(shape), 0)


def values_of(space: Box, aims: Aims, evaluate: Evaluate, design: Design) -> dict[str, Floats]:
    """By objective (sets, rows): its figures on the first deals, each point measured once."""
    points = [_point(space, design.knobs, row) for rows in design.at for row in rows]
    distinct = list(dict.fromkeys(points))
    figures = dict(zip(distinct, evaluate(distinct, 0), strict=True))
    shape = design.at.shape[:2]
    return {
        name: np.array([figures[point][name].value for point in points]).reshape(shape)
        for name in aims.names
    }


def valid(space: Box, design: Design, what: str, least: int) -> Design:
    """Without the sets of which some point is no rules; logs how many that are.

    Raises ``UserError`` where fewer than ``least`` are left.
    """
    why = ""
    known: dict[Point, bool] = {}
    good = np.zeros(len(design.at), np.bool_)
    for i, rows in enumerate(design.at):
        for row in rows:
            point = _point(space, design.knobs, row)
            if point not in known:
                known[point], why = _are_rules(space, point, why)
            if not known[point]:
                break
        else:
            good[i] = True
    n = int(good.sum())
    if n < least:
        left_out = f"; the others are no rules: {why}" if why else ""
        raise UserError(
            f"sensitivity.{what}: {n} of {len(good)} can be played, and fewer than {least} tell "
            f"of no spread{left_out}"
        )
    if n < len(good):
        log.warning(
            "sensitivity.%s: %d of %d left out, some of their points are no rules: %s",
            what, len(good) - n, len(good), why,
        )  # fmt: skip
    return design._replace(at=design.at[good], unit=design.unit[good])


def _are_rules(space: Box, point: Point, why: str) -> tuple[bool, str]:
    try:
        space.rules(point)
    except RuleError as error:
        return False, why or str(error)
    return True, why


def _point(space: Box, knobs: Sequence[int], row: Ints) -> Point:
    point = list(space.parent)
    for knob, at in zip(knobs, row.tolist(), strict=True):
        point[knob] = at
    return tuple(point)


def library(module: str) -> ModuleType:
    """A module of SALib."""
    try:
        return importlib.import_module(f"SALib.{module}")
    except ModuleNotFoundError as error:
        raise UserError(
            "sensitivity: SALib is not installed, and knobs are screened with it (want "
            'pip install "barbu-sim[tune]")'
        ) from error


def problem(knobs: Sequence[int]) -> dict[str, object]:
    """Knobs as the library wants them."""
    return {
        "num_vars": len(knobs),
        "names": [str(knob) for knob in knobs],
        "bounds": [[0.0, 1.0]] * len(knobs),
    }


def number(seed: np.random.SeedSequence) -> int:
    """The library's seed, which must not be 0: it takes that for none."""
    return 1 + int(seed.generate_state(1)[0] >> 1)
