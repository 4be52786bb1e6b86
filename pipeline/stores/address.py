"""A bucket's URI, taken apart; what may not stand in one."""

import re
from typing import Literal, NamedTuple, TypeGuard

from pipeline.stores import StoreError

Scheme = Literal["s3", "gs", "az"]
SCHEMES: tuple[Scheme, ...] = ("s3", "gs", "az")
"""Amazon S3 and all that speak like it, Google Cloud Storage, Azure Blob Storage."""
WANTED = "a folder, s3://BUCKET/FOLDER, gs://BUCKET/FOLDER or az://CONTAINER/FOLDER"
BUCKET = re.compile(r"[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]")
PART = re.compile(r"[\w !'()+,.=@-]+")
"""One name between slashes: what every store keeps as it is."""
LONGEST = 800
"""Characters of a prefix: S3 gives a key 1024 bytes, and a run's names need some."""


class Address(NamedTuple):
    """Where in which bucket."""

    scheme: Scheme
    bucket: str
    prefix: str
    """Parts with ``/`` between them; empty for the whole bucket."""

    def __str__(self) -> str:
        return f"{self.scheme}://{self.bucket}" + (f"/{self.prefix}" if self.prefix else "")

    def key(self, name: str) -> str:
        """Of a file in it, or of a folder; of itself without a name."""
        return "/".join(part for part in (self.prefix, name) if part)

    @property
    def above(self) -> "Address":
        """What holds it."""
        return self._replace(prefix=self.prefix.rpartition("/")[0])


def address_of(uri: str) -> Address:
    """Take a URI apart; a :class:`StoreError` says what is wrong with it.

    What could be a key or a password is never repeated.
    """
    scheme, _, rest = uri.partition("://")
    if not _is_known(scheme):
        shown = scheme if re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]{0,15}", scheme) else "..."
        raise StoreError(f"{shown}://...: cannot hold a run (want {WANTED})")
    bucket, _, path = rest.partition("/")
    if "@" in bucket or ":" in bucket or "?" in rest or "#" in rest:
        raise StoreError(
            f"{scheme}://...: holds more than a bucket and a folder (credentials come from the "
            f"environment alone; want {scheme}://BUCKET/FOLDER)"
        )
    if not BUCKET.fullmatch(bucket):
        raise StoreError(
            f"{scheme}://{bucket}: no name of a bucket (want 3 or more of a-z, 0-9, '.', '-')"
        )
    parts = path.rstrip("/").split("/") if path.rstrip("/") else []
    for part in parts:
        if not PART.fullmatch(part) or part in (".", ".."):
            raise StoreError(
                f"{uri}: {part!r}: no name of a folder in a bucket (want letters, digits, "
                "spaces and -_.=+,@!'() between single slashes)"
            )
    if len("/".join(parts).encode()) > LONGEST:
        raise StoreError(f"{uri[:80]}...: too long (want {LONGEST} bytes behind the bucket)")
    return Address(scheme, bucket, "/".join(parts))


def _is_known(scheme: str) -> TypeGuard[Scheme]:
    return scheme in SCHEMES
