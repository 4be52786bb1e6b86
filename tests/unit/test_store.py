"""A run's folder is whole or says what is not; nothing in it is overwritten."""

import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from engine_ext.errors import UserError
from pipeline import files, store
from pipeline.landing import file_metadata
from pipeline.run import resume, run
from pipeline.schema import TABLES, polars_schema
from pipeline.store import Run
from pipeline.stores import StoreError, store_at
from pipeline.verify import verify
from tests.runs import BASE, paths, played, restate, small


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store") / "run"
    played(small(BASE[3:]), folder)
    return folder


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    """A copy that a test may damage."""
    return Path(shutil.copytree(original, tmp_path / "run"))


def test_a_complete_run_is_sound(folder: Path) -> None:
    there = Run.open(folder)
    verdict = verify(there)
    assert verdict == (True, there.manifest.digest, [], 0, [])
    assert there.manifest.status == "complete"
    assert there.manifest.games == 24
    assert there.manifest.deals == 24 * 28
    assert not (folder / files.RECEIPTS).exists()
    assert not list(folder.rglob("*.tmp"))


@pytest.mark.parametrize("table", TABLES)
def test_tables_have_the_columns_of_the_schema(folder: Path, table: str) -> None:
    there = Run.open(folder)
    for path in paths(there, table):
        assert dict(pl.read_parquet_schema(path)) == polars_schema(table, 4)
        said = pl.read_parquet_metadata(path)
        assert said["barbu_run"] == there.manifest.run
        assert said["barbu_schema"] == "1"


def test_items_have_names_for_every_slot(folder: Path) -> None:
    there = Run.open(folder)
    names = {(s.variant, s.contract): s.slots for s in there.manifest.slots}
    rules = there.manifest.config.variant(BASE[3])
    assert [contract for _, contract in names] == list(rules.contracts)
    assert names[BASE[3], "domino"] == ("place",)


def test_a_changed_byte_is_found_and_mended(folder: Path) -> None:
    there = Run.open(folder)
    path = paths(there, "deals")[0]
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(raw)
    verdict = verify(there)
    assert not verdict.ok
    assert verdict.problems[0].startswith(f"{path}: content differs from its receipt (sha256) (")
    assert resume(folder, executor="inline").digest == there.manifest.digest
    assert verify(Run.open(folder)).ok


def test_a_file_that_is_cut_or_gone_is_found(folder: Path) -> None:
    there = Run.open(folder)
    games, summary = paths(there, "games")[0], paths(there, "summary")[0]
    games.write_bytes(games.read_bytes()[:100])
    summary.unlink()
    problems = verify(there).problems
    assert any(p.startswith(f"{games}: 100 bytes, its receipt says") for p in problems)
    assert f"{summary}: missing (barbu resume plays it again)" in problems


def test_rows_that_were_edited_do_not_have_their_digest(folder: Path) -> None:
    there = Run.open(folder)
    receipt = there.receipts()[0]
    frame = there.read("deals", 0).with_columns(pl.col("points_0") + 1)
    landed = store.put_table(there.store, "deals", 0, frame, file_metadata(there.manifest.run))
    changed = receipt.model_copy(update={"files": receipt.files | {"deals": landed}})
    restate(there, dict(there.receipts()) | {0: changed})
    verdict = verify(Run.open(folder))
    assert not verdict.ok
    assert "games differ from their digest" in verdict.problems[0]


def lost(games: pl.DataFrame) -> pl.DataFrame:
    return games.head(len(games) - 1)


def twice(games: pl.DataFrame) -> pl.DataFrame:
    return pl.concat([games.head(len(games) - 1), games.head(1)])


@pytest.mark.parametrize("change", [lost, twice])
def test_games_that_are_lost_or_stand_twice_are_noticed(
    folder: Path, change: Callable[[pl.DataFrame], pl.DataFrame]
) -> None:
    there = Run.open(folder)
    receipt = there.receipts()[0]
    landed = store.put_table(
        there.store, "games", 0, change(there.read("games", 0)), file_metadata(there.manifest.run)
    )
    changed = receipt.model_copy(update={"files": receipt.files | {"games": landed}})
    restate(there, dict(there.receipts()) | {0: changed})
    assert "games are lost or stand twice" in verify(Run.open(folder)).problems[0]


def test_a_folder_that_holds_something_is_refused(folder: Path, tmp_path: Path) -> None:
    before = (folder / "manifest.json").read_bytes()
    with pytest.raises(StoreError, match=rf"holds a run already \(barbu resume {folder}\)"):
        run(small(BASE[3:]), folder, executor="inline")
    assert (folder / "manifest.json").read_bytes() == before
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear")
    with pytest.raises(StoreError, match="is not empty"):
        run(small(BASE[3:]), tmp_path / "other", executor="inline")
    with pytest.raises(StoreError, match="is a file"):
        run(small(BASE[3:]), tmp_path / "other" / "letter.txt", executor="inline")


def test_a_strategy_that_is_not_there_leaves_no_folder(tmp_path: Path) -> None:
    config = small(BASE[3:])
    wrong = config.entrants[1].model_copy(update={"strategy": "nobody.v1", "name": "random.v1"})
    config = config.model_copy(update={"entrants": (config.entrants[0], wrong)})
    with pytest.raises(UserError, match="nobody"):
        run(config, tmp_path / "run", executor="inline")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "manifest.json: damaged"),
        ('{"schema_version": 1', "manifest.json: damaged"),
        ("{}", "manifest.json: damaged: schema_version: missing"),
    ],
)
def test_a_damaged_manifest_is_one_line(folder: Path, text: str, said: str) -> None:
    (folder / "manifest.json").write_text(text)
    for ask in (Run.open, resume):
        with pytest.raises(StoreError, match=said) as refused:
            ask(folder)
        assert "\n" not in str(refused.value)


def test_a_missing_manifest_or_another_schema_is_named(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no run here \(manifest.json is missing\)"):
        Run.open(tmp_path)
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace('"schema_version": 1', '"schema_version": 99'))
    with pytest.raises(StoreError, match="schema_version: 99"):
        Run.open(folder)


def test_damaged_receipts_are_named(folder: Path) -> None:
    (folder / "shards.parquet").write_bytes(b"PAR1 no more")
    with pytest.raises(StoreError, match=r"shards\.parquet: cannot be read"):
        Run.open(folder).receipts()


def test_receipts_of_another_run_are_refused(folder: Path) -> None:
    mine = Run.open(folder)
    strange = mine.with_manifest(run="0" * 16)
    with pytest.raises(StoreError, match=f"run: belongs to run {mine.manifest.run}, not 0000"):
        strange.receipts()


def test_a_manifest_with_another_digest_than_the_tables_is_noticed(folder: Path) -> None:
    mine = Run.open(folder)
    verdict = verify(mine.with_manifest(digest="0" * 64))
    assert not verdict.ok
    assert verdict.digest == mine.manifest.digest
    assert "the manifest says 0000" in "".join(verdict.problems)


def test_another_version_does_not_resume_a_run(folder: Path) -> None:
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace('"barbu-sim": "', '"barbu-sim": "9'))
    with pytest.raises(StoreError, match=r"played with barbu-sim 9.*the version that began it"):
        resume(folder, executor="inline")


def test_two_drivers_do_not_write_one_run(folder: Path) -> None:
    with store_at(folder).held(), pytest.raises(StoreError, match="another process is writing"):
        resume(folder, executor="inline")
