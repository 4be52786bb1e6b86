"""The engine's public calls: rules and strategies in, arrays of whole games out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from engine_ext.build import load
from engine_ext.errors import FoulPlay
from engine_ext.rules.resolve import VariantNumbers, resolve
from engine_ext.rules.spec import Variant

if TYPE_CHECKING:
    import engine_ext.kernel as _kernel
    import engine_ext.pypolicy as _pypolicy
    from engine_ext.kernel import StopFlag
    from engine_ext.pypolicy import View
else:
    _kernel = load("engine_ext.kernel")
    _pypolicy = load("engine_ext.pypolicy")
    StopFlag = _kernel.StopFlag
    View = _pypolicy.View

__all__ = [
    "DealRecords",
    "GameRecords",
    "Rules",
    "StopFlag",
    "Strategy",
    "View",
    "deal_hands",
    "play_deals",
    "play_games",
]

MAX_LOGGED = 512
"""Moves kept of a deal when they are logged; a longer layout is cut there."""
UNUSED = 254
"""Fills the log behind a deal's last move."""


class Strategy(Protocol):
    """Anything that answers questions: compiled (``capsule``) or with Python methods."""


class Rules:
    """A variant ready to be played, with its numbers."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.numbers: VariantNumbers = resolve(variant)
        self.packed = _kernel.Rules(self.numbers)


@dataclass(frozen=True, slots=True)
class DealRecords:
    """What came of deals, one row a deal: D is games x deals of a game, S seats.

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
    moves: npt.NDArray[np.uint8] | None = None
    """(D, 512) if logged: card numbers in order; layouts also 255 for a pass and the
    number + 128 for a card taken back; 254 behind the last."""
    n_moves: npt.NDArray[np.uint16] | None = None
    """(D,) if logged: how many moves the deal had."""


@dataclass(frozen=True, slots=True)
class GameRecords:
    """What came of G whole games. Deals stand game by game: reshape by (G, D)."""

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


def _rows(n: int, seats: int, log: bool) -> dict[str, npt.NDArray[Any]]:
    """Empty output arrays for ``n`` deals, flat by seat as the kernel fills them."""
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
    if log:
        rows["moves"] = np.full((n, MAX_LOGGED), UNUSED, np.uint8)
        rows["n_moves"] = np.zeros(n, np.uint16)
    return rows


def _records(rows: dict[str, npt.NDArray[Any]], done: int, seats: int) -> DealRecords:
    by_seat = ("points", "side", "items", "finish", "doubled")
    shaped = {k: a.reshape(-1, seats) if k in by_seat else a for k, a in rows.items()}
    return DealRecords(**{k: a[:done] for k, a in shaped.items()})


def _policies(rules: Rules, strategies: Sequence[Strategy]) -> list[Any]:
    return [
        s if hasattr(s, "capsule") else _pypolicy.PyPolicy(s, rules.numbers) for s in strategies
    ]


def _errors(policies: Sequence[Any]) -> tuple[str, ...]:
    """First failures of Python strategies; a pending interrupt is raised again."""
    found: list[str] = []
    for policy in policies:
        if isinstance(policy, _pypolicy.PyPolicy):
            if policy.interrupt is not None:
                raise policy.interrupt
            found += [f"{policy.strategy!r} {error}" for error in policy.errors]
    return tuple(found)


