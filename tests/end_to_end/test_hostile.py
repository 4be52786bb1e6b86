"""Names and numbers of others are shown, never obeyed: pages, tables, terminal, SQL."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.catalog import QueryError, open_catalog
from pipeline.store import Run
from tests.runs import played, small

Barbu = Callable[..., tuple[int, str, str]]

NAME = "a\"'; drop table games; <script>alert(7)</script> | [x](javascript:1) `c` \\ </td>"
BOLD = "<b>bold</b>&amp;"

RUN = """
title = "t"
seed = 7
variants = ["barbu_king_br"]
blocks = 3
design = "gauntlet"
entrants = [{ strategy = "duck.v1", name = NAME }, { strategy = "random.v1" }]
"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("base") / "run"
    names = [{"strategy": "duck.v1", "name": NAME}, {"strategy": "random.v1", "name": BOLD}]
    config = {"entrants": names, "design": "gauntlet", "lineups": (), "title": NAME}
    played(small(("barbu_52_doubling",), **config), folder)
    return folder


def test_a_page_shows_names_letter_for_letter(base: Path, tmp_path: Path, barbu: Barbu) -> None:
    out = tmp_path / "page.html"
    assert barbu("report", base, "--out", out)[0] == 0
    page = out.read_text("utf-8")
    assert "&lt;script&gt;alert(7)&lt;/script&gt;" in page
    for raw in ("<script>alert", "<b>bold", "\\u003cb\\u003ebold"):
        assert raw not in page
    # In a drawing, where Plotly would take a tag for its own.
    assert "&lt;b\\u003ebold&lt;\\u002fb\\u003e&amp;amp;" in page


def test_tables_keep_names_in_their_cells(base: Path, tmp_path: Path, barbu: Barbu) -> None:
    import polars as pl

    words = ("report", base, "--section", "league/standings", "--format")
    assert barbu(*words, "csv", "--out", tmp_path / "t.csv")[0] == 0
    assert NAME in pl.read_csv(tmp_path / "t.csv")["entrant"].to_list()
    assert barbu(*words, "md", "--out", tmp_path / "t.md")[0] == 0
    rows = [line for line in (tmp_path / "t.md").read_text().splitlines() if line[:1] == "|"]
    assert any("\\<script>alert(7)\\</script> \\| [x]" in line for line in rows)
    code, out, _ = barbu("sql", base, "select distinct entrant_0 e from games order by 1", "--csv")
    assert (code, NAME.replace('"', '""') in out) == (0, True)
    code, out, _ = barbu("sql", base, "select count(*) n from games", "--json")
    assert json.loads(out) == [{"n": 12}]


def test_the_terminal_shows_them_too(base: Path, barbu: Barbu) -> None:
    for words in (("status", base), ("runs", base.parent), ("replay", base, "--show")):
        code, out, _ = barbu(*words)
        assert code == 0
        assert all(line.isprintable() for line in out.splitlines())
        assert "drop table games" in out
    assert barbu("verify", base)[0] == 0


