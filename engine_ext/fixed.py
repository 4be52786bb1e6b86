"""Hands that are given to games in place of those of the seed: checked once, at the border."""

import numpy as np
import numpy.typing as npt

from engine_ext.cards import WORD
from engine_ext.rules.resolve import VariantNumbers

Hands = npt.NDArray[np.uint64]
"""(B, D, S) card sets of deal d of the games of block b, by seat; (B, D, S, 2) first and second
copies with two packs."""


def checked_hands(
    numbers: VariantNumbers, hands: Hands | None, blocks: npt.NDArray[np.uint64]
) -> Hands:
    """Return ``hands`` as the kernel takes them, (B, D, S, packs); (0, 0, S, packs) for None.

    Raises ``ValueError`` for another shape, a block that has none, or a deal that is not the
    whole pack, as many cards for each seat.
    """
    seats, copies = numbers.seats, numbers.copies
    if hands is None:
        return np.zeros((0, 0, seats, copies), np.uint64)
    want = (seats,) if copies == 1 else (seats, 2)
    if hands.dtype != np.uint64 or hands.ndim != 2 + len(want) or hands.shape[2:] != want:
        raise ValueError(f"hands {hands.dtype} {hands.shape}: want uint64 (blocks, deals, *{want})")
    if not 1 <= hands.shape[1] <= numbers.max_deals:
        raise ValueError(f"hands of {hands.shape[1]} deals: want 1 to {numbers.max_deals}")
    if len(blocks) and int(blocks.max()) >= len(hands):
        raise ValueError(f"block {blocks.max()}: hands are given for {len(hands)} blocks")
    words = np.ascontiguousarray(hands).reshape(*hands.shape[:2], seats, copies)
    packs = [numbers.deck >> WORD * copy & (1 << WORD) - 1 for copy in range(copies)]
    whole = (np.bitwise_or.reduce(words, axis=2) == np.array(packs, np.uint64)).all(axis=2)
    # All of the pack in hands of equal size: so no card stands in two of them.
    whole &= (np.bitwise_count(words).sum(axis=3) == numbers.hand_size).all(axis=2)
    if not whole.all():
        block, deal = np.argwhere(~whole)[0]
        raise ValueError(f"hands of block {block}, deal {deal}: not the whole pack dealt out")
    return words
