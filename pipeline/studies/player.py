"""Plays the units of a study: the one border between its designs and the engine."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine_ext.batch import Rules, StopFlag
from engine_ext.errors import FoulPlay
from engine_ext.played import GameRecords
from engine_ext.rules.resolve import KIND_LAYOUT, TRUMP
from engine_ext.seeds import run_key
from engine_ext.trials import Outcomes, Question, Trials, trials
from pipeline.config import RunConfig
from pipeline.studies.designs import Declared, declared, n_worlds
from pipeline.watched import Heard, watched
from strategies.offences import Offence

Ints = npt.NDArray[np.int64]
AT_ONCE = 32_768
"""Trials that are handed to the engine at a time, about: their arrays stay small."""


class Stopped(Exception):
    """The stop flag was set; what was begun is dropped."""


class Player:
    """One variant of a study with one thread to play it."""

    def __init__(
        self,
        config: RunConfig,
        variant: str,
        stop: StopFlag,
        *,
        heard: Heard | None = None,
    ) -> None:
        """``heard``: what each strategy is exchanged for, somebody who listens to it, say."""
        self.config, self.variant = config, variant
        self.rules = Rules(config.variant(variant))
        self.numbers = self.rules.numbers
        self.labels = tuple(entrant.label for entrant in config.entrants)
        self.worlds = n_worlds(config.worlds)
        self.declared: list[Declared] = declared(self.numbers)
        self.key = run_key(config.seed)
        self.table = 0
        """Entrant who plays, by number."""
        self.fouls = np.zeros(0, np.int64)
        self.played = np.zeros(0, np.int64)
        self._stop = stop
        self._watch = watched(config, self.rules, heard)

    @property
    def offences(self) -> list[Offence]:
        """What strategies in Python did besides answering, so far."""
        return self._watch.offences

    def begin(self, table: int, n_units: int) -> None:
        """From now on entrant ``table`` plays, and counts begin for so many units."""
        self.table = table
        self.fouls = np.zeros(n_units, np.int64)
        self.played = np.zeros(n_units, np.int64)

    def ask(self, unit: Ints | None, question: Question = Question.PLAY, **given: Any) -> Outcomes:
        """Carry out trials, each counted for its unit if that is given; ``given`` as for
        :func:`engine_ext.trials.trials`, with ``block`` one for each. Raises :class:`Stopped`."""
        asked = trials(self.rules, len(given["block"]), **given)
        found = self._watch.play_trials(
            asked, self.table, key=self.key, question=question, stop=self._stop
        )
        self._hold(found)
        if len(found.code) < len(asked):
            raise Stopped
        if unit is not None:
            self._count(unit, found.fouls.sum(axis=1), int(question == Question.PLAY))
        return found

    def games(self, unit: Ints, blocks: npt.NDArray[np.uint64], turns: Ints) -> GameRecords:
        """Play whole games, one a unit, hands turned. Raises :class:`Stopped`."""
        seating = np.full((len(unit), self.numbers.seats), self.table, np.uint8)
        records = self._watch.play_games(
            key=self.key,
            blocks=blocks,
            seating=seating,
            turns=turns.astype(np.uint8),
            stop=self._stop,
            stop_on_foul=self.config.foul == "stop",
        )
        self._hold(None)
        if len(records.score) < len(unit):
            raise Stopped
        self._count(unit, records.fouls.sum(axis=1), records.n_deals.astype(np.int64))
        return records

    def once_more(self, asked: Trials) -> Outcomes:
        """Carry out trials once more with their moves; they are not counted."""
        return self._watch.play_trials(asked, self.table, key=self.key, log=True)

    def game_once_more(self, block: int, turn: int) -> GameRecords:
        """Play a game once more with its moves; it is not counted."""
        return self._watch.play_games(
            key=self.key,
            blocks=np.array([block], np.uint64),
            seating=np.full((1, self.numbers.seats), self.table, np.uint8),
            turns=np.array([turn], np.uint8),
            log=True,
        )

    def param_of(self, code: npt.NDArray[Any]) -> Ints:
        """Trump suit or start rank of contract codes, -1 where nobody names one."""
        named = [
            one.kind == KIND_LAYOUT or one.trump_mode == TRUMP["declarer"]
            for one in self.numbers.contracts
        ]
        return np.where(np.array(named)[code >> 8], code & 255, -1)

    def _count(self, unit: Ints, fouls: npt.NDArray[Any], deals: Any) -> None:
        np.add.at(self.fouls, unit, fouls.astype(np.int64))
        np.add.at(self.played, unit, deals)

    def _hold(self, found: Outcomes | None) -> None:
        """Stop the run at a foul, where it says so."""
        if self.config.foul != "stop":
            return
        label = self.labels[self.table]
        for offence in self.offences:
            if offence.kind != "print":
                raise FoulPlay(f"{self.variant}: {offence}")
        if found is not None and found.fouls.any():
            why = found.errors[0] if found.errors else "an answer that is not allowed"
            raise FoulPlay(f"{self.variant}: {label}: {why}")


class Path(NamedTuple):
    """What the entrant chose in the dealerships of some blocks, B of them, D deals each."""

    left: npt.NDArray[np.uint8]
    """(B, D, C) uses of each contract before the choice."""
    code: npt.NDArray[np.int32]
    """(B, D) what it chose: contract * 256 + parameter."""
    duty: npt.NDArray[np.uint8]
    """(B, D, S) doubles of the declarer by each seat before the deal."""
    doubled: npt.NDArray[np.uint16]
    """(B, D, S) whom each seat doubled."""
    fouls: Ints
    """(B, D) illegal or failed answers to these questions."""


def walk(player: Player, blocks: npt.NDArray[np.uint64], n_deals: int, *, bets: bool) -> Path:
    """Ask the entrant for the choices (and doubles) of the first deals of dealerships."""
    n, b = player.numbers, len(blocks)
    left = np.zeros((b, n_deals, n.n_contracts), np.uint8)
    duty = np.zeros((b, n_deals, n.seats), np.uint8)
    code = np.zeros((b, n_deals), np.int32)
    doubled = np.zeros((b, n_deals, n.seats), np.uint16)
    now = np.broadcast_to(np.array(n.uses[: n.n_contracts], np.uint8), (b, n.n_contracts)).copy()
    owed = np.zeros((n.seats, b, n.seats), np.uint8)
    fouls = np.zeros((b, n_deals), np.int64)
    each = np.arange(b)
    for step, (deal, base) in enumerate(player.declared[:n_deals]):
        left[:, step], duty[:, step] = now, owed[base]
        given = {"block": blocks, "deal": deal, "base": base, "left": now, "duty": owed[base]}
        if bets:
            found = player.ask(None, Question.BET, **given)
            doubled[:, step] = found.deals.doubled
            of_declarer = doubled[:, step] >> base & 1
            of_declarer[:, base] = 0
            owed[base] += of_declarer.astype(np.uint8)
        else:
            found = player.ask(None, Question.CHOOSE, **given)
        fouls[:, step] = found.fouls.sum(axis=1)
        code[:, step] = found.code
        now[each, found.code >> 8] -= 1
    return Path(left, code, duty, doubled, fouls)


def by_role(points: npt.NDArray[Any], declarer: npt.NDArray[Any]) -> Ints:
    """Points by seat (R, S) turned to roles: column k is of the k-th after the declarer."""
    seats = points.shape[1]
    at = (np.asarray(declarer)[:, None] + np.arange(seats)) % seats
    return np.take_along_axis(points.astype(np.int64), at, axis=1)
