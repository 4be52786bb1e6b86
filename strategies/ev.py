"""``ev.v1``: doubles and redoubles where that is expected to pay.

Before the first card it fills in the hidden hands up to ``draws`` times, any deal as likely, and
keeps the first ``worlds`` in which the others would have acted as they did: the declarer named
this contract, those who doubled did so; ``model`` says what they would do with a hand (at least
eight are kept). Each is played out with ``playout`` in every seat. A double pays the mean
difference of the two seats' points, twice that where the seat doubled would double back, by the
same model; it is made where that is more than nothing. Doubles that forced the one who made them
show nothing.

Where the declarer must be doubled a number of times, a double is worth besides what it is worth to
owe one less: worked out once for a variant, from deals that are always the same, as the value
of the deals left with and without it, each deal to be doubled or not as is better then, and
those in which he may not be doubled let go by.

Where a contract that nobody doubles is not played, what not playing is worth is left out. All
other questions are answered by ``playout``.
"""

from importlib import import_module
from typing import Any

from engine_ext.build import load
from strategies.registry import register
from strategies.spec import Nested, ParameterError

MOST_WORLDS = 256
MOST_DRAWS = 100_000


@register("ev.v1", worlds=64, draws=640, playout=Nested("duck.v1"), model=Nested("duck.v1"))
class ExpectedValue:
    """Doubles by what a double is expected to pay."""

    capsule: object = None
    """Its objects are compiled and have one."""

    def __new__(cls, *, worlds: int, draws: int, playout: Any, model: Any) -> Any:
        """Return one in compiled code."""
        if not 1 <= worlds <= MOST_WORLDS:
            raise ParameterError(f"worlds: {worlds}, want a whole number from 1 to {MOST_WORLDS}")
        if not worlds <= draws <= MOST_DRAWS:
            raise ParameterError(
                f"draws: {draws}, want a whole number from worlds, {worlds}, to {MOST_DRAWS}"
            )
        for key, part in (("playout", playout), ("model", model)):
            if not hasattr(part, "capsule"):
                raise ParameterError(f"{key}: {part!r} is not compiled, want one that is")
        wide = import_module("strategies.betting_wide").Betting(playout, model, worlds, draws)
        return load("strategies.betting").Betting(playout, model, worlds, draws, wide)
