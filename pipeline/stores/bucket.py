"""A run in a bucket of an object store: S3, Google Cloud Storage, Azure.

A file is put there whole or not at all, and there are no folders, only names. What changes is
swapped by conditional puts (If-None-Match, If-Match).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING

from pipeline.stores import MOST_SWAPPED, Entry, StoreError, Tag
from pipeline.stores.address import Address, address_of
from pipeline.stores.client import Client
from pipeline.stores.lease import LEASE, Lease, take

if TYPE_CHECKING:
    from obstore.store import ObjectStore


@dataclass
class Bucket:
    """A folder in a bucket; of two with the same address each sees what the other writes."""

    address: Address
    client: Client = field(compare=False, repr=False)
    _lease: Lease | None = field(default=None, compare=False, repr=False)
    """While this process is the driver."""

    @classmethod
    def at(cls, uri: str, store: "ObjectStore | None" = None) -> "Bucket":
        """What a URI names; the ``store`` behind it is had by the environment unless given."""
        from pipeline.stores.clouds import opened

        address = address_of(uri)
        client = opened(address.scheme, address.bucket) if store is None else store
        return cls(address, Client(address, client))

    @property
    def where(self) -> str:
        """Its URI."""
        return str(self.address)

    @property
    def at_once(self) -> int:
        """More: most of a request is waiting."""
        return 16

    def path(self, name: str = "") -> str:
        """The URI of a file."""
        return str(self.address._replace(prefix=self.address.key(name)))

    def get(self, name: str) -> bytes:
        """A file's bytes."""
        there = self.client.get(self.address.key(name))
        if there is None:
            raise StoreError(f"{self.path(name)}: cannot be read: no such file")
        return there[0]

    def part(self, name: str, first: int, n: int) -> bytes:
        """Some of a file's bytes, and no others are sent."""
        return self.client.part(self.address.key(name), first, n)

    def source(self, name: str) -> BytesIO:
        """Its bytes, in memory."""
        return BytesIO(self.get(name))

    def here(self, name: str) -> None:
        """None: it lies elsewhere."""

    def put(self, name: str, whole: bytes) -> None:
        """Put a file there, in parts if it is large: it appears with the last of them."""
        self._check()
        self.client.put(self.address.key(name), whole)

    def tagged(self, name: str) -> tuple[bytes, Tag] | None:
        """A file's bytes and its tag from the same answer."""
        return self.client.get(self.address.key(name), MOST_SWAPPED)

    def swap(self, name: str, whole: bytes, seen: Tag | None) -> Tag:
        """Put a file on the condition that it is as ``seen``."""
        self._check()
        return self.client.swap(self.address.key(name), whole, seen)

    def entry(self, name: str) -> Entry | None:
        """Size and time of a file."""
        found = self.client.head(self.address.key(name))
        return None if found is None else found._replace(name=name)

    def entries(self, below: str = "") -> Iterator[Entry]:
        """Files directly in a folder, by name: an answer for each thousand."""
        for found in self.client.list(self.address.key(below)).files:
            yield found._replace(name=self._named(found.name))

    def folders(self) -> Iterator[str]:
        """What stands before a further ``/`` in names."""
        for key in self.client.list(self.address.key("")).folders:
            yield self._named(key)

    def inside(self, name: str) -> "Bucket":
        """A folder of it."""
        return Bucket(address_of(self.path(name)), self.client)

    def remove(self, name: str) -> None:
        """Remove a file."""
        self.remove_all([name])

    def remove_all(self, names: Sequence[str]) -> None:
        """A thousand in one request."""
        self._check()
        if names:
            self.client.remove([self.address.key(name) for name in names])

    def beside(self) -> "Bucket":
        """The folder above, of the first one the bucket."""
        self._refuse_root()
        return Bucket(self.address.above, self.client)

    def check_new(self) -> None:
        """Refuse a folder that holds anything."""
        self._refuse_root()
        found = self.client.list(self.address.key(""))
        names = [self._named(one.name) for one in found.files]
        if "manifest.json" in names:
            raise StoreError(f"{self.path()}: holds a run already (barbu resume {self.where})")
        if found.folders or any(name != LEASE for name in names):
            raise StoreError(f"{self.path()}: is not empty (want a new folder for the run)")

    def begin(self) -> None:
        """Nothing has to be made."""
        self._refuse_root()

    @contextmanager
    def held(self) -> Iterator[None]:
        """A lease, renewed while it is held; whatever this object writes meanwhile looks at it."""
        lease = take(Bucket(self.address, self.client))
        self._lease = lease
        try:
            yield
        finally:
            self._lease = None
            lease.end()

    def _check(self) -> None:
        if self._lease is not None:
            self._lease.check()

    def _named(self, key: str) -> str:
        """A key as a name of this folder."""
        return key.removeprefix(f"{self.address.prefix}/")

    def _refuse_root(self) -> None:
        if not self.address.prefix:
            raise StoreError(f"{self.path()}: is a whole bucket (want {self.path()}/FOLDER)")
