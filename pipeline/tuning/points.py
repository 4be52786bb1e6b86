"""What search and sensitivity see of a space of rules: points, and figures for points."""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from pydantic import JsonValue

from pipeline.tuning.measured import Measured

Point = tuple[int, ...]
"""Which setting each knob has, by its place in the file."""
Figures = Mapping[str, Measured]
"""By objective."""
Evaluate = Callable[[Sequence[Point], int], Sequence[Figures]]
"""Figures of points from their first deals and those of further rounds up to so many, together.
All points have the same deals; asked again, the answer is the same."""


class Box(Protocol):
    """All points, of which some fulfil what must hold (:class:`pipeline.tuning.space.Space`)."""

    @property
    def n_knobs(self) -> int:
        """Knobs, in the file's order."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """Settings of each."""

    @property
    def parent(self) -> Point:
        """Where the parent's rules stand."""

    @property
    def most_changes(self) -> int | None:
        """Knobs that may differ from the parent; None: all of them."""

    def settings(self, knob: int) -> tuple[JsonValue, ...]:
        """What a knob may be."""

    def rules(self, point: Point) -> object:
        """The rules at a point; raises ``RuleError`` where they are none."""

    def fulfils(self, point: Point) -> bool:
        """Whether these are rules, and what must hold does."""

    def nearest(self, point: Point, frozen: frozenset[int] = frozenset()) -> Point | None:
        """The nearest point that fulfils all, frozen knobs at the parent's; None: there is none."""


def is_ordered(space: Box, knob: int) -> bool:
    """Whether a knob's settings are numbers that rise or fall, so that neighbours are alike."""
    settings = space.settings(knob)
    numbers = [x for x in settings if isinstance(x, int | float) and not isinstance(x, bool)]
    return len(numbers) == len(settings) and numbers in (
        sorted(numbers),
        sorted(numbers, reverse=True),
    )


def n_points(space: Box, frozen: frozenset[int]) -> int:
    """Points with frozen knobs at the parent's, whether they fulfil anything or not."""
    return math.prod(size for k, size in enumerate(space.sizes) if k not in frozen)


def every_point(space: Box, frozen: frozenset[int]) -> Iterator[Point]:
    """All these points, the last knob fastest."""
    return itertools.product(
        *(
            (at,) if k in frozen else range(size)
            for k, (at, size) in enumerate(zip(space.parent, space.sizes, strict=True))
        )
    )
