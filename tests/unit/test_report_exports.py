"""A report's tables in other forms say what the sections computed, whole or not at all."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from plotly.offline import get_plotlyjs
from polars.testing import assert_frame_equal

from engine_ext.rules.load import load_variant
from pipeline.cli import main
from reports.columns import figures_of, keys_of, meaning
from reports.exports import markdown, sources, tables
from reports.landing import land_folder
from reports.plain import in_words
from reports.reading import opened
from reports.sections import SECTIONS
from reports.survey import Survey, survey
from tests.unit.invented import config, write

VARIANTS = ("barbu_52_doubling", "barbu_king_br")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exports")
    write(folder, config(VARIANTS, blocks=12), lift=30)
    return folder


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("other")
    write(folder, config(VARIANTS[:1], blocks=12).model_copy(update={"seed": 8}))
    return folder


@pytest.fixture(scope="module")
def whole(run: Path) -> Iterator[tuple[Survey, ...]]:
    with opened(run) as reading:
        yield survey([reading])


def report(*words: object) -> int:
    return main(["report", *map(str, words)])


def computed(run: Path, section: str, table: str) -> dict[str, pl.DataFrame]:
    """A section's table by variant, as the section made it."""
    with opened(run) as reading:
        one = next(s for s in SECTIONS if s.name == section)
        return {
            v: one.compute(reading, v)[table] for v in VARIANTS if one.missing(reading, v) is None
        }


def without_keys(frame: pl.DataFrame, variant: str) -> pl.DataFrame:
    return frame.filter(variant=variant).drop("run", "variant", "contract_title", strict=False)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_tables_come_back_as_they_were_computed(
    run: Path, whole: tuple[Survey, ...], tmp_path: Path, form: str
) -> None:
    out = tmp_path / "tables"
    assert report(run, "--format", form, "--out", out) == 0
    found = tables(sources(whole))
    assert {path.name for path in out.iterdir()} == {
        "columns.md",
        *(f"{section}-{name}.{form}" for section, name in found),
    }
    for section, name in (("league", "standings"), ("seats", "own"), ("doubling", "pairs")):
        path = out / f"{section}-{name}.{form}"
        for variant, table in computed(run, section, name).items():
            there = (
                pl.read_parquet(path)
                if form == "parquet"
                else pl.read_csv(path, schema=found[section, name].schema)
            )
            # In CSV a text that is not there is an empty one.
            texts = pl.col(pl.String).fill_null("")
            mine = without_keys(there, variant).with_columns(texts)
            assert_frame_equal(mine, table.with_columns(texts), check_exact=True)


EXACT = ("neighbours", "decisive", "integrity")
"""Sections with tables without estimates."""


def test_every_column_of_every_table_is_described(run: Path, other: Path) -> None:
    with opened(run) as first, opened(other) as second:
        for (section, name), table in tables(sources(survey([first, second]))).items():
            for column in table.columns:
                assert meaning(column), f"{section}/{name}: {column}"
            # What is exact, or a test of many figures, is no estimate.
            assert figures_of(table) or section in EXACT
            assert keys_of(table)


def test_a_json_document_has_facts_findings_tables_and_kinds(run: Path) -> None:
    assert report(run, "--format", "json") == 0
    told = json.loads((run / "report.json").read_text())
    (facts,) = told["runs"]
    assert (facts["seed"], facts["digest"], facts["complete"]) == (7, "ab" * 32, True)
    league = next(s for s in told["sections"] if s["section"] == "league")
    assert (league["section"], league["variant"]) == ("league", VARIANTS[0])
    assert league["finding"].startswith("anna is first")
    assert any("Student t" in kind for kind in league["kinds"])
    rows = league["tables"]["standings"]
    expected = computed(run, "league", "standings")[VARIANTS[0]].to_dicts()
    assert [
        {k: v for k, v in row.items() if k not in ("run", "variant")} for row in rows
    ] == expected
    assert set(rows[0]) <= set(told["columns"])
    assert {"run": 1, "variant": VARIANTS[1], "section": "Doubling"}.items() <= told["missing"][
        -1
    ].items()


def test_markdown_has_figures_with_intervals_and_contracts_by_name(run: Path) -> None:
    with opened(run) as reading:
        text = markdown(sources(survey([reading], "fr", "seats")), "seats", "own").decode()
    assert "| entrant | contract | role | points | counted |" in text
    assert "| anna | Pas de barbu | declarer |" in text
    assert text.count("# Seat advantage: own.") == 2
    assert "Student t on blocks" in text


