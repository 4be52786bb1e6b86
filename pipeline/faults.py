"""Files held against their receipts: there, of the right size, of the right content.

Sizes come from one look at a folder, not from a question for each file, and contents are read by
several threads: over a network both take most of the time.
"""

from collections.abc import Collection, Iterator
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

from pipeline.files import FOLDERS, place
from pipeline.manifest import FileReceipt, Landed, Receipt
from pipeline.stores import Store
from pipeline.stores.several import several

AT_ONCE = 1_000
"""Files that are listed at a time."""
FEW = 3
"""Files of a folder that are asked for one by one."""


class _Due(NamedTuple):
    """A file that a receipt names."""

    shard: int
    name: str
    expected: FileReceipt


def faults(store: Store, receipts: Collection[Receipt], hashed: bool) -> Iterator[tuple[int, str]]:
    """Shard and fault of every file that is not as its receipt says, table by table; contents
    are looked at if ``hashed``, once where a file holds many shards' rows."""
    for table in FOLDERS:
        due = _due(receipts, table)
        first = list(islice(due, FEW + 1))
        sizes = _sizes(store, table, first)
        same: dict[str, bool] = {}
        while first:
            yield from _wrong_sizes(store, first, sizes)
            whole = [one for one in first if sizes.get(one.name) == one.expected.bytes]
            names = {one.name: one.expected for one in whole if one.name not in same}
            if hashed:
                found = several(store.at_once, names.items(), partial(_same, store))
                same |= dict(zip(names, found, strict=True))
            for one in whole:
                if not same.get(one.name, True):
                    path = store.path(one.name)
                    yield one.shard, f"{path}: content differs from its receipt (sha256)"
            same = {one.name: same[one.name] for one in whole[-1:] if one.name in same}
            first = list(islice(due, AT_ONCE))


def _due(receipts: Collection[Receipt], table: Landed) -> Iterator[_Due]:
    for receipt in receipts:
        file = receipt.files.get(table)
        if file is not None:
            yield _Due(receipt.shard, place(table, receipt.shard, file).name, file)


def _sizes(store: Store, folder: str, due: list[_Due]) -> dict[str, int]:
    """Bytes of those that are there, of the whole folder where they are not few."""
    if len(due) > FEW:
        return {entry.name: entry.size for entry in store.entries(folder)}
    found = (store.entry(one.name) for one in due)
    return {entry.name: entry.size for entry in found if entry is not None}


def _wrong_sizes(store: Store, due: list[_Due], sizes: dict[str, int]) -> Iterator[tuple[int, str]]:
    for one in due:
        size = sizes.get(one.name)
        if size is None:
            yield one.shard, f"{store.path(one.name)}: missing"
        elif size != one.expected.bytes:
            said = f"{size} bytes, its receipt says {one.expected.bytes}"
            yield one.shard, f"{store.path(one.name)}: {said}"


def _same(store: Store, named: tuple[str, FileReceipt]) -> bool:
    name, expected = named
    return sha256(store.get(name)).hexdigest() == expected.sha256
