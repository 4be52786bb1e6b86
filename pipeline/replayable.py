"""Whose games must come out the same when they are played again, and whose need not."""

from contextlib import suppress
from importlib.metadata import version

from engine_ext.errors import UserError
from pipeline.config import RunConfig
from pipeline.derived import PACKAGE
from pipeline.store import Run
from strategies.explained import searches
from strategies.parts import is_timed
from strategies.registry import create


def not_replayable(run: Run) -> tuple[frozenset[int], tuple[str, ...]]:
    """Entrants whose games may come out otherwise though nothing is wrong, and why."""
    config, found, why = run.manifest.config, set(), []
    played, here = run.manifest.versions[PACKAGE], version(PACKAGE)
    for i, entrant in enumerate(config.entrants):
        reason = None
        if played != here:
            reason = f"played with {PACKAGE} {played}, this is {here}"
        else:
            reason = _reason(entrant.strategy, config)
        if reason is not None:
            found.add(i)
            why.append(f"{entrant.label}: not replayable: {reason}")
    return frozenset(found), tuple(why)


def all_compiled(config: RunConfig) -> bool:
    """Whether threads may play side by side: every strategy that can be had here is compiled."""
    for entrant in config.entrants:
        with suppress(UserError):
            if not hasattr(create(entrant.strategy), "capsule"):
                return False
    return True


def somebody_searches(config: RunConfig) -> bool:
    """Whether a game may take its time, as far as can be told here."""
    for entrant in config.entrants:
        with suppress(UserError):  # who cannot be had is not replayed
            if searches(create(entrant.strategy)):
                return True
    return False


def _reason(strategy: str, config: RunConfig) -> str | None:
    try:
        made = create(strategy)
    except UserError as error:
        return f"cannot be had here ({error})"
    if is_timed(made):
        return "says that it is timed"
    if config.budget_ms is not None and not hasattr(made, "capsule"):
        return f"in Python under budget_ms = {config.budget_ms:g}"
    return None
