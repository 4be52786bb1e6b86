"""A folder and a bucket keep the same promises; an address never says a secret."""

import threading
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from obstore.store import MemoryStore

from engine_ext.errors import UserError
from pipeline.stores import Changed, Store, StoreError, Tag, lease, store_at
from pipeline.stores.bucket import Bucket
from pipeline.stores.client import Client
from pipeline.stores.folder import Folder
from pipeline.stores.several import several

Opened = Callable[[], Store]
"""The same place again, as another process has it."""


@pytest.fixture(params=["folder", "bucket"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    if request.param == "folder":
        return lambda: Folder(tmp_path / "runs" / "a", "runs/a")
    memory = MemoryStore()
    return lambda: Bucket.at("s3://bucket/runs/a", memory)


@pytest.fixture
def place(opened: Opened) -> Store:
    store = opened()
    store.check_new()
    store.begin()
    return store


def names(store: Store, below: str = "") -> list[str]:
    return [entry.name for entry in store.entries(below)]


def test_what_was_put_is_there_and_nothing_else(place: Store) -> None:
    before = time.time() - 2
    assert place.entry("games/b") is None
    assert place.tagged("games/b") is None
    assert names(place) == names(place, "games") == []
    place.put("games/b", b"old")
    place.put("games/a", b"")
    place.put("games/b", b"new!")
    place.put("top", b"1")
    assert place.get("games/b") == b"new!"
    source = place.source("games/b")
    assert (source.read_bytes() if isinstance(source, Path) else source.read()) == b"new!"
    assert place.part("games/b", 1, 2) == b"ew"
    assert names(place, "games") == ["games/a", "games/b"]
    assert list(place.folders()) == ["games"]
    assert [e.name for e in place.inside("games").entries()] == ["a", "b"]
    here = place.here("games/b")
    assert here is None or here.read_bytes() == b"new!"
    assert names(place) == ["top"]
    entry = place.entry("games/b")
    assert entry == next(one for one in place.entries("games") if one.name == "games/b")
    assert entry is not None
    assert entry.size == 4
    assert before < entry.modified < time.time() + 2
    assert place.path("games/b") == f"{place.path()}/games/b"


def test_what_is_gone_is_gone(place: Store) -> None:
    place.put("games/a", b"1")
    place.remove("games/a")
    place.remove("games/a")
    place.remove("never/there")
    assert place.entry("games/a") is None
    assert names(place, "games") == []
    for name in ("games/a", "games/b", "games/c"):
        place.put(name, b"1")
    place.remove_all(["games/a", "games/c", "games/d"])
    assert names(place, "games") == ["games/b"]
    place.remove_all(["games/b"])
    place.remove_all([])
    assert list(place.folders()) == []
    with pytest.raises(StoreError, match=r"runs/a/games/a: cannot be read: no such file"):
        place.get("games/a")
    with pytest.raises(StoreError, match=r"runs/a/games/a: cannot be read: no"):
        place.part("games/a", 0, 1)


def test_a_manifest_beyond_all_measure_is_not_read(
    place: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.put("manifest.json", b"12345678")
    for where in ("folder", "bucket"):
        monkeypatch.setattr(f"pipeline.stores.{where}.MOST_SWAPPED", 7)
    with pytest.raises(StoreError, match=r"manifest.json: cannot be read: 8 bytes \(want 7 at"):
        place.tagged("manifest.json")


def test_only_who_saw_what_is_there_replaces_it(opened: Opened, place: Store) -> None:
    other = opened()
    tag = place.swap("x", b"1", None)
    assert place.tagged("x") == (b"1", tag)
    for late in (b"1", b"2"):  # even with the same bytes
        with pytest.raises(Changed, match=r"runs/a/x: another process has written it meanwhile"):
            other.swap("x", late, None)
    seen = other.tagged("x")
    assert seen is not None
    newer = other.swap("x", b"2", seen[1])
    with pytest.raises(Changed):
        place.swap("x", b"3", tag)
    assert place.tagged("x") == (b"2", newer)
    assert place.swap("x", b"3", newer) != newer
    with pytest.raises(Changed):
        place.swap("gone", b"3", newer)
    assert place.entry("gone") is None


def test_of_many_at_once_each_swap_counts(opened: Opened, place: Store) -> None:
    def add() -> None:
        mine = opened()
        for _ in range(5):
            while True:
                there = mine.tagged("n")
                n, tag = (0, None) if there is None else (int(there[0]), there[1])
                try:
                    mine.swap("n", str(n + 1).encode(), tag)
                except Changed:
                    continue
                break

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert place.get("n") == b"20"


def test_a_place_that_holds_anything_is_not_new(opened: Opened, place: Store) -> None:
    with place.held():
        opened().check_new()  # the lock is no file of a run
    place.put("games/letter", b"dear")
    with pytest.raises(StoreError, match=r"runs/a: is not empty \(want a new folder"):
        opened().check_new()
    place.swap("manifest.json", b"{}", None)
    with pytest.raises(StoreError, match=r"holds a run already \(barbu resume"):
        opened().check_new()


def test_what_lies_beside_is_the_same_from_two_runs(opened: Opened, place: Store) -> None:
    runs = place.beside()
    runs.put("ledger", b"1")
    assert opened().beside().get("ledger") == b"1"
    assert runs.path("ledger").endswith("runs/ledger")
    assert names(place) == []


def test_one_driver_at_a_time(
    opened: Opened, place: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "RENEW_S", 0.05)
    with place.held():
        place.put("x", b"1")
        writing = pytest.raises(StoreError, match=r"runs/a: another process is writing this run")
        with writing, opened().held():
            pass
        place.put("x", b"2")
    with opened().held():
        pass


def test_many_files_come_in_order_and_few_at_a_time(place: Store) -> None:
    begun: list[int] = []

    def read(n: int) -> int:
        begun.append(n)
        time.sleep(0.001 * (n % 3))
        return n

    came = []
    for n in several(place.at_once, range(50), read):
        came.append(n)
        assert len(begun) <= len(came) + place.at_once
    assert came == list(range(50))
    asked = iter(several(place.at_once, range(50), lambda n: 1 // (n - 3)))
    assert [next(asked) for _ in range(3)] == [-1, -1, -1]
    with pytest.raises(ZeroDivisionError):
        next(asked)


@settings(max_examples=30)
@given(st.data())
def test_any_doings_come_to_the_same(data: st.DataObject) -> None:
    """A bucket against a dict; a folder's twin is the test above."""
    bucket, known = Bucket.at("s3://bucket/run", MemoryStore()), {}
    fresh = count()
    for _ in range(data.draw(st.integers(1, 12))):
        name = data.draw(st.sampled_from(["a", "d/a", "d/b", "d/e/a", "da"]))
        whole = str(next(fresh)).encode()
        match data.draw(st.sampled_from(["put", "remove", "swap", "blind"])):
            case "put":
                bucket.put(name, whole)
                known[name] = whole
            case "remove":
                bucket.remove(name)
                known.pop(name, None)
            case "swap":
                there = bucket.tagged(name)
                bucket.swap(name, whole, None if there is None else there[1])
                known[name] = whole
            case _:
                try:
                    bucket.swap(name, whole, None)
                except Changed:
                    assert name in known
                else:
                    assert name not in known
                    known[name] = whole
    for below in ("", "d", "d/e"):
        inside = {n for n in known if n.rpartition("/")[0] == below}
        assert {(e.name, e.size) for e in bucket.entries(below)} == {
            (n, len(known[n])) for n in inside
        }
    assert {n: bucket.get(n) for n in known} == known


class TestLease:
    """What only a bucket has."""

    @pytest.fixture
    def memory(self, monkeypatch: pytest.MonkeyPatch) -> MemoryStore:
        monkeypatch.setattr(lease, "RENEW_S", 0.05)
        monkeypatch.setattr(lease, "LEASE_S", 0.4)
        return MemoryStore()

    def test_of_who_is_gone_it_is_taken_over(self, memory: MemoryStore) -> None:
        bucket = Bucket.at("s3://bucket/run", memory)
        bucket.put(lease.LEASE, b"of a driver that was killed")
        begun = time.monotonic()
        with bucket.held():
            assert time.monotonic() - begun >= 0.4
            bucket.put("x", b"1")
        assert bucket.entry(lease.LEASE) is None

    @pytest.mark.parametrize("deaf", ["If-None-Match", "If-Match"])
    def test_a_server_that_takes_no_notice_of_conditions_is_refused(
        self, memory: MemoryStore, monkeypatch: pytest.MonkeyPatch, deaf: str
    ) -> None:
        bucket, swap = Bucket.at("s3://bucket/run", memory), Client.swap

        def careless(self: Client, key: str, whole: bytes, seen: Tag | None) -> Tag:
            if (deaf == "If-None-Match") == (seen is None):
                there = self.get(key)
                seen = None if there is None else there[1]
            return swap(self, key, whole, seen)

        monkeypatch.setattr(Client, "swap", careless)
        with pytest.raises(StoreError, match=f"no notice of {deaf}, so two drivers"):
            bucket.held().__enter__()

    def test_who_lost_it_writes_nothing_more(self, memory: MemoryStore) -> None:
        mine, other = Bucket.at("s3://bucket/run", memory), Bucket.at("s3://bucket/run", memory)
        tag = mine.swap("manifest.json", b"seen by both", None)
        with mine.held():
            other.put(lease.LEASE, b"of who took it over")
            time.sleep(0.2)
            for write in (
                lambda: mine.put("x", b"1"),
                lambda: mine.swap("manifest.json", b"late", tag),
                lambda: mine.remove("manifest.json"),
            ):
                with pytest.raises(Changed, match=r"s3://bucket/run: another process has taken"):
                    write()
        assert other.get(lease.LEASE) == b"of who took it over"
        assert other.get("manifest.json") == b"seen by both"
        assert other.entry("x") is None

    def test_of_many_that_find_one_left_behind_one_takes_it(self, memory: MemoryStore) -> None:
        Bucket.at("s3://bucket/run", memory).put(lease.LEASE, b"of a driver that was killed")
        came: list[str] = []
        done = threading.Event()

        def drive() -> None:
            try:
                with Bucket.at("s3://bucket/run", memory).held():
                    came.append("writes")
                    done.wait(5)
            except StoreError as error:
                came.append(str(error))
                if len(came) == 4:
                    done.set()

        threads = [threading.Thread(target=drive) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        refused = "s3://bucket/run: another process is writing this run"
        assert sorted(came) == sorted(["writes", *[refused] * 3])


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("https://me:hunter2@host/run?sig=hunter2", r"https://\.\.\.: cannot hold a run \(want a"),
        ("hunter2=/://x", r"\.\.\.://\.\.\.: cannot hold a run"),
        ("s3://AKIA:hunter2@bucket/run", r"s3://\.\.\.: holds more than a bucket and a folder"),
        ("s3://AKIA:hun/ter2@bucket/run", r"s3://\.\.\.: holds more than a bucket"),
        ("az://container/run?sig=hunter2", r"az://\.\.\.: .*credentials come from the environment"),
        ("gs://bucket/run#hunter2", r"gs://\.\.\.: holds more"),
        ("s3://", "no name of a bucket"),
        ("s3://B/run", "s3://B: no name of a bucket"),
        ("s3://bucket/a//b", r"s3://bucket/a//b: '': no name of a folder"),
        ("s3://bucket/../b", r"'\.\.': no name of a folder"),
        ("s3://bucket/a\n", "no name of a folder"),
        ("s3://bucket/50%25", "no name of a folder"),
        (f"s3://bucket/{'a' * 900}", "too long"),
    ],
)
def test_an_address_that_is_none_is_one_line_without_a_secret(uri: str, said: str) -> None:
    with pytest.raises(StoreError, match=said) as refused:
        store_at(uri)
    assert "hun" not in str(refused.value)


def test_a_whole_bucket_is_no_run() -> None:
    with pytest.raises(UserError, match=r"s3://bucket: is a whole bucket \(want s3://bucket/FOL"):
        Bucket.at("s3://bucket", MemoryStore()).check_new()
    above = Bucket.at("s3://bucket/run/", MemoryStore()).beside()
    assert (above.where, above.path("ledger")) == ("s3://bucket", "s3://bucket/ledger")
