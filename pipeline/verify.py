"""Holds a run against what it says of itself: files, digest, verdicts, no game lost or doubled."""

from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version
from typing import NamedTuple

from engine_ext.rules.resolve import resolve
from pipeline import digest
from pipeline.batches import turned
from pipeline.derived import PACKAGE
from pipeline.judged import misjudged
from pipeline.manifest import Receipt
from pipeline.plan import Plan, Shard
from pipeline.progress import Progress, Silent
from pipeline.receipt_table import Receipts
from pipeline.shard_checks import AGAIN, Checked, Contents, check_shard
from pipeline.store import Run
from pipeline.stores import StoreError
from pipeline.stores.several import several
from pipeline.unnamed import unnamed


class Verdict(NamedTuple):
    """What came out."""

    ok: bool
    digest: str | None
    """Of the games that are there, recomputed as far as tables were kept; None where the
    receipts cannot be read."""
    problems: list[str]
    """Everything that is wrong, a line each, with what can be done about it."""
    surplus: int = 0
    """Games beyond where a stop rule ended the run: their files are checked too, but they are
    neither counted nor part of the digest."""
    remarks: list[str] = []  # noqa: RUF012  # a default of a NamedTuple, never changed
    """What is odd and does no harm: files that nobody names."""


def verify(run: Run, *, workers: int = 1, progress: Progress | None = None) -> Verdict:
    """Check a run's files, recompute its digest from its tables and its verdicts from its totals.

    A hash that cannot be recomputed, since not all tables were kept, is taken from
    ``games`` or from the receipt. Shards are checked one after the other, by ``workers`` threads
    side by side: memory does not grow with the run.
    """
    manifest = run.manifest
    try:
        receipts = run.landed()
    except StoreError as error:
        return Verdict(False, None, [str(error)])
    planned = run.planned()
    problems = _unfinished(run) + turned(run.store)
    problems += _missing(run, planned, receipts)
    bar = progress or Silent()
    bar.begin(receipts.total("games"), 0)
    total = surplus = 0
    for shard, receipt, found in _checked(run, planned, receipts, workers):
        counts = run.counts(shard)
        total += found.digest if counts else 0
        surplus += 0 if counts else receipt.games
        problems += found.problems
        bar.advance(receipt.games)
    strange, remarks = unnamed(run, receipts)
    problems += strange
    text = digest.text(total % digest.SIZE)
    if not problems and text != manifest.digest:
        problems.append(
            f"{run.where}: digest is {text}, the manifest says {manifest.digest} (the manifest was "
            "edited, or games of another run were put in; play the run file anew to see)"
        )
    if not problems and manifest.versions[PACKAGE] == version(PACKAGE):  # another may judge else
        problems += misjudged(run, receipts)
    return Verdict(not problems, text, problems, surplus, remarks)


def _unfinished(run: Run) -> list[str]:
    """How a run stands that did not come to its end, and what it could not play."""
    status = run.manifest.status
    if status == "complete":
        return []
    how = "is being played, or was cut off" if status == "running" else f"has {status}"
    if status == "interrupted":
        how = "was interrupted"
    if status == "incomplete":
        n = len(run.manifest.set_aside)
        how = f"is incomplete, {n} shard{'s were' if n > 1 else ' was'} set aside"
    line = f"{run.where}: {how} (barbu resume {run.where} goes on)"
    return [line, *(f"set aside: {one}" for one in run.manifest.set_aside)]


def _missing(run: Run, planned: Plan, receipts: Receipts) -> list[str]:
    """By variant, how far whole blocks reach, where shards are missing."""
    due: Counter[str] = Counter()
    absent: Counter[str] = Counter()
    gap: dict[str, int] = {}
    for shard in planned:
        if run.counts(shard):
            due[shard.variant] += 1
            if shard.number not in receipts:
                absent[shard.variant] += 1
                gap.setdefault(shard.variant, shard.first_block)
    return [
        f"{variant}: {due[variant] - absent[variant]} of {due[variant]} shards are there; "
        f"blocks below {first} are whole (barbu resume plays the others)"
        for variant, first in gap.items()
    ]


def _checked(
    run: Run, planned: Plan, receipts: Receipts, workers: int
) -> Iterator[tuple[Shard, Receipt, Checked]]:
    """Every shard that has landed with what its check gave, in order."""
    numbers = {v.name: resolve(v.rules) for v in run.manifest.config.variants}
    contents = Contents(run.store)

    def check(landed: tuple[Shard, Receipt]) -> tuple[Shard, Receipt, Checked]:
        shard, receipt = landed
        try:
            found = check_shard(run, shard, receipt, numbers[shard.variant], contents)
        except StoreError as error:
            found = Checked(0, [f"{error} {AGAIN}"])
        return shard, receipt, found

    there = ((s, receipts[s.number]) for s in planned if s.number in receipts)
    return several(workers, there, check, held=2 * workers)
