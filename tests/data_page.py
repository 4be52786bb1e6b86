"""The parts of docs/data.md that say what columns there are: made from the schema and the views.

``python -m tests.data_page`` puts them between the page's marks.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from engine_ext.rules.load import load_variant
from pipeline.catalog import Catalog, Contents
from pipeline.schema import LEDGER, SHARD_FILES, SHARDS, TABLES, Column
from pipeline.stores import store_at
from pipeline.views import VIEW_COMMENTS

PAGE = Path(__file__).parents[1] / "docs" / "data.md"
WIDE = {"seat": "_s", "role": "_k"}
VIEWS = ("deals_long", "doubles_long", "items", "variants", "contracts", "slots", "line_ups")
"""What is made of the tables, in the order of the page."""
MARKED = re.compile(r"<!-- schema: (\w+) -->\n.*?<!-- end of schema -->", re.DOTALL)
HEAD = "| column | type | unit | meaning |\n|---|---|---|---|"


def tables() -> dict[str, str]:
    """By mark, what stands there."""
    found = {name: _table(columns) for name, columns in (TABLES | {"ledger": LEDGER}).items()}
    files = [column._replace(name=f"TABLE_{column.name}") for column in SHARD_FILES]
    return found | {"shards": _table([*SHARDS, *files]), "views": "\n".join(_views())}


def _table(columns: Iterable[Column]) -> str:
    rows = [
        f"| `{column.name}{WIDE[column.wide] if column.by_seat else ''}` | {_type(column)} "
        f"| {column.unit} | {column.meaning} |"
        for column in columns
    ]
    return "\n".join([HEAD, *rows])


def _type(column: Column) -> str:
    """A list of records is told by their names."""
    kind = str(column.dtype)
    return "List" if "Struct" in kind else kind


def _views() -> Iterator[str]:
    """Views as DuckDB has them and says of them."""
    rules = load_variant("barbu_52_doubling")
    line_ups = (("barbu_52_doubling", 0, ("duck.v1",) * rules.seats),)
    there = Contents(store_at("nowhere"), {}, rules.seats, (), (), (), line_ups, lambda: None)
    with Catalog(there) as catalog:
        for view in VIEWS:
            rows = catalog.rows(
                "SELECT column_name, data_type, comment FROM duckdb_columns() "
                "WHERE table_name = $view ORDER BY column_index",
                {"view": view},
            )
            yield f"`{view}`: {VIEW_COMMENTS[view].rstrip('.')}.\n\n| column | type | meaning |\n|---|---|---|"
            yield from (f"| `{name}` | {kind} | {comment} |" for name, kind, comment in rows)
            if view != VIEWS[-1]:
                yield ""


def page() -> str:
    """The page with these parts as they should be."""
    made = tables()

    def part(found: re.Match[str]) -> str:
        name = found[1]
        return f"<!-- schema: {name} -->\n{made[name]}\n<!-- end of schema -->"

    return MARKED.sub(part, PAGE.read_text())


if __name__ == "__main__":
    PAGE.write_text(page())
