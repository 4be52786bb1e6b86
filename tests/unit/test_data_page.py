"""docs/data.md and the schema say the same."""

from pathlib import Path

import pytest

from pipeline.block_totals import MEASURES
from pipeline.schema import LEDGER, TABLES

WIDE = {"seat": "_s", "role": "_k"}
PAGE = (Path(__file__).parents[2] / "docs" / "data.md").read_text()


def table_under(heading: str) -> list[str]:
    """Rows of the first table under a heading, without its head."""
    lines = PAGE.split(f"\n{heading}\n")[1].splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("|---"))
    rows = []
    for line in lines[start + 1 :]:
        if not line.startswith("|"):
            break
        rows.append(line)
    return rows


@pytest.mark.parametrize("table", [*TABLES, "ledger"])
def test_every_column_is_described_as_in_the_schema(table: str) -> None:
    expected = [
        f"| `{column.name}{WIDE[column.wide] if column.by_seat else ''}` | {column.dtype} | {column.unit} "
        f"| {column.meaning} |"
        for column in (TABLES | {"ledger": LEDGER})[table]
    ]
    assert table_under(f"### `{table}`") == expected


def test_every_measure_is_described() -> None:
    expected = [f"| `{name}` | {meaning} |" for name, meaning in MEASURES.items()]
    assert table_under("## Measures of `summary`") == expected
