"""How commands speak: answers on stdout, remarks on stderr, 80 columns."""

import json
import sys
from collections.abc import Sequence


def print_json(value: object) -> None:
    """One object on stdout, for programs."""
    print(json.dumps(value, indent=2))


def note(text: str) -> None:
    """A remark for the person at the terminal, on stderr."""
    print(text, file=sys.stderr, flush=True)


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns side by side on stdout: the first to the left, figures to the right."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    for line in lines:
        first, *rest = (
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        print("  ".join((first, *rest)).rstrip())
