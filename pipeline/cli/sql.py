"""``barbu sql``: a question in SQL to the tables of a run."""

import csv
import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from decimal import Decimal
from math import isfinite
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.output import one_line, print_lines

if TYPE_CHECKING:
    from pipeline.catalog import Catalog, Result

SHOWN = 50
"""Rows of a table on the screen, unless --limit says otherwise."""


def sql(
    run: Annotated[str, typer.Argument(help="Folder or URI of the run.")],
    query: Annotated[str, typer.Argument(help="One SELECT; - reads it from standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="A list of objects.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Comma-separated, with a head.")] = False,
    limit: Annotated[
        int | None, typer.Option(min=0, help=f"Most rows; {SHOWN} on the screen, else all.")
    ] = None,
) -> None:
    """Ask a run's tables in SQL; nothing can be changed.

    Tables: games, deals, doubles, plays, totals, summary, joint, company (what of these the run
    keeps; the others are empty), shards, deals_long (a row a seat), doubles_long (with contract,
    entrants and roles), items, variants, contracts, slots; of studies units and trials, where
    deals are summed by kind. The column "table" must be quoted. "describe games" lists columns;
    "select table_name, column_name, comment from duckdb_columns()" says what they mean.

    Example: barbu sql runs/smoke "select entrant, avg(score) from deals_long group by 1"
    """
    from engine_ext.errors import UserError
    from pipeline.catalog import open_catalog

    if as_json and as_csv:
        raise UserError("--csv: not together with --json (want one of them)")
    text = sys.stdin.read() if query == "-" else query
    on_screen = not (as_json or as_csv)
    with open_catalog(run) as catalog:
        result = _answer(catalog, text, SHOWN if limit is None and on_screen else limit)
    if as_json:
        print(_json(result))
    elif as_csv:
        lines = csv.writer(sys.stdout, lineterminator="\n")
        lines.writerow(result.columns)
        lines.writerows([_cell(value, nothing="") for value in row] for row in result.rows)
    else:
        _print(result)


def _answer(catalog: "Catalog", text: str, limit: int | None) -> "Result":
    """What the query gives, asked in a thread of its own.

    DuckDB waits for ever after one Ctrl-C in ten, so that the program ends under it.
    """
    try:  # from before it begins: to leave while it runs is to wait for it
        asked = ThreadPoolExecutor(1).submit(catalog.query, text, limit)
        while not asked.done():
            wait([asked], timeout=0.1)
    except KeyboardInterrupt:
        catalog.remove_scratch()
        os._exit(130)
    return asked.result()


def _plain(value: object) -> object:
    """The value as JSON has it: exact decimals as numbers, bytes in hexadecimal."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def _json(result: "Result") -> str:
    names = _distinct(result.columns)
    rows = [dict(zip(names, map(_finite, map(_plain, row)), strict=True)) for row in result.rows]
    return json.dumps(rows, indent=1, ensure_ascii=False, allow_nan=False)


def _distinct(columns: Sequence[str]) -> list[str]:
    """Names as keys of an object: the second ``n`` is ``n_2``, so that none is lost."""
    names: list[str] = []
    for column in columns:
        name, n = column, 1
        while name in names:
            n += 1
            name = f"{column}_{n}"
        names.append(name)
    return names


def _finite(plain: object) -> object:
    """The value with null for what JSON has no number for: NaN and the infinities."""
    if isinstance(plain, float):
        return plain if isfinite(plain) else None
    if isinstance(plain, list):
        return [_finite(one) for one in plain]
    if isinstance(plain, dict):
        return {key: _finite(one) for key, one in plain.items()}
    return plain


def _cell(value: object, nothing: str = "null") -> str:
    plain = _plain(value)
    if plain is None:
        return nothing
    if isinstance(plain, float):
        return f"{plain:.6g}"
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


def _print(result: "Result") -> None:
    """A table if it fits on the screen, else a line for each value."""
    from rich.console import Console

    width = Console().width
    columns = [one_line(name) for name in result.columns]
    cells = [[one_line(_cell(value)) for value in row] for row in result.rows]
    widths = [max(len(line[i]) for line in [columns, *cells]) for i in range(len(columns))]
    if sum(widths) + 2 * (len(widths) - 1) <= width:
        _print_table(result, columns, cells, widths)
    else:
        _print_records(columns, cells, width)
    n = len(cells)
    more = ", and more (--limit shows them)" if result.more else ""
    print(f"({n} row{'' if n == 1 else 's'}{more})", file=sys.stderr)


def _print_table(
    result: "Result", columns: list[str], cells: list[list[str]], widths: list[int]
) -> None:
    figures = [
        all(row[i] is None or isinstance(row[i], int | float | Decimal) for row in result.rows)
        for i in range(len(widths))
    ]
    rule = ["-" * width for width in widths]
    print_lines([columns, rule, *cells], widths, figures)


def _print_records(columns: Sequence[str], cells: list[list[str]], width: int) -> None:
    name_width = max(len(name) for name in columns)
    room = max(20, width - name_width - 2)
    for i, row in enumerate(cells, start=1):
        print(f"-- row {i} --")
        for name, cell in zip(columns, row, strict=True):
            shown = cell if len(cell) <= room else f"{cell[: room - 3]}..."
            print(f"{name.ljust(name_width)}  {shown}")
