"""Marks in large tables: which cells differ from nothing, Benjamini-Hochberg.

A table of a hundred cells shows five "significant" ones by luck. The marks keep
the expected share of false ones among the marked at the stated rate.
"""

from collections.abc import Sequence

RATE = 0.05
"""Expected share of false marks among the marks."""


def marks(p_values: Sequence[float | None], rate: float = RATE) -> list[bool]:
    """Which p-values Benjamini and Hochberg's step-up procedure rejects.

    Cells without a p-value (one block) are not marked and not counted.
    """
    known = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    last = 0
    for rank, (p, _) in enumerate(known, start=1):
        if p <= rate * rank / len(known):
            last = rank
    marked = [False] * len(p_values)
    for _, i in known[:last]:
        marked[i] = True
    return marked
