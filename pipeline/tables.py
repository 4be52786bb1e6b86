"""Played games as arrays, and as rows of the tables of a run.

A :class:`Games` is some games of one variant: what the engine recorded and where each
game stands in the run. Digest, summary and tables are made from it; reading stored
tables gives it back, so that a run can be checked from its files.
"""

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from engine_ext.batch import DealRecords, GameRecords
from engine_ext.build import load
from engine_ext.rules.resolve import VariantNumbers
from pipeline.stores import StoreError
from pipeline.untold import with_untold

if TYPE_CHECKING:
    from engine_ext.bets import find_pairs
else:
    find_pairs = load("engine_ext.bets").find_pairs

Ints = npt.NDArray[np.int64]
Blocks = npt.NDArray[np.uint64]

_PER_DEAL = ("param", "dealer", "declarer", "leader", "n_left")
_PLACE = ("block", "table", "rotation", "entrant")
_PER_SEAT = (("points", "points"), ("side", "side"), ("items", "items"), ("finish", "finish"))
"""Column of the table, array of the records."""


class Doubles(NamedTuple):
    """Pairs with a bet, one element a pair, by game, deal, doubler, doubled."""

    game: Ints
    """Index of the game among those at hand."""
    deal: npt.NDArray[np.uint16]
    doubler: npt.NDArray[np.uint8]
    doubled: npt.NDArray[np.uint8]
    redoubled: npt.NDArray[np.bool_]
    difference: npt.NDArray[np.int32]
    """Points of the doubler less those of the doubled, before side bets."""
    settlement: npt.NDArray[np.int32]
    """What the doubler gets."""


@dataclass(frozen=True)
class Games:
    """G games of one variant, and their places in the run; their deals one after the other."""

    variant: str
    rules: VariantNumbers
    labels: tuple[str, ...]
    """Entrants by index."""
    block: npt.NDArray[np.uint64]
    """(G,)"""
    table: npt.NDArray[np.uint16]
    """(G,)"""
    rotation: npt.NDArray[np.uint8]
    """(G,)"""
    entrant: npt.NDArray[np.uint8]
    """(G, seats): index of the entrant that sat there."""
    records: GameRecords
    doubles: Doubles

    def __len__(self) -> int:
        return len(self.block)

    @cached_property
    def game_of(self) -> Ints:
        """Index of the game of each deal."""
        return np.repeat(np.arange(len(self)), self.records.n_deals)

    @cached_property
    def number(self) -> Ints:
        """Number of each deal in its game, from 0."""
        return np.arange(len(self.game_of)) - self.first_row[self.game_of]

    @cached_property
    def first_row(self) -> Ints:
        """Index of the first deal of each game."""
        n_deals = self.records.n_deals.astype(np.int64)
        return np.cumsum(n_deals) - n_deals


def some(games: Games, wanted: npt.NDArray[np.bool_]) -> Games:
    """Those that are wanted, (G,), as games of their own."""
    records, rows = games.records, wanted[games.game_of]
    by_game = [field.name for field in fields(records) if field.name not in ("deals", "errors")]
    by_deal = [field.name for field in fields(records.deals)]
    of_deals = {name: _rows(getattr(records.deals, name), rows) for name in by_deal}
    of_games = {name: _rows(getattr(records, name), wanted) for name in by_game}
    deals = replace(records.deals, **of_deals)
    kept = replace(records, deals=deals, errors=(), **of_games)
    place = {name: getattr(games, name)[wanted] for name in _PLACE}
    return replace(games, records=kept, doubles=find_doubles(kept), **place)


def _rows(values: npt.NDArray[Any] | None, wanted: npt.NDArray[np.bool_]) -> Any:
    """Those of an array; None where the variant has no such thing."""
    return None if values is None else values[wanted]


def find_doubles(records: GameRecords) -> Doubles:
    """The pairs with a bet: of two that doubled each other the earlier speaker doubled."""
    deals = records.deals
    return Doubles(*find_pairs(deals.doubled, deals.declarer, deals.points, records.n_deals))


