"""What a tuning plays, by name, and the parent's own games, from which everything starts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engine_ext.rules.spec import Variant
from pipeline.tuning.file import Amount, Players
from pipeline.tuning.objectives import REGISTRY, Needs, Objective
from pipeline.tuning.outcome import Told
from pipeline.tuning.packs import How, needs_of, play_pack, seed_of, together
from pipeline.tuning.points import Figures
from pipeline.tuning.results import Results
from pipeline.tuning.tuning_file import Tuning, TuningError

Listen = Callable[[str], None]
"""Told what is going on, a few words at a time."""
PARENT = "t0000"


def named(number: int) -> str:
    """What runs call a candidate."""
    return f"t{number:04d}"


def objectives_of(tuning: Tuning) -> tuple[Objective, ...]:
    """The objectives that the file names, in its order."""
    return tuple(REGISTRY[wanted.name] for wanted in tuning.file.objectives)


def measure(results: Results, objectives: Sequence[Objective]) -> Figures:
    """Every objective of one candidate."""
    return {one.name: one.measure(results) for one in objectives}


def has(results: Results, objective: Objective) -> bool:
    """Whether there is what an objective looks at."""
    by_needs: Mapping[str, object | None] = {
        "games": results.games,
        "choices": results.choices,
        "skill": results.skill,
    }
    if objective.needs == "moves":
        return results.games is not None and results.games.n_moves is not None
    return by_needs[objective.needs] is not None


@dataclass
class Packs:
    """Plays what a tuning needs, or reads it where it is there, and knows all that was played."""

    tuning: Tuning
    folder: str
    how: How
    needs: frozenset[Needs]
    runs: dict[str, Told] = field(default_factory=dict)
    """By path, in the order in which they were first asked for."""

    @classmethod
    def of(cls, tuning: Tuning, folder: str, how: How) -> "Packs":
        """For all objectives of a tuning."""
        return cls(tuning, folder, how, needs_of(objectives_of(tuning)))

    def play(
        self,
        stem: str,
        candidates: Mapping[str, Variant],
        amount: Amount,
        stage: str,
        round: int = 0,
        *,
        players: Players | None = None,
        needs: frozenset[Needs] | None = None,
    ) -> dict[str, Results]:
        """Results by name of candidates; all of a stage and round share their deals."""
        file = self.tuning.file
        found, told = play_pack(
            self.folder,
            stem,
            candidates,
            players or file.players,
            amount,
            seed_of(file.seed, stage, round),
            self.needs if needs is None else needs,
            self.how,
            f"{file.title}: {stem}",
        )
        self.runs |= {one.path: one for one in told}
        return found


class Base:
    """The parent's own games, round by round, as far as they were asked for."""

    def __init__(self, packs: Packs) -> None:
        self.packs = packs
        self._rounds: list[Results] = []
        self._upto: dict[int, Results] = {}

    def upto(self, k: int) -> Results:
        """Rounds 0 to k together."""
        while len(self._rounds) <= k:
            self._rounds.append(self._round(len(self._rounds)))
        if k not in self._upto:
            self._upto[k] = self._rounds[0] if k == 0 else together(self._rounds[: k + 1])
        return self._upto[k]

    def _round(self, k: int) -> Results:
        tuning = self.packs.tuning
        parent = {PARENT: tuning.parent}
        return self.packs.play(f"base-r{k}", parent, tuning.file.amount, "search", k)[PARENT]


def check_can_tell(tuning: Tuning, results: Results, who: str = "") -> None:
    """Refuse objectives that say nothing of some rules; ``who``: whose, for the message."""
    for i, one in enumerate(objectives_of(tuning)):
        reason = None if one.why_not is None else one.why_not(results)
        if reason is not None:
            raise TuningError(f"{tuning.where}: objectives[{i}].name: {one.name}: {who}{reason}")
