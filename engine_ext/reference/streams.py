"""Random numbers by position, in plain Python: the cipher, the deal, a decision's draws.

An independent writing of docs/seeds.md; where a sentence is quoted it is from there.
Nothing here has a state that outlives a deal: the same key and position give the same
numbers whatever was drawn before.
"""

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count
from math import prod

Key = tuple[int, int]
"""The two 64-bit words of a run key."""

WORD = 2**64
DEAL, STRATEGY, SCHEDULE = 0, 1, 2
"""Domains: the last word of the counter."""

OVERFLOW = 1 << 23
"""The top bit of the replicate field: further words of one decision."""


def run_key(seed: int) -> Key:
    """Return the run key of a user's seed, 0..2^64-1."""
    digest = hashlib.sha256(b"barbu-rng-v1" + str(seed).encode("ascii")).digest()
    return int.from_bytes(digest[0:8], "little"), int.from_bytes(digest[8:16], "little")


# The cache is for speed alone: sixteen decisions read from one block.
@lru_cache(maxsize=512)
def philox(key: Key, counter: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """Return the block of four 64-bit words that belongs to a counter (Philox4x64-10).

    Source of rounds and constants: Salmon, Moraes, Dror and Shaw 2011.
    """
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        high0, low0 = divmod(0xD2E7470EE14C6C93 * c0, WORD)
        high1, low1 = divmod(0xCA5A826395121157 * c2, WORD)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0 = (k0 + 0x9E3779B97F4A7C15) % WORD
        k1 = (k1 + 0xBB67AE8584CAA73B) % WORD
    return c0, c1, c2, c3


def counter_word(deal: int, seat: int = 0, decision: int = 0, replicate: int = 0) -> int:
    """Return the counter's word c2: deal 16 bits, seat 8, decision 16, replicate 24."""
    return deal + (seat << 16) + (decision << 24) + (replicate << 40)


def words(key: Key, block: int, c2: int, domain: int) -> Iterator[int]:
    """Yield the words of one purpose without end: blocks c0 = 1, 2, ..., four words each."""
    for c0 in count(1):
        yield from philox(key, (c0, block, c2, domain))


def below(n: int, source: Iterator[int], bits: int = 64) -> int:
    """Return an integer of 0..n-1 by multiply and reject, from numbers of ``bits`` bits."""
    span = 1 << bits
    while True:
        whole, rest = divmod(next(source) * n, span)
        if rest >= span % n:
            return whole


def several(bounds: Sequence[int], source: Iterator[int]) -> list[int]:
    """Return one integer below each bound, all from one word ("several from one word")."""
    least = WORD % prod(bounds)
    while True:
        x = next(source)
        drawn = []
        for bound in bounds:
            whole, x = divmod(x * bound, WORD)
            drawn.append(whole)
        if x >= least:
            return drawn


def groups(bounds: Sequence[int]) -> Iterator[list[int]]:
    """Cut bounds into groups, each as long as its product does not exceed 2^52.

    >>> [len(group) for group in groups(range(52, 13, -1))]
    [9, 9, 10, 11]
    """
    group: list[int] = []
    for bound in bounds:
        if prod(group) * bound > 2**52:
            yield group
            group = []
        group.append(bound)
    yield group


def deal(key: Key, block: int, number: int, pack: Sequence[str], seats: int) -> list[list[str]]:
    """Return the hands of deal ``number`` of a game, by seat.

    ``pack`` is the deck in its own order.
    """
    return dealt(pack, seats, words(key, block, counter_word(number), DEAL))


def dealt(pack: Sequence[str], seats: int, source: Iterator[int]) -> list[list[str]]:
    """Return the hands of a pack that is dealt out.

    The shuffle stops when all hands but the last are drawn; the last one is what is left.
    """
    cards = list(pack)
    size = len(cards) // seats
    bounds = range(len(cards), size, -1)
    steps = [step for group in groups(bounds) for step in several(group, source)]
    for i, j in enumerate(steps):
        cards[i], cards[i + j] = cards[i + j], cards[i]
    return [cards[seat * size : (seat + 1) * size] for seat in range(seats)]


def turned(hands: Sequence[list[str]], turn: int) -> list[list[str]]:
    """Return the hands by seat where seat s holds what was dealt to seat s + turn."""
    return [hands[(seat + turn) % len(hands)] for seat in range(len(hands))]


def redeal(
    key: Key,
    block: int,
    number: int,
    pack: Sequence[str],
    hands: Sequence[list[str]],
    held: int,
    world: int,
) -> list[list[str]]:
    """Return the hands of a world, by seat: that of seat ``held`` stays, the others are dealt anew.

    ``pack`` is the deck in its own order, ``world`` counts from 1; 0 is the deal as it is.
    """
    if world == 0:
        return [*hands]
    rest = [card for card in pack if card not in hands[held]]
    others = [seat for seat in range(len(hands)) if seat != held]
    source = words(key, block, counter_word(number, seat=held, replicate=world), DEAL)
    anew = dict(zip(others, dealt(rest, len(others), source), strict=True))
    return [anew.get(seat, hands[held]) for seat in range(len(hands))]


def drawn_trump(key: Key, block: int, number: int, suits: Sequence[str], world: int = 0) -> str:
    """Return the trump suit of a deal whose contract has it drawn."""
    place = counter_word(number, replicate=world)
    return suits[below(len(suits), words(key, block, place, SCHEDULE))]


class Dice:
    """The random numbers of one decision of one seat; ``below(n)`` draws."""

    def __init__(
        self, key: Key, block: int, deal: int, seat: int, decision: int, replicate: int = 0
    ) -> None:
        shared = counter_word(deal, seat, decision // 16, replicate)
        fours = philox(key, (1, block, shared, STRATEGY))
        word, slot = divmod(decision % 16, 4)
        self._slice = [(fours[word] >> 16 * slot) % 2**16]
        own = counter_word(deal, seat, decision, replicate | OVERFLOW)
        self._further = words(key, block, own, STRATEGY)

    def below(self, n: int) -> int:
        """Return an integer of 0..n-1, each as likely; n is at most 65536.

        The first draw takes the decision's own 16 bits; where those are refused, and for
        every later draw, further 64-bit words.
        """
        while self._slice:
            whole, rest = divmod(self._slice.pop() * n, 2**16)
            if rest >= 2**16 % n:
                return whole
        return below(n, self._further)
