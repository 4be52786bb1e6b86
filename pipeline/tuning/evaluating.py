"""Figures of candidates: off the parent's stored games, or off games played anew.

Both see the same deals, those of the tuning's rounds. The search does not know which it asks.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from engine_ext.rules.spec import Variant
from pipeline.executors import cpus
from pipeline.tuning.base import Base, check_can_tell, measure, named
from pipeline.tuning.choices import scaled
from pipeline.tuning.exact import NotExact
from pipeline.tuning.exact import why_not as why_not_exact
from pipeline.tuning.objectives import Objective
from pipeline.tuning.packs import together
from pipeline.tuning.points import Figures, Point
from pipeline.tuning.rescoring import Rescorer, measure_all
from pipeline.tuning.results import Results
from pipeline.tuning.space import Space

KEPT = 8
"""Packs whose results stay in memory; older ones are read again."""


class Rescored:
    """Evaluates points off the parent's stored games; ``NotExact`` where they cannot tell."""

    def __init__(self, base: Base, space: Space, objectives: Sequence[Objective]) -> None:
        self._base = base
        self._space = space
        self._objectives = objectives
        self._known: dict[tuple[Point, int], Figures] = {}
        self._stored: dict[int, Stored] = {}

    def __call__(self, points: Sequence[Point], k: int) -> list[Figures]:
        """Figures of points after rounds 0 to k together."""
        new = [point for point in dict.fromkeys(points) if (point, k) not in self._known]
        if new:
            stored = self._upto(k)
            rules = [self._space.rules(point) for point in new]
            for one in rules:
                refuse_inexact(self._base.packs.tuning.parent, one)
            found = stored.measured(rules, self._objectives, self._base.packs.how.workers)
            self._known |= {(point, k): one for point, one in zip(new, found, strict=True)}
        return [self._known[point, k] for point in points]

    def _upto(self, k: int) -> "Stored":
        if k not in self._stored:
            self._stored[k] = Stored.of(self._base.upto(k))
        return self._stored[k]


def refuse_inexact(parent: Variant, candidate: Variant) -> None:
    """``NotExact`` with every reason why stored games of the parent cannot tell."""
    reasons = why_not_exact(parent, candidate)
    if reasons:
        raise NotExact(reasons)


class Stored(NamedTuple):
    """A parent's results, packed to be re-scored."""

    results: Results
    games: Rescorer | None
    skill: Rescorer | None

    @classmethod
    def of(cls, results: Results) -> "Stored":
        """Pack once what many candidates are reckoned from."""
        games, skill = (
            None if played is None else Rescorer(played)
            for played in (results.games, results.skill)
        )
        return cls(results, games, skill)

    def rescored(self, candidate: Variant, *, exact: bool = True) -> Results:
        """The same play under a candidate's points; ``NotExact`` where that cannot be.

        Not ``exact``: choices are left out where no scale makes them.
        """
        played = [
            None if one is None else one.rescored(candidate, exact=exact)
            for one in (self.games, self.skill)
        ]
        choices = self.results.choices
        if choices is not None:
            try:
                choices = scaled(choices, candidate)
            except NotExact:
                if exact:
                    raise
                choices = None
        return Results(games=played[0], choices=choices, skill=played[1])

    def measured(
        self, candidates: Sequence[Variant], objectives: Sequence[Objective], workers: int | None
    ) -> Sequence[Figures]:
        """Figures of candidates in their order, whatever the number of threads."""
        if self.games is None:  # choices alone are solved, one after the other
            return [measure(self.rescored(one), objectives) for one in candidates]
        study = self.results.choices
        choices = None if study is None else partial(scaled, study)
        threads = min(workers or cpus(), cpus())
        return measure_all(self.games, choices, candidates, objectives, threads, skill=self.skill)


class PlayedAnew:
    """Evaluates points by playing them, on the deals of the tuning's rounds.

    A pack of candidates is a run; what is asked for is the same whenever a search is begun
    again, so that packs get the same names and are found.
    """

    def __init__(
        self,
        base: Base,
        space: Space,
        objectives: Sequence[Objective],
        word: str,
        listen: Callable[[int], None] | None = None,
    ) -> None:
        """``word``: what runs of this stage are called by; ``listen``: told before games are
        played how many candidates were looked at with these."""
        self._base = base
        self._space = space
        self._objectives = objectives
        self._word = word
        self._listen = listen
        self._number: dict[Point, int] = {space.parent: 0}
        self._home: dict[tuple[Point, int], int] = {}
        """Pack of a point and round."""
        self._packs: list[tuple[int, tuple[Point, ...]]] = []
        self._recent: dict[int, dict[str, Results]] = {}
        self._known: dict[tuple[Point, int], Figures] = {}

    def __call__(self, points: Sequence[Point], k: int) -> list[Figures]:
        """Figures of points after rounds 0 to k together."""
        new = [point for point in dict.fromkeys(points) if (point, k) not in self._known]
        for point in new:
            self._number.setdefault(point, len(self._number))
        for r in range(k + 1):
            self._play([p for p in new if p != self._space.parent and (p, r) not in self._home], r)
        for point in new:
            self._known[point, k] = self._measured(point, k)
        return [self._known[point, k] for point in points]

    def _measured(self, point: Point, k: int) -> Figures:
        results = self._results(point, k)
        values = ", ".join(map(str, self._space.values(point)))
        check_can_tell(self._base.packs.tuning, results, f"with knobs at {values}: ")
        return measure(results, self._objectives)

    def _play(self, points: Sequence[Point], round: int) -> None:
        """A pack of new candidates."""
        if points:
            pack = len(self._packs)
            if self._listen is not None:
                self._listen(len(self._number) - 1)
            self._packs.append((round, tuple(points)))
            self._home |= {(point, round): pack for point in points}
            self._read(pack)

    def _read(self, pack: int) -> dict[str, Results]:
        """What came of a pack, played now unless it is there."""
        if pack not in self._recent:
            round, points = self._packs[pack]
            base = self._base.packs
            rules = {named(self._number[point]): self._space.rules(point) for point in points}
            stem = f"{self._word}-{pack:04d}-r{round}"
            found = base.play(stem, rules, base.tuning.file.amount, "search", round)
            self._recent[pack] = found
            for old in list(self._recent)[:-KEPT]:
                del self._recent[old]
        return self._recent[pack]

    def _results(self, point: Point, k: int) -> Results:
        if point == self._space.parent:
            return self._base.upto(k)
        name = named(self._number[point])
        rounds = [self._read(self._home[point, r])[name] for r in range(k + 1)]
        return rounds[0] if k == 0 else together(rounds)
