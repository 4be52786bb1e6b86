"""What there is to know of a strategy before it plays."""

import sys
from dataclasses import dataclass

from engine_ext.batch import is_batched
from strategies.decisions import QUESTIONS
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


def info(spec: str) -> StrategyInfo:
    """Return what there is to know of a strategy; takes what :func:`create` takes."""
    strategy = create(spec)
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
