"""``barbu verify`` finds whatever is wrong with a run's files, and says what can be done about it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from pipeline import digest, footers
from pipeline.landing import file_metadata
from pipeline.manifest import Landed, SetAside
from pipeline.store import Run, put_table
from pipeline.verify import verify
from tests.runs import cut_into, played, restate, small

Barbu = Callable[..., tuple[int, str, str]]
Change = Callable[[pl.DataFrame], pl.DataFrame]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete run of three shards."""
    folder = tmp_path_factory.mktemp("base") / "run"
    config = small(("barbu_52_doubling",))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.run.cut", lambda config, pace: cut_into(config, 1))
        played(config, folder)
    return folder


@pytest.fixture
def there(base: Path, tmp_path: Path) -> Path:
    """A copy of it that may be damaged."""
    return shutil.copytree(base, tmp_path / "run")


def problems(folder: Path) -> list[str]:
    verdict = verify(Run.open(folder))
    assert verdict.ok == (not verdict.problems)
    return verdict.problems


def rewrite(folder: Path, table: Landed, shard: int, frame: pl.DataFrame, run: str = "") -> None:
    """Land other rows of a shard, with a receipt that fits them."""
    there = Run.open(folder)
    receipts = dict(there.landed())
    metadata = file_metadata(run or there.manifest.run)
    file = put_table(there.store, table, shard, frame, metadata)
    receipt = receipts[shard]
    receipts[shard] = receipt.model_copy(update={"files": receipt.files | {table: file}})
    restate(there, receipts)


def _first(name: str, value: object) -> Change:
    """Another value in the first row of a column."""

    def change(frame: pl.DataFrame) -> pl.DataFrame:
        at = pl.int_range(len(frame)) == 0
        put = pl.lit(value, dtype=frame.schema[name])
        return frame.with_columns(pl.when(at).then(put).otherwise(pl.col(name)).alias(name))

    return change


WRONG: dict[str, tuple[Landed, Change, str]] = {
    "a row less": ("deals", lambda f: f[1:], "rows, the plan has"),
    "a row twice": (
        "games",
        lambda f: pl.concat([f, f[:1]]),
        "9 rows, the plan has 8: games are lost",
    ),
    "another column": ("games", lambda f: f.with_columns(x=1), "x: unknown column"),
    "another type": (
        "deals",
        lambda f: f.with_columns(pl.col("deal").cast(pl.String)),
        "deal: String (want UInt16)",
    ),
    "a column less": ("games", lambda f: f.drop("score_1"), "score_1: column is missing"),
    "another block": ("games", _first("block", 2**40), "block: 1 to 1099511627776 (want 1 to 1)"),
    "another table": ("totals", _first("table", 9), "table: 0 to 9 (want -1 to 1)"),
    "another seat": ("doubles", _first("doubler", 77), "doubler: 0 to 77 (want -1 to 3)"),
    "another name": (
        "games",
        _first("entrant_0", "'; drop table games --"),
        'entrant_0: "\'; drop table games --" (the run has none such)',
    ),
    "another contract": ("deals", _first("contract", "poker"), "contract: 'poker' (the run"),
    "another measure": ("summary", _first("measure", "luck"), "measure: 'luck' (the run"),
    "another shard": ("summary", _first("shard", 0), "shard: 0 to 1 (want 1 to 1)"),
    "a hole": ("games", _first("place_0", None), "place_0: 1 values are missing"),
    "a short digest": ("games", _first("digest", b"x"), "digest: not 32 bytes"),
    "a score": ("games", _first("score_0", 2**31 - 1), "1 games differ from their digest"),
}


@pytest.mark.parametrize("case", WRONG)
def test_rows_that_the_run_cannot_have_are_named(case: str, there: Path, barbu: Barbu) -> None:
    table, change, said = WRONG[case]
    rewrite(there, table, 1, change(Run.open(there).read(table, 1)))
    code, out, _ = barbu("verify", there, "--json")
    assert code == 1
    (line,) = json.loads(out)["problems"]
    assert said in line
    assert "(remove its files, and barbu resume plays it again)" in line
    assert str(there) in line


@pytest.mark.parametrize(
    ("table", "change", "said"),
    [
        ("games", _first("entrant_0", "poker"), "table games: entrant_0: 'poker' (the run has"),
        ("deals", _first("contract", "poker"), "table deals: contract: 'poker' (the run has none"),
        ("summary", _first("table", 9), "table summary: table: -1 to 9 (want -1 to 1)"),
        ("doubles", _first("settlement", None), "table doubles: settlement: 1 values are missing"),
        ("totals", _first("member", 200), "totals: member: 0 to 200 (want -1 to 3)"),
    ],
)
def test_a_report_counts_with_no_such_rows(
    table: Landed, change: Change, said: str, there: Path, barbu: Barbu
) -> None:
    rewrite(there, table, 1, change(Run.open(there).read(table, 1)))
    code, out, err = barbu("report", there)
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_first("member", 200), "member: 0 to 200 (want 0 to 3)"),
        (_first("table", None), "values are missing"),
        (_first("x", 2**60), "no games make such sums"),
        (lambda f: f.with_columns(pl.col("xx").cast(pl.Float64)), "xx: Float64 (want Int64)"),
    ],
)
def test_no_estimate_rests_on_such_totals(
    change: Change, said: str, there: Path, barbu: Barbu
) -> None:
    without_joint(there)
    rewrite(there, "totals", 1, change(Run.open(there).read("totals", 1)))
    code, out, err = barbu("status", there)
    assert (code, out) == (2, "")
    assert said in err