@pytest.mark.parametrize(
    "name", ["=cmd|'/c calc'!A1", "+1", "-1", "@x", "\u202egnp", "a\x1b[31m", "a\nb", "\u2066x"]
)
def test_names_that_do_things_are_refused(name: str, tmp_path: Path, barbu: Barbu) -> None:
    (tmp_path / "run.toml").write_text(RUN.replace("NAME", json.dumps(name)), "utf-8")
    code, out, err = barbu("run", tmp_path / "run.toml", "--out", tmp_path / "out")
    assert (code, out) == (2, "")
    assert "run.toml: entrants[" in err
    assert err[:-1].isprintable()
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\n" * 10**6, "6000000 bytes (want a run file of 4194304 at most)"),
        (RUN.replace("NAME", '"a"') + "a" + ".a" * 20_000 + " = 1", "nested too deeply"),
        (RUN.replace("NAME", '"a"').replace('["barbu_king_br"]', str(["x"] * 101)), "variants"),
        (RUN.replace("NAME", '"a"').replace("blocks = 3", "blocks = nan"), "blocks: "),
        (RUN.replace("NAME", '"a"').replace("seed = 7", "seed = 1e999"), "seed: "),
        (RUN.replace("NAME", '"a"') + "[stop]\nrule = 'width'\nwidth = inf", "stop.width: "),
    ],
)
def test_run_files_of_any_size_and_depth_are_one_line(
    text: str, said: str, tmp_path: Path, barbu: Barbu
) -> None:
    (tmp_path / "run.toml").write_text(text)
    code, out, err = barbu("plan", tmp_path / "run.toml")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("games", 10**400),
        ("games", float("nan")),
        ("worker_seconds", float("inf")),
        ("status", "\x1b[31mdone"),
        ("run", "../../etc"),
        ("versions", {"barbu-sim": "\x1b[2J"}),
        ("line_ups", [{"variant": "../x", "tables": []}] * 100),
        ("strategy_files", {"/etc/passwd": "0" * 63}),
        ("bounds", {"barbu_52_doubling": {"blocks": 1, "parts": 10**30}}),
    ],
)
def test_a_manifest_may_say_anything(
    key: str, value: object, base: Path, tmp_path: Path, barbu: Barbu
) -> None:
    said = json.loads((base / "manifest.json").read_text()) | {key: value}
    (tmp_path / "manifest.json").write_text(json.dumps(said))
    for command in ("status", "verify", "report", "resume"):
        code, out, err = barbu(command, tmp_path)
        assert code in (1, 2) or command == "status"
        assert all(line.isprintable() for line in (out + err).splitlines())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["manifest.json"]
    assert barbu("runs", tmp_path.parent)[0] == 0


ATTACKS = """
SELECT getenv('HOME')
SELECT * FROM read_blob('{run}/manifest.json')
SELECT * FROM read_parquet('{run}/games/../manifest.json')
SELECT * FROM duckdb_secrets()
SELECT * FROM query('drop table variants')
SELECT * FROM sniff_csv('/etc/passwd')
SELECT * FROM read_json('/etc/passwd')
SELECT * FROM parquet_metadata('/etc/passwd')
SELECT * FROM read_duckdb('/tmp/x.db')
SELECT * FROM read_csv_auto('/dev/stdin')
SELECT * FROM 'https://example.org/c.parquet'
SELECT * FROM 's3://x/y.parquet'
SELECT * FROM pandas_scan(1::POINTER)
SELECT * FROM enable_logging()
SELECT 1 /* ; */ ; SELECT 2
SELECT 1; ATTACH ':memory:' AS z
WITH x AS (INSERT INTO variants VALUES ('a','b',4,'h') RETURNING *) SELECT * FROM x
MERGE INTO variants USING variants v ON true WHEN MATCHED THEN DELETE
PREPARE p AS SELECT 1
EXECUTE p
LOAD httpfs
USE memory
DETACH memory
CALL enable_profiling()
CREATE SECRET s (TYPE s3)
CREATE MACRO a() AS 1
SET VARIABLE x = 1
RESET threads
EXPORT DATABASE '{run}/x'
IMPORT DATABASE '{run}/x'
CHECKPOINT
COPY (SELECT 1) TO '{run}/out.csv'
SELECT repeat('x', 10000000000)
"""


def test_sql_does_nothing_but_read_the_run(base: Path) -> None:
    before = sorted(base.rglob("*"))
    with open_catalog(base) as catalog:
        for attack in ATTACKS.strip().splitlines():
            with pytest.raises(QueryError) as refused:
                catalog.query(attack.format(run=base))
            assert str(refused.value).isprintable(), attack
        assert catalog.rows("SELECT count(*) FROM variants") == [(1,)]
        assert catalog.query("SELECT 1 -- ; drop view games").rows == [(1,)]
    assert sorted(base.rglob("*")) == before
    assert Run.open(base).manifest.status == "complete"
