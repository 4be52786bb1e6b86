"""Games for the checks, and where two playings of the same games first differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from engine_ext import batch
from engine_ext.record_deal import records_of_game
from engine_ext.record_names import Names
from engine_ext.record_play import EngineSide
from engine_ext.record_text import RecordError
from engine_ext.rules.load import load_variant
from engine_ext.rules.resolve import KIND_LAYOUT
from engine_ext.seeds import run_key
from strategies.offences import Shown

KEY = run_key(20_000)


@cache
def rules_of(variant: str) -> batch.Rules:
    """Return a shipped variant, packed; read once in a process."""
    return batch.Rules(load_variant(variant))


def asked_of(
    variant: str, n_players: int, blocks: Sequence[int], replicate: int = 0
) -> dict[str, Any]:
    """Return what ``play_games`` wants for a game of each block, ``n_players`` in turn around
    the table."""
    around = np.arange(rules_of(variant).numbers.seats, dtype=np.uint8) % n_players
    return {
        "key": KEY,
        "blocks": np.array(blocks, np.uint64),
        "seating": np.tile(around.astype(np.uint8), (len(blocks), 1)),
        "replicates": np.full(len(blocks), replicate, np.uint32),
        "log": True,
    }


def play(
    variant: str,
    players: Sequence[batch.Strategy],
    blocks: Sequence[int],
    *,
    replicate: int = 0,
    tables: int = batch.TABLES,
) -> batch.GameRecords:
    """Play a game of each block, ``players`` around the table (in turn, if too few)."""
    asked = asked_of(variant, len(players), blocks, replicate)
    shown = _shown(variant)
    try:
        return batch.play_games(rules_of(variant), players, tables=tables, **asked)
    finally:
        if not shown.same():  # a strategy changed them; others shall not see that
            shown.put_back()


@cache
def _shown(variant: str) -> Shown:
    return Shown(rules_of(variant).numbers)


def moves(records: batch.GameRecords) -> npt.NDArray[np.uint8]:
    """Return every move of every game, a row a game where all have as many deals."""
    assert records.deals.moves is not None, "played with log=True"
    every = records.deals.moves
    same_length = len(records.score) and len(every) % len(records.score) == 0
    return every.reshape(len(records.score) if same_length else len(every), -1)


def same(one: batch.GameRecords, other: batch.GameRecords) -> bool:
    """Whether two sets of games went alike, move for move and bet for bet."""
    return (
        np.array_equal(one.n_deals, other.n_deals)
        and np.array_equal(moves(one), moves(other))
        and np.array_equal(one.deals.doubled, other.deals.doubled)
        and np.array_equal(one.deals.contract, other.deals.contract)
        and np.array_equal(one.deals.param, other.deals.param)
        and np.array_equal(one.score, other.score)
    )


@dataclass(frozen=True, slots=True)
class Example:
    """Where a check failed first; None is what is not known."""

    what: str
    """What was wrong there."""
    variant: str | None = None
    block: int | None = None
    deal: int | None = None
    seat: int | None = None
    question: str | None = None

    def __str__(self) -> str:
        named = (("block", self.block), ("deal", self.deal), ("seat", self.seat))
        place = [f"{name} {value}" for name, value in named if value is not None]
        if self.question:
            place.append(self.question)
        where = ", ".join(([self.variant] if self.variant else []) + place)
        return f"{where}: {self.what}" if where else self.what


def first_difference(
    variant: str,
    blocks: Sequence[int],
    one: batch.GameRecords,
    other: batch.GameRecords,
    ways: tuple[str, str],
    *,
    backwards: bool = False,
) -> Example | None:
    """Where two playings of a game of each block first differ; ``ways`` say how they were played.

    ``backwards``: the other has the games from the last to the first.
    """
    begins = [np.concatenate([[0], np.cumsum(records.n_deals)]) for records in (one, other)]
    for game, block in enumerate(blocks):
        there = len(blocks) - 1 - game if backwards else game
        for deal in range(min(int(one.n_deals[game]), int(other.n_deals[there]))):
            rows = int(begins[0][game]) + deal, int(begins[1][there]) + deal
            found = _in_deal(variant, one, other, rows, ways)
            if found is not None:
                question, seat, at, what = found
                if at is not None:
                    seat = _mover(variant, one, game, block, deal, at)
                return Example(what, variant, block, deal, seat, question)
        if not np.array_equal(one.score[game], other.score[there]):
            return Example(f"other points {ways[1]}", variant, block)
    return None


Difference = tuple[str, int | None, int | None, str]
"""Question, seat, number of the move, what."""


def _in_deal(
    variant: str,
    one: batch.GameRecords,
    other: batch.GameRecords,
    rows: tuple[int, int],
    ways: tuple[str, str],
) -> Difference | None:
    a, b = one.deals, other.deals
    assert a.moves is not None, "played with log=True"
    assert b.moves is not None, "played with log=True"
    names = Names(rules_of(variant).variant, rules_of(variant))

    def told(first: str, second: str) -> str:
        return f"{first} {ways[0]}, but {second} {ways[1]}"

    both = list(zip((a, b), rows, strict=True))
    chosen = [(int(d.contract[row]), int(d.param[row])) for d, row in both]
    if chosen[0] != chosen[1]:
        row = rows[0]
        seat = int(a.declarer[row] if a.declarer[row] >= 0 else a.leader[row])
        options = [names.option(contract, max(param, 0)) for contract, param in chosen]
        return "choose", seat, None, told(*options)
    if not np.array_equal(a.doubled[rows[0]], b.doubled[rows[1]]):
        seat = int(np.argmax(a.doubled[rows[0]] != b.doubled[rows[1]]))
        sets = [f"doubled {_seats(int(d.doubled[row, seat]))}" for d, row in both]
        return "double", seat, None, told(*sets)
    differs = np.flatnonzero(a.moves[rows[0]] != b.moves[rows[1]])
    if not len(differs):
        return None
    at = int(differs[0])
    layout = rules_of(variant).numbers.contracts[chosen[0][0]].kind == KIND_LAYOUT
    cards = [_move(names, int(d.moves[row, at])) for d, row in both if d.moves is not None]
    return "lay" if layout else "play", None, at, told(*cards)


def _seats(seats: int) -> str:
    listed = [str(seat) for seat in range(16) if seats >> seat & 1]
    return ", ".join(listed) or "nobody"


def _move(names: Names, move: int) -> str:
    return "nothing" if move == 254 else names.move(move)


def _mover(
    variant: str, records: batch.GameRecords, game: int, block: int, deal: int, at: int
) -> int | None:
    """Whose move it was; found by playing the deal again."""
    told = records_of_game(
        rules_of(variant), records, game, key=KEY, block=block, variant_name=variant
    )
    try:
        for number, record in enumerate(told):
            if number == deal:
                return EngineSide().course(record).moves[at][0]
    except (RecordError, ValueError, IndexError):
        pass  # fouls and the like: no record tells them
    return None
