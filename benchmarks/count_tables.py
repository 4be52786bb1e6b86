"""How often cards take tricks, counted in games that ``duck.v1`` plays: the tables that
``count.v1`` reads. Written by ``tune_count.py``.

For every card that is still held after a trick: did it take a trick later? The cells are
the others' cards of its suit below and above it, the own ones below, and the stage of the deal
(beside trumps: how many of them are out).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from engine_ext import batch

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
SHAPE = (7, 5, 4, 4)
"""Others' cards below, above; fourth index; own cards below."""
SUITS, SEATS, TRICKS = 4, 4, 13
LOWER = np.array([0, 1, 2, 3, 4, 5, 5, 6, 6, 6, 6, 6, 6, 6])
HIGHER = np.array([0, 1, 2, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4])
NO_TRUMP = 99
PRIOR = 10.0
"""Cards that a coarser table counts for in a finer one."""


def stage(left: int) -> int:
    """Return how far a deal is with ``left`` tricks to come, as ``count_hand.pxd`` has it."""
    return 0 if left <= 3 else 1 if left <= 5 else 2 if left <= 8 else 3


def replayed(moves: npt.NDArray[np.uint8], leader: Ints, trump: Ints) -> tuple[Ints, Ints, Ints]:
    """Return who held each card, in which trick it was played, and which card won each."""
    deals = np.arange(len(moves))
    played = moves[:, : SEATS * TRICKS].astype(np.int64).reshape(-1, TRICKS, SEATS)
    holder = np.zeros((len(moves), 64), np.int64)
    trick = np.full((len(moves), 64), -1)
    winner = np.zeros((len(moves), TRICKS), np.int64)
    for t in range(TRICKS):
        suit, rank = played[:, t] >> 4, played[:, t] & 15
        worth = rank + 100 * (suit == suit[:, :1]) + 1000 * (suit == trump[:, None])
        for i in range(SEATS):
            holder[deals, played[:, t, i]] = (leader + i) % SEATS
            trick[deals, played[:, t, i]] = t
        best = worth.argmax(1)
        winner[:, t] = played[deals, t, best]
        leader = (leader + best) % SEATS
    return holder, trick, winner


def by_rank(cards: Any) -> Any:
    """Return an array over card numbers as (deals, suits, ranks)."""
    return cards.reshape(-1, SUITS, 16)[:, :, :13]


def table(
    records: batch.DealRecords, *, only: str = "", late: tuple[float, ...] | None = None
) -> npt.NDArray[np.int16]:
    """Return the chances in 1,024ths, in the order in which the strategy reads them.

    ``only`` is ``side`` or ``trump``: suits beside the trump suit, or that suit. With ``late``,
    what each of the last tricks counts, cards count that are kept until then.
    """
    assert records.moves is not None
    trump = np.where(records.param < 0, NO_TRUMP, records.param).astype(np.int64)
    if not only:
        trump[:] = NO_TRUMP
    holder, trick, winner = replayed(records.moves, records.leader.astype(np.int64), trump)
    took = np.zeros(holder.shape)
    worth = (1.0,) * TRICKS if late is None else (0.0,) * (TRICKS - len(late)) + late
    for t in range(TRICKS):
        took[np.arange(len(took)), winner[:, t]] = worth[t]
    holder, trick, took = by_rank(holder), by_rank(trick), by_rank(took)
    trumps = np.broadcast_to(np.arange(SUITS)[:, None] == trump[:, None, None], holder.shape)
    cells, cards = int(np.prod(SHAPE)), np.zeros((2, *SHAPE))
    for t in range(-1, TRICKS - 1):
        for seat in range(SEATS):
            own, others = (trick > t) & (holder == seat), (trick > t) & (holder != seat)
            below = np.cumsum(others, 2)
            above = others.sum(2, keepdims=True) - below
            fourth = np.full(own.shape, stage(TRICKS - 2 - t))
            if only == "side":
                out = (others & trumps).sum((1, 2))
                fourth = np.broadcast_to(np.minimum((out + 2) // 3, 3)[:, None, None], own.shape)
            counted = own & (trumps if only == "trump" else ~trumps)
            if late is not None:
                counted &= trick >= TRICKS - len(late)
            under = np.minimum(np.cumsum(own, 2) - own, 3)
            cell = np.ravel_multi_index((LOWER[below], HIGHER[above], fourth, under), SHAPE)
            cards[0] += np.bincount(cell[counted], took[counted], cells).reshape(SHAPE)
            cards[1] += np.bincount(cell[counted], None, cells).reshape(SHAPE)
    return smoothed(*cards)


def smoothed(won: Floats, seen: Floats) -> npt.NDArray[np.int16]:
    """Return shares, those of cells with few cards drawn to those of coarser tables."""
    share = np.asarray(won.sum() / seen.sum())
    for axes in ((1, 2, 3), (2, 3), (2,), ()):
        some, all_ = won.sum(axes, keepdims=True), seen.sum(axes, keepdims=True)
        share = (some + PRIOR * share) / (all_ + PRIOR)
    return np.round(1024 * share).astype(np.int16)
