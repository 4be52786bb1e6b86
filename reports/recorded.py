"""What of a run may be looked through game by game: whole blocks from 0 on, where recorded."""

from typing import NamedTuple
from weakref import WeakKeyDictionary

from pipeline.store import Run
from pipeline.watermark import watermark
from reports.reading import JOINT_GAMES, Reading

Values = dict[str, object]


class _Counted(NamedTuple):
    """A run, and how many blocks of each variant count."""

    run: Run
    blocks: dict[str, int]


_counted: WeakKeyDictionary[Reading, _Counted] = WeakKeyDictionary()


def _of(run: Reading) -> _Counted:
    """Read once for all sections of a page."""
    if run not in _counted:
        source = Run.open(run.catalog.contents.folder)
        names = [variant.name for variant in run.config.variants]
        if source.manifest.status == "complete":
            blocks = {name: source.manifest.counted(name) for name in names}
        else:
            planned, landed = source.planned(), source.receipts()
            blocks = {name: watermark(planned, landed, name) for name in names}
        _counted[run] = _Counted(source, blocks)
    return _counted[run]


def source_of(run: Reading) -> Run:
    """The run itself, for its manifest and its files."""
    return _of(run).run


def prefix(run: Reading, variant: str) -> int:
    """Blocks 0..B-1 that count: of a run that is not complete those without a gap."""
    return _of(run).blocks[variant]


def lacks(run: Reading, variant: str, *tables: str) -> str | None:
    """Why the games of a run cannot be looked through, or None."""
    if not run.blocks(variant) or not prefix(run, variant):
        return "No whole block of this variant was played."
    for table in tables:
        if not run.catalog.contents.files.get(table):
            return f"The run did not record its {table} (key record of the run file)."
    if run.games(variant) > JOINT_GAMES:
        return "So many games are read from their summary alone."
    return None


def values_of(run: Reading, variant: str) -> Values:
    """What stands for the names in a query about whole blocks of a variant."""
    return {"variant": variant, "blocks": prefix(run, variant)}
