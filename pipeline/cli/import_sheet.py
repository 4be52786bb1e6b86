"""``barbu import``: the score sheets of people as a run."""

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.output import Json, print_json


def import_sheets(
    sheets: Annotated[
        list[Path] | None,
        typer.Argument(help="Tables (.csv), .toml, or sheets as barbu score reads them (.txt)."),
    ] = None,
    variant: Annotated[
        str | None, typer.Option("--variant", help="The rules: a name, or the path of a file.")
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", help="New folder or bucket for the run.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", help="What reports call it.")] = None,
    template: Annotated[
        str | None,
        typer.Option("--template", metavar="csv|toml", help="Write an empty sheet instead."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Turn a club's score sheets into a run, with the tables of any other.

    Everything is held against the rules; the first thing that is wrong is told with its place, and
    nothing is written. docs/evenings.md says how sheets are kept, in what detail one likes.

    Example: barbu import --template csv --variant barbu_52_doubling > thursday.csv
    """
    from engine_ext.errors import UserError
    from pipeline.evenings.importing import import_sheets as imported
    from pipeline.evenings.importing import variant_named
    from pipeline.evenings.template import KINDS, template_of

    if variant is None:
        raise UserError("--variant: missing (barbu rules list names those that are shipped)")
    rules = variant_named(variant)
    if template is not None:
        if template not in KINDS:
            raise UserError(f"--template: {template!r} (want {' or '.join(KINDS)})")
        if sheets or out is not None:
            raise UserError("--template: writes an empty sheet, so without sheets and --out")
        print(template_of(template, rules), end="")
        return
    if not sheets:
        raise UserError("SHEET: missing (barbu import --template csv writes one to begin with)")
    if out is None:
        raise UserError("--out: missing (where the run is to lie)")
    found = imported(sheets, rules, out, title)
    if as_json:
        print_json(found._asdict())
        return
    counts = "evenings" if found.evenings < found.games else "games, each counted by itself"
    untold = f"; of {found.untold:,} nobody told who took what" if found.untold else ""
    print(
        f"{found.games:,} games of {found.players} players, {found.deals:,} deals{untold}\n"
        f"{found.evenings:,} {counts}\n"
        f"digest {found.digest}\n"
        f"run    {out}\n\n"
        f"barbu report {out}   writes what was found"
    )
