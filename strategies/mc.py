"""``mc.v1``: plays every card it may in hands that agree with what it has seen.

For each question of card or layout move it fills in the hidden hands ``worlds`` times, each
time any of the deals that agree with everything shown, each as likely; plays every answer, in
the same hands, to the end of the deal with ``playout`` in every seat; and takes the answer
after which it comes out furthest ahead of the others' mean, side bets included. It plays what
``base`` would unless another answer did better by more than ``gate`` standard errors of
the difference in the same worlds. An answer that is three standard errors behind the best
after 16, 32, 64 ... worlds is not tried any further, what ``base`` would play not unless
it is ``gate`` errors behind as well. Of cards of one suit between which nobody else holds one
and which no rule tells apart one is tried.

Budgets are worlds, never time, so that every machine plays alike. What it chooses, doubles and
redoubles is what ``base`` does: name other parts for that.
"""

from importlib import import_module
from math import inf
from typing import Any

from engine_ext.build import load
from strategies.registry import register
from strategies.spec import Nested, ParameterError

MOST_WORLDS = 100_000


@register("mc.v1", worlds=80, playout=Nested("duck.v1"), base=Nested("count.v1"), gate=1.0)
class MonteCarlo:
    """Tries its answers in worlds that agree with what it sees."""

    capsule: object = None
    """Its objects are compiled and have one."""

    def __new__(cls, *, worlds: int, playout: Any, base: Any, gate: float) -> Any:
        """Return one in compiled code."""
        if not 1 <= worlds <= MOST_WORLDS:
            raise ParameterError(f"worlds: {worlds}, want a whole number from 1 to {MOST_WORLDS}")
        if not 0 <= gate < inf:
            raise ParameterError(f"gate: {gate}, want 0 or more standard errors")
        for key, part in (("playout", playout), ("base", base)):
            if not hasattr(part, "capsule"):
                raise ParameterError(f"{key}: {part!r} is not compiled, want one that is")
        wide = import_module("strategies.searching_wide").Searching(playout, base, worlds, gate)
        return load("strategies.searching").Searching(playout, base, worlds, gate, wide)
