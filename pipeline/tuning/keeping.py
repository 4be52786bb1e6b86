"""The folder of a tuning: whose it is, and that nobody else writes it.

Every stage is runs of this package in folders below, so a tuning that was cut off goes on by
being asked for again: what is finished is read, what is half done is resumed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version

from pydantic import ValidationError

from engine_ext.rules.spec import Frozen, Name, Variant
from pipeline.mistakes import first_mistake
from pipeline.signals import sigterm_interrupts
from pipeline.stores import Store, StoreError, store_at
from pipeline.tuning.file import TuningFile
from pipeline.tuning.tuning_file import Tuning

BEGUN = "begun.json"
PACKAGES = ("barbu-sim", "optuna", "SALib")
"""What decides which candidates are proposed."""


class Begun(Frozen):
    """Which tuning lies in a folder."""

    schema_version: int = 1
    versions: dict[str, str]
    """Of this package and of what searches; another version may propose others."""
    file: TuningFile
    parent_name: Name
    parent: Variant
    """The base's rules in full."""


def versions() -> dict[str, str]:
    """Of :data:`PACKAGES`, those that are installed."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue  # whoever needs it says how to get it
    return found


def is_tuning(store: Store) -> bool:
    """Whether a tuning was begun there."""
    return store.entry(BEGUN) is not None


@contextmanager
def kept(out: str, tuning: Tuning) -> Iterator[Store]:
    """The tuning's folder or bucket, new or begun with the same file, while no other writes it.

    :class:`StoreError` where something else lies there; nothing is written then.
    """
    place = store_at(out)
    asked = Begun(
        versions=versions(),
        file=tuning.file,
        parent_name=tuning.parent_name,
        parent=tuning.parent,
    )
    _check(place, asked)
    place.begin()
    with sigterm_interrupts(), place.held():
        if not _check(place, asked):
            place.swap(BEGUN, (asked.model_dump_json(indent=1) + "\n").encode(), None)
        yield place


def _check(place: Store, asked: Begun) -> bool:
    """Whether this tuning was begun there; :class:`StoreError` where another was."""
    found = place.tagged(BEGUN)
    if found is None:
        place.check_new()
        return False
    path = place.path(BEGUN)
    try:
        there = Begun.model_validate_json(found[0])
    except ValidationError as error:
        raise StoreError(f"{path}: damaged: {first_mistake(error, Begun)}") from error
    differs = next(
        (key for key in _keys(asked) if _keys(asked)[key] != _keys(there).get(key)), None
    )
    if differs is not None:
        raise StoreError(
            f"{place.path()}: holds another tuning: {differs} is not that of the tuning file "
            "(want a new folder, or the file that it was begun with)"
        )
    for name in sorted(asked.versions.keys() | there.versions.keys()):
        was, now = (one.versions.get(name, "missing") for one in (there, asked))
        if was != now:
            raise StoreError(
                f"{place.path()}: begun with {name} {was}, this is {now}: a tuning goes on with "
                "the versions that began it"
            )
    return True


def _keys(begun: Begun) -> dict[str, object]:
    """What must be alike, by the key that a message names."""
    own = {key: getattr(begun.file, key) for key in TuningFile.model_fields}
    return own | {"base (its rules)": begun.parent, "base (its name)": begun.parent_name}
