"""The runs that lie in a folder or bucket, each told shortly; a damaged one stops nothing."""

from collections.abc import Iterator
from typing import NamedTuple

from pipeline.files import FOLDERS, MANIFEST, RECEIPTS, SHARDS, SURPLUS
from pipeline.manifest import Decided, Status
from pipeline.receipt_table import Receipts
from pipeline.store import Run
from pipeline.stores import Store, StoreError

TRIES = 3
"""How often a run is read that another process may be changing meanwhile."""
DEEP = 2
"""Folders down to which runs are looked for: ``barbu demo`` puts several into one."""


class Listed(NamedTuple):
    """A run, or what is left of one."""

    run: str
    """Where it lies, for messages and other commands."""
    name: str
    """The same below the folder that was listed."""
    modified: float
    """When its manifest was written last, seconds since 1970."""
    problem: str | None
    """Why it cannot be read; nothing else is known of it then."""
    title: str | None = None
    status: Status | None = None
    design: str | None = None
    games: int | None = None
    """Games that count and are there."""
    planned: int | None = None
    """Games that it has when it is complete."""
    digest: str | None = None
    decided: tuple[Decided, ...] = ()
    bytes: int | None = None
    """Of its tables and receipts."""
    set_aside: int = 0
    """Shards that could not be played."""


def runs_in(place: Store) -> Iterator[Listed]:
    """Every run in a folder, by name; :class:`StoreError` where there is no such folder."""
    if place.entry(MANIFEST) is not None:
        raise StoreError(
            f"{place.path()}: is a run itself (barbu status {place.path()}; want the folder above)"
        )
    yield from _below(place, "", DEEP)


def _below(place: Store, above: str, deep: int) -> Iterator[Listed]:
    for folder in place.folders():
        inside, name = place.inside(folder), f"{above}{folder}"
        try:
            manifest = inside.entry(MANIFEST)
        except StoreError as error:
            yield Listed(inside.path(), name, 0.0, str(error))
            continue
        if manifest is not None:
            yield _listed(inside, name, manifest.modified)
        elif deep > 1:
            yield from _below(inside, f"{name}/", deep - 1)


def _listed(store: Store, name: str, modified: float) -> Listed:
    for left in range(TRIES - 1, -1, -1):
        try:
            return _sound(store, name, modified)
        except StoreError as error:
            if not left:
                return Listed(store.path(), name, modified, str(error))
    raise AssertionError("the last try has returned")


def _sound(store: Store, name: str, modified: float) -> Listed:
    run = Run.of(store)
    manifest, landed = run.manifest, run.landed()
    whole = manifest.status == "complete"
    games = manifest.games if whole else landed.only(run.counting).total("games")
    return Listed(
        run.where,
        name,
        modified,
        None,
        manifest.config.title,
        manifest.status,
        manifest.config.design,
        games,
        manifest.games,
        manifest.digest,
        manifest.decided,
        _bytes(store, landed),
        len(manifest.set_aside),
    )


def _bytes(store: Store, landed: Receipts) -> int:
    """What its tables and receipts take; of a complete run its receipts say it."""
    kept = [entry for entry in map(store.entry, (SHARDS, SURPLUS)) if entry is not None]
    if kept and kept[0].name == SHARDS:
        tables = sum(landed.stored(table)[1] for table in FOLDERS)
        return tables + sum(entry.size for entry in kept)
    return sum(entry.size for folder in (*FOLDERS, RECEIPTS) for entry in store.entries(folder))