def play_games(
    rules: Rules,
    strategies: Sequence[Strategy],
    *,
    key: tuple[int, int],
    blocks: npt.NDArray[np.uint64],
    seating: npt.NDArray[np.uint8],
    replicates: npt.NDArray[np.uint32] | None = None,
    stop: StopFlag | None = None,
    log: bool = False,
    stop_on_foul: bool = False,
) -> GameRecords:
    """Play G whole games.

    Parameters
    ----------
    rules : Rules
        The variant.
    strategies : sequence of at most 256
        Those who play; an object may hold several seats. A compiled one (with a
        ``capsule``) runs without the GIL. None may be in use by another thread.
    key : two 64-bit words
        From :func:`engine_ext.seeds.run_key`.
    blocks : uint64 array (G,)
        Block index of each game: with the key it fixes the cards.
    seating : uint8 array (G, S)
        Index into ``strategies`` by seat.
    replicates : uint32 array (G,), optional
        Below 2^23; 0 (the default) for common streams, else the arrangement.
    stop : StopFlag, optional
        When set, play ends at the next decision and the games finished are returned.
    log : bool
        Keep the moves of every deal.
    stop_on_foul : bool
        Raise ``FoulPlay`` if any answer was illegal or failed.

    Returns
    -------
    GameRecords
        Of the games that were finished: all G unless ``stop`` was set.

    Raises
    ------
    ValueError
        Shapes or indices that do not fit.
    FoulPlay
        See ``stop_on_foul``; names game, deal, seat and strategy.
    """
    seats, deals, n = rules.numbers.seats, rules.numbers.n_deals, len(blocks)
    if seating.shape != (n, seats):
        raise ValueError(f"seating {seating.shape} must be (games, seats) = {(n, seats)}")
    if not 1 <= len(strategies) <= 256 or (n and int(seating.max()) >= len(strategies)):
        raise ValueError(f"seating names strategies beyond the {len(strategies)} given")
    if replicates is None:
        replicates = np.zeros(n, np.uint32)
    if replicates.shape != (n,) or (n and int(replicates.max()) >= 1 << 23):
        raise ValueError("replicates must be one number below 2^23 for each game")
    rows = _rows(n * deals, seats, log)
    score = np.zeros((n, seats), np.int32)
    place = np.zeros((n, seats), np.uint8)
    n_first = np.zeros(n, np.uint8)
    fouls = np.zeros((n, seats), np.uint16)
    foul_deal = np.full(n, -1, np.int16)
    foul_seat = np.full(n, -1, np.int8)
    policies = _policies(rules, strategies)
    done = _kernel.play_games(
        rules.packed,
        [p.capsule for p in policies],
        key,
        np.ascontiguousarray(blocks, np.uint64),
        np.ascontiguousarray(seating, np.uint8),
        np.ascontiguousarray(replicates, np.uint32),
        score,
        place,
        n_first,
        fouls,
        foul_deal,
        foul_seat,
        rows,
        StopFlag() if stop is None else stop,
    )
    errors = _errors(policies)
    if stop_on_foul and (foul_deal[:done] >= 0).any():
        raise FoulPlay(_first_foul(strategies, blocks, seating, foul_deal, foul_seat, errors))
    return GameRecords(
        score=score[:done],
        place=place[:done],
        n_first=n_first[:done],
        fouls=fouls[:done],
        foul_deal=foul_deal[:done],
        foul_seat=foul_seat[:done],
        deals=_records(rows, done * deals, seats),
        errors=errors,
    )


def _first_foul(
    strategies: Sequence[Strategy],
    blocks: npt.NDArray[np.uint64],
    seating: npt.NDArray[np.uint8],
    foul_deal: npt.NDArray[np.int16],
    foul_seat: npt.NDArray[np.int8],
    errors: tuple[str, ...],
) -> str:
    game = int(np.argmax(foul_deal >= 0))
    seat = int(foul_seat[game])
    who = strategies[int(seating[game, seat])]
    why = errors[0] if errors else "an answer that is not allowed"
    return f"block {blocks[game]}, deal {foul_deal[game]}, seat {seat}: {who!r}: {why}"


def play_deals(
    rules: Rules,
    strategies: Sequence[Strategy],
    *,
    key: tuple[int, int],
    contracts: Sequence[int],
    first_block: int,
    n: int,
    stop: StopFlag | None = None,
    log: bool = False,
) -> DealRecords:
    """Play ``n`` single deals through the loop that whole games use.

    Deal i takes the cards of deal 0 of block ``first_block + i``, the contract
    ``contracts[i mod len]`` and, as declarer (or dealer), seat i mod S; one strategy for
    each seat. Trump suit and start rank are named as in a game; nobody is asked to
    double.
    """
    seats = rules.numbers.seats
    if len(strategies) != seats:
        raise ValueError(f"{len(strategies)} strategies, the table has {seats} seats")
    wrong = [c for c in contracts if not 0 <= c < rules.numbers.n_contracts]
    if wrong or not contracts:
        raise ValueError(f"contracts {list(contracts)}: want 0..{rules.numbers.n_contracts - 1}")
    rows = _rows(n, seats, log)
    fouls = np.zeros((n, seats), np.uint16)
    policies = _policies(rules, strategies)
    done = _kernel.play_deals(
        rules.packed,
        [p.capsule for p in policies],
        key,
        np.array(contracts, np.uint8),
        first_block,
        n,
        fouls,
        rows,
        StopFlag() if stop is None else stop,
    )
    errors = _errors(policies)
    if fouls.any():
        seat = int(np.argmax(fouls.any(axis=0)))
        why = errors[0] if errors else "an answer that is not allowed"
        raise FoulPlay(f"seat {seat}: {strategies[seat]!r}: {why}")
    return _records(rows, done, seats)


def deal_hands(
    rules: Rules, *, key: tuple[int, int], blocks: npt.NDArray[np.uint64], deal: int = 0
) -> npt.NDArray[np.uint64]:
    """Return the hands (len(blocks), S) of deal number ``deal`` of each block, as card sets."""
    hands = np.zeros((len(blocks), rules.numbers.seats), np.uint64)
    _kernel.deal_blocks(rules.packed, key, np.ascontiguousarray(blocks, np.uint64), deal, hands)
    return hands
