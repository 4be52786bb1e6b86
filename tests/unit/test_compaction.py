"""A run whose files were put together says the same, and is mended like any other."""

import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline import compaction, store
from pipeline.compaction import compact
from pipeline.files import Place
from pipeline.places import in_a_row
from pipeline.run import resume
from pipeline.runs import runs_in
from pipeline.schema import TABLES
from pipeline.standings import standings
from pipeline.store import Run
from pipeline.stores import StoreError
from pipeline.verify import verify
from reports.commands import write
from tests.dying import Dying, Killed
from tests.runs import BASE, cut_into, paths, played, rows, small

KING = BASE[1]
DOUBLING = BASE[3]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six shards of one variant, six of another."""
    folder = tmp_path_factory.mktemp("compaction") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.run.cut", lambda config, _: cut_into(config, 1))
        played(small((KING, DOUBLING), blocks=6), folder)
    return folder


@pytest.fixture
def there(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(compaction, "SIZES", (4, 2))
    return Run.open(shutil.copytree(original, tmp_path / "run"))


def all_rows(there: Run) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table but the summary's, whose cells are added up."""
    return {table: rows(there, table) for table in TABLES if table != "summary"}


def cells(there: Run) -> list[object]:
    frame = pl.concat([pl.read_parquet(path) for path in paths(there, "summary")])
    keys = [name for name in frame.columns if name not in ("shard", *compaction.SUMS["summary"])]
    found = frame.group_by(keys).agg(pl.col(compaction.SUMS["summary"]).sum()).sort(keys)
    return list(found.rows())


def on_disk(there: Run) -> int:
    return len([*there.folder.glob("*/*.parquet")])


def test_everything_says_the_same_before_and_after(there: Run, tmp_path: Path) -> None:
    before, sums, stand = all_rows(there), cells(there), standings(there)
    by_shard = {n: there.read("deals", n) for n in there.receipts()}
    page = tmp_path / "page.html"
    write(there.folder, page)
    said = page.read_bytes()
    found = compact(there)
    assert (found.before, found.files) == (66, 22)
    assert on_disk(there) == 22
    assert found.bytes == sum(path.stat().st_size for path in there.folder.glob("*/*.parquet"))
    (listed,) = runs_in(there.store.beside())
    assert listed.bytes == sum(path.stat().st_size for path in there.folder.rglob("*.parquet"))
    after = Run.open(there.folder)
    assert all_rows(after) == before
    assert cells(after) == sums
    assert standings(after) == stand
    for number, frame in by_shard.items():
        assert after.read("deals", number).equals(frame)
    assert verify(after) == (True, there.manifest.digest, [], 0, [])
    write(after.folder, page)
    assert page.read_bytes() == said
    assert compact(after).before == 22
    result = resume(after.folder, executor="inline")
    assert (result.played, result.digest) == (0, there.manifest.digest)
    assert on_disk(there) == 22


def test_the_summary_is_smaller_since_equal_cells_are_added_up(there: Run) -> None:
    before = sum(len(pl.read_parquet(path)) for path in paths(there, "summary"))
    compact(there)
    assert sum(len(pl.read_parquet(path)) for path in paths(there, "summary")) < before / 2


def test_sums_that_fit_no_column_are_left_as_they_are() -> None:
    half = 2**62
    frame = pl.DataFrame({"entrant": ["a", "a"], "shard": [0, 1], "x": [half, half]})
    assert compaction._added(frame, ("x",)) is None
    smaller = frame.with_columns(x=pl.col("x") - 1)
    added = compaction._added(smaller, ("x",))
    assert added is not None
    assert added.rows() == [("a", 0, 2 * half - 2)]


@pytest.mark.parametrize("table", ["deals", "summary"])
def test_a_large_file_that_is_damaged_is_found_and_its_shards_played_again(
    there: Run, table: str
) -> None:
    before, sums = all_rows(there), cells(there)
    compact(there)
    path = paths(Run.open(there.folder), table)[0]
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(raw)
    verdict = verify(Run.open(there.folder))
    assert not verdict.ok
    said = f"{path}: content differs from its receipt (sha256) (barbu resume plays it again)"
    assert set(verdict.problems) == {said}
    result = resume(there.folder, executor="inline")
    mended = Run.open(there.folder)
    assert result.digest == there.manifest.digest
    assert result.played == 4 * 8
    assert on_disk(there) == 22 - 5 + 4 * 5
    assert (all_rows(mended), cells(mended)) == (before, sums)
    assert verify(mended).ok
    compact(mended)
    assert on_disk(there) == 22


@pytest.mark.parametrize("call", [0, 21, 22, 23, 24, 60, 89])
def test_what_is_cut_off_is_sound_and_is_begun_again(there: Run, call: int) -> None:
    """22 files are put, then the receipts, then surplus and 66 old files are removed."""
    Dying.left = call
    dying = Run.of(Dying(there.folder, "run"))
    with pytest.raises(Killed):
        compact(dying)
    assert standings(Run.open(there.folder)) == standings(there)
    assert verify(Run.open(there.folder)).ok
    compact(Run.open(there.folder))
    assert on_disk(there) == 22


def test_a_reader_hashes_as_many_bytes_as_before(
    there: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    compact(there)
    after = Run.open(there.folder)
    path = paths(after, "deals")[0]
    path.write_bytes(bytes([*path.read_bytes()[:-1], 0]))
    written = sum(path.stat().st_size for path in there.folder.glob("*/*.parquet"))
    receipts = after.receipts().values()
    monkeypatch.setattr(store, "HASHED_BYTES", written)  # no file counts for each of its shards
    with pytest.raises(StoreError, match=r"deals-.*content differs"):
        store.check_files(after, receipts)
    monkeypatch.setattr(store, "HASHED_BYTES", written - 1)
    store.check_files(after, receipts)


def test_a_damaged_file_gets_no_new_digest(there: Run) -> None:
    path = paths(there, "deals")[3]
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(StoreError, match=r"deals-000003.*its receipt says"):
        compact(there)
    assert not verify(Run.open(there.folder)).ok


def test_a_run_that_is_not_complete_is_refused(there: Run) -> None:
    with pytest.raises(StoreError, match="has status interrupted"):
        compact(there.with_manifest(status="interrupted"))


def test_rows_one_after_the_other_are_read_at_once() -> None:
    a, b = "deals/a", "deals/b"
    places = [Place(a, (0, 5)), Place(a, (5, 5)), Place(a, (11, 2)), Place(b), Place(b, (0, 3))]
    assert list(in_a_row(places)) == [Place(a, (0, 10)), Place(a, (11, 2)), *places[3:]]
