"""Who gets further deals: the race of candidates against the best.

All candidates are measured on the same deals, so two of them are compared by their difference
group by group, and only after the same number of rounds. Who is surely behind gets no further
deals; who is exactly like an earlier one in every block gets none either, as there is nothing
to find out. The others get as many again, round by round.
"""

from collections.abc import Iterable, Sequence

from pipeline.tuning.file import Search
from pipeline.tuning.front import front
from pipeline.tuning.losses import Aims
from pipeline.tuning.measured import Measured, difference, side
from pipeline.tuning.points import Evaluate, Figures, Point

ALPHA = 0.05
"""Probability that the best candidate of all is ever denied further deals, at most; and that
noise passes for something new while patience lasts."""

Wanted = tuple[Measured, ...]
"""What is to be small: the loss, or for a front the steps that each objective lacks."""


def drop_level(candidates: int, rounds: int) -> float:
    """Confidence of the two-sided interval that denies a candidate further deals.

    :data:`ALPHA` is split (Bonferroni) over all who may be compared with the best one and over
    the looks: one after each round but the last. Only being behind counts, one side of two.
    """
    return 1 - 2 * ALPHA / (max(1, candidates) * max(1, rounds - 1))


def surely_more(one: Measured, other: Measured, confidence: float) -> bool:
    """Whether a figure is surely more than another on the same deals."""
    return side(difference(one, other, confidence)) > 0


def alike(one: Wanted, other: Wanted) -> bool:
    """Whether two are the same in every one of enough blocks."""
    return all(
        difference(mine, its).kind == "identical" for mine, its in zip(one, other, strict=True)
    )


def surely_behind(one: Wanted, other: Wanted, confidence: float) -> bool:
    """Whether ``other`` is surely better in something, and in the rest so or exactly the same."""
    behind = False
    for mine, its in zip(one, other, strict=True):
        if surely_more(mine, its, confidence):
            behind = True
        elif difference(mine, its).kind != "identical":
            return False
    return behind


def surely_beyond(one: Wanted, others: Iterable[Wanted], confidence: float) -> bool:
    """Whether ``one`` is surely better than each of ``others`` in something."""
    return all(
        any(surely_more(its, mine, confidence) for mine, its in zip(one, other, strict=True))
        for other in others
    )


class Race:
    """Figures of candidates after each round, and who leads after all of them."""

    def __init__(
        self,
        aims: Aims,
        evaluate: Evaluate,
        parent: Point,
        start: Point,
        settings: Search,
    ) -> None:
        self._aims = aims
        self._evaluate = evaluate
        self._parent = parent
        self._last = settings.rounds - 1
        self._confidence = drop_level(settings.candidates, settings.rounds)
        self._by_objective = settings.method == "nsga2"
        self._figures: dict[tuple[Point, int], Figures] = {}
        self.leaders: tuple[Point, ...] = (start,)
        """The best after all rounds, the earlier of two equals: one, or for a front those on it."""
        for round_ in range(settings.rounds):
            self._measure(list(dict.fromkeys((parent, start))), round_)

    def figures(self, point: Point, round_: int) -> Figures:
        """What it came to after a round."""
        return self._figures[point, round_]

    def wanted(self, point: Point, round_: int) -> Wanted:
        """What is to be small, against the parent on the same deals."""
        mine = self._figures[point, round_]
        if self._by_objective:
            return self._aims.lacks(mine)
        return (self._aims.loss(mine, self._figures[self._parent, round_]),)

    def values(self, point: Point, round_: int) -> tuple[float, ...]:
        """The same without errors."""
        return tuple(figure.value for figure in self.wanted(point, round_))

    def run(self, points: Sequence[Point]) -> dict[Point, int]:
        """Measure new points; by point the number of further rounds that it got.

        Those who came to the last round may be among the ``leaders`` afterwards. An earlier
        leader makes way only for one who is better after all rounds.
        """
        got = dict.fromkeys(points, 0)
        left = tuple(points)
        self._measure(left, 0)
        for round_ in range(1, self._last + 1):
            left = self._go_on(left, round_ - 1)
            self._measure(left, round_)
            got.update(dict.fromkeys(left, round_))
        self.leaders = self._best((*self.leaders, *left), self._last)
        return got

    def beyond(self, point: Point, others: Iterable[Point], confidence: float) -> bool:
        """Whether it is surely better than each of ``others`` after all rounds."""
        last = self._last
        them = (self.wanted(other, last) for other in others)
        return surely_beyond(self.wanted(point, last), them, confidence)

    def keep_only(self, points: Iterable[Point]) -> None:
        """Forget the figures of all others but the parent's."""
        kept = {self._parent, *points}
        self._figures = {key: found for key, found in self._figures.items() if key[0] in kept}

    def _measure(self, points: Sequence[Point], round_: int) -> None:
        if points:
            for point, found in zip(points, self._evaluate(points, round_), strict=True):
                self._figures[point, round_] = found

    def _best(self, points: Sequence[Point], round_: int) -> tuple[Point, ...]:
        """Of points all measured so far: those no other beats, the first of equals."""
        values = {point: self.values(point, round_) for point in points}
        on = front(list(values.values()))
        first: dict[tuple[float, ...], Point] = {}
        for (point, value), is_on in zip(values.items(), on, strict=True):
            if is_on:
                first.setdefault(value, point)
        return tuple(first.values())

    def _go_on(self, points: Sequence[Point], round_: int) -> tuple[Point, ...]:
        """Who may yet be found to be the best."""
        rivals = (*self.leaders, *points)
        place = {point: at for at, point in enumerate(rivals)}
        wanted = {point: self.wanted(point, round_) for point in rivals}
        values = [tuple(figure.value for figure in wanted[point]) for point in rivals]
        ahead = [rival for rival, on in zip(rivals, front(values), strict=True) if on]
        return tuple(
            point
            for point in points
            if not any(
                surely_behind(wanted[point], wanted[rival], self._confidence)
                or (place[rival] < place[point] and alike(wanted[point], wanted[rival]))
                for rival in ahead
                if rival != point
            )
        )
