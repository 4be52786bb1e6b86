"""Files held against their receipts: there, of the right size, of the right content.

Sizes come from one look at a folder, not from a question for each file, and contents are read by
several threads: over a network both take most of the time.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import NamedTuple

from pipeline.files import FOLDERS, table_name
from pipeline.manifest import FileReceipt, Receipt
from pipeline.stores import Store

FEW = 3
"""Files of a folder that are asked for one by one."""
READERS = 8
"""Threads that read and hash."""
AT_ONCE = 64
"""Files that are given to them together, so that Ctrl-C need not wait for more."""


class _Due(NamedTuple):
    """A file that a receipt names."""

    shard: int
    name: str
    expected: FileReceipt


def faults(store: Store, receipts: Sequence[Receipt], hashed: bool) -> Iterator[tuple[int, str]]:
    """Shard and fault of every file that is not as its receipt says, table by table; contents
    are looked at if ``hashed``."""
    for table in FOLDERS:
        due = [
            _Due(receipt.shard, table_name(table, receipt.shard), receipt.files[table])
            for receipt in receipts
            if table in receipt.files
        ]
        sizes = _sizes(store, table, [one.name for one in due])
        whole = []
        for one in due:
            size = sizes.get(one.name)
            if size is None:
                yield one.shard, f"{store.path(one.name)}: missing"
            elif size != one.expected.bytes:
                said = f"{size} bytes, its receipt says {one.expected.bytes}"
                yield one.shard, f"{store.path(one.name)}: {said}"
            else:
                whole.append(one)
        if hashed:
            yield from _differing(store, whole)


def _sizes(store: Store, folder: str, names: Sequence[str]) -> dict[str, int]:
    """Bytes of those that are there."""
    if len(names) > FEW:
        return {entry.name: entry.size for entry in store.entries(folder)}
    found = (store.entry(name) for name in names)
    return {entry.name: entry.size for entry in found if entry is not None}


def _differing(store: Store, due: Sequence[_Due]) -> Iterator[tuple[int, str]]:
    """Files of the right size and another content."""

    def differs(one: _Due) -> bool:
        return sha256(store.get(one.name)).hexdigest() != one.expected.sha256

    if not due:
        return
    with ThreadPoolExecutor(min(READERS, len(due))) as readers:
        for first in range(0, len(due), AT_ONCE):
            some = due[first : first + AT_ONCE]
            for one, wrong in zip(some, readers.map(differs, some), strict=True):
                if wrong:
                    path = store.path(one.name)
                    yield one.shard, f"{path}: content differs from its receipt (sha256)"
