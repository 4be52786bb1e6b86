"""docs/data.md, the schema, the receipts and what DuckDB says of columns are one."""

from pathlib import Path

import pytest

from pipeline.block_totals import MEASURES
from pipeline.catalog import open_catalog
from pipeline.files import FOLDERS
from pipeline.receipts import schema
from pipeline.schema import SHARD_FILES, SHARDS
from tests.data_page import MARKED, PAGE, VIEWS, page, tables
from tests.runs import played, small

TEXT = PAGE.read_text()


def table_under(heading: str) -> list[str]:
    """Rows of the first table under a heading, without its head."""
    lines = TEXT.split(f"\n{heading}\n")[1].splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("|---"))
    rows = []
    for line in lines[start + 1 :]:
        if not line.startswith("|"):
            break
        rows.append(line)
    return rows


def test_the_page_is_as_the_schema_makes_it() -> None:
    assert page() == TEXT, "python -m tests.data_page makes it anew"


@pytest.mark.parametrize("name", [name for name in tables() if name != "views"])
def test_every_table_has_a_part_under_its_heading(name: str) -> None:
    assert f"<!-- schema: {name} -->" in TEXT.split(f"\n### `{name}`\n")[1].split("\n### ")[0]
    assert len(MARKED.findall(TEXT)) == len(tables())


def test_receipts_have_the_columns_that_are_described() -> None:
    described = {column.name: column.dtype for column in SHARDS}
    for table in FOLDERS:
        described |= {f"{table}_{column.name}": column.dtype for column in SHARD_FILES}
    assert list(described.items()) == list(schema().items())


def test_duckdb_describes_every_column_of_every_view(tmp_path: Path) -> None:
    played(small(("barbu_52_doubling",), blocks=1), tmp_path / "run")
    with open_catalog(tmp_path / "run") as catalog:
        rows = catalog.rows(
            "SELECT table_name, column_name, comment FROM duckdb_columns() WHERE NOT internal"
        )
    assert {*VIEWS, "games", "shards", "plays"} <= {table for table, _, _ in rows}
    assert [(table, name) for table, name, comment in rows if not comment] == []


def test_every_measure_is_described() -> None:
    expected = [f"| `{name}` | {meaning} |" for name, meaning in MEASURES.items()]
    assert table_under("## Measures of `summary`") == expected
