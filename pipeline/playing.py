"""Plays what is missing of a run that lies in a store, and writes down how it ended.

The driver handles receipts alone; workers write the tables. It may be cut off between any two
calls of the store: whoever takes the run up again finds what had landed, and ends the same.
"""

import logging
import secrets
from contextlib import suppress
from typing import Literal, NamedTuple

import polars as pl

from pipeline import files, ledger, store
from pipeline.audit import audit
from pipeline.batches import Batches, drop_receipts, put_receipts
from pipeline.clock import Clock, Wall
from pipeline.compaction import take_apart
from pipeline.conduct import Conduct, added_up
from pipeline.driving import Driver
from pipeline.executors import Begin
from pipeline.landed import Landed, Numbers
from pipeline.ledger import Attempt
from pipeline.manifest import Audited, Decided, SetAside, Status
from pipeline.parts import add_up_blocks
from pipeline.progress import Progress
from pipeline.receipt_table import Receipts
from pipeline.signals import held_back
from pipeline.stopping import decided
from pipeline.stores import StoreError

log = logging.getLogger(__name__)


class RunResult(NamedTuple):
    """A run that came to its end."""

    run: str
    """Where it lies."""
    digest: str
    """Empty where the run is incomplete."""
    games: int
    """Games that count and are there."""
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
    status: Literal["complete", "incomplete"] = "complete"
    set_aside: tuple[SetAside, ...] = ()
    """Shards of which every try came to nothing; none where the run is complete."""


def play_missing(
    there: store.Run,
    attempts: tuple[Attempt, ...],
    hands: Begin,
    progress: Progress,
    clock: Clock | None = None,
) -> RunResult:
    """Play what has no sound receipt.

    Raises what :meth:`pipeline.driving.Driver.play` raises, with everything kept that landed, and
    :class:`pipeline.stores.Changed` where another driver has taken the run meanwhile.
    """
    time = clock or Wall()
    started = time.now()
    landed, receipts = _sound(there)
    before = landed.numbers()
    log.info("%s: %d shards are there", there.where, len(landed))
    progress.begin(there.manifest.games, landed.games(there.manifest))
    driver = Driver(_taken(there), landed, receipts, progress, time)
    ending: Status = "failed"
    try:
        driver.play(hands)
        finish = _left_open if driver.set_aside else _whole
        there, result = finish(driver, attempts, hands, before)
    except KeyboardInterrupt:
        ending = "interrupted"
        raise
    finally:
        if driver.run.manifest.status == "running":
            # Where the disk is full, or another driver has the run, say that and no more;
            # "running" will do for a resume.
            with suppress(StoreError):
                driver.run.with_manifest(status=ending, driver="")
    if result.status == "complete":
        there, attempts = ledger.complete(there)
    return result._replace(
        decided=there.manifest.decided, attempts=attempts, seconds=time.now() - started
    )


def _sound(there: store.Run) -> tuple[Landed, Batches]:
    """Shards whose files are as they landed, with all receipts; others are to be played again.

    The receipt of a shard that is damaged goes first, since a worker who meets one plays no more.
    """
    landed = there.landed()
    again = take_apart(there, landed, set(store.damaged(there.store, landed.values())))
    for number in again:
        there.store.remove(files.receipt_name(number))
    sound = landed.only(~pl.col("shard").is_in(sorted(again)))
    receipts = Batches(there.store, there.manifest.run)
    return Landed.of(there.planned(), sound), receipts


def _taken(there: store.Run) -> store.Run:
    """The run as this driver's: from now on another's swap of the manifest fails."""
    changes: dict[str, object] = {"status": "running", "driver": secrets.token_hex(8)}
    if there.manifest.status == "incomplete":
        changes |= {"set_aside": (), "decided": ()}
    return there.with_manifest(**changes)


def _whole(
    driver: Driver, attempts: tuple[Attempt, ...], hands: Begin, before: Numbers
) -> tuple[store.Run, RunResult]:
    """All shards have landed: play the audit's sample again, then write what stands for the
    whole; those ``before`` were there."""
    there = driver.run
    _check_repeated(driver)
    for changed in add_up_blocks(there, _receipts(driver).only(there.counting)):
        driver.receipts.add(changed)
    every = _receipts(driver)
    receipts, surplus = every.only(there.counting), every.only(~there.counting)
    assert len(receipts) == there.manifest.shards, "all have landed"
    total = receipts.digest
    earlier = there.manifest.digest
    if earlier not in (None, total):
        raise StoreError(
            f"{there.store.path(files.MANIFEST)}: digest: was {earlier}, but the games make {total}"
        )
    audited = there.manifest.audited or audit(there, receipts, hands)
    there = there.with_manifest()  # is it still ours?
    put_receipts(there.store, there.manifest.run, every.as_written(), there.counting)
    with held_back():
        there = driver.run = there.with_manifest(
            status="complete",
            driver="",
            deals=receipts.total("deals"),
            fouls=receipts.total("fouls"),
            worker_seconds=receipts.total("ms") / 1000,
            digest=total,
            decided=_verdicts(driver, attempts),
            audited=audited,
        )
    drop_receipts(there.store)
    result = _result(there, receipts, before)
    return there, result._replace(digest=total, surplus=surplus.total("games"), audited=audited)


def _left_open(
    driver: Driver, attempts: tuple[Attempt, ...], hands: Begin, before: Numbers
) -> tuple[store.Run, RunResult]:
    """Shards were set aside: write down which, and what the blocks before them say."""
    _check_repeated(driver)
    with held_back():
        there = driver.run = driver.run.with_manifest(
            status="incomplete",
            driver="",
            set_aside=driver.set_aside,
            decided=_verdicts(driver, attempts),
        )
    result = _result(there, _receipts(driver).only(there.counting), before)
    return there, result._replace(status="incomplete", set_aside=driver.set_aside)


def _receipts(driver: Driver) -> Receipts:
    """Of all that is there and sound."""
    found = Receipts.of(driver.receipts.frames(driver.run.stray))
    return found.only(pl.col("shard").is_in(driver.landed.numbers()))


def _result(there: store.Run, counted: Receipts, before: Numbers) -> RunResult:
    fouls = [line for receipt in counted.rare("first_fouls") for line in receipt.first_fouls]
    new = counted.only(~pl.col("shard").is_in(before))
    return RunResult(
        run=there.where,
        digest="",
        games=counted.total("games"),
        deals=counted.total("deals"),
        seconds=0.0,
        fouls=counted.total("fouls"),
        first_fouls=tuple(fouls[:3]),
        played=new.total("games"),
        conduct=tuple(added_up(one for r in counted.rare("conduct") for one in r.conduct)),
    )


def _check_repeated(driver: Driver) -> None:
    """Tries of the same shard write the same bytes, unless a strategy does not repeat itself:
    then files of one may stand beside the receipt of another."""
    there = driver.run
    for wrong in store.damaged(there.store, driver.repeated).values():
        raise StoreError(
            f"{wrong[0]}: it was tried more than once (does a strategy not repeat itself? "
            f"barbu resume {there.where} plays it again)"
        )


def _verdicts(driver: Driver, attempts: tuple[Attempt, ...]) -> tuple[Decided, ...]:
    """What the rule of each variant came to, or its blocks before a gap."""
    number = {attempt.variant: attempt.number for attempt in attempts}
    config = driver.run.manifest.config
    return tuple(
        decided(config, variant, blocks, outcome, number[variant], gap=gap)
        for gap, found in ((False, driver.outcomes), (True, driver.before_gap))
        for variant, (blocks, outcome) in found.items()
    )
