"""Stored games scored by other points: thousands of candidates from one run.

Card play, contracts and doubles stay what they were. :mod:`pipeline.tuning.exact` says where
that is what players of the candidate would do, contracts and doubles held fixed.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from engine_ext.build import load
from engine_ext.rules.resolve import VariantNumbers, resolve
from engine_ext.rules.spec import Variant
from pipeline.tuning.exact import Affine, NotExact, images, not_points, reasons_of
from pipeline.tuning.measured import Measured
from pipeline.tuning.objectives import Objective
from pipeline.tuning.packed import packed
from pipeline.tuning.results import Choices, Played, Results

if TYPE_CHECKING:
    import engine_ext.rescore as kernel
else:
    kernel = load("engine_ext.rescore")


class Room(NamedTuple):
    """Room for what comes out, used again by the next candidate."""

    points: npt.NDArray[np.int32]
    side: npt.NDArray[np.int32]
    score: npt.NDArray[np.int32]

    @classmethod
    def of(cls, played: Played) -> Self:
        """As much as these games need."""
        return cls(*(np.empty_like(getattr(played, name)) for name in cls._fields))


class Fines(NamedTuple):
    """Doubles that lacked of the duty in the end, where that is paid for."""

    row: npt.NDArray[np.int64]
    game: npt.NDArray[np.int64]
    seat: npt.NDArray[np.uint8]
    lacking: npt.NDArray[np.uint8]


class Rescorer:
    """Games of one variant, packed once. Several threads may ask."""

    def __init__(self, played: Played) -> None:
        """Raises ``AssertionError``, with the first deal, where the games' own rules do not give
        the points, side bets and totals that stand there."""
        self.played = played
        self._packed = packed(played)
        self._own = self._packed.had.worth(played.rules)
        self._fines: Fines | None = None
        again = self._scored(self._own, 0, Room.of(played))
        self._fines = self._found_fines(again.side)
        self._check(self._scored(self._own, played.rules.duty_penalty, Room.of(played)))

    def rescored(
        self, candidate: Variant, *, exact: bool = True, into: Room | None = None
    ) -> Played:
        """The same games scored by a candidate's points.

        ``exact``: only where stored play is the candidate's own, contracts and doubles held;
        else whatever changes nothing but points, whoever would play otherwise. ``into``: room
        that is written over. Raises :class:`~pipeline.tuning.exact.NotExact`.
        """
        rules = resolve(candidate)
        told = self._told(candidate, rules, exact=exact)
        value = self._packed.had.worth(rules, told)
        found = self._scored(value, rules.duty_penalty, into or Room.of(self.played))
        return replace(self.played, variant=candidate, rules=rules, **found._asdict())

    def _told(
        self, candidate: Variant, rules: VariantNumbers, *, exact: bool
    ) -> Mapping[str, Affine]:
        """By contract what becomes of points that are told without items."""
        asked = self.played.variant, candidate, self.played.rules, rules
        reasons = reasons_of(*asked) if exact else not_points(*asked)
        if reasons:
            raise NotExact(reasons)
        found, _ = images(*asked)
        lost = sorted(self._packed.had.told(rules) - set(found))
        if lost:
            raise NotExact(
                [f"contracts.{one}: some deals tell points alone, not for what" for one in lost]
            )
        return found

    def _scored(self, value: npt.NDArray[np.int32], penalty: int, into: Room) -> Room:
        """Points, side bets and totals by what each thing that was had is worth."""
        ready = self._packed
        kernel.rescore(ready.code, value, self.played.n_deals, ready.n_bets, ready.bets, *into)
        if self._fines is not None and penalty:
            kernel.add_fines(*self._fines, penalty, into.side, into.score)
        return into

    def _found_fines(self, settled: npt.NDArray[np.int32]) -> Fines | None:
        """What stands in side bets beyond the settlement of pairs."""
        penalty = self.played.rules.duty_penalty
        if not penalty:
            return None
        row, seat = map(np.ascontiguousarray, np.nonzero(self.played.side - settled))
        paid = self.played.side[row, seat] - settled[row, seat]
        game = np.repeat(np.arange(len(self.played.n_deals)), self.played.n_deals)[row]
        return Fines(row, game, seat.astype(np.uint8), (paid // penalty).astype(np.uint8))

    def _check(self, found: Room) -> None:
        """Stored play counted by its own rules must be what it was."""
        played = self.played
        game = np.repeat(np.arange(len(played.n_deals)), played.n_deals)
        for name in ("points", "side"):
            here, there = getattr(found, name), getattr(played, name)
            if not np.array_equal(here, there):
                row = int((here != there).any(axis=1).argmax())
                at = int(game[row])
                raise AssertionError(
                    f"block {played.block[at]}, game {at}, its deal {row - played.first_row[at]} "
                    f"({played.rules.contract_names[played.contract[row]]}): {name} "
                    f"{there[row].tolist()} stand there, counted again they are "
                    f"{here[row].tolist()}"
                )
        if not np.array_equal(found.score, played.score):
            at = int((found.score != played.score).any(axis=1).argmax())
            raise AssertionError(
                f"block {played.block[at]}, game {at}: totals {played.score[at].tolist()} stand "
                f"there, its deals make {found.score[at].tolist()}"
            )


def measure_all(
    rescorer: Rescorer,
    choices: Callable[[Variant], Choices] | None,
    candidates: Sequence[Variant],
    objectives: Sequence[Objective],
    workers: int,
    *,
    skill: Rescorer | None = None,
) -> list[dict[str, Measured]]:
    """What each candidate comes to in each objective, by name, in the order of the candidates.

    ``choices``: what a study of the parent is worth at a candidate's points; ``skill``: games with
    restricted players. The answer is the same for any number of threads. Raises
    :class:`~pipeline.tuning.exact.NotExact` for the first candidate that is none.
    """
    both = [one for one in (rescorer, skill) if one is not None]
    rooms: SimpleQueue[list[Room]] = SimpleQueue()
    for _ in range(max(1, workers)):
        rooms.put([Room.of(one.played) for one in both])

    def measure(candidate: Variant) -> dict[str, Measured]:
        room = rooms.get()
        try:
            games, *rest = (
                one.rescored(candidate, into=into) for one, into in zip(both, room, strict=True)
            )
            results = Results(games, choices and choices(candidate), rest[0] if rest else None)
            return {one.name: one.measure(results) for one in objectives}
        finally:
            rooms.put(room)

    with ThreadPoolExecutor(max(1, workers)) as hands:
        return list(hands.map(measure, candidates))
