"""Who fouled, and what strategies did besides answering: counted for each entrant of a run."""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from engine_ext.rules.spec import Frozen
from strategies.offences import KINDS, Offence

FOULS = "fouled (an illegal or failed answer)"


class Conduct(Frozen):
    """One kind of thing that an entrant did."""

    entrant: str
    kind: Literal["foul", "print", "random", "rules", "late"]
    """As in :mod:`strategies.offences`; ``rules`` and ``late`` are counted as fouls too."""
    n: Annotated[int, Field(ge=1)]
    """Answers in which it did."""
    first: str
    """Where it first was, and what."""

    def __str__(self) -> str:
        what = next((words for kind, words in KINDS.items() if kind == self.kind), FOULS)
        times = "once" if self.n == 1 else f"{self.n:,} times, first"
        return f"{self.entrant} {what} {times}{': ' if self.first else ''}{self.first}"


def conduct_of(variant: str, offences: Iterable[Offence]) -> list[Conduct]:
    """Count the offences of a shard."""
    return added_up(
        Conduct(entrant=o.strategy, kind=o.kind, n=1, first=f"{variant}{_place(o)}")
        for o in offences
    )


def _place(offence: Offence) -> str:
    where = "" if offence.deal is None else f", deal {offence.deal}, seat {offence.seat}"
    asked = f", {offence.question}" if offence.question else ""
    return f"{where}{asked}{': ' if offence.what else ''}{offence.what}"


def added_up(all_conduct: Iterable[Conduct]) -> list[Conduct]:
    """One of each kind for each entrant, in the order of their names."""
    found: dict[tuple[str, str], Conduct] = {}
    for one in all_conduct:
        key = (one.entrant, one.kind)
        known = found.get(key)
        found[key] = one if known is None else known.model_copy(update={"n": known.n + one.n})
    return [found[key] for key in sorted(found)]
