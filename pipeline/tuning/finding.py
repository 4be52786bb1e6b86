"""Base, sensitivity and search: which candidates were looked at, and what they came to."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from engine_ext.errors import RuleError
from pipeline.tuning.base import check_can_tell
from pipeline.tuning.evaluating import PlayedAnew, Rescored
from pipeline.tuning.exact import NotExact, why_not
from pipeline.tuning.front import front
from pipeline.tuning.outcome import Sensed
from pipeline.tuning.points import Evaluate, Figures, Point
from pipeline.tuning.search import Found, search
from pipeline.tuning.sensitivity import sense
from pipeline.tuning.space import Space
from pipeline.tuning.tuning_file import TuningError
from pipeline.tuning.work import Work

By = Literal["rescoring", "playing"]


class Seen(NamedTuple):
    """A candidate that the search looked at."""

    number: int
    """0 is the parent."""
    point: Point
    figures: Figures
    parent: Figures
    """The parent's on the same deals."""
    rounds: int
    """Further deals that it got, as many each time as at first."""
    loss: float
    """Weighed steps lost against the parent."""
    fulfils: bool
    front: bool


class Searched(NamedTuple):
    """What base, sensitivity and search came to."""

    by: By
    why_played: str | None
    sensed: tuple[Sensed, ...]
    frozen: frozenset[int]
    seen: tuple[Seen, ...]
    """By number, the parent first."""
    stopped: Literal["spent", "patience", "every"]


def found_candidates(work: Work) -> Searched:
    """Base, sensitivity and search, by re-scoring where that is exact."""
    work.listen("base")
    check_can_tell(work.tuning, work.base.upto(0))
    asked = work.tuning.file.search.by
    reason = None if asked == "playing" else _first_inexact(work)
    if asked == "playing":
        return _by_playing(work, "search.by asks for it")
    if reason is None:
        try:
            return _by_rescoring(work)
        except NotExact as error:  # knobs that are harmless alone are not so together
            reason = str(error)
    if asked == "rescoring":
        raise TuningError(
            f"{work.tuning.where}: search.by: stored games cannot tell ({reason}; want "
            '"auto" or "playing")'
        )
    return _by_playing(work, reason)


def _first_inexact(work: Work) -> str | None:
    """Why stored games cannot tell of a setting; each is looked at alone."""
    parent = work.tuning.parent
    for point in _alone(work.space):
        try:
            reasons = why_not(parent, work.space.rules(point))
        except RuleError:
            continue  # such rules are never played
        if reasons:
            return reasons[0]
    return None


def _alone(space: Space) -> Iterator[Point]:
    """The parent with one knob set otherwise, every setting of every knob."""
    for knob, size in enumerate(space.sizes):
        for setting in range(size):
            if setting != space.parent[knob]:
                yield (*space.parent[:knob], setting, *space.parent[knob + 1 :])


def _by_rescoring(work: Work) -> Searched:
    evaluate = Rescored(work.base, work.space, work.objectives)
    return _searched(work, "rescoring", None, lambda _: evaluate)


def _by_playing(work: Work, reason: str) -> Searched:
    most = work.tuning.file.search.candidates

    def tell(looked: int) -> None:
        work.listen(f"search {looked} of {most}")

    def evaluator(word: str) -> Evaluate:
        listen = tell if word == "search" else None
        return PlayedAnew(work.base, work.space, work.objectives, word, listen)

    return _searched(work, "playing", reason, evaluator)


def _searched(
    work: Work, by: By, reason: str | None, evaluator: Callable[[str], Evaluate]
) -> Searched:
    file, space = work.tuning.file, work.space
    sensed: tuple[Sensed, ...] = ()
    frozen: frozenset[int] = frozenset()
    if file.sensitivity.morris or file.sensitivity.sobol:
        work.listen("sensitivity")
        sensed, frozen = sense(space, work.aims, evaluator("sense"), file.sensitivity, file.seed)
        frozen = frozen if file.sensitivity.freeze else frozenset()
    work.listen("search")
    evaluate = evaluator("search")
    found = search(space, work.aims, evaluate, file.search, file.seed, frozen)
    return Searched(by, reason, sensed, frozen, _seen(work, found, evaluate), found.stopped)


def _seen(work: Work, found: Found, evaluate: Evaluate) -> tuple[Seen, ...]:
    """What was looked at, each beside the parent on the same deals."""
    space, aims = work.space, work.aims
    parents = {
        rounds: evaluate([space.parent], rounds)[0]
        for rounds in {one.rounds for one in found.looked}
    }
    fulfils = [space.fulfils(one.point) for one in found.looked]
    vectors = [aims.vector(one.measured) for one in found.looked]
    # Rules that break what must hold are no choice, and stand before nobody.
    eligible = [i for i, fits in enumerate(fulfils) if fits]
    best = front([vectors[i] for i in eligible])
    on_front = {i for i, is_best in zip(eligible, best, strict=True) if is_best}
    return tuple(
        Seen(
            number=one.number,
            point=one.point,
            figures=one.measured,
            parent=parents[one.rounds],
            rounds=one.rounds,
            loss=aims.loss(one.measured, parents[one.rounds]).value,
            fulfils=fulfils[i],
            front=i in on_front,
        )
        for i, one in enumerate(found.looked)
    )
