"""A run in a folder of a file system that all workers see."""

import fcntl
import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath

from pipeline.stores import MOST_SWAPPED, Changed, Entry, StoreError, Tag

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

    @property
    def at_once(self) -> int:
        """Few: a disk and some processors are busy then."""
        return 4

    def path(self, name: str = "") -> str:
        """The path of a file, below the name that the user gave."""
        return str(Path(self.named) / name)

    def _at(self, name: str) -> Path:
        """A file's path, if it lies here: a run may come from anybody, with links to anywhere."""
        path = self.root
        for part in PurePosixPath(name).parts:
            path = path / part
            try:
                away = part == ".." or path.is_symlink()
            except OSError as error:
                raise StoreError(f"{self.path(name)}: cannot be read: {_why(error)}") from error
            if away:
                raise StoreError(
                    f"{self.path(name)}: leads elsewhere (want every file in the folder itself)"
                )
        return path

    def get(self, name: str) -> bytes:
        """A file's bytes."""
        self._stat(name)  # to open a pipe would wait for ever
        try:
            return self._at(name).read_bytes()
        except OSError as error:
            raise StoreError(f"{self.path(name)}: cannot be read: {_why(error)}") from error

    def part(self, name: str, first: int, n: int) -> bytes:
        """Some of a file's bytes."""
        self._stat(name)
        try:
            with self._at(name).open("rb") as file:
                file.seek(first)
                return file.read(n)
        except OSError as error:
            raise StoreError(f"{self.path(name)}: cannot be read: {_why(error)}") from error

    def here(self, name: str) -> Path:
        """Its path, all links above the folder followed."""
        self._at(name)
        return self.root.resolve() / name

    def source(self, name: str) -> Path:
        """Its path, since it may be mapped into memory."""
        self._stat(name)
        return self._at(name)

    def put(self, name: str, whole: bytes) -> None:
        """Write a file under its name only when it is whole and on disk."""
        put_file(self._at(name), whole, self.path(name))

    def tagged(self, name: str) -> tuple[bytes, Tag] | None:
        """A file's bytes, and their hash."""
        there = self.entry(name)
        if there is None:
            return None
        if there.size > MOST_SWAPPED:
            raise StoreError(
                f"{self.path(name)}: cannot be read: {there.size} bytes (want {MOST_SWAPPED} at "
                "most)"
            )
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
            held = os.open(self._at(name).parent, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise StoreError(f"{self.path(name)}: cannot be written: {_why(error)}") from error
        try:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield
        finally:
            os.close(held)

    def entry(self, name: str) -> Entry | None:
        """Size and time of a file."""
        found = self._stat(name)
        return None if found is None else Entry(name, found.st_size, found.st_mtime)

    def _stat(self, name: str) -> os.stat_result | None:
        """What there is of a name, if it is a file."""
        try:
            found = self._at(name).lstat()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"{self.path(name)}: cannot be read: {_why(error)}") from error
        if not stat.S_ISREG(found.st_mode):
            raise StoreError(f"{self.path(name)}: cannot be read: is no file")
        return found

    def entries(self, below: str = "") -> Iterator[Entry]:
        """Files of a folder that are whole, by name."""
        for path in self._listed(below):
            if not path.name.endswith(PART) and path.is_file() and not path.is_symlink():
                found = self.entry(str(path.relative_to(self.root)))
                if found is not None:
                    yield found

    def _listed(self, below: str) -> list[Path]:
        home = self._at(below)
        try:
            return sorted(home.iterdir()) if home.is_dir() else []
        except OSError as error:
            raise StoreError(f"{self.path(below)}: cannot be read: {_why(error)}") from error

    def folders(self) -> Iterator[str]:
        """Its folders, links to folders among them; none whose name begins with a dot."""
        yield from (
            path.name
            for path in self._listed("")
            if path.is_dir() and not path.name.startswith(".")
        )

    def inside(self, name: str) -> "Folder":
        """A folder below."""
        return Folder(self.root / name, self.path(name))

    def remove(self, name: str) -> None:
        """Unlink a file, and its folder once that is empty."""
        try:
            self._at(name).unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{self.path(name)}: cannot be removed: {_why(error)}") from error
        if "/" in name:
            with suppress(OSError):  # others are in it
                (self.root / name).parent.rmdir()

    def remove_all(self, names: Sequence[str]) -> None:
        """One after the other."""
        for name in names:
            self.remove(name)

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
            file = self._at(LOCK).open("a")
        except OSError as error:
            raise StoreError(f"{self.path()}: cannot be written: {_why(error)}") from error
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise StoreError(f"{self.path()}: another process is writing this run") from error
            for left in self._left():
                left.unlink(missing_ok=True)
            yield

    def _left(self) -> Iterator[Path]:
        """What was half-written."""
        yield from self.root.glob(f".*{PART}")
        for folder in self._listed(""):
            if folder.is_dir() and not folder.is_symlink():
                yield from folder.glob(f".*{PART}")


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
