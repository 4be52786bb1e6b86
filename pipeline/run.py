"""Plays what is missing of a run, and keeps it whole whatever happens.

The driver handles receipts alone; workers write the tables. A run that was cut off,
by Ctrl-C, kill or power, is taken up again by :func:`resume` and ends the same.
"""

import logging
import time
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from pipeline import digest, executors, files, ledger, store
from pipeline.audit import audit
from pipeline.cap import check_cap
from pipeline.conduct import Conduct, added_up
from pipeline.config import RunConfig
from pipeline.derived import counted_shards
from pipeline.driving import Driver
from pipeline.executors import Begin
from pipeline.ledger import Attempt
from pipeline.manifest import Audited, Decided, Receipt, Status
from pipeline.opening import new_manifest
from pipeline.parts import add_up_blocks
from pipeline.pilot import pilot
from pipeline.plan import cut
from pipeline.progress import Progress, Silent
from pipeline.receipts import compact, drop_receipts
from pipeline.signals import sigterm_interrupts
from pipeline.stopping import decided
from pipeline.stores import StoreError, store_at
from pipeline.strategy_files import check_unchanged
from strategies.decisions import Strategy
from strategies.registry import create

log = logging.getLogger(__name__)


class RunResult(NamedTuple):
    """A complete run."""

    run: str
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
    surplus: int = 0
    """Games beyond where a stop rule ended the run: kept, counted nowhere."""
    decided: tuple[Decided, ...] = ()
    """The verdicts, by variant."""
    attempts: tuple[Attempt, ...] = ()
    """The how manieth runs at their questions these are."""
    audited: tuple[Audited, ...] = ()
    """What was played again at the end, by variant, and whether it came out the same."""


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
        ``local`` (the default unless RAY_ADDRESS is set), ``processes`` (as ``local``, but never
        threads), ``inline`` or ``ray``.
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
    place = store_at(out)  # before a strategy changes the directory
    place.check_new()
    kind = executors.choose(executor, workers)
    strategies = _strategies(config)
    names = {label: repr(strategy) for label, strategy in strategies.items()}
    check_cap(config)
    manifest = new_manifest(config, cut(config, pilot(config)), names)
    place.begin()
    with place.held(), sigterm_interrupts():
        place.check_new()
        attempts = ledger.begin(place.beside(), manifest)  # if it fails nothing is played
        there = store.Run.new(place, manifest)
        hands = Begin(kind, workers, _release_gil(strategies))
        return _play_missing(there, attempts, hands, progress or Silent())


