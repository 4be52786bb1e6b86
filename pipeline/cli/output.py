"""How commands speak: answers on stdout, remarks on stderr, 80 columns."""

import json
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="One object on stdout.")]
"""The option of every command whose answer a program may read."""


def print_json(value: object) -> None:
    """One object on stdout, for programs."""
    print(json.dumps(value, indent=2))


def note(text: str) -> None:
    """A remark for the person at the terminal, on stderr."""
    print(text, file=sys.stderr, flush=True)


def one_line(text: str) -> str:
    """The text without ends of line and control codes, which stand as Python writes them."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns side by side on stdout: words to the left, figures to the right."""
    columns = list(zip(head, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    figures = [all(_is_figure(cell) for cell in column[1:]) for column in columns]
    print_lines((head, *rows), widths, figures)


def print_lines(
    lines: Sequence[Sequence[str]], widths: Sequence[int], figures: Sequence[bool]
) -> None:
    """Lines of cells on stdout; columns that are ``figures`` stand to the right."""
    for line in lines:
        cells = (
            cell.rjust(width) if figure else cell.ljust(width)
            for cell, width, figure in zip(line, widths, figures, strict=True)
        )
        print("  ".join(cells).rstrip())


def _is_figure(cell: str) -> bool:
    """A number, with a sign and thousands if it likes; or a blank for one."""
    return not cell.strip("+-0123456789.,% ")
