"""The command ``barbu report``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.loading import LoadStrategies
from pipeline.cli.output import Json
from reports.forms import Format, Language

if TYPE_CHECKING:
    from reports.ways_out import Asked


def report(
    runs: Annotated[
        list[str],
        typer.Argument(metavar="RUN...", help="Folders or URIs of runs, or of one tuning."),
    ],
    out: Annotated[
        str | None, typer.Option(help="File or folder to write, or URI; in RUN if not given.")
    ] = None,
    format: Annotated[
        Format, typer.Option(help="A page, pictures (png), tables, or one document (json).")
    ] = "html",
    section: Annotated[
        str | None, typer.Option(help="This section alone; of tables one as SECTION/TABLE.")
    ] = None,
    language: Annotated[
        Language,
        typer.Option(help="Names of contracts alone: English, Portuguese, French, Catalan."),
    ] = "en",
    load_strategies: LoadStrategies = False,
    show: Annotated[bool, typer.Option("--open", help="Show what was written.")] = False,
    as_json: Json = False,
) -> None:
    """Write a report: one page with every figure, its interval and what it says.

    Several runs stand on one page and are compared where they share rules and design.
    PDF and pictures need a Chromium on this machine.

    Example: barbu report runs/smoke --out smoke.html

    Example: barbu report runs/smoke --format csv --section league/standings
    """
    from engine_ext.errors import UserError
    from pipeline.cli.output import print_json
    from pipeline.stores import is_uri
    from reports.ways_out import asked

    if show and is_uri(out or runs[0]):
        raise UserError("--open: what lies in a bucket cannot be shown (want --out FILE with it)")
    path, size = _write(runs, out, asked(format, language, section), load_strategies)
    if as_json:
        print_json({"report": path, "bytes": size})
    else:
        print(path)
    if show:
        typer.launch(Path(path).resolve().as_uri())


def write_page(runs: list[str], out: str | Path | None, *, load_strategies: bool = False) -> str:
    """Build the page of some runs and put it in place whole; where it is."""
    from reports.ways_out import Asked

    return _write(runs, None if out is None else str(out), Asked(), load_strategies)[0]


def write(run: Path, out: Path | None) -> Path:
    """The same of one run on this machine."""
    return Path(write_page([str(run)], out))


def _write(
    runs: list[str], out: str | None, want: "Asked", load_strategies: bool
) -> tuple[str, int]:
    """Write what is asked for; where it is, and how many bytes."""
    from engine_ext.errors import UserError
    from reports.landing import inside, land_file, land_folder
    from reports.ways_out import is_one_file

    if len(runs) > 1 and out is None:
        raise UserError("--out: say where a report of several runs goes")
    if len({_same(run) for run in runs}) < len(runs):
        raise UserError("RUN: the same folder is given twice")
    found = _of_tuning(runs, want) or _of_runs(runs, want, load_strategies)
    size = sum(map(len, found.values()))
    if is_one_file(want, None if out is None else Path(out), found):
        name, content = next(iter(found.items()))
        return land_file(content, out or inside(runs[0], name)), size
    return land_folder(found, out or inside(runs[0], f"report-{want.format}")), size


def _of_runs(runs: list[str], want: "Asked", load_strategies: bool) -> dict[str, bytes]:
    from contextlib import ExitStack

    from pipeline.cli.loading import note_loaded
    from reports.reading import opened
    from reports.ways_out import files

    with ExitStack() as stack:
        readings = [
            stack.enter_context(opened(run, load_strategies=load_strategies)) for run in runs
        ]
        if load_strategies:
            for one in readings:
                note_loaded(one.source.manifest)
        return files(readings, want)


def _of_tuning(folders: list[str], want: "Asked") -> dict[str, bytes] | None:
    """The files of a tuning's folder; None where these are runs."""
    from engine_ext.errors import UserError
    from pipeline.stores import store_at
    from pipeline.tuning.keeping import is_tuning
    from pipeline.tuning.outcome import read_outcome

    found = {folder: read_outcome(store_at(folder)) for folder in folders}
    for folder, there in found.items():
        if there is None and is_tuning(store_at(folder)):
            raise UserError(
                f"{folder}: is a tuning that is not finished (barbu tune FILE --out {folder} goes "
                "on; its runs have reports of their own)"
            )
    tunings = [(folder, outcome) for folder, outcome in found.items() if outcome is not None]
    if not tunings:
        return None
    folder, outcome = tunings[0]
    if len(folders) > 1:
        raise UserError(f"RUN: {folder} is a tuning, which has a page of its own (want it alone)")
    from reports.tuning.ways_out import files

    return files(outcome, want)


def _same(run: str) -> str:
    """What a run is the same by, however it is written."""
    from pipeline.stores import is_uri, store_at

    return store_at(run).where if is_uri(run) else str(Path(run).resolve())
