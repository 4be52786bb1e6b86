"""Runs that older code wrote still open, read-only, and say what they said then.

``tests/golden/old`` holds each as it came from a real older state of this project:
``strategies`` from before studies, totals and the ledger, ``studies`` a study of seats from before
verdicts, ``tournaments`` from before joint sums, with the ledger of its day.
"""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from pipeline.landing import file_metadata
from pipeline.store import Run
from tests.end_to_end.test_verify import rewrite
from tests.runs import played, small

Barbu = Callable[..., tuple[int, str, str]]
OLD = Path(__file__).parents[1] / "golden" / "old"
RUNS: dict[str, dict[str, object]] = {
    "strategies": {
        "digest": "4d68d321c6725280c25662bd769edae4867944ea4b01a3a92e4249ce2cc190f8",
        "sql": "select entrant, sum(score)::int as x from deals_long group by all order by all",
        "rows": [["duck.v1", 480], ["random.v1", -480]],
    },
    "studies": {
        "digest": "187d9eb8e25ff408342dbf9df5dfc994855f7e1049d0a749b0936f5851dadfae",
        "sql": "select kind, sum(n)::int as n, sum(points_0)::int as x from trials group by all "
        "order by all",
        "rows": [
            ["chosen", 672, 1563],
            ["forced", 1176, 804],
            ["score", 24, -24],
            ["side", 672, 310],
            ["win", 24, 15120],
        ],
    },
    "tournaments": {
        "digest": "d4e28bb38e2b511be4591b45e1b432dfff13c119636bee5bdec46e4416d60ea0",
        "sql": "select entrant, sum(score)::int as x from deals_long group by all order by all",
        "rows": [["duck.v1", 6483], ["random.v1", -6483]],
    },
}
"""What the code that wrote them said at their end, and what their rows add up to."""


@pytest.fixture
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """One of them, unpacked."""
    with zipfile.ZipFile(OLD / f"{request.param}.zip") as packed:
        packed.extractall(tmp_path)
    return tmp_path / "run"


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.parent.rglob("*") if path.is_file()}


@pytest.mark.parametrize("old", RUNS, indirect=True)
def test_a_run_of_the_past_opens_and_stays_as_it_was(
    old: Path,
    barbu: Barbu,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> None:
    known = RUNS[request.node.callspec.params["old"]]
    before = contents(old)
    code, out, _ = barbu("verify", old, "--json")
    assert (code, json.loads(out)["digest"]) == (0, known["digest"])
    code, out, _ = barbu("sql", old, known["sql"], "--json")
    assert (code, [list(row.values()) for row in json.loads(out)]) == (0, known["rows"])
    code, out, _ = barbu("status", old, "--json")
    assert (code, json.loads(out)["status"]) == (0, "complete")
    page = tmp_path_factory.mktemp("page") / "report.html"
    assert barbu("report", old, "--out", page)[0] == 0
    assert str(known["digest"])[:8] in page.read_text()
    assert contents(old) == before


@pytest.mark.parametrize("old", ["tournaments"], indirect=True)
def test_another_version_is_read_and_not_resumed(old: Path, barbu: Barbu) -> None:
    manifest = old / "manifest.json"
    manifest.write_text(
        manifest.read_text().replace('"barbu-sim": "0.1.0"', '"barbu-sim": "0.0.9"')
    )
    before = contents(old)
    code, _, err = barbu("resume", old)
    assert code == 2
    assert "played with barbu-sim 0.0.9, this is" in err
    assert barbu("status", old)[0] == 0
    assert contents(old) == before


@pytest.mark.parametrize("old", ["tournaments"], indirect=True)
def test_a_run_is_written_into_a_ledger_of_the_past(old: Path) -> None:
    """The old attempts stay; which question theirs was another hash told."""
    ledger = pl.read_parquet(old.parent / "ledger.parquet")
    assert "digest" not in ledger.columns
    config = Run.open(old).manifest.config.model_copy(update={"seed": 12})
    _, result = played(config, old.parent / "again")
    assert [one.number for one in result.attempts] == [1]
    again = pl.read_parquet(old.parent / "ledger.parquet")
    assert again.drop("digest")[:1].equals(ledger)
    assert again["digest"].to_list() == [None, result.digest]


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("barbu_rules", "0" * 64, "barbu_rules: '0000"),
        ("barbu_version", "7.0", "barbu_version: '7.0', the run has '"),
        ("barbu_schema", "99", "barbu_schema: '99', the run has '1'"),
    ],
)
def test_a_file_of_other_rules_or_another_version_is_named(
    key: str, value: str, said: str, tmp_path: Path, barbu: Barbu, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, _ = played(small(("yardstick",), blocks=1), tmp_path / "run")
    assert barbu("verify", there.folder)[0] == 0
    words = file_metadata(there.manifest.run) | {key: value}
    monkeypatch.setattr("tests.end_to_end.test_verify.file_metadata", lambda run: words)
    rewrite(there.folder, "deals", 0, there.read("deals", 0))
    code, out, _ = barbu("verify", there.folder)
    assert code == 1
    assert said in out


def test_every_file_says_what_it_is_of(tmp_path: Path) -> None:
    there, _ = played(small(("yardstick",), blocks=1), tmp_path / "run")
    manifest = there.manifest
    for path in (
        there.folder / name for table in ("games", "summary") for name in there.files(table)
    ):
        words = pl.read_parquet_metadata(path)
        assert {key: words[key] for key in words if key.startswith("barbu_")} == {
            "barbu_schema": "1",
            "barbu_run": manifest.run,
            "barbu_version": manifest.versions["barbu-sim"],
            "barbu_rules": manifest.rules_hashes["yardstick"],
        }
