"""Rows of ``plays``: what was said and played in a deal, enough to write its record again.

The cards are not among it, since the seed deals them. A game of stored rows goes back into the
engine's records with :func:`read_plays`.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa

from engine_ext.batch import DealRecords, GameRecords
from engine_ext.played import MAX_LOGGED, UNUSED
from engine_ext.rules.resolve import VariantNumbers
from pipeline.columns import constant, enumeration, named
from pipeline.schema import polars_schema
from pipeline.tables import Games

Arrays = dict[str, npt.NDArray[Any]]

_PER_DEAL = ("contract", "param", "dealer", "declarer", "leader", "n_moves")
_PER_SEAT = ("doubled", "points", "side")
"""Columns of the table and arrays of the records alike."""


class Plays:
    """The rows of one variant, in playing order."""

    def __init__(self, variant: str, rules: VariantNumbers) -> None:
        self._variant, self._rules = variant, rules
        self._slices: list[Arrays] = []

    def add(self, games: Games) -> None:
        """Add the deals of some games, whose moves were logged."""
        deals, game = games.records.deals, games.game_of
        assert deals.moves is not None, "a run that keeps plays logs its moves"
        assert deals.n_moves is not None, "likewise"
        n = len(game)
        self._slices.append(
            {name: getattr(games, name)[game] for name in ("block", "table", "rotation")}
            | {"deal": games.number.astype(np.uint16)}
            | {name: getattr(deals, name) for name in _PER_DEAL}
            | {"revoked": np.full(n, -1, np.int8) if deals.revoked is None else deals.revoked}
            | {
                f"{name}_{s}": getattr(deals, name)[:, s]
                for name in _PER_SEAT
                for s in range(self._rules.seats)
            }
            # Row by row, so that each row's moves stand together.
            | {"moves": deals.moves[np.arange(deals.moves.shape[1]) < deals.n_moves[:, None]]}
        )

    def frame(self, seats: int) -> pl.DataFrame:
        """The rows in schema order, null beyond the variant's seats in a run of up to ``seats``."""
        schema = polars_schema("plays", seats)
        if not self._slices:
            return pl.DataFrame(schema=schema)
        joined = {
            name: np.concatenate([one[name] for one in self._slices]) for name in self._slices[0]
        }
        most = MAX_LOGGED * self._rules.copies
        kept = np.minimum(joined["n_moves"], most).astype(np.int64)
        series = []
        for name, dtype in schema.items():
            if name == "variant":
                column = constant(self._variant, len(kept), enumeration((self._variant,)))
            elif name == "contract":
                column = named(joined[name], self._rules.contract_names)
            elif name == "moves":
                column = pl.Series(_of_lengths(joined[name], kept))
            elif name not in joined:
                column = constant(None, len(kept), dtype)
            else:
                column = pl.Series(joined[name], dtype=dtype)
            series.append(column.alias(name))
        return pl.DataFrame(series)


def _of_lengths(moves: npt.NDArray[np.uint8], lengths: npt.NDArray[np.int64]) -> pa.Array:
    """Bytes that stand one after the other as a value each of these lengths."""
    ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(np.ascontiguousarray(moves))]
    return pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(lengths), buffers)


def read_plays(rules: VariantNumbers, rows: pl.DataFrame) -> GameRecords:
    """One game of stored rows, as far as a record needs it.

    Places, fouls and counted items do not stand in ``plays`` and are empty here.
    """
    n, n_deals = rules.seats, len(rows)
    number = {name: i for i, name in enumerate(rules.contract_names)}
    codes = rows["contract"].replace_strict(number, return_dtype=pl.UInt8).to_numpy()
    by_seat = {
        name: np.stack([rows[f"{name}_{s}"].to_numpy() for s in range(n)], axis=1)
        for name in _PER_SEAT
    }
    moves = np.full((n_deals, MAX_LOGGED * rules.copies), UNUSED, np.uint8)
    for row, said in enumerate(rows["moves"].to_list()):
        moves[row, : len(said)] = np.frombuffer(said, np.uint8)
    deals = DealRecords(
        contract=codes,
        n_left=np.zeros(n_deals, np.uint8),
        items=np.zeros((n_deals, n), np.uint64),
        finish=np.zeros((n_deals, n), np.uint8),
        revoked=rows["revoked"].to_numpy() if rules.honour else None,
        moves=moves,
        **{name: rows[name].to_numpy() for name in _PER_DEAL if name != "contract"},
        **by_seat,
    )
    score = by_seat["points"].sum(axis=0, dtype=np.int64) + by_seat["side"].sum(
        axis=0, dtype=np.int64
    )
    return GameRecords(
        n_deals=np.array([n_deals], np.uint16),
        score=score.astype(np.int32)[None, :],
        place=np.zeros((1, n), np.uint8),
        n_first=np.zeros(1, np.uint8),
        fouls=np.zeros((1, n), np.uint16),
        foul_deal=np.full(1, -1, np.int16),
        foul_seat=np.full(1, -1, np.int8),
        deals=deals,
        errors=(),
    )
