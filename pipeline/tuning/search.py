"""The search: candidates are proposed, measured as far as it pays, and the best is kept.

The parent is candidate 0, whether it fulfils what must hold or not; the nearest rules that do
are the first best. Then points are proposed together, race against the best
(:mod:`pipeline.tuning.racing`), and the sampler is told what came of them.

Everything follows from the seed and from what ``evaluate`` answers, so that a search that is
begun again takes the same way.
"""

from typing import Literal, NamedTuple

from engine_ext.errors import UserError
from pipeline.tuning.file import Search
from pipeline.tuning.losses import Aims
from pipeline.tuning.points import Box, Evaluate, Figures, Point
from pipeline.tuning.proposals import Proposals, proposals
from pipeline.tuning.racing import ALPHA, Race


class Looked(NamedTuple):
    """A candidate with what it came to."""

    number: int
    """In order of proposal; 0 is the parent."""
    point: Point
    measured: Figures
    """On its first deals and those of all its further rounds together."""
    rounds: int
    """Further rounds that it got."""


class Found(NamedTuple):
    """What a search looked at, and the best of it."""

    looked: tuple[Looked, ...]
    stopped: Literal["spent", "patience", "every"]
    best: tuple[int, ...]
    """Numbers of the best: the one with the least loss after all rounds, or by ``nsga2`` those
    on the front. All of them fulfil what must hold."""


def search(
    space: Box,
    aims: Aims,
    evaluate: Evaluate,
    settings: Search,
    seed: int,
    frozen: frozenset[int] = frozenset(),
) -> Found:
    """Look for candidates that lose less than the parent.

    Parameters
    ----------
    space : Box
        All points; only those are looked at that fulfil what must hold.
    aims : Aims
        What is to be small: the loss, or for ``nsga2`` what each objective lacks.
    evaluate : Evaluate
        Figures of points after rounds 0..k.
    settings : Search
        ``candidates`` are counted without the parent and without points seen before.
        ``patience`` counts candidates since the last one that was surely better, after all
        rounds and on the same deals, than what led when that was last so; by ``nsga2`` better
        in something than each on the front. That noise alone passes for it among so many in a
        row has 5 % (Bonferroni). It is looked at between batches.
    seed : int
        Of all proposals.
    frozen : frozenset of int
        Knobs that stay as in the parent.

    Raises
    ------
    UserError
        No point fulfils what must hold; a method whose package is missing; ``every`` with more
        points than ``candidates``.
    """
    start = space.nearest(space.parent, frozen)
    if start is None:
        raise UserError("hold: no setting of the knobs fulfils it (want fewer holds or more knobs)")
    race = Race(aims, evaluate, space.parent, start, settings)
    way = _Way(space, race, settings)
    source = proposals(space, settings, seed, frozen, {start: race.values(start, way.last)})
    stopped = way.follow(source)
    return Found(tuple(way.looked), stopped, way.best())


class _Way:
    """What was looked at so far."""

    def __init__(self, space: Box, race: Race, settings: Search) -> None:
        self.looked: list[Looked] = []
        self.last = settings.rounds - 1
        self._race = race
        self._settings = settings
        self._number: dict[Point, int] = {}
        self._marks = race.leaders
        """Who led when patience was last reset."""
        self._dry = 0
        """Candidates since then."""
        for point in dict.fromkeys((space.parent, *race.leaders)):
            self._note(point, self.last)

    def follow(self, source: Proposals) -> Literal["spent", "patience", "every"]:
        """Look at what is proposed until something ends it."""
        while (left := self._settings.candidates + 1 - len(self.looked)) > 0:
            if self._settings.patience is not None and self._dry >= self._settings.patience:
                return "patience"
            points = source.more(min(left, self._settings.at_once))
            if not points:
                return source.ended()
            got = self._race.run(points)
            for point, rounds in got.items():
                self._note(point, rounds)
            source.tell({point: self._race.values(point, k) for point, k in got.items()})
            self._wait(got)
            self._race.keep_only((*self._race.leaders, *self._marks))
        return "every" if self._settings.method == "every" else "spent"

    def best(self) -> tuple[int, ...]:
        """Numbers of those who lead."""
        return tuple(self._number[point] for point in self._race.leaders)

    def _note(self, point: Point, rounds: int) -> None:
        self._number[point] = len(self.looked)
        figures = self._race.figures(point, rounds)
        self.looked.append(Looked(len(self.looked), point, figures, rounds))

    def _wait(self, got: dict[Point, int]) -> None:
        """Count on, from the last candidate that brought something."""
        if self._settings.patience is None:
            return
        confidence = 1 - 2 * ALPHA / self._settings.patience
        marks, reset = self._marks, False
        for point, rounds in got.items():
            self._dry += 1
            if rounds == self.last and self._race.beyond(point, marks, confidence):
                self._dry, reset = 0, True
        if reset:
            self._marks = self._race.leaders
