"""What there is to see in a hand, as numbers: for models, and for people.

Models get everything that may matter. People get whole numbers that are counted at a
glance. Ranks are numbered from the lowest of the pack, 1; so an index above twice a card's
place in its suit less one means that others can hold enough lower cards to leave it alone
on top: such cards are unsafe where tricks hurt.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine_ext.cards import Pack
from pipeline.stats.sets import Floats, Ints

LOW, HIGH = 4, 5
"""How many of the lowest ranks are low cards, of the highest high ones."""
SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


class Table(NamedTuple):
    """Figures of hands, a column each with its name."""

    names: tuple[str, ...]
    columns: Floats
    """(hands, figures)."""


def holdings(hands: Sequence[str], pack: Pack) -> Ints:
    """(hands, suits, ranks): how many copies of each card a hand holds, from its text."""
    out = np.zeros((len(hands), len(pack.suits), len(pack.ranks)), dtype=np.int64)
    number = {
        rank + suit: (i, j)
        for i, suit in enumerate(pack.suits)
        for j, rank in enumerate(pack.ranks)
    }
    for h, text in enumerate(hands):
        for card in text.split():
            i, j = number[card[:2]]
            out[h, i, j] += 1
    return out


def rank_word(rank: str) -> str:
    """A rank as a player writes it."""
    return rank.replace("T", "10")


def rank_words(pack: Pack, first: int, last: int) -> str:
    """Ranks ``first`` to ``last`` (indices, inclusive) as a player says them."""
    return f"{rank_word(pack.ranks[first])} to {rank_word(pack.ranks[last])}"


def everything(held: Ints, pack: Pack) -> Table:
    """All figures for models."""
    found: dict[str, npt.NDArray[np.float64] | Ints] = {}
    length = held.sum(axis=2)
    unsafe, lowest, highest, holes = _shape(held)
    for i, suit in enumerate(pack.suits):
        name = SYMBOLS.get(suit, suit)
        found |= {
            f"{name} length": length[:, i],
            f"{name} unsafe": unsafe[:, i],
            f"{name} lowest": lowest[:, i],
            f"{name} highest": highest[:, i],
            f"{name} holes": holes[:, i],
        }
    for j, rank in enumerate(pack.ranks):
        found[f"{rank}s"] = held[:, :, j].sum(axis=1)
    found |= {"unsafe": unsafe.sum(axis=1), "holes": holes.sum(axis=1)}
    found |= {"second longest": np.sort(length, axis=1)[:, -2]}
    found |= _around_queens(held, pack)
    people = counts(held, pack)
    found |= {name: people.columns[:, k] for k, name in enumerate(people.names)}
    return table_of(found)


def counts(held: Ints, pack: Pack) -> Table:
    """Whole numbers that a player counts at a glance, by the words for them."""
    length, ranks = held.sum(axis=2), held.shape[2]
    low, high = held[:, :, :LOW], held[:, :, -HIGH:]
    small, great = rank_words(pack, 0, LOW - 1), rank_words(pack, ranks - HIGH, ranks - 1)
    every = np.arange(len(held))
    longest = np.argmax(length * 1000 + strength(held), axis=1)
    honours = high[every, longest].sum(axis=1)
    found: dict[str, Ints | Floats] = {
        f"low cards ({small})": low.sum(axis=(1, 2)),
        f"high cards ({great})": high.sum(axis=(1, 2)),
        "aces and kings": held[:, :, -2:].sum(axis=(1, 2)),
        "cards in your longest suit": length.max(axis=1),
        f"high cards in your longest suit ({great})": honours,
        "aces and kings outside your longest suit": held[:, :, -2:].sum(axis=(1, 2))
        - held[every, longest, -2:].sum(axis=1),
        "suits without a card": (length == 0).sum(axis=1),
        "suits with at most one card": (length <= 1).sum(axis=1),
        f"suits held without a low card ({small})": ((length > 0) & (low.sum(axis=2) == 0)).sum(
            axis=1
        ),
        f"end cards ({pack.ranks[0]} and {pack.ranks[-1]})": held[:, :, [0, -1]].sum(axis=(1, 2)),
        "pairs of neighbours in a suit": ((held[:, :, 1:] > 0) & (held[:, :, :-1] > 0)).sum(
            axis=(1, 2)
        ),
        "cards in your longest run of neighbours": runs(held)[0],
        "most cards of one rank": held.sum(axis=1).max(axis=1),
    }
    for rank, word in (("A", "aces"), ("K", "kings"), ("Q", "queens"), ("J", "jacks")):
        if rank in pack.ranks:
            found[word] = held[:, :, pack.ranks.index(rank)].sum(axis=1)
    found[f"{pack.ranks[0]}s and {pack.ranks[1]}s"] = held[:, :, :2].sum(axis=(1, 2))
    found[f"{pack.ranks[0]}s"] = held[:, :, 0].sum(axis=1)
    found["suits of five cards or more"] = (length >= 5).sum(axis=1)
    return table_of(found | _hearts(held, pack, small, great))


def _hearts(held: Ints, pack: Pack, small: str, great: str) -> dict[str, Ints | Floats]:
    if "H" not in pack.suits:
        return {}
    hearts = held[:, pack.suits.index("H")]
    king = pack.ranks.index("K")
    has = hearts[:, king] > 0
    return {
        "hearts": hearts.sum(axis=1),
        f"low cards outside hearts ({small})": (held[:, :, :LOW].sum(axis=(1, 2)))
        - hearts[:, :LOW].sum(axis=1),
        f"low hearts ({small})": hearts[:, :LOW].sum(axis=1),
        f"high hearts ({great})": hearts[:, -HIGH:].sum(axis=1),
        "K♥ in hand (1 or 0)": hearts[:, king],
        "A♥ in hand (1 or 0)": hearts[:, -1],
        "K♥ with at most two lower hearts (1 or 0)": (has & (hearts[:, :king].sum(axis=1) <= 2))
        * 1,
    }


def _around_queens(held: Ints, pack: Pack) -> dict[str, Ints | Floats]:
    if "Q" not in pack.ranks:
        return {}
    queen = pack.ranks.index("Q")
    has, below = held[:, :, queen] > 0, held[:, :, :queen].sum(axis=2)
    return {
        "bare queens": (has & (below < 3)).sum(axis=1),
        "cards under own queens": (has * below).sum(axis=1),
        "cards over missing queens": (~has * held[:, :, queen + 1 :].sum(axis=2)).sum(axis=1),
    }


def _shape(held: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """(hands, suits): unsafe steps, lowest and highest index (0: void), holes between them."""
    ranks = held.shape[2]
    index = np.arange(1, ranks + 1)
    before = np.cumsum(held, axis=2) - held
    # The i-th lowest card is safe at an index of at most 2 i - 1.
    over = np.maximum(0, index - (2 * before + 1)) * held
    has = held > 0
    void = ~has.any(axis=2)
    lowest = np.where(void, 0, has.argmax(axis=2) + 1)
    highest = np.where(void, 0, ranks - has[:, :, ::-1].argmax(axis=2))
    holes = np.where(void, 0, highest - lowest + 1 - has.sum(axis=2))
    return over.sum(axis=2), lowest, highest, holes


def strength(held: Ints) -> Ints:
    """(hands, suits): sum of indices, to tell equally long suits apart."""
    out: Ints = (held * np.arange(1, held.shape[2] + 1)).sum(axis=2)
    return out


def runs(held: Ints) -> tuple[Ints, Ints]:
    """(hands,): length of the longest run of neighbours in a suit, and its middle rank; of
    equals that of the first suit, the lowest."""
    has = held > 0
    run = np.zeros_like(held)
    for j in range(held.shape[2]):
        run[:, :, j] = np.where(has[:, :, j], 1 + (run[:, :, j - 1] if j else 0), 0)
    flat = run.reshape(len(held), -1)
    end = flat.argmax(axis=1)
    length: Ints = flat[np.arange(len(held)), end]
    return length, end % held.shape[2] - length // 2


def pairs(table: Table, names: Sequence[str]) -> Table:
    """The figures and all products of two of those called ``names``, once each."""
    at = [table.names.index(name) for name in names if name in table.names]
    more = [(a, b) for a in at for b in at if a <= b]
    columns = [table.columns[:, a] * table.columns[:, b] for a, b in more]
    every = (*table.names, *(f"{table.names[a]} × {table.names[b]}" for a, b in more))
    return Table(every, np.column_stack([table.columns, *columns]))


def table_of(found: Mapping[str, Ints | Floats]) -> Table:
    """A table of these columns."""
    return Table(tuple(found), np.column_stack(list(found.values())).astype(np.float64))
