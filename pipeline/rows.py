"""Rows of ``games``, ``deals`` and ``doubles``, collected from games slice by slice."""

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from engine_ext.build import load
from engine_ext.rules.resolve import VariantNumbers
from pipeline.columns import Arrays, Columns
from pipeline.tables import Games

if TYPE_CHECKING:
    from engine_ext.columns import count_up, pairs_of_games, split_seats, spread
else:
    _compiled = load("engine_ext.columns")
    count_up, pairs_of_games = _compiled.count_up, _compiled.pairs_of_games
    split_seats, spread = _compiled.split_seats, _compiled.spread

Hashes = npt.NDArray[np.void]

_PER_GAME = ("score", "place", "fouls")
_PER_DEAL = ("contract", "param", "dealer", "declarer", "leader", "n_left")
_PER_SEAT = ("points", "side", "items", "finish")
"""Columns of the tables and arrays of the records."""


class Rows:
    """The rows of some tables of one variant, in playing order."""

    def __init__(
        self, variant: str, rules: VariantNumbers, labels: tuple[str, ...], tables: Collection[str]
    ) -> None:
        self._variant = variant
        self._names = {"entrant": labels, "contract": rules.contract_names}
        self._columns = {table: Columns(table, rules.seats) for table in _FILLED if table in tables}

    def add(self, games: Games, hashes: Hashes) -> None:
        """Add the rows of some games; ``hashes`` is V32."""
        for table, columns in self._columns.items():
            fill, count = _FILLED[table]
            fill(columns.more(count(games)), games, hashes)

    def frames(self, seats: int) -> Iterator[tuple[str, pl.DataFrame]]:
        """The tables by name, those without rows as well; ``seats``: the run's largest table.

        The frames are of use until :meth:`release`.
        """
        for table, columns in self._columns.items():
            yield table, columns.frame(self._variant, self._names, seats)

    def release(self) -> None:
        """Leave the memory to the next shard; nothing more can be added."""
        for columns in self._columns.values():
            columns.release()
        self._columns = {}


def _fill_games(into: Arrays, games: Games, hashes: Hashes) -> None:
    records = games.records
    into["block"][:], into["table"][:], into["rotation"][:] = (
        games.block,
        games.table,
        games.rotation,
    )
    into["n_first"][:], into["digest"][:] = records.n_first, hashes
    _fill_seats(into, "entrant", np.ascontiguousarray(games.entrant))
    for name in _PER_GAME:
        _fill_seats(into, name, getattr(records, name))


def _fill_deals(into: Arrays, games: Games, _: Hashes) -> None:
    deals, n_deals = games.records.deals, games.records.n_deals
    _fill_key(into, games, n_deals)
    count_up(n_deals, into["deal"])
    for name in _PER_DEAL:
        into[name][:] = getattr(deals, name)
    into["extra"][:] = 0 if deals.extra is None else deals.extra
    into["revoked"][:] = -1 if deals.revoked is None else deals.revoked
    for name in _PER_SEAT:
        _fill_seats(into, name, getattr(deals, name))


def _fill_doubles(into: Arrays, games: Games, _: Hashes) -> None:
    pairs = games.doubles
    _fill_key(into, games, pairs_of_games(pairs.game, len(games)))
    for name in pairs._fields[1:]:
        into[name][:] = getattr(pairs, name)


def _fill_key(into: Arrays, games: Games, rows: npt.NDArray[np.uint16]) -> None:
    """The key of each game in so many rows."""
    for name in ("block", "table", "rotation"):
        spread(getattr(games, name), rows, into[name])


def _fill_seats(into: Arrays, name: str, values: npt.NDArray[Any]) -> None:
    split_seats(values, [into[f"{name}_{s}"] for s in range(values.shape[1])])


_FILLED: dict[str, tuple[Callable[[Arrays, Games, Hashes], None], Callable[[Games], int]]] = {
    "games": (_fill_games, len),
    "deals": (_fill_deals, lambda games: len(games.records.deals.contract)),
    "doubles": (_fill_doubles, lambda games: len(games.doubles.game)),
}
"""What fills a table's rows, and how many of them some games have."""
