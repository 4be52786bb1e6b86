"""Which blocks of a run are played again: drawn by the run key, so that nobody picks them.

Domain 5 of docs/seeds.md. The draw of more blocks begins with that of fewer.
"""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from pipeline.seating.draws import below

AUDIT = 200
"""One block in so many is audited, half a per cent; at least one."""
MOST_BLOCKS = 1_000
"""Blocks of a variant that an audit looks at, at most: 1,000 that come out the same leave no
room for 0.3 % that do not, 19 times in 20."""
MOST_GAMES = 100_000
"""The same of games, where a block has many."""
_DOMAIN, _AUDIT = 5, 1 << 40
"""Counter words c3 and c2: replicate 1, the rest 0."""


def audit_size(blocks: int, block_games: int) -> int:
    """How many of a variant's ``blocks`` an audit looks at."""
    fit = max(1, MOST_GAMES // block_games)
    return min(-(-blocks // AUDIT), MOST_BLOCKS, fit, blocks)


def share_size(share: Fraction, blocks: int, block_games: int) -> int:
    """How many blocks a ``share`` of them is, above 0 and up to 1; at least those of the audit."""
    part = -(-share.numerator * blocks // share.denominator)
    return max(part, audit_size(blocks, block_games))


def chosen(key: tuple[int, int], blocks: int, n: int) -> list[int]:
    """The first ``n`` of blocks 0..blocks-1 in an order drawn by the run key.

    For i = 0..n-1 the block at i is exchanged with the one at i + j, j uniform in
    0..blocks-i-1 (:func:`pipeline.seating.draws.below`).
    """
    words = _words(key)
    moved: dict[int, int] = {}  # where it differs from 0, 1, 2, ...
    found = []
    for i in range(n):
        at = i + below(words, blocks - i)
        found.append(moved.get(at, at))
        moved[at] = moved.pop(i, i)
    return found


def _words(key: tuple[int, int]) -> Iterator[int]:
    counter = np.array([0, 0, _AUDIT, _DOMAIN], np.uint64)
    cipher = np.random.Philox(key=np.array(key, np.uint64), counter=counter)
    while True:
        yield from cipher.random_raw(256).tolist()
