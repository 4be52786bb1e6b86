"""Whose games must come out the same when they are played again, and whose need not."""

from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import version

from engine_ext.errors import UserError
from pipeline.config import BY_PEOPLE, EVENINGS
from pipeline.derived import PACKAGE
from pipeline.manifest import Manifest
from pipeline.store import Run
from pipeline.strategy_files import LOAD, NOT_LOADED, changed
from strategies.decisions import Strategy
from strategies.explained import searches
from strategies.outside import is_outside
from strategies.parts import is_timed
from strategies.registry import create


def not_replayable(run: Run, *, load_strategies: bool) -> tuple[frozenset[int], tuple[str, ...]]:
    """Entrants whose games may come out otherwise though nothing is wrong, and why; and those
    whose code is not to be run unless ``load_strategies``."""
    config, found, why = run.manifest.config, set(), []
    if config.design == EVENINGS:
        return frozenset(range(len(config.entrants))), (BY_PEOPLE,)
    played, here = run.manifest.versions[PACKAGE], version(PACKAGE)
    for i, entrant in enumerate(config.entrants):
        reason = None
        if played != here:
            reason = f"played with {PACKAGE} {played}, this is {here}"
        elif is_outside(entrant.strategy) and not load_strategies:
            reason = f"{NOT_LOADED} ({LOAD})"
        else:
            reason = _reason(entrant.strategy, run.manifest)
        if reason is not None:
            found.add(i)
            why.append(f"{entrant.label}: not replayable: {reason}")
    return frozenset(found), tuple(why)


def all_compiled(manifest: Manifest, *, load_strategies: bool) -> bool:
    """Whether threads may play side by side: every strategy that is had here is compiled."""
    return all(hasattr(made, "capsule") for made in _made(manifest, load_strategies))


def somebody_searches(manifest: Manifest, *, load_strategies: bool) -> bool:
    """Whether a game may take its time, as far as can be told here."""
    return any(searches(made) for made in _made(manifest, load_strategies))


def _made(manifest: Manifest, load_strategies: bool) -> Iterator[Strategy]:
    """Strategies of those who are replayed."""
    for entrant in manifest.config.entrants:
        if load_strategies or not is_outside(entrant.strategy):
            with suppress(UserError):  # who cannot be had is not replayed
                if changed(manifest, entrant.strategy) is None:
                    yield create(entrant.strategy)


def _reason(strategy: str, manifest: Manifest) -> str | None:
    config = manifest.config
    try:
        other = changed(manifest, strategy)
        if other is not None:
            return f"cannot be had here ({other})"
        made = create(strategy)
    except UserError as error:
        return f"cannot be had here ({error})"
    if is_timed(made):
        return "says that it is timed"
    if config.budget_ms is not None and not hasattr(made, "capsule"):
        return f"in Python under budget_ms = {config.budget_ms:g}"
    return None