def test_markdown_leaves_no_column_out() -> None:
    table = pl.DataFrame(
        {
            "entrant": ["", "anna"],
            "naming": ["", "long"],
            "each": [-1.5, 2.0],
            "sure": [True, False],
        }
    )
    listing = in_words("chart", table, load_variant("barbu_52_doubling"))
    assert listing.columns == ("entrant", "naming", "each", "sure")
    assert listing.rows == (
        ("all", "", "\N{MINUS SIGN}1.5", "yes"),
        ("anna", "long", "2", "no"),
    )


def test_a_name_cannot_break_a_table(tmp_path: Path) -> None:
    write(tmp_path, config(("barbu_fr_reussite",), ("a|b", "c"), 4))
    with opened(tmp_path) as reading:
        text = markdown(sources(survey([reading], only="league")), "league", "standings").decode()
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len({line.replace("\\|", "").count("|") for line in rows}) == 1


def test_one_table_is_one_file(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(run, "--format", "csv", "--section", "league/standings", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    path = run / "league-standings.csv"
    assert told == {"report": str(path), "bytes": path.stat().st_size}
    out = tmp_path / "a.parquet"
    assert report(run, "--format", "parquet", "--section", "seats/game", "--out", out) == 0
    assert pl.read_parquet(io.BytesIO(out.read_bytes()))["variant"].unique().len() == 2


def test_a_run_of_which_nothing_was_played_has_facts_and_no_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, config(VARIANTS[:1], blocks=4), shards=0)
    assert report(tmp_path, "--format", "json") == 0
    told = json.loads((tmp_path / "report.json").read_text())
    assert told["sections"] == []
    assert told["runs"][0]["complete"] is False
    assert "No whole block" in told["missing"][0]["why"]
    capsys.readouterr()
    assert report(tmp_path, "--format", "csv") == 2
    assert "there are no tables" in capsys.readouterr().err


def test_a_page_of_one_section_has_no_other(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.html"
    assert report(run, "--section", "seats", "--out", out) == 0
    page = out.read_text().replace(get_plotlyjs(), "")
    assert page.count("<h3") == 2
    assert 'id="barbu_king_br-seats"' in page


def test_several_runs_in_one_table_and_compared(run: Path, other: Path, tmp_path: Path) -> None:
    out = tmp_path / "tables"
    assert report(run, other, "--format", "parquet", "--out", out) == 0
    both = pl.read_parquet(out / "league-standings.parquet")
    assert both.select("run", "variant").unique().height == 3
    compared = pl.read_parquet(out / "compared-league-standings.parquet")
    assert compared.filter(run=2)["points_more_value"].null_count() == 0
    one = tmp_path / "one.csv"
    words = ("--format", "csv", "--section", "compared-league/standings", "--out", one)
    assert report(run, other, *words) == 0
    assert one.read_text().startswith("variant,run,entrant,points_value")


def test_a_report_beside_the_tables_does_not_harm_the_run(run: Path) -> None:
    assert report(run, "--format", "parquet", "--section", "league") == 0
    with opened(run) as reading:
        assert reading.blocks(VARIANTS[0]) == 12


def test_a_folder_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: bytes, _: str) -> None:
        if content == b"b":
            raise OSError(28, "No space left on device")
        path.write_bytes(content)

    monkeypatch.setattr("reports.landing.put_file", full)
    with pytest.raises(Exception, match="No space left"):
        land_folder({"a": b"a", "b": b"b"}, str(tmp_path / "new"))
    assert list(tmp_path.iterdir()) == []


def test_a_second_report_goes_over_the_first(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "tables"
    for _ in range(2):
        assert report(run, "--format", "csv", "--section", "league", "--out", out) == 0
    assert not [path for path in tmp_path.iterdir() if path != out]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--section", "nobody"), "no such section (want verdict, trajectory, league"),
        (("--section", "league/nobody", "--format", "csv"), "no table nobody (want standings"),
        (("--section", "league/standings"), "goes with csv, parquet, json or md"),
        (("--section", "league/", "--format", "csv"), "want NAME or NAME/TABLE"),
        (("--format", "csv", "--out", "{strange}"), "holds letter.txt"),
        (("--format", "csv", "--out", "{strange}/letter.txt"), "is a file"),
        (("--format", "json", "--out", "{strange}"), "is a folder"),
        (("--format", "docx"), "'html', 'pdf'"),
        (("{run}", "--out", "{strange}/a.html"), "given twice"),
        (("{other}",), "--out: say where"),
        (("--section", "compared-league/standings", "--format", "csv"), "the runs have none"),
    ],
)
def test_slips_end_with_2_and_one_line(
    run: Path,
    other: Path,
    tmp_path: Path,
    words: tuple[str, ...],
    says: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    places: dict[str, Any] = {"run": run, "other": other, "strange": tmp_path}
    assert report(run, *(word.format(**places) for word in words)) == 2
    said = capsys.readouterr().err
    assert says in said
    assert len(said.splitlines()) == 1
    assert (tmp_path / "letter.txt").read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 1
