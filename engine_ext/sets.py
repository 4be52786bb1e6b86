"""Arrays of card sets: what batched strategies do with them, in NumPy.

A set of cards is a uint64, bit ``16 * suit + rank``; a card is shown by its number, the
place of its bit. Arrays of any shape go in; what comes out has the same shape. With two packs
:func:`merged` comes first.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

Sets = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.uint8]

ONE = np.uint64(1)
LANE = np.uint64(0xFFFF)
EACH_SUIT = np.uint64(0x0001000100010001)
"""The lowest rank of every suit."""


def merged(sets: Sets, copies: int) -> Sets:
    """Return sets without regard to copies: with two packs (``rules.copies``) the two words of
    the last axis as one, with one pack the sets as they are.

    A first copy's number is an answer for either copy.
    """
    return sets if copies == 1 else sets[..., 0] | sets[..., 1]


def numbers(cards: Sets) -> Numbers:
    """Return the number of the lowest card of each set; 64 for the empty one."""
    found: Numbers = np.bitwise_count((cards - ONE) & ~cards)
    return found


def count(sets: Sets) -> Numbers:
    """Return how many cards each set has."""
    return np.bitwise_count(sets)


def lowest(sets: Sets) -> Numbers:
    """Return the number of the card lowest in rank, among equals the first suit; 64 for none."""
    ranks = _ranks(sets)
    ranks &= ~ranks + ONE
    ranks *= EACH_SUIT
    ranks &= sets
    return numbers(ranks)


def highest(sets: Sets) -> Numbers:
    """Return the number of the card highest in rank, among equals the first suit; 64 for none."""
    ranks = _ranks(sets)
    for shift in (1, 2, 4, 8):
        ranks |= ranks >> np.uint64(shift)
    ranks ^= ranks >> ONE
    ranks *= EACH_SUIT
    ranks &= sets
    return numbers(ranks)


def nth(sets: Sets, k: npt.NDArray[Any]) -> Numbers:
    """Return the number of the k-th card in order of number, k from 0; 64 where there is none."""
    rest = sets.copy()
    for step in range(int(k.max(initial=0))):
        np.copyto(rest, rest & (rest - ONE), where=(k > step) & (rest != 0))
    return numbers(rest)


def one_hot(sets: Sets) -> npt.NDArray[np.uint8]:
    """Return a further axis of 64 zeros and ones, one for each card number: food for models."""
    octets = np.ascontiguousarray(sets, "<u8")[..., None].view(np.uint8)
    return np.unpackbits(octets, axis=-1, bitorder="little")


def _ranks(sets: Sets) -> Sets:
    """Ranks present in any suit."""
    ranks = sets | sets >> np.uint64(32)
    ranks |= ranks >> np.uint64(16)
    ranks &= LANE
    return ranks
