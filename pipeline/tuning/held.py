"""Stored games played anew under other points, with their contracts and doubles held fixed.

The entrants play every card anew and know the candidate's rules; what was chosen, named and
doubled they take from the stored games. Re-scoring must come to the same where it is exact:
this is what it is held against.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from engine_ext.batch import GameRecords, Rules, is_batched, play_games
from engine_ext.errors import UserError
from engine_ext.fixed import hands_of_text
from engine_ext.rules.numbers import KIND_LAYOUT, VariantNumbers
from engine_ext.rules.resolve import TRUMP
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key
from pipeline.config import BY_PEOPLE, EVENINGS, RunConfig
from pipeline.seating import rotations
from pipeline.store import Run
from pipeline.stores import StoreError
from pipeline.tables import Games, find_doubles
from pipeline.tuning.exact import NotExact, not_points
from pipeline.tuning.results import Played
from pipeline.tuning.stored import played_of, read_stored
from strategies.decisions import Strategy
from strategies.parts import Together, parts_of
from strategies.registry import create

if TYPE_CHECKING:
    from engine_ext.pypolicy import View

Ints = npt.NDArray[np.int64]


def play_held(run: Run, variant: str, candidate: Variant) -> Played:
    """Every stored game of a variant, its cards played anew under the candidate's rules.

    Cards are dealt and players draw as in the stored games, but where there are two rounds of
    speaking: who doubled in which is not stored, so that players who draw may draw otherwise.
    Raises :class:`~pipeline.tuning.exact.NotExact` for a candidate that changes more than
    points, or moves a tie so that other deals are played.
    """
    config = run.manifest.config
    if config.design == EVENINGS:
        raise StoreError(f"{run.where}: {BY_PEOPLE}")
    games, _ = read_stored(run, variant)
    rules = Rules(candidate)
    reasons = not_points(config.variant(variant), candidate, games.rules, rules.numbers)
    if reasons:
        raise NotExact(reasons)
    players, seating = _players(config, games)
    turn = games.table.astype(np.uint32) * rotations(config, rules.numbers.seats) + games.rotation
    records = play_games(
        rules,
        players,
        key=run_key(config.seed),
        blocks=games.block,
        seating=seating,
        replicates=turn if config.streams == "independent" else None,
        hands=None if config.dealt is None else hands_of_text(rules.numbers, config.dealt),
    )
    _check_held(games, records)
    again = Games(
        variant,
        rules.numbers,
        games.labels,
        games.block,
        games.table,
        games.rotation,
        games.entrant,
        records,
        find_doubles(records),
    )
    return played_of(again, candidate)


class Script:
    """What one seat of an entrant chose, named and doubled, game after game."""

    def __init__(self, first_row: Sequence[int], answers: "Answers") -> None:
        self._first_row = first_row
        self._answers = answers
        self._game = -1

    def new_game(self) -> None:
        """The next of its games begins."""
        self._game += 1

    def choose(self, view: "View") -> tuple[int, int]:
        """What was named; in a deal that was not played then, the first."""
        said = self._answers.named.get(self._row(view))
        return said if said in view.choices else view.choices[0]

    def double(self, view: "View") -> int:
        """Whom it doubled; who had spoken before it was doubled back by it."""
        return self._answers.doubled.get((self._row(view), view.seat), 0) & view.may_double

    def redouble(self, view: "View") -> int:
        """Whom it doubled back."""
        return self._answers.doubled.get((self._row(view), view.seat), 0) & view.may_redouble

    def _row(self, view: "View") -> int:
        return self._first_row[self._game] + view.deal


class Answers:
    """What was said in the deals of stored games, by row."""

    def __init__(self, games: Games) -> None:
        deals, doubles = games.records.deals, games.doubles
        named = np.where(_names(games.rules)[deals.contract], deals.param, 0)
        self.named = dict(enumerate(zip(deals.contract.tolist(), named.tolist(), strict=True)))
        """(contract, trump suit or start rank)"""
        self.doubled: dict[tuple[int, int], int] = {}
        """By row and seat the seats that it doubled, as bits."""
        rows = (games.first_row[doubles.game] + doubles.deal).tolist()
        pairs = (doubles.doubler.tolist(), doubles.doubled.tolist(), doubles.redoubled.tolist())
        for row, by, to, back in zip(rows, *pairs, strict=True):
            self._add(row, by, to)
            if back:
                self._add(row, to, by)

    def _add(self, row: int, by: int, to: int) -> None:
        self.doubled[row, by] = self.doubled.get((row, by), 0) | 1 << to


def _names(rules: VariantNumbers) -> npt.NDArray[np.bool_]:
    """By contract whether somebody names a trump suit or start rank: a drawn suit is stored too."""
    return np.array(
        [one.kind == KIND_LAYOUT or one.trump_mode == TRUMP["declarer"] for one in rules.contracts]
    )


def _players(config: RunConfig, games: Games) -> tuple[list[Strategy], npt.NDArray[np.uint8]]:
    """An entrant with a script for each seat in which it sat, and who sits where, (G, S)."""
    seating = np.zeros(games.entrant.shape, np.uint8)
    players: list[Strategy] = []
    answers, first_row = Answers(games), games.first_row
    for seat in range(games.rules.seats):
        for entrant in np.unique(games.entrant[:, seat]).tolist():
            own = games.entrant[:, seat] == entrant
            seating[own, seat] = len(players)
            script = Script(first_row[own].tolist(), answers)
            players.append(_scripted(config.entrants[entrant].strategy, script))
    return players, seating


def _scripted(name: str, script: Script) -> Strategy:
    """The strategy of this name where cards are played; the script answers all else."""
    whole = create(name)
    play = parts_of(whole).get("play", whole)
    if is_batched(play):
        raise UserError(f"{name}: is asked in batches, so that stored choices cannot be held")
    both: Any = Together({"play": play, "choose": script, "double": script}, name, None)
    answers: Strategy = both
    return answers


def _check_held(games: Games, records: GameRecords) -> None:
    """What was to be held was held."""
    if not np.array_equal(records.n_deals, games.records.n_deals):
        raise NotExact(
            ["ties: totals decide whether one is played out, and other games have one now"]
        )
    here, there = records.deals, games.records.deals
    said = np.zeros(here.doubled.shape, np.int64)
    rows, doubles = games.first_row[games.doubles.game] + games.doubles.deal, games.doubles
    np.bitwise_or.at(said, (rows, doubles.doubler), 1 << doubles.doubled.astype(np.int64))
    back = doubles.redoubled
    np.bitwise_or.at(
        said, (rows[back], doubles.doubled[back]), 1 << doubles.doubler[back].astype(np.int64)
    )
    for name in ("contract", "param", "declarer", "leader"):
        assert np.array_equal(getattr(here, name), getattr(there, name)), f"{name} was not held"
    assert np.array_equal(here.doubled, said), "doubles were not held"
