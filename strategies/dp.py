"""``dp.v1``: chooses the contract that is worth most together with those it leaves.

What a hand is worth in a contract, with each trump suit or start rank it may name, is the
mean over ``worlds`` deals of the other hands of how far it comes out ahead of the others'
mean, played to the end with ``playout`` in every seat; the same worlds for all.

``by`` says what is taken:

- ``dp``: the most of this and of what the contracts left are worth together, each to be
  chosen as well as can be with hands still to be dealt (dynamic program over all that may be
  left). Where the table shares its contracts, the next one chooses next. Where there are more
  than 65,536 ways of what may be left, ``surplus`` takes its place;
- ``surplus``: the most above the average of the contract;
- ``value``: the most;
- ``order``: the first that is left, with the best that may be named in it.

What contracts are worth on average, and together, is worked out once for a variant from
``hands`` hands that are always the same, in two halves of sixteen worlds for each: chosen by one,
valued by the other. ``value`` and ``order`` do without, and so does a fixed schedule, in which
the leader names a trump suit or start rank only. Where there is no memory for it what is left
counts for nothing. Side bets are left out. All other questions are answered by ``playout``.
"""

from importlib import import_module
from typing import Any

from engine_ext.build import load
from strategies.registry import register
from strategies.spec import Nested, ParameterError

MOST_WORLDS = 100_000
MOST_HANDS = 10_000


@register("dp.v1", worlds=80, hands=400, playout=Nested("duck.v1"), by="dp")
class DynamicProgram:
    """Chooses by what a contract is worth now and what it leaves."""

    capsule: object = None
    """Its objects are compiled and have one."""

    def __new__(cls, *, worlds: int, hands: int, playout: Any, by: str) -> Any:
        """Return one in compiled code."""
        rules: dict[str, int] = load("strategies.choosing").RULES
        if by not in rules:
            raise ParameterError(f"by: {by}, want one of {', '.join(rules)}")
        if not 1 <= worlds <= MOST_WORLDS:
            raise ParameterError(f"worlds: {worlds}, want a whole number from 1 to {MOST_WORLDS}")
        if not 1 <= hands <= MOST_HANDS:
            raise ParameterError(f"hands: {hands}, want a whole number from 1 to {MOST_HANDS}")
        if not hasattr(playout, "capsule"):
            raise ParameterError(f"playout: {playout!r} is not compiled, want one that is")
        how = rules[by]
        wide = import_module("strategies.choosing_wide").Choosing(playout, worlds, hands, how)
        return load("strategies.choosing").Choosing(playout, worlds, hands, how, wide)
