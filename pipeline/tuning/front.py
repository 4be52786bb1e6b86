"""The front: candidates that no other one beats in everything that is wanted."""

from collections.abc import Sequence

import numpy as np


def front(vectors: Sequence[Sequence[float]]) -> list[bool]:
    """Whether each is on the front: no other is less in one coordinate and no more in the rest.

    Equal ones are on it together. Less is better; every vector has the same length.
    """
    table = np.array(vectors, np.float64).reshape(len(vectors), -1)
    out = [False] * len(table)
    found = np.empty_like(table)
    n = 0
    # In lexical order nobody is beaten by a later one.
    for i in np.lexsort(table.T[::-1]):
        one = table[i]
        no_more = (found[:n] <= one).all(axis=1)
        if not (no_more & (found[:n] < one).any(axis=1)).any():
            out[i] = True
            found[n] = one
            n += 1
    return out
