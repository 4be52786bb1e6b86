"""What there is to know of a strategy before it plays."""

import sys
from dataclasses import dataclass

from engine_ext.batch import is_batched
from strategies.decisions import QUESTIONS, Strategy
from strategies.parts import PART_OF, parts_of
from strategies.registry import create, parameters_of


@dataclass(frozen=True, slots=True)
class StrategyInfo:
    """What there is to know of a strategy before it plays."""

    name: str
    """As it stands in run files and results."""
    about: str
    """The first line of its docstring."""
    text: str
    """The whole docstring of its module: how it plays, as far as its author says."""
    compiled: bool
    """Whether the engine asks it in compiled code."""
    batched: bool
    """Whether it is asked about many tables at once, with arrays."""
    draws: bool | None
    """Whether it may take random numbers; None where it does not say, then it may."""
    releases_gil: bool
    """Whether several threads can play it at once, each with its own object."""
    answers: tuple[str, ...]
    """The questions it answers itself."""
    parameters: tuple[str, ...]
    """Its parameters as they are set, ``worlds=80``."""
    parts: tuple[str, ...] = ()
    """Who answers what, where it is put together: ``choose=duck.v1``."""


def info(spec: str) -> StrategyInfo:
    """Return what there is to know of a strategy; takes what :func:`create` takes."""
    return info_of(create(spec))


def info_of(strategy: Strategy) -> StrategyInfo:
    """Return what there is to know of a strategy that was made."""
    parts = parts_of(strategy)
    if parts:
        return _of_parts(strategy, parts)
    compiled = hasattr(strategy, "capsule")
    draws = getattr(strategy, "draws", None)
    module = sys.modules.get(type(strategy).__module__)
    return StrategyInfo(
        name=repr(strategy),
        about=(type(strategy).__doc__ or "").partition("\n")[0].strip(),
        text=((module and module.__doc__) or type(strategy).__doc__ or "").strip(),
        compiled=compiled,
        batched=is_batched(strategy),
        draws=None if draws is None else bool(draws),
        releases_gil=compiled,
        answers=QUESTIONS if compiled else tuple(q for q in QUESTIONS if hasattr(strategy, q)),
        parameters=parameters_of(repr(strategy)).told(repr(strategy)),
    )


def _of_parts(strategy: Strategy, parts: dict[str, Strategy]) -> StrategyInfo:
    """What there is to know of a strategy that is put together."""
    inside = {part: info_of(answering) for part, answering in parts.items()}
    who = {part: one.name for part, one in inside.items()}
    compiled = hasattr(strategy, "capsule")
    answers = (q for q in QUESTIONS if q in inside[PART_OF.get(q, "play")].answers)
    return StrategyInfo(
        name=repr(strategy),
        about=f"Plays as {who['play']}, chooses as {who['choose']}, doubles as {who['double']}.",
        text="\n".join(dict.fromkeys(f"{one.name}: {one.about}" for one in inside.values())),
        compiled=compiled,
        batched=is_batched(strategy),
        draws=getattr(strategy, "draws", None),
        releases_gil=compiled,
        answers=tuple(answers),
        parameters=(),
        parts=tuple(f"{part}={name}" for part, name in who.items()),
    )
