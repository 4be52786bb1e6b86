"""Where the files of a run lie: one protocol, and nothing else knows what is behind it.

A file has a name relative to the run, with ``/`` between its parts. It stands under its name only
when it is whole. Most files are written once and again with the same bytes; those that change,
the manifest and the ledger, are swapped: who did not see what is there cannot replace it.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from io import BytesIO
from pathlib import Path
from typing import NamedTuple, NewType, Protocol

from engine_ext.errors import UserError

MOST_SWAPPED = 2**28
"""Bytes of a manifest or ledger that are read at once; a run on a million given deals has a tenth
of it."""

Tag = NewType("Tag", str)
"""What tells one content of a file from another."""


class StoreError(UserError):
    """A run's files that cannot be read or written."""


class Changed(StoreError):
    """A file is not what was seen of it: somebody else replaced it meanwhile."""


class Entry(NamedTuple):
    """A file that is there."""

    name: str
    size: int
    """Bytes."""
    modified: float
    """When it was put there, seconds since 1970 by the clock of what keeps it."""


class Store(Protocol):
    """A folder of files. Every method raises :class:`StoreError`, which names the file and why,
    where it cannot do what it says."""

    @property
    def where(self) -> str:
        """What opens it again (:func:`store_at`), in any process; holds no credentials."""

    @property
    def at_once(self) -> int:
        """How many files are best asked for at the same time."""

    def path(self, name: str = "") -> str:
        """A file of it as messages name it."""

    def get(self, name: str) -> bytes:
        """A file's content."""

    def part(self, name: str, first: int, n: int) -> bytes:
        """So many bytes of a file from ``first`` on, which must be there."""

    def source(self, name: str) -> Path | BytesIO:
        """A file's content for those who can read both."""

    def here(self, name: str) -> Path | None:
        """Where a file lies on this machine; None where it does not."""

    def put(self, name: str, whole: bytes) -> None:
        """Write a file, over another of that name."""

    def tagged(self, name: str) -> tuple[bytes, Tag] | None:
        """A file's content with its tag; None if it is not there."""

    def swap(self, name: str, whole: bytes, seen: Tag | None) -> Tag:
        """Write a file if it still is what was ``seen`` of it (None: not there); the new tag.

        :class:`Changed` if it is not: nothing is written then.
        """

    def entry(self, name: str) -> Entry | None:
        """What there is of this name."""

    def entries(self, below: str = "") -> Iterator[Entry]:
        """Files directly in a folder of it, by name; none where there is no such folder."""

    def folders(self) -> Iterator[str]:
        """Names of the folders directly in it, by name; none where it is not there."""

    def inside(self, name: str) -> "Store":
        """A folder of it."""

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""

    def remove_all(self, names: Sequence[str]) -> None:
        """The same of many."""

    def beside(self) -> "Store":
        """The folder that holds this one."""

    def check_new(self) -> None:
        """Refuse one that holds anything: nothing is ever overwritten."""

    def begin(self) -> None:
        """Make it, so that a run can be written into it."""

    def held(self) -> AbstractContextManager[None]:
        """Keep other drivers away while this one writes; what a dead one left half-written goes.

        :class:`StoreError` at once where another is at work.
        """


def is_uri(where: str | Path) -> bool:
    """Whether it names a bucket."""
    return "://" in str(where)


def store_at(where: str | Path) -> Store:
    """What the user named: a folder, or a bucket by its URI."""
    if is_uri(where):
        from pipeline.stores.bucket import Bucket

        return Bucket.at(str(where))
    from pipeline.stores.folder import Folder

    return Folder(Path(where).absolute(), str(where))
