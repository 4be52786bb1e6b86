"""Verdicts come to once more from what lies in a run's folder, to be held against its manifest."""

import math

from pipeline.course import Course
from pipeline.files import MANIFEST
from pipeline.landed import Landed
from pipeline.manifest import Decided
from pipeline.receipt_table import Receipts
from pipeline.stopping import decided
from pipeline.store import Run

SAME = 1e-9
"""Relative difference of figures that another machine's mathematics may make."""
FIGURES = ("statistic", "value", "low", "high")


def misjudged(run: Run, landed: Receipts) -> list[str]:
    """Verdicts of a complete, sound run that its totals do not bear out, a line each."""
    lines = []
    for said in run.manifest.decided:
        found = _judged(run, said, landed)
        if found is None or not _same(said, found):
            made = "none" if found is None else found.decision
            lines.append(
                f"{run.store.path(MANIFEST)}: decided: {said.variant}: {said.decision}, of "
                f"{said.value:+.4g}; its games make {made}"
                + ("" if found is None else f", of {found.value:+.4g}")
                + f" (was the file edited? barbu resume {run.where} judges again)"
            )
    return lines


def _judged(run: Run, said: Decided, landed: Receipts) -> Decided | None:
    """The verdict as the driver comes to it; None where it comes to none."""
    course = Course(run, said.variant, Landed.of(run.planned(), landed))
    while course.may_look:
        course.look(run)
    if course.outcome is None:
        return None
    config = run.manifest.config
    return decided(config, said.variant, course.blocks, course.outcome, said.attempt)


def _same(said: Decided, found: Decided) -> bool:
    told = [one.model_dump(exclude=set(FIGURES)) for one in (said, found)]
    pairs = [(getattr(said, key), getattr(found, key)) for key in FIGURES]
    return told[0] == told[1] and all(
        a == b or (None not in (a, b) and math.isclose(a, b, rel_tol=SAME, abs_tol=SAME))
        for a, b in pairs
    )
