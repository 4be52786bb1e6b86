"""Strategies of a run that are loaded from files or modules: to play them runs their code.

A run file that names one asks for that, and so does who resumes the run. Whoever reads a run may
have it from somebody else: the code is run only where he says so, and only if a file is still
what it was.
"""

from hashlib import file_digest

from pipeline.config import Entrant, RunConfig
from pipeline.manifest import Manifest
from pipeline.store import Run
from pipeline.stores import StoreError
from strategies.outside import files, is_outside, places

NOT_LOADED = "its strategy is loaded from a file or module"
"""Why somebody is not replayed."""
LOAD = "--load-strategies plays it: that runs its code"
"""How he could be."""
STAND_IN = "lowest.v1"
"""Bears the name of an entrant who is left out, and never plays."""


def outsiders(config: RunConfig) -> frozenset[int]:
    """Entrants by index whose code is not installed under a name."""
    return frozenset(i for i, one in enumerate(config.entrants) if is_outside(one.strategy))


def left_out(run: Run, *, load_strategies: bool) -> frozenset[int]:
    """Entrants by index whose games are not to be played again by who reads the run.

    With ``load_strategies`` nobody; :class:`StoreError` then if a file is not what it was.
    """
    if not load_strategies:
        return outsiders(run.manifest.config)
    check_unchanged(run)
    return frozenset()


def without(config: RunConfig, away: frozenset[int]) -> RunConfig:
    """The run with the names alone of those who are ``away``: nothing of theirs is imported."""
    seated = (
        Entrant(strategy=STAND_IN, name=one.label) if i in away else one
        for i, one in enumerate(config.entrants)
    )
    return config.model_copy(update={"entrants": tuple(seated)})


def hashes(config: RunConfig) -> dict[str, str]:
    """By path the SHA-256 of every file that a strategy is loaded from; a file that it imports in
    turn is not among them. :class:`StoreError` if one cannot be read."""
    named = (path for one in config.entrants for path in files(one.strategy))
    return {str(path): _sha256(str(path)) for path in named}


def loaded(manifest: Manifest) -> list[str]:
    """What is imported where the run's strategies are made, a line each."""
    named = (place for one in manifest.config.entrants for place in places(one.strategy))
    told = []
    for place in dict.fromkeys(named):
        kept = manifest.strategy_files.get(place)
        told.append(f"{place} (sha256 {kept})" if kept else place)
    return told


def changed(manifest: Manifest, strategy: str) -> str | None:
    """Why the files of a strategy are not those that the run was played with, a line."""
    for path in files(strategy):
        kept = manifest.strategy_files.get(str(path))
        if kept is not None and _sha256(str(path)) != kept:
            return f"{path}: is not the file that the run was begun with (sha256 {kept})"
    return None


def check_unchanged(run: Run) -> None:
    """Refuse to play with other code than the run was begun with."""
    for entrant in run.manifest.config.entrants:
        wrong = changed(run.manifest, entrant.strategy)
        if wrong is not None:
            raise StoreError(f"{run.where}: {entrant.label}: {wrong}")


def _sha256(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {(error.strerror or '').lower()}") from error
