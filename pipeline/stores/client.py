"""What is asked of a bucket's server: answers come whole, or an error in our words.

Ctrl-C is heard while an answer is waited for, which the client's own calls do not do.
"""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeVar

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, PreconditionError

from pipeline.stores import Changed, Entry, StoreError, Tag
from pipeline.stores.address import Address
from pipeline.stores.causes import came_to_nothing, cause, was_asked_again

if TYPE_CHECKING:
    from obstore import ObjectMeta, PutMode, PutResult, UpdateVersion
    from obstore.store import ObjectStore

TRIES = 5
"""How often is asked whose answer breaks off; the client itself asks again after others."""
PAUSE_S = 0.1
"""Before the second time, and so much longer before each that follows."""
HEARD_S = 0.1
"""A signal is heard so soon; one that comes to another thread does not wake one that waits."""
PART_BYTES = 8 * 2**20
"""Larger files are sent in parts, each a request of its own."""

T = TypeVar("T")


class Listed(NamedTuple):
    """What is directly in a folder."""

    files: list[Entry]
    """Their names are keys of the bucket."""
    folders: list[str]


class Client:
    """A bucket's server; keys are those of the bucket."""

    def __init__(self, address: Address, store: "ObjectStore") -> None:
        self.address = address
        self.store = store

    def get(self, key: str, most: int | None = None) -> tuple[bytes, Tag] | None:
        """A file with its tag, None if it is not there; one of more than ``most`` bytes is
        refused before they are sent."""

        def now() -> tuple[bytes, Tag]:
            found = obstore.get(self.store, key)
            self._check_size(found.meta, most)
            return bytes(found.bytes()), _tag(found.meta)

        return self._found(key, now)

    def part(self, key: str, first: int, n: int) -> bytes:
        """So many bytes of a file."""
        found = self._found(key, lambda: obstore.get_range(self.store, key, start=first, length=n))
        if found is None:
            raise StoreError(f"{self._named(key)}: cannot be read: not found")
        return bytes(found)

    def head(self, key: str) -> Entry | None:
        """Size and time of a file, None if it is not there."""
        found = self._found(key, lambda: obstore.head(self.store, key))
        return None if found is None else _entry(found)

    def put(self, key: str, whole: bytes) -> None:
        """Write a file, over another of that name."""
        try:
            _again(lambda: obstore.put(self.store, key, whole, chunk_size=PART_BYTES))
        except (BaseError, FileNotFoundError) as error:
            self._refuse(key, "written", error)

    def swap(self, key: str, whole: bytes, seen: Tag | None) -> Tag:
        """Write a file if it still has the tag ``seen``, None: if it is not there."""
        mode = _mode(seen)
        for left in reversed(range(TRIES)):
            try:
                return _tag(_wait(lambda: obstore.put(self.store, key, whole, mode=mode)))
            except (AlreadyExistsError, PreconditionError) as error:
                # Where the client asked twice the first may have been heard, its answer lost.
                there = self.get(key) if left < TRIES - 1 or was_asked_again(error) else None
                if there is not None and there[0] == whole:
                    return there[1]
                break
            except (BaseError, FileNotFoundError) as error:
                if not came_to_nothing(error) or not left:
                    self._refuse(key, "written", error)
                there = self.get(key)
                if there is not None and there[0] == whole:
                    return there[1]
                if (None if there is None else there[1]) != seen:
                    break
                time.sleep(PAUSE_S * (TRIES - left))
        raise Changed(f"{self._named(key)}: another process has written it meanwhile")

    def list(self, key: str) -> Listed:
        """What is directly in a folder, by name."""
        try:
            found = _again(lambda: obstore.list_with_delimiter(self.store, key))
        except (BaseError, FileNotFoundError) as error:
            self._refuse(key, "listed", error)
        files = sorted(map(_entry, found["objects"]))
        return Listed(files, sorted(found["common_prefixes"]))

    def remove(self, keys: Sequence[str]) -> None:
        """Remove files; those that are not there are no mistake."""
        try:
            _again(lambda: obstore.delete(self.store, keys))
        except FileNotFoundError:
            return  # a store that says so of a file
        except BaseError as error:
            self._refuse(keys[0], "removed", error)

    def _check_size(self, meta: "ObjectMeta", most: int | None) -> None:
        if most is not None and meta["size"] > most:
            path = self._named(meta["path"])
            raise StoreError(f"{path}: cannot be read: {meta['size']} bytes (want {most} at most)")

    def _found(self, key: str, now: Callable[[], T]) -> T | None:
        try:
            return _again(now)
        except FileNotFoundError as error:
            if "NoSuchBucket" in str(error):
                self._refuse(key, "read", error)
            return None
        except BaseError as error:
            self._refuse(key, "read", error)

    def _refuse(self, key: str, done: str, error: Exception) -> NoReturn:
        why = cause(error, self.address.scheme)
        # Not from the error: its words hold what no message may.
        raise StoreError(f"{self._named(key)}: cannot be {done}: {why}") from None

    def _named(self, key: str) -> str:
        return str(self.address._replace(prefix=key))


def _again(now: Callable[[], T]) -> T:
    """Ask what may be asked twice, again where the answer broke off."""
    for left in reversed(range(TRIES)):
        try:
            return _wait(now)
        except BaseError as error:
            if not came_to_nothing(error) or not left:
                raise
        time.sleep(PAUSE_S * (TRIES - left))
    raise AssertionError("the last try returns or raises")


def _wait(now: Callable[[], T]) -> T:
    """Ask; from the main thread by another, so that a signal is heard while it waits.

    The client's own asynchronous calls do not do: they answer from a thread of the client's, and
    where the process ends just then it is aborted.
    """
    if threading.current_thread() is not threading.main_thread():
        return now()
    answer: Future[T] = Future()

    def ask() -> None:
        try:
            answer.set_result(now())
        except Exception as error:  # raised where it was asked
            answer.set_exception(error)

    asking = threading.Thread(target=ask, name="barbu-asks", daemon=True)
    asking.start()
    while asking.is_alive():
        asking.join(HEARD_S)
    return answer.result()


def _entry(meta: "ObjectMeta") -> Entry:
    return Entry(meta["path"], meta["size"], meta["last_modified"].timestamp())


def _tag(meta: "ObjectMeta | PutResult") -> Tag:
    """S3 and Azure tell contents apart by ETag, Google by generation."""
    return Tag(f"{meta['e_tag'] or ''} {meta['version'] or ''}")


def _mode(seen: Tag | None) -> "PutMode":
    """The condition of a put; the client takes no empty half of a tag."""
    if seen is None:
        return "create"
    e_tag, _, version = seen.rpartition(" ")
    mode: UpdateVersion = {}
    if e_tag:
        mode["e_tag"] = e_tag
    if version:
        mode["version"] = version
    return mode
