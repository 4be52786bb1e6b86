"""Files of a run that no receipt names: left by a try that came to nothing, or strangers."""

import re

from pipeline.files import FOLDERS, table_name
from pipeline.manifest import Landed, Receipt
from pipeline.receipt_table import Receipts
from pipeline.store import Run

MOST = 20
"""Lines that are told one by one."""
NUMBERED = re.compile(r"\w+/\w+-([0-9]{6,})\.parquet")


def unnamed(run: Run, receipts: Receipts) -> tuple[list[str], list[str]]:
    """Which files are beyond the plan, and which merely lie there: problems and remarks.

    What a shard brought that has no receipt is read by nobody and put again in its place.
    """
    planned = run.planned()
    problems, remarks = [], []
    for table in FOLDERS:
        together = receipts.merged(table)
        for entry in run.store.entries(table):
            if entry.name in together:
                continue
            found = NUMBERED.fullmatch(entry.name)
            number = int(found[1]) if found else None
            if number is None or entry.name != table_name(table, number):
                remarks.append(f"{run.store.path(entry.name)}: is no file of a run")
            elif planned.shard(number) is None:
                problems.append(
                    f"{run.store.path(entry.name)}: there is no shard {number} in this run "
                    "(nobody reads it; remove it)"
                )
            elif number not in receipts or not _alone(receipts[number], table):
                remarks.append(f"{run.store.path(entry.name)}: no receipt names it")
    return _shortened(problems), _shortened(remarks)


def _alone(receipt: Receipt, table: Landed) -> bool:
    """Whether a shard has rows of a table in a file of its own."""
    file = receipt.files.get(table)
    return file is not None and file.first is None


def _shortened(lines: list[str]) -> list[str]:
    more = len(lines) - MOST
    return [*lines[:MOST], f"and {more:,} more such files"] if more > 0 else lines
