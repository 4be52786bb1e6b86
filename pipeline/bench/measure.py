"""Measures in rounds: every round times the yardstick and each work once.

Machines drift with load and heat, so a ratio is taken within a round, where
both figures are seconds apart on one core, and the median over the rounds is
what counts. No deal is played twice: a processor learns repeated ones.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from pipeline.bench.bare import NoBareLoop, Timed, compile_bare_loop, run_bare_loop
from pipeline.bench.machine import one_core
from pipeline.bench.work import Work, timed

ROUNDS = 5
BARE_LEAST = 100_000


class Figures(NamedTuple):
    """Rates a second of one core, one for each round."""

    bare: list[float] | None
    """Deals of the yardstick; None where it cannot be made."""
    bare_deal_only: list[float] | None
    """Its dealing alone."""
    no_bare: str | None
    """Why there is no yardstick."""
    works: dict[str, list[float]]
    """By the name of the work, or of the part of it that counts."""

    def rate(self, name: str) -> float:
        """Median rate of a work."""
        return median(self.works[name])

    def group(self, name: str) -> dict[str, str]:
        """Full names of a group's figures by what follows the slash."""
        front = f"{name}/"
        return {full.removeprefix(front): full for full in self.works if full.startswith(front)}

    def ratio(self, name: str) -> float | None:
        """Median over the rounds of a work's rate to the yardstick's."""
        if self.bare is None:
            return None
        return median(x / b for x, b in zip(self.works[name], self.bare, strict=True))


def measure(works: Sequence[Work], seconds: float, rounds: int = ROUNDS) -> Figures:
    """Time everything ``rounds`` times.

    Each measurement lasts about the work's ``share`` of ``seconds`` and has at least
    its ``least`` units, however long they take.
    """
    with one_core(), tempfile.TemporaryDirectory() as folder:
        program, why = _yardstick(Path(folder))
        sizes = [_work_size(work, seconds) for work in works]
        bare_size = BARE_LEAST
        if program is not None:
            trial = run_bare_loop(program, "play", BARE_LEAST, 0)
            bare_size = _size(trial, BARE_LEAST, seconds)
        played: list[float] = []
        dealt: list[float] = []
        rates: dict[str, list[float]] = {}
        for number in range(1, rounds + 1):
            if program is not None:
                first = number * bare_size
                played.append(run_bare_loop(program, "play", bare_size, first).per_s)
                dealt.append(run_bare_loop(program, "deal", bare_size, first).per_s)
            for work, size in zip(works, sizes, strict=True):
                for name, part in timed(work, number * size, size)[1].items():
                    rates.setdefault(name, []).append(part.per_s)
    if program is None:
        return Figures(None, None, why, rates)
    return Figures(played, dealt, None, rates)


def _yardstick(folder: Path) -> tuple[Path | None, str | None]:
    try:
        return compile_bare_loop(folder), None
    except NoBareLoop as reason:
        return None, str(reason)


def _work_size(work: Work, seconds: float) -> int:
    trial, _ = timed(work, 0, max(1, work.least // 20))
    return _size(trial, work.least, work.share * seconds)


def _size(trial: Timed, least: int, seconds: float) -> int:
    return max(least, round(trial.per_s * seconds))
