"""What leads out of a run is neither read nor written through: a run may come from anybody."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.stores import StoreError, store_at
from pipeline.stores.folder import LOCK, Folder


def _link_folder(run: Path, out: Path) -> None:
    (run / "games").rmdir()
    (run / "games").symlink_to(out)


LINKS: dict[str, Callable[[Path, Path], None]] = {
    "file": lambda run, out: (run / "games" / "a").symlink_to(out / "a"),
    "folder": _link_folder,
    "inside": lambda run, out: (run / "games" / "a").symlink_to(run / "manifest.json"),
}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a").write_text("secret")
    (tmp_path / "out" / ".b.tmp").touch()
    (tmp_path / "run" / "games").mkdir(parents=True)
    (tmp_path / "run" / "manifest.json").write_text("{}")
    return tmp_path / "run"


@pytest.mark.parametrize("kind", LINKS)
def test_a_link_in_a_run_leads_nowhere(kind: str, run: Path) -> None:
    out = run.parent / "out"
    LINKS[kind](run, out)
    store = store_at(run)
    asked: list[Callable[[str], object]] = [
        store.get,
        store.source,
        store.entry,
        store.tagged,
        store.remove,
        lambda name: store.put(name, b"x"),
        lambda name: store.swap(name, b"x", None),
    ]
    for ask in asked:
        with pytest.raises(StoreError, match=r"games/a: leads elsewhere"):
            ask("games/a")
    with store.held():  # what is half-written goes, in the run alone
        pass
    assert sorted(path.name for path in out.iterdir()) == [".b.tmp", "a"]
    assert (out / "a").read_text() == "secret"


@pytest.mark.parametrize("name", ["../out/a", "games/../../out/a"])
def test_a_name_leads_nowhere_either(name: str, run: Path) -> None:
    for ask in (store_at(run).get, store_at(run).remove, store_at(run).source):
        with pytest.raises(StoreError, match="leads elsewhere"):
            ask(name)
    assert (run.parent / "out" / "a").read_text() == "secret"


def test_a_lock_that_is_a_link_makes_no_file_elsewhere(run: Path) -> None:
    (run / LOCK).symlink_to(run.parent / "out" / "made")
    with pytest.raises(StoreError, match="leads elsewhere"), store_at(run).held():
        pass
    assert not (run.parent / "out" / "made").exists()


def test_what_is_no_file_is_not_waited_for(run: Path) -> None:
    os.mkfifo(run / "pipe")
    for ask in (store_at(run).get, store_at(run).source, store_at(run).tagged):
        with pytest.raises(StoreError, match=r"pipe: cannot be read: is no file"):
            ask("pipe")


def test_a_manifest_that_fills_the_memory_is_not_read(run: Path) -> None:
    with (run / "manifest.json").open("r+b") as file:
        file.truncate(2**40)
    with pytest.raises(StoreError, match=r"cannot be read: 1099511627776 bytes \(want "):
        store_at(run).tagged("manifest.json")


def test_folders_are_listed_by_name_hidden_ones_left_out(run: Path) -> None:
    for name in ("b", "a", ".hidden"):
        (run / name).mkdir()
    (run / "linked").symlink_to(run.parent / "out")
    assert list(store_at(run).folders()) == ["a", "b", "games", "linked"]
    assert list(store_at(run / "nowhere").folders()) == []
    below = store_at(run).inside("a")
    assert isinstance(below, Folder)
    assert below.where == str(run / "a")