def resume(
    out: str | Path,
    *,
    executor: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> RunResult:
    """Play what is missing or damaged of a run; arguments and errors as :func:`run`."""
    there = store.Run.open(out)
    kind = executors.choose(executor, workers)
    played, here = there.manifest.versions["barbu-sim"], version("barbu-sim")
    if played != here:
        raise StoreError(
            f"{there.where}: played with barbu-sim {played}, this is {here}: a run is resumed "
            "with the version that began it"
        )
    check_unchanged(there)
    strategies = _strategies(there.manifest.config)
    with there.store.held(), sigterm_interrupts():
        attempts = ledger.begin(there.store.beside(), there.manifest)
        hands = Begin(kind, workers, _release_gil(strategies))
        return _play_missing(there, attempts, hands, progress or Silent())


def _strategies(config: RunConfig) -> dict[str, Strategy]:
    """Create each entrant's once, so that a mistake shows before anything is written."""
    return {entrant.label: create(entrant.strategy) for entrant in config.entrants}


def _release_gil(strategies: dict[str, Strategy]) -> bool:
    return all(hasattr(strategy, "capsule") for strategy in strategies.values())


def _play_missing(
    there: store.Run,
    attempts: tuple[Attempt, ...],
    hands: Begin,
    progress: Progress,
) -> RunResult:
    """Play what has no sound receipt; write down how it ended."""
    started = time.monotonic()
    receipts = {
        number: receipt
        for number, receipt in there.landed().items()
        if not store.damage(there.store, receipt)
    }
    found = sum(receipt.games for receipt in receipts.values() if there.counts(receipt))
    log.info("%s: %d shards are there", there.where, len(receipts))
    progress.begin(there.manifest.games, found)
    driver = Driver(there.with_manifest(status="running"), receipts, progress)
    ending: Status = "failed"
    try:
        driver.play(hands)
        there, result = _finish(driver, attempts, hands, set(receipts), started)
        ending = "complete"
    except KeyboardInterrupt:
        ending = "interrupted"
        raise
    finally:
        if ending != "complete":
            # Where the disk is full, say that; "running" will do for a resume.
            with suppress(StoreError):
                driver.run.with_manifest(status=ending)
    there, attempts = ledger.complete(there)
    return result._replace(decided=there.manifest.decided, attempts=attempts)


def _finish(
    driver: Driver, attempts: tuple[Attempt, ...], hands: Begin, before: set[int], started: float
) -> tuple[store.Run, RunResult]:
    """All shards have landed: play the audit's sample again, then write what stands for the
    whole; those ``before`` were there."""
    there = driver.run
    counted, surplus = _apart(driver)
    receipts = add_up_blocks(there, counted)
    total = digest.text(digest.add(receipt.digest for receipt in receipts.values()))
    earlier = there.manifest.digest
    if earlier not in (None, total):
        raise StoreError(
            f"{there.store.path(files.MANIFEST)}: digest: was {earlier}, but the games make {total}"
        )
    audited = there.manifest.audited or audit(there, receipts, hands)
    compact(there.store, there.manifest.run, receipts)
    there.store.remove(files.SURPLUS)  # its receipts are at hand
    if surplus:
        compact(there.store, there.manifest.run, surplus, files.SURPLUS)
    there = there.with_manifest(
        status="complete",
        deals=sum(receipt.deals for receipt in receipts.values()),
        fouls=sum(receipt.fouls for receipt in receipts.values()),
        worker_seconds=sum(receipt.ms for receipt in receipts.values()) / 1000,
        digest=total,
        decided=_verdicts(driver, attempts),
        audited=audited,
    )
    drop_receipts(there.store)
    manifest = there.manifest
    fouls = [line for receipt in receipts.values() for line in receipt.first_fouls]
    return there, RunResult(
        run=there.where,
        digest=total,
        games=manifest.games,
        deals=manifest.deals,
        seconds=time.monotonic() - started,
        fouls=manifest.fouls,
        first_fouls=tuple(fouls[:3]),
        played=sum(r.games for number, r in receipts.items() if number not in before),
        conduct=tuple(added_up(one for receipt in receipts.values() for one in receipt.conduct)),
        surplus=sum(receipt.games for receipt in surplus.values()),
        decided=manifest.decided,
        attempts=attempts,
        audited=audited,
    )


def _apart(driver: Driver) -> tuple[dict[int, Receipt], dict[int, Receipt]]:
    """Receipts of the shards that count, in order, and those of surplus."""
    there, manifest = driver.run, driver.run.manifest
    counted = {shard.number: driver.landed[shard.number] for shard in counted_shards(manifest)}
    rest = sorted(set(driver.landed) - set(counted))
    surplus = {number: driver.landed[number] for number in rest}
    assert not any(there.counts(receipt) for receipt in surplus.values()), "none was dropped"
    return counted, surplus


def _verdicts(driver: Driver, attempts: tuple[Attempt, ...]) -> tuple[Decided, ...]:
    """What the rule of each variant came to."""
    number = {attempt.variant: attempt.number for attempt in attempts}
    config = driver.run.manifest.config
    return tuple(
        decided(config, variant, blocks, outcome, number[variant])
        for variant, (blocks, outcome) in driver.outcomes.items()
    )
