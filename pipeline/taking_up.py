"""Begins a run, or goes on with it where it is there: what a job that is restarted needs."""

from collections.abc import Sequence
from pathlib import Path

from pipeline.config import RunConfig
from pipeline.files import MANIFEST
from pipeline.progress import Progress
from pipeline.run import RunResult, resume, run
from pipeline.store import Run
from pipeline.stores import StoreError, store_at


def run_or_resume(
    config: RunConfig,
    out: str | Path,
    *,
    executor: str | None = None,
    workers: int | None = None,
    address: str | None = None,
    ship: Sequence[str] = (),
    progress: Progress | None = None,
) -> RunResult:
    """Play a run to its end, whoever began it; arguments and errors as :func:`pipeline.run.run`.

    A complete run is told again. :class:`StoreError` where another run lies there.
    """
    place = store_at(out)
    if place.entry(MANIFEST) is None:
        return run(
            config,
            out,
            executor=executor,
            workers=workers,
            address=address,
            ship=ship,
            progress=progress,
        )
    check_same(Run.of(place), config)
    return resume(
        out, executor=executor, workers=workers, address=address, ship=ship, progress=progress
    )


def check_same(there: Run, config: RunConfig, asked: str = "the run file") -> None:
    """Refuse a run that was begun with something else than what is ``asked`` now."""
    key = _differing(config, there.manifest.config)
    if key is not None:
        raise StoreError(
            f"{there.where}: holds another run: {key} is not that of {asked} "
            "(want a new folder, or the file that the run was begun with)"
        )


def _differing(one: RunConfig, other: RunConfig) -> str | None:
    """The first key that two runs do not say alike."""
    for key in RunConfig.model_fields:
        if getattr(one, key) != getattr(other, key):
            return key
    return None
