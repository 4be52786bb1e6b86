"""Games in which strategies in Python are watched for offences, at next to no cost.

Looked at is only what a whole set of games left behind: whether anything was printed, whether
the generators that everybody shares have moved, whether the rules are what they were. Only
then are the same games played again under a :class:`~strategies.guard.Guard`, which sees who it
was. Who reaches for everybody's random numbers is given, from then on, such as depend
on the question alone, so that the games stay the same wherever they are played.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from engine_ext.batch import TABLES, GameRecords, Rules, is_batched, play_games
from engine_ext.trials import Outcomes, Trials, play_trials
from strategies.decisions import Strategy
from strategies.guard import MOST_TOLD, Guard, guarded
from strategies.offences import Generators, Kind, Offence, Shown, listening

T = TypeVar("T")
SOMEWHERE = (0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1)
"""Words from which the shared generators start: the digits of some square roots."""


class Watch:
    """Plays games of some strategies, and notes their offences."""

    def __init__(
        self,
        rules: Rules,
        strategies: Sequence[Strategy],
        names: Sequence[str] | None = None,
        *,
        budget_ms: float | None = None,
        aloud: bool = False,
    ) -> None:
        """``names``: what offences call the strategies; ``aloud``: what they print is shown."""
        self.offences: list[Offence] = []
        self._rules = rules
        self._strategies = list(strategies)
        self._names = list(map(repr, strategies) if names is None else names)
        self._python = [i for i, s in enumerate(strategies) if not hasattr(s, "capsule")]
        self._shown = Shown(rules.numbers)
        self._aloud = aloud
        self._heard: list[str] = []
        self.guard = Guard(self._shown, self._heard, budget_ms=budget_ms)
        self._on_guard = budget_ms is not None or aloud
        if aloud:
            self.guard.attentive.add("print")

    def play_games(self, **asked: Any) -> GameRecords:
        """Play games as :func:`engine_ext.batch.play_games` does, the first two arguments
        apart."""
        return self._watched(lambda players, more: play_games(self._rules, players, **asked | more))

    def play_trials(self, trials: Trials, who: int = 0, **asked: Any) -> Outcomes:
        """Carry out trials as :func:`engine_ext.trials.play_trials` does, with strategy ``who``
        in every seat."""
        seats = self._rules.numbers.seats

        def play(players: Sequence[Strategy], more: dict[str, Any]) -> Outcomes:
            return play_trials(self._rules, [players[who]] * seats, trials, **asked | more)

        return self._watched(play)

    def _watched(self, play: Callable[[Sequence[Strategy], dict[str, Any]], T]) -> T:
        """What ``play`` gives with these players, and what it is told besides."""
        if not self._python:
            return play(self._strategies, {})
        while True:
            noted = len(self.offences)
            records, happened = self._play(play)
            if happened <= self.guard.attentive:
                return records
            # Again, now that it is known what to look for.
            del self.offences[noted:]
            self.guard.attentive |= happened
            self._on_guard = True

    def _play(self, play: Callable[[Sequence[Strategy], dict[str, Any]], T]) -> tuple[T, set[Kind]]:
        """Play once; the offences seen from outside."""
        guard, players = self.guard, self._strategies
        more: dict[str, Any] = {}
        if self._on_guard:
            names = zip(self._strategies, self._names, strict=True)
            players = [guarded(guard, strategy, name) for strategy, name in names]
            if any(map(is_batched, players)):
                more = {"tables": 1 if "random" in guard.attentive else TABLES}
        before = Generators()
        Generators.seed(SOMEWHERE)  # where nobody's own seed leads
        generators = Generators()
        guard.offences = []
        try:
            with listening(aloud=self._aloud) as heard, guard.ticking():
                guard.heard = heard
                records = play(players, more)
        finally:
            happened: set[Kind] = set()
            if heard:
                happened.add("print")
            if not generators.same():
                happened.add("random")
            before.put_back()
            if not self._shown.same():
                happened.add("rules")
                self._shown.put_back()
            self.offences += guard.offences
        if "print" in happened & guard.attentive and not any(
            offence.kind == "print" for offence in guard.offences
        ):
            self._note_unasked("".join(heard))
        return records, happened

    def _note_unasked(self, text: str) -> None:
        """Something was printed, but not while anybody was asked, or not again."""
        names = [self._names[i] for i in self._python]
        name = names[0] if len(names) == 1 else f"one of {', '.join(names)}"
        self.offences.append(Offence(name, "print", "", None, None, repr(text)[:MOST_TOLD]))
