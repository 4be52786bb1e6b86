"""What a strategy is to the engine: five questions, each optional, or a capsule.

A strategy in Python is any object with some of the five methods below. Each is shown
a :class:`~engine_ext.batch.View` and must answer within it; anything else, and any
exception, is a foul. A question whose method is missing takes its default answer.

==========  =======================================  ==========================
question    answer                                   default
==========  =======================================  ==========================
choose      one pair of ``view.choices``             the first
double      set of seats (bits), within              ``must_double``
            ``may_double``, with all of
            ``must_double``
redouble    set of seats within ``may_redouble``     nobody
play        number of a card of ``view.legal``       the lowest by rank
lay         the same, or None to pass where          the lowest by rank
            ``view.may_pass``
==========  =======================================  ==========================

A strategy keeps nothing from one deal to the next. One whose answers depend on anything but the
questions, the clock say, has ``timed = True``: its games cannot be replayed. A compiled one has a
``capsule`` with a ``policy_t`` (``policy.h``) instead, and is asked without the GIL. One that says
``batched = True`` has the same five methods and defaults, but is asked about thousands of
tables at once: it is shown :class:`~engine_ext.batch.Views` and answers with an array of
integers, one a row (``docs/strategies_batched.md``).
"""

from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

if TYPE_CHECKING:
    from engine_ext.pypolicy import View

QUESTIONS = ("choose", "double", "redouble", "play", "lay")
"""The methods that make an object a strategy, in the order of a deal."""


class Chooses(Protocol):
    """Chooses a contract, with trump suit or start rank."""

    def choose(self, view: "View") -> tuple[int, int]:
        """Return a pair (contract, trump suit or start rank) of ``view.choices``."""


class Doubles(Protocol):
    """Doubles seats before the first card."""

    def double(self, view: "View") -> int:
        """Return the seats to double as bits."""


class Redoubles(Protocol):
    """Answers seats that doubled it."""

    def redouble(self, view: "View") -> int:
        """Return the seats to redouble as bits."""


class Plays(Protocol):
    """Plays to a trick."""

    def play(self, view: "View") -> int:
        """Return the number of a card of ``view.legal``."""


class Lays(Protocol):
    """Lays a card of a layout."""

    def lay(self, view: "View") -> int | None:
        """Return the number of a card of ``view.legal``, or None to pass."""


@runtime_checkable
class Compiled(Protocol):
    """Answers all five questions in compiled code."""

    capsule: object
    """``policy_t`` in a PyCapsule named ``engine_ext.policy``."""


class Batched(Protocol):
    """Answers for many tables at once."""

    batched: ClassVar[bool]
    """True."""


Strategy = Chooses | Doubles | Redoubles | Plays | Lays | Compiled | Batched
"""An object the engine can ask; shown (``repr``) by its name."""


def is_strategy(thing: object) -> bool:
    """Whether an object or class answers at least one question, or is compiled."""
    return hasattr(thing, "capsule") or any(callable(getattr(thing, q, None)) for q in QUESTIONS)
