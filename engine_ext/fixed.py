"""Hands that are given to games in place of those of the seed: checked once, at the border, and
as text that a run keeps."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine_ext.cards import WORD, cards_in
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


def hands_of_sets(numbers: VariantNumbers, deals: Sequence[Sequence[int]]) -> Hands:
    """Return deals, each a card set by seat, as the hands of whole games of the schedule."""
    packs = [
        [[hand >> WORD * copy & (1 << WORD) - 1 for hand in hands] for hands in deals]
        for copy in range(numbers.copies)
    ]
    return _by_game(numbers, np.stack([np.array(pack, np.uint64) for pack in packs], axis=-1))


def _by_game(numbers: VariantNumbers, words: npt.NDArray[np.uint64]) -> Hands:
    """Return words (deals, S, packs) as hands."""
    shape = (numbers.seats,) if numbers.copies == 1 else (numbers.seats, 2)
    return np.ascontiguousarray(words).reshape(-1, numbers.n_deals, *shape)


def text_of_hands(numbers: VariantNumbers, hands: Hands) -> str:
    """Return hands (B, D, S) as text: of each deal who holds each card, the cards in the order of
    the pack (docs/seeds.md), a digit each; deals are separated by blanks."""
    cards = list(cards_in(numbers.deck))
    words = hands.reshape(-1, numbers.seats, numbers.copies)
    shown = np.full((len(words), len(cards) + 1), ord(" "), np.uint8)
    for i, card in enumerate(cards):
        holds = words[:, :, card // WORD] >> np.uint64(card % WORD) & np.uint64(1)
        shown[:, i] = ord("0") + holds.argmax(axis=1)
    return shown.tobytes().decode("ascii").rstrip()


def hands_of_text(numbers: VariantNumbers, text: str) -> Hands:
    """Inverse of :func:`text_of_hands`, for whole games of the schedule.

    Raises ``ValueError`` with what is wrong.
    """
    cards, deals = list(cards_in(numbers.deck)), text.split(" ")
    for i, deal in enumerate(deals):
        each = [deal.count(str(seat)) for seat in range(numbers.seats)]
        if len(deal) != len(cards) or each != [numbers.hand_size] * numbers.seats:
            raise ValueError(
                f"deal {i} does not say who of {numbers.seats} seats holds each of "
                f"{len(cards)} cards, {numbers.hand_size} a seat"
            )
    if len(deals) % numbers.n_deals:
        raise ValueError(f"{len(deals)} deals make no whole games of {numbers.n_deals}")
    digits = np.frombuffer("".join(deals).encode("ascii"), np.uint8).reshape(len(deals), -1)
    words = np.zeros((len(deals), numbers.seats, numbers.copies), np.uint64)
    every = np.arange(len(deals))
    for i, card in enumerate(cards):
        words[every, digits[:, i] - ord("0"), card // WORD] |= np.uint64(1 << card % WORD)
    return _by_game(numbers, words)
