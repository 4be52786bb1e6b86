"""A run in a folder of a file system that all workers see."""

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pipeline.stores import Changed, Entry, StoreError, Tag

LOCK = ".lock"
"""Held by the process that writes the run; goes with it."""
PART = ".tmp"
"""How the name of a file ends that is not whole."""


@dataclass(frozen=True)
class Folder:
    """A folder; of two with the same ``root`` each sees what the other writes."""

    root: Path
    """Absolute."""
    named: str
    """As the user named it, for messages."""

    @property
    def where(self) -> str:
        """Its absolute path."""
        return str(self.root)

    def path(self, name: str = "") -> str:
        """The path of a file, below the name that the user gave."""
        return str(Path(self.named) / name)

    def get(self, name: str) -> bytes:
        """A file's bytes."""
        try:
            return (self.root / name).read_bytes()
        except OSError as error:
            raise StoreError(f"{self.path(name)}: cannot be read: {_why(error)}") from error

    def source(self, name: str) -> Path:
        """Its path, since it may be mapped into memory."""
        return self.root / name

    def put(self, name: str, whole: bytes) -> None:
        """Write a file under its name only when it is whole and on disk."""
        put_file(self.root / name, whole, self.path(name))

    def tagged(self, name: str) -> tuple[bytes, Tag] | None:
        """A file's bytes, and their hash."""
        if not (self.root / name).exists():
            return None
        whole = self.get(name)
        return whole, _tag(whole)

    def swap(self, name: str, whole: bytes, seen: Tag | None) -> Tag:
        """Compare and replace while nobody else on this file system does."""
        with self._alone(name):
            there = self.tagged(name)
            if (None if there is None else there[1]) != seen:
                raise Changed(f"{self.path(name)}: another process has written it meanwhile")
            self.put(name, whole)
        return _tag(whole)

    @contextmanager
    def _alone(self, name: str) -> Iterator[None]:
        try:
            held = os.open((self.root / name).parent, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise StoreError(f"{self.path(name)}: cannot be written: {_why(error)}") from error
        try:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield
        finally:
            os.close(held)

    def entry(self, name: str) -> Entry | None:
        """Size and time of a file."""
        try:
            found = (self.root / name).stat()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"{self.path(name)}: cannot be read: {_why(error)}") from error
        return Entry(name, found.st_size, found.st_mtime)

    def entries(self, below: str = "") -> Iterator[Entry]:
        """Files of a folder that are whole, by name."""
        home = self.root / below
        if not home.is_dir():
            return
        for path in sorted(home.iterdir()):
            if not path.name.endswith(PART) and path.is_file():
                found = self.entry(str(path.relative_to(self.root)))
                if found is not None:
                    yield found

    def remove(self, name: str) -> None:
        """Unlink a file, and its folder once that is empty."""
        try:
            (self.root / name).unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{self.path(name)}: cannot be removed: {_why(error)}") from error
        if "/" in name:
            with suppress(OSError):  # others are in it
                (self.root / name).parent.rmdir()

    def beside(self) -> "Folder":
        """The folder above."""
        return Folder(self.root.parent, str(Path(self.named).parent))

    def check_new(self) -> None:
        """Refuse a folder that holds anything."""
        if (self.root / "manifest.json").exists():
            raise StoreError(f"{self.path()}: holds a run already (barbu resume {self.named})")
        if self.root.is_dir() and any(path.name != LOCK for path in self.root.iterdir()):
            raise StoreError(f"{self.path()}: is not empty (want a new folder for the run)")
        if self.root.exists() and not self.root.is_dir():
            raise StoreError(f"{self.path()}: is a file (want a new folder for the run)")

    def begin(self) -> None:
        """Make the folder and those above it."""
        try:
            self.root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{self.path()}: cannot be made: {_why(error)}") from error

    @contextmanager
    def held(self) -> Iterator[None]:
        """A lock that the kernel takes back when the process dies."""
        try:
            file = (self.root / LOCK).open("a")
        except OSError as error:
            raise StoreError(f"{self.path()}: cannot be written: {_why(error)}") from error
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise StoreError(f"{self.path()}: another process is writing this run") from error
            for left in (*self.root.glob(f".*{PART}"), *self.root.glob(f"*/.*{PART}")):
                left.unlink(missing_ok=True)
            yield


def put_file(path: Path, whole: bytes, named: str) -> None:
    """Write a file, which messages call ``named``, under its name only when it is whole and on
    disk; its folder is made if it lacks."""
    part = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}{PART}")
    try:
        path.parent.mkdir(exist_ok=True)
        with part.open("xb") as file:
            file.write(whole)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise StoreError(f"{named}: cannot be written: {_why(error)}") from error


def _tag(whole: bytes) -> Tag:
    return Tag(sha256(whole).hexdigest())


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
