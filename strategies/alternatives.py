"""What a strategy could have answered, and what it thought of that.

A strategy explains itself with a method ``alternatives()``: a list of :class:`Alternative`, what
it weighed at the question that it answered last; empty where there was nothing to weigh. If it
weighs at some questions alone it says which with an attribute ``weighs``: a tuple of ``choose``,
``double``, ``redouble``, ``play`` and ``lay``.
"""

from typing import NamedTuple


class Alternative(NamedTuple):
    """One answer that was weighed."""

    answer: object
    """A card's number, None to pass; (contract, trump suit or start rank); a seat to double."""
    value: float
    """Points that it is worth to the seat, more is better: ahead of the others' mean for cards
    and contracts (with what is left to choose), from the bet for doubles."""
    error: float
    """Standard error: of the difference to the answer taken for cards, of the value else."""
    worlds: int
    """How many worlds it was tried in."""
