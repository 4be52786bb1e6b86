"""A store in memory that fails when it is told to, and a driver's life that may end at any call."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from typing import Literal, NoReturn

from pipeline.stores import Changed, Entry, StoreError, Tag

Fault = Literal["crash before", "crash after", "error before", "error after"]
"""What happens at a call: the driver is killed, or the store answers an error; and whether the
call had its effect."""


class Crash(BaseException):
    """The driver was killed."""


@dataclass
class Disk:
    """What survives: files by their full name."""

    files: dict[str, bytes] = field(default_factory=dict)
    holder: "Life | None" = None


@dataclass
class Life:
    """Of one process, from its start until it ends or is killed."""

    fault: Callable[[str, str], Fault | None] = lambda call, name: None
    """What happens at a call for a file."""
    dead: bool = False
    calls: int = 0

    @contextmanager
    def calling(self, call: str, name: str) -> Iterator[None]:
        """A call that may go wrong; a dead process makes none."""
        if self.dead:
            raise Crash
        self.calls += 1
        fault = self.fault(call, name)
        if fault == "crash before":
            self._die()
        if fault == "error before":
            raise StoreError(f"{name}: {call}: service unavailable")
        yield
        if fault == "crash after":
            self._die()
        if fault == "error after":
            raise StoreError(f"{name}: {call}: connection reset")

    def _die(self) -> NoReturn:
        self.dead = True
        raise Crash


class Memory:
    """The store as one process sees it."""

    def __init__(self, disk: Disk, life: Life, root: str = "runs/run") -> None:
        self.disk, self.life, self.root = disk, life, root

    @property
    def where(self) -> str:
        return f"memory://{self.root}"

    @property
    def at_once(self) -> int:
        """One, so that calls come in the same order whenever a life is lived again."""
        return 1

    def path(self, name: str = "") -> str:
        return f"{self.where}/{name}".rstrip("/")

    def _key(self, name: str) -> str:
        return f"{self.root}/{name}"

    def get(self, name: str) -> bytes:
        with self.life.calling("get", name):
            found = self.disk.files.get(self._key(name))
        if found is None:
            raise StoreError(f"{self.path(name)}: cannot be read: not found")
        return found

    def part(self, name: str, first: int, n: int) -> bytes:
        return self.get(name)[first : first + n]

    def source(self, name: str) -> BytesIO:
        return BytesIO(self.get(name))

    def here(self, name: str) -> None:
        """Nothing lies in a file."""

    def put(self, name: str, whole: bytes) -> None:
        with self.life.calling("put", name):
            self.disk.files[self._key(name)] = whole

    def tagged(self, name: str) -> tuple[bytes, Tag] | None:
        with self.life.calling("tagged", name):
            found = self.disk.files.get(self._key(name))
        return None if found is None else (found, _tag(found))

    def swap(self, name: str, whole: bytes, seen: Tag | None) -> Tag:
        with self.life.calling("swap", name):
            there = self.disk.files.get(self._key(name))
            if (None if there is None else _tag(there)) != seen:
                raise Changed(f"{self.path(name)}: another process has written it meanwhile")
            self.disk.files[self._key(name)] = whole
        return _tag(whole)

    def entry(self, name: str) -> Entry | None:
        with self.life.calling("entry", name):
            found = self.disk.files.get(self._key(name))
        return None if found is None else Entry(name, len(found), 0.0)

    def entries(self, below: str = "") -> Iterator[Entry]:
        with self.life.calling("entries", below):
            found = sorted(self.disk.files)
        home = self._key(f"{below}/" if below else "")
        for key in found:
            if key.startswith(home) and "/" not in key.removeprefix(home) and self.life:
                name = key.removeprefix(f"{self.root}/")
                yield Entry(name, len(self.disk.files.get(key, b"")), 0.0)

    def folders(self) -> Iterator[str]:
        raise NotImplementedError("a driver lists no runs")

    def inside(self, name: str) -> "Memory":
        return Memory(self.disk, self.life, self._key(name))

    def remove(self, name: str) -> None:
        with self.life.calling("remove", name):
            self.disk.files.pop(self._key(name), None)

    def remove_all(self, names: Sequence[str]) -> None:
        for name in names:
            self.remove(name)

    def beside(self) -> "Memory":
        return Memory(self.disk, self.life, self.root.rpartition("/")[0])

    def check_new(self) -> None:
        if any(key.startswith(f"{self.root}/") for key in self.disk.files):
            raise StoreError(f"{self.path()}: is not empty")

    def begin(self) -> None:
        """Nothing is to be made."""

    @contextmanager
    def held(self) -> Iterator[None]:
        """The system takes it back from who is dead."""
        if self.disk.holder is not None and not self.disk.holder.dead:
            raise StoreError(f"{self.path()}: another process is writing this run")
        self.disk.holder = self.life
        try:
            yield
        finally:
            if not self.life.dead:
                self.disk.holder = None


def _tag(whole: bytes) -> Tag:
    return Tag(sha256(whole).hexdigest())
