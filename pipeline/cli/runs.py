"""``barbu runs``: the runs of a folder or bucket at a glance."""

from datetime import datetime
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.output import Json, note, one_line, print_json, print_lines

if TYPE_CHECKING:
    from pipeline.manifest import Decided
    from pipeline.runs import Listed

WIDE = 80
LONGEST = 32
"""Characters of a name in its line; a longer one stands below."""


def runs(
    folder: Annotated[str, typer.Argument(help="Folder or URI with runs in it.")] = "runs",
    as_json: Json = False,
) -> None:
    """List the runs of a folder: how they stand, how large they are, what came out.

    Folders in it are looked through, two deep. A run that is damaged is listed with what is
    wrong with it. Nothing is played, and no code that a run names is loaded.

    Example: barbu runs runs
    """
    from engine_ext.errors import UserError
    from pipeline.runs import runs_in
    from pipeline.stores import store_at

    place = store_at(folder)
    found = list(runs_in(place))
    if as_json:
        print_json([_plain(one) for one in found])
        return
    if not found:
        if not any(place.folders()) and not any(place.entries()):
            raise UserError(f"{folder}: no such folder, or an empty one (want one with runs in it)")
        note(f"no runs in {folder}")
        return
    _print(found)


def _plain(one: "Listed") -> dict[str, object]:
    when = datetime.fromtimestamp(one.modified).astimezone().isoformat(timespec="seconds")
    return one._asdict() | {
        "modified": when if one.modified else None,
        "decided": [found.model_dump() for found in one.decided],
    }


def _print(found: "list[Listed]") -> None:
    """A line of figures for each, then title and verdicts."""
    head = ("run", "status", "games", "size", "written")
    rows = [_row(one) for one in found]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    figures = (False, False, True, True, False)
    print_lines((head,), widths, figures)
    for one, row in zip(found, rows, strict=True):
        print_lines((row,), widths, figures)
        for line in _told(one):
            indent = "    " if line.startswith("    ") else "  "
            print(fill(line.strip(), WIDE, initial_indent=indent, subsequent_indent="    "))


def _row(one: "Listed") -> tuple[str, str, str, str, str]:
    name = one_line(one.name)
    short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}\u2026"
    written = f"{datetime.fromtimestamp(one.modified):%Y-%m-%d %H:%M}" if one.modified else ""
    if one.status is None:
        return short, "damaged", "", "", written
    return short, one.status, _count(one.games or 0), _size(one.bytes or 0), written


def _told(one: "Listed") -> list[str]:
    """What stands below a run's line."""
    lines = [one_line(one.name)] if len(one.name) > LONGEST else []
    if one.problem is not None:
        return [*lines, one_line(one.problem)]
    lines.append(one_line(one.title or ""))
    if one.games != one.planned:
        aside = f"; {one.set_aside} shard{'s' * (one.set_aside != 1)} set aside"
        there = f"{one.games or 0:,} of {one.planned or 0:,} games are there"
        lines.append(there + aside * (one.set_aside > 0))
    return lines + [f"    {_verdict(decided)}" for decided in one.decided]


def _verdict(decided: "Decided") -> str:
    from pipeline.verdict import RACE, SAID

    race = decided.rule == "race"
    said = RACE[decided.decision] if race else SAID[decided.decision]
    other = "" if race else f" {decided.against or 'the table'}"
    return one_line(f"{decided.variant}: {decided.entrant} {said}{other}")


def _count(n: int) -> str:
    """A number that fits: 1,234, 56 M."""
    for unit, size in (("T", 10**12), ("G", 10**9), ("M", 10**6)):
        if n >= 10 * size:
            return f"{n // size:,} {unit}"
    return f"{n:,}"


def _size(n: int) -> str:
    for unit, size in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if n >= size:
            return f"{n / size:.3g} {unit}"
    return f"{n} B"
