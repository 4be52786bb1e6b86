"""What came of deals and games, as arrays: one row a deal, one row a game."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from engine_ext.rules.resolve import VariantNumbers

MAX_LOGGED = 512
"""Moves kept of a deal when they are logged, twice as many with two packs; a longer layout is
cut there."""
UNUSED = 254
"""Fills the log behind a deal's last move."""


@dataclass(frozen=True, slots=True)
class DealRecords:
    """What came of deals, one row a deal: D deals in all, S seats.

    Points are inside points: more is better.
    """

    contract: npt.NDArray[np.uint8]
    """(D,) number of the contract in its variant."""
    param: npt.NDArray[np.int8]
    """(D,) trump suit or start rank, -1 where there is none."""
    dealer: npt.NDArray[np.uint8]
    """(D,) seat."""
    declarer: npt.NDArray[np.int8]
    """(D,) seat, -1 where the schedule is fixed."""
    leader: npt.NDArray[np.uint8]
    """(D,) seat that led first or moved first."""
    n_left: npt.NDArray[np.uint8]
    """(D,) uses of contracts the declarer had to choose from; 0 without choice."""
    points: npt.NDArray[np.int32]
    """(D, S) points of the contract."""
    side: npt.NDArray[np.int32]
    """(D, S) side bets received less paid."""
    items: npt.NDArray[np.uint64]
    """(D, S) counted items, slot k in bits 8k..8k+7."""
    finish: npt.NDArray[np.uint8]
    """(D, S) finishing place in a layout from 1, else 0."""
    doubled: npt.NDArray[np.uint16]
    """(D, S) set of seats that the seat doubled or redoubled."""
    extra: npt.NDArray[np.uint8] | None = None
    """(D,) whether the deal played out a tie; None where ties are shared."""
    revoked: npt.NDArray[np.int8] | None = None
    """(D,) seat whose revoke was settled, -1 nobody's; None where nobody can revoke."""
    moves: npt.NDArray[np.uint8] | None = None
    """(D, 512) if logged, (D, 1024) with two packs: card numbers in order, 64 more for a second
    copy; layouts also 255 for a pass and the number + 128 (of the first copy) for a card taken
    back; 254 behind the last."""
    n_moves: npt.NDArray[np.uint16] | None = None
    """(D,) if logged: how many moves the deal had."""


@dataclass(frozen=True, slots=True)
class GameRecords:
    """What came of G whole games. Deals stand game by game, each in playing order."""

    n_deals: npt.NDArray[np.uint16]
    """(G,) deals played: those of the schedule, and what ties and revokes added."""

    score: npt.NDArray[np.int32]
    """(G, S) totals, side bets included."""
    place: npt.NDArray[np.uint8]
    """(G, S) from 1; equal totals share the better place."""
    n_first: npt.NDArray[np.uint8]
    """(G,) how many share the first place."""
    fouls: npt.NDArray[np.uint16]
    """(G, S) illegal or failed answers."""
    foul_deal: npt.NDArray[np.int16]
    """(G,) deal of the first foul, -1 none."""
    foul_seat: npt.NDArray[np.int8]
    """(G,) seat of the first foul, -1 none."""
    deals: DealRecords
    """Rows of all deals of all games."""
    errors: tuple[str, ...]
    """The first exceptions of strategies written in Python."""


def empty_rows(n: int, numbers: VariantNumbers, *, log: bool) -> dict[str, npt.NDArray[Any]]:
    """Return empty arrays for ``n`` deals, flat by seat as the kernel fills them."""
    seats = numbers.seats
    rows: dict[str, npt.NDArray[Any]] = {
        "contract": np.zeros(n, np.uint8),
        "param": np.zeros(n, np.int8),
        "dealer": np.zeros(n, np.uint8),
        "declarer": np.zeros(n, np.int8),
        "leader": np.zeros(n, np.uint8),
        "n_left": np.zeros(n, np.uint8),
        "points": np.zeros(n * seats, np.int32),
        "side": np.zeros(n * seats, np.int32),
        "items": np.zeros(n * seats, np.uint64),
        "finish": np.zeros(n * seats, np.uint8),
        "doubled": np.zeros(n * seats, np.uint16),
    }
    if numbers.extra_contract >= 0:
        rows["extra"] = np.zeros(n, np.uint8)
    if numbers.honour:
        rows["revoked"] = np.full(n, -1, np.int8)
    if log:
        rows["moves"] = np.full((n, MAX_LOGGED * numbers.copies), UNUSED, np.uint8)
        rows["n_moves"] = np.zeros(n, np.uint16)
    return rows


def deal_records(
    rows: dict[str, npt.NDArray[Any]], kept: slice | npt.NDArray[np.bool_], seats: int
) -> DealRecords:
    """Return the ``kept`` of such arrays as records, by seat where that is meant."""
    by_seat = ("points", "side", "items", "finish", "doubled")
    shaped = {k: a.reshape(-1, seats) if k in by_seat else a for k, a in rows.items()}
    return DealRecords(**{k: a[kept] for k, a in shaped.items()})


def rows_played(
    n_deals: npt.NDArray[np.uint16], rows: int, per_game: int
) -> slice | npt.NDArray[np.bool_]:
    """Return which of the ``rows`` were filled, ``per_game`` of them kept free for each game."""
    if (n_deals == per_game).all():
        return slice(len(n_deals) * per_game)
    filled = np.zeros((rows // per_game, per_game), bool)
    filled[: len(n_deals)] = np.arange(per_game) < n_deals[:, None]
    return filled.reshape(-1)