def read_games(
    variant: str,
    rules: VariantNumbers,
    labels: tuple[str, ...],
    frames: dict[str, pl.DataFrame],
    *,
    by_people: bool = False,
) -> Games:
    """The games of stored ``games``, ``deals`` and ``doubles`` rows of one variant.

    The rows stand as they were written: games in order, their deals in order. Who
    doubled whom stands in ``doubles`` alone, fouls in their numbers. ``by_people``: some games
    may have no deals, some deals values that are not known (:mod:`pipeline.untold`).
    """
    table, deals = frames["games"], frames["deals"]
    if by_people:
        deals = with_untold(deals)
    n, n_games = rules.seats, len(table)
    number = {name: i for i, name in enumerate(rules.contract_names)}
    codes = deals["contract"].replace_strict(number, return_dtype=pl.UInt8)
    records = GameRecords(
        score=_seats(table, "score", n),
        place=_seats(table, "place", n),
        n_first=table["n_first"].to_numpy(),
        n_deals=_deals_told(table, deals) if by_people else _deals_played(deals, n_games),
        fouls=_seats(table, "fouls", n),
        foul_deal=np.full(n_games, -1, np.int16),
        foul_seat=np.full(n_games, -1, np.int8),
        deals=DealRecords(
            contract=codes.to_numpy(),
            doubled=np.zeros((len(deals), n), np.uint16),
            extra=deals["extra"].to_numpy().astype(np.uint8) if rules.max_extra else None,
            revoked=deals["revoked"].to_numpy() if rules.honour else None,
            **{name: deals[name].to_numpy() for name in _PER_DEAL},
            **{array: _seats(deals, name, n) for name, array in _PER_SEAT},
        ),
        errors=(),
    )
    entrants = {label: i for i, label in enumerate(labels)}
    entrant = [
        table[f"entrant_{s}"].replace_strict(entrants, return_dtype=pl.UInt8).to_numpy()
        for s in range(n)
    ]
    return Games(
        variant=variant,
        rules=rules,
        labels=labels,
        block=table["block"].to_numpy(),
        table=table["table"].to_numpy(),
        rotation=table["rotation"].to_numpy(),
        entrant=np.stack(entrant, axis=1),
        records=records,
        doubles=_read_doubles(table, frames["doubles"]),
    )


def _deals_played(deals: pl.DataFrame, n_games: int) -> npt.NDArray[np.uint16]:
    """How many rows in a row belong to each game: the first has number 0."""
    starts = np.append(np.flatnonzero(deals["deal"].to_numpy() == 0), len(deals))
    if len(starts) != n_games + 1:
        raise StoreError(f"deals: {len(starts) - 1} games stand there, {n_games} in games")
    return np.diff(starts).astype(np.uint16)


def _deals_told(table: pl.DataFrame, deals: pl.DataFrame) -> npt.NDArray[np.uint16]:
    """How many rows belong to each game, of some perhaps none."""
    key = ["block", "table", "rotation"]
    counted = deals.group_by(key).len()
    each = table.select(key).join(counted, on=key, how="left", maintain_order="left")["len"]
    told = each.fill_null(0).to_numpy().astype(np.uint16)
    if int(told.sum()) != len(deals):
        raise StoreError("deals: some belong to no game that stands in games")
    return told


def _read_doubles(table: pl.DataFrame, doubles: pl.DataFrame) -> Doubles:
    key = ["block", "table", "rotation"]
    game = doubles.join(
        table.select(key).with_row_index("game"), on=key, how="left", maintain_order="left"
    )
    rest = (doubles[name].to_numpy() for name in Doubles._fields[1:])
    return Doubles(game["game"].to_numpy().astype(np.int64), *rest)


def _seats(frame: pl.DataFrame, name: str, n: int) -> npt.NDArray[Any]:
    return np.stack([frame[f"{name}_{s}"].to_numpy() for s in range(n)], axis=1)