def without_joint(folder: Path) -> None:
    """As an earlier version left it: what is in joint comes from totals."""
    there = Run.open(folder)
    receipts = {
        number: receipt.model_copy(
            update={"files": {t: file for t, file in receipt.files.items() if t != "joint"}}
        )
        for number, receipt in there.landed().items()
    }
    restate(there, receipts)
    shutil.rmtree(folder / "joint")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_first("entrant", "poker"), "games are lost or stand twice"),
        (_first("xx", None), "values are missing"),
        (_first("x", 2**60), "no games make such sums"),
        (_first("nn", 1), "no games make such sums"),
        (lambda f: f.with_columns(pl.col("xx").cast(pl.Float64)), "xx: Float64 (want Int64)"),
    ],
)
def test_no_estimate_rests_on_such_sums(
    change: Change, said: str, there: Path, barbu: Barbu
) -> None:
    rewrite(there, "joint", 1, change(Run.open(there).read("joint", 1)))
    code, out, err = barbu("status", there)
    assert (code, out) == (2, "")
    assert said in err


def test_what_a_problem_tells_to_do_helps(there: Path, barbu: Barbu) -> None:
    rewrite(there, "deals", 1, Run.open(there).read("deals", 1)[1:])
    (line,) = problems(there)
    assert "(remove its files, and barbu resume plays it again)" in line
    Path(line.partition(": ")[0]).unlink()
    assert barbu("resume", there, "--executor", "inline")[0] == 0
    assert problems(there) == []


def test_everything_that_is_wrong_is_listed(there: Path, barbu: Barbu) -> None:
    run = Run.open(there)
    rewrite(there, "games", 0, run.read("games", 0)[1:])
    (there / "deals" / "deals-000001.parquet").unlink()
    (there / "totals" / "totals-000002.parquet").write_bytes(b"PAR1")
    shutil.copy(there / "games" / "games-000002.parquet", there / "games" / "games-000099.parquet")
    code, out, _ = barbu("verify", there, "--workers", "2")
    lines = out.splitlines()
    assert (code, lines[-1][:9]) == (1, "NOT whole")
    assert len(lines) == 5
    wanted = ("7 rows, the plan has 8", "missing (barbu resume", "4 bytes, its receipt says")
    assert all(one in line for one, line in zip(wanted, lines, strict=False))
    assert "games-000099.parquet: there is no shard 99 in this run (nobody reads it" in lines[3]


def test_rows_that_differ_from_the_receipt_are_named(there: Path) -> None:
    run = Run.open(there)
    receipts = dict(run.landed())
    file = receipts[2].files["summary"]
    more = receipts[2].files | {"summary": file.model_copy(update={"rows": 10**12})}
    receipts[2] = receipts[2].model_copy(update={"files": more})
    restate(run, receipts)
    (line,) = problems(there)
    assert f"summary-000002.parquet: {file.rows} rows, its receipt says 1000000000000 (" in line


def test_a_file_of_another_run_is_named(there: Path) -> None:
    rewrite(there, "totals", 0, Run.open(there).read("totals", 0), run="ffff")
    (line,) = problems(there)
    assert "totals-000000.parquet: belongs to run ffff, not " in line


def test_files_that_nobody_names_are_remarked_and_harm_nothing(there: Path, barbu: Barbu) -> None:
    (there / "games" / "notes.txt").write_text("mine")
    (there / "parts").mkdir()
    shutil.copy(there / "games" / "games-000000.parquet", there / "parts" / "parts-000001.parquet")
    code, out, err = barbu("verify", there)
    assert (code, out[:5]) == (0, "whole")
    assert "games/notes.txt: is no file of a run\n" in err
    assert "parts/parts-000001.parquet: no receipt names it\n" in err
    verdict = json.loads(barbu("verify", there, "--json")[1])
    assert (verdict["ok"], len(verdict["remarks"])) == (True, 2)


def test_a_table_that_would_fill_the_memory_is_not_read(
    there: Path, barbu: Barbu, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(footers, "MOST_ROWS", 7)
    code, out, _ = barbu("verify", there, "--json")
    assert code == 1
    assert any("8 rows of " in line for line in json.loads(out)["problems"])
    code, out, err = barbu("report", there)
    assert (code, out) == (2, "")
    assert "cannot be read: " in err


def test_what_was_set_aside_is_told_with_its_causes(there: Path, barbu: Barbu) -> None:
    run = Run.open(there)
    receipts = dict(run.landed())
    aside = SetAside(
        variant="barbu_52_doubling",
        shard=1,
        first_block=1,
        n_blocks=1,
        tries=3,
        causes=("worker died (SIGKILL)", "worker died (SIGKILL)", "out of memory"),
    )
    run.with_manifest(status="incomplete", digest=None, set_aside=(aside,), decided=(), audited=())
    restate(run, {n: receipts[n] for n in (0, 2)})
    code, out, _ = barbu("verify", there)
    first, second, third, last = out.splitlines()
    assert code == 1
    assert "is incomplete, 1 shard was set aside (barbu resume " in first
    assert second == (
        "set aside: barbu_52_doubling, block 1 (shard 1): 3 tries came to nothing: "
        "worker died (SIGKILL); out of memory"
    )
    assert "2 of 3 shards are there; blocks below 1 are whole (barbu resume" in third
    assert last.startswith("NOT whole")
    assert "16 of 24 games are there; 1 shard set aside" in barbu("runs", there.parent)[1]


def test_another_digest_of_the_whole_is_found(there: Path) -> None:
    Run.open(there).with_manifest(digest=digest.text(1))
    (line,) = problems(there)
    assert "the manifest says 0000" in line
