"""Plays what is missing of a run, and keeps it whole whatever happens.

The driver handles receipts alone; workers write the tables. A run that was cut off,
by Ctrl-C, kill or power, is taken up again by :func:`resume` and ends the same.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from pipeline import digest, executors, files, store
from pipeline.conduct import Conduct, added_up
from pipeline.config import RunConfig
from pipeline.executors import Executor
from pipeline.landing import Task
from pipeline.manifest import Receipt, Status
from pipeline.opening import new_manifest
from pipeline.parts import add_up_blocks
from pipeline.pilot import pilot
from pipeline.plan import Shard, cut, shards
from pipeline.progress import Progress, Silent
from pipeline.receipts import compact, drop_receipts
from pipeline.signals import sigterm_interrupts
from strategies.decisions import Strategy
from strategies.registry import create

log = logging.getLogger(__name__)


class RunResult(NamedTuple):
    """A complete run."""

    run: Path
    """Where it lies."""
    digest: str
    games: int
    deals: int
    seconds: float
    """How long this call played and wrote."""
    fouls: int
    first_fouls: tuple[str, ...]
    """What some of them were."""
    played: int
    """Games that this call played; a resume finds others there."""
    conduct: tuple[Conduct, ...] = ()
    """Who fouled, printed, or drew from everybody's random numbers."""


def run(
    config: RunConfig,
    out: str | Path,
    *,
    executor: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> RunResult:
    """Play a run into a new folder.

    Parameters
    ----------
    config : RunConfig
        From :func:`pipeline.config.load_run`.
    out : path
        A folder that is not there yet, or empty.
    executor : str, optional
        ``local`` (the default unless RAY_ADDRESS is set), ``inline`` or ``ray``.
    workers : int, optional
        As many as there are processors unless given.
    progress : Progress, optional
        Is told what lands.

    Raises
    ------
    UserError
        A mistake of the user's; nothing is written then.
    FoulPlay
        Where the run stops at fouls.
    KeyboardInterrupt
        After everything finished so far was kept.
    """
    folder = files.local_folder(out).absolute()  # before a strategy changes the directory
    files.check_empty(folder)
    kind = executors.choose(executor, workers)
    strategies = _strategies(config)
    names = {label: repr(strategy) for label, strategy in strategies.items()}
    manifest = new_manifest(config, cut(config, pilot(config)), names)
    files.make_folder(folder)
    with files.locked(folder), sigterm_interrupts():
        files.check_empty(folder)
        store.write_manifest(folder, manifest)
        hands = partial(executors.begin, kind, workers, release_gil=_release_gil(strategies))
        return _play_missing(store.Run(folder, manifest), hands, progress or Silent())


def resume(
    out: str | Path,
    *,
    executor: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> RunResult:
    """Play what is missing or damaged of a run; arguments and errors as :func:`run`."""
    there = store.Run.open(out)
    there = replace(there, folder=there.folder.absolute())  # see run
    kind = executors.choose(executor, workers)
    played, here = there.manifest.versions["barbu-sim"], version("barbu-sim")
    if played != here:
        raise files.StoreError(
            f"{there.folder}: played with barbu-sim {played}, this is {here}: a run is resumed "
            "with the version that began it"
        )
    strategies = _strategies(there.manifest.config)
    with files.locked(there.folder), sigterm_interrupts():
        files.drop_leftovers(there.folder)
        hands = partial(executors.begin, kind, workers, release_gil=_release_gil(strategies))
        return _play_missing(there, hands, progress or Silent())


def _strategies(config: RunConfig) -> dict[str, Strategy]:
    """Create each entrant's once, so that a mistake shows before anything is written."""
    return {entrant.label: create(entrant.strategy) for entrant in config.entrants}


def _release_gil(strategies: dict[str, Strategy]) -> bool:
    return all(hasattr(strategy, "capsule") for strategy in strategies.values())


def _play_missing(there: store.Run, hands: Callable[[], Executor], progress: Progress) -> RunResult:
    """Play what has no sound receipt; write down how it ended."""
    started = time.monotonic()
    manifest = there.manifest
    receipts = {
        number: receipt
        for number, receipt in there.receipts().items()
        if not store.damage(there.folder, receipt)
    }
    todo = [s for s in shards(manifest.config, manifest.bounds) if s.number not in receipts]
    log.info("%s: %d of %d shards to play", there.folder, len(todo), manifest.shards)
    found = sum(receipt.games for receipt in receipts.values())
    progress.begin(manifest.games, found)
    there = there.with_manifest(status="running")
    ending: Status = "failed"
    try:
        if todo:
            receipts |= _carry_out(hands(), _tasks(there, todo), progress)
        result = _finish(there, dict(sorted(receipts.items())), found, started)
        ending = "complete"
        return result
    except KeyboardInterrupt:
        ending = "interrupted"
        raise
    finally:
        if ending != "complete":
            # Where the disk is full, say that; "running" will do for a resume.
            with suppress(files.StoreError):
                there.with_manifest(status=ending)


def _tasks(there: store.Run, todo: list[Shard]) -> Iterator[Task]:
    config = there.manifest.config
    alone = {
        variant.name: config.model_copy(update={"variants": (variant,)}).model_dump_json()
        for variant in config.variants
    }
    for shard in todo:
        yield Task(
            folder=str(there.folder.resolve()),
            run=there.manifest.run,
            package=there.manifest.versions["barbu-sim"],
            config=alone[shard.variant],
            seats=there.manifest.seats,
            shard=shard,
        )


def _carry_out(hands: Executor, tasks: Iterator[Task], progress: Progress) -> dict[int, Receipt]:
    """Keep the executor's window full until every shard has landed."""
    landed: dict[int, Receipt] = {}
    flying = 0
    whole = False
    try:
        waiting = next(tasks, None)
        while waiting is not None or flying:
            if waiting is not None and flying < hands.window:
                hands.submit(waiting)
                flying += 1
                waiting = next(tasks, None)
                continue
            receipt = hands.completed()
            flying -= 1
            landed[receipt.shard] = receipt
            progress.advance(receipt.games)
        whole = True
    finally:
        hands.close(cancel=not whole)
    return landed


def _finish(there: store.Run, receipts: dict[int, Receipt], old: int, started: float) -> RunResult:
    """All shards have landed: write what stands for the whole; ``old`` games were there."""
    receipts = add_up_blocks(there, receipts)
    total = digest.text(digest.add(receipt.digest for receipt in receipts.values()))
    before = there.manifest.digest
    if before not in (None, total):
        raise files.StoreError(
            f"{there.folder / files.MANIFEST}: digest: was {before}, but the games make {total}"
        )
    compact(there.folder, there.manifest.run, receipts)
    there = there.with_manifest(
        status="complete",
        deals=sum(receipt.deals for receipt in receipts.values()),
        fouls=sum(receipt.fouls for receipt in receipts.values()),
        worker_seconds=sum(receipt.ms for receipt in receipts.values()) / 1000,
        digest=total,
    )
    drop_receipts(there.folder)
    manifest = there.manifest
    fouls = [line for receipt in receipts.values() for line in receipt.first_fouls]
    return RunResult(
        run=there.folder,
        digest=total,
        games=manifest.games,
        deals=manifest.deals,
        seconds=time.monotonic() - started,
        fouls=manifest.fouls,
        first_fouls=tuple(fouls[:3]),
        played=manifest.games - old,
        conduct=tuple(added_up(one for receipt in receipts.values() for one in receipt.conduct)),
    )
