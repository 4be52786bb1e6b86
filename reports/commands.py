"""The commands ``barbu report`` and ``barbu demo``."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.output import Json
from pipeline.cli.run import Workers
from reports.forms import Format, Language

if TYPE_CHECKING:
    from pipeline.run import RunResult
    from reports.ways_out import Asked

DEMO = "demo"
"""The shipped run file that the demo plays."""


def report(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    out: Annotated[
        Path | None, typer.Option(help="File or folder to write; in RUN if not given.")
    ] = None,
    format: Annotated[
        Format, typer.Option(help="A page, pictures (png), tables, or one document (json).")
    ] = "html",
    section: Annotated[
        str | None, typer.Option(help="This section alone; of tables one as SECTION/TABLE.")
    ] = None,
    language: Annotated[
        Language, typer.Option(help="Names of contracts: English, Portuguese, French, Catalan.")
    ] = "en",
    show: Annotated[bool, typer.Option("--open", help="Show what was written.")] = False,
    as_json: Json = False,
) -> None:
    """Write a report: one page with every figure, its interval and what it says.

    Several runs stand on one page and are compared where they share rules and design.
    PDF and pictures need a Chromium on this machine.

    Example: barbu report runs/smoke --out smoke.html

    Example: barbu report runs/smoke --format csv --section league/standings
    """
    from pipeline.cli.output import print_json
    from reports.ways_out import asked

    path, size = _write(runs, out, asked(format, language, section))
    if as_json:
        print_json({"report": str(path), "bytes": size})
    else:
        print(path)
    if show:
        typer.launch(path.resolve().as_uri())


def demo(
    out: Annotated[
        Path | None, typer.Option(help="New folder for the run; runs/demo-TIME if not given.")
    ] = None,
    workers: Workers = None,
    as_json: Json = False,
) -> None:
    """Play a tournament of all base variants and write its report.

    Example: barbu demo --out runs/demo
    """
    from pipeline.cli.output import note
    from pipeline.cli.run import with_bar
    from pipeline.config import load_run
    from pipeline.run import run as play

    folder = out or Path("runs") / f"demo-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    config = load_run(DEMO)
    note(f"playing {config.title!r} into {folder} ...")
    started = time.perf_counter()
    done = with_bar(lambda bar: play(config, folder, workers=workers, progress=bar), str(folder))
    seconds = time.perf_counter() - started
    _say(done, config.seed, seconds, write(folder, None), as_json)


def _say(done: "RunResult", seed: int, seconds: float, page: Path, as_json: bool) -> None:
    """What came of the demo; ``seconds`` with pilot and writing."""
    from pipeline.cli.output import print_json

    if as_json:
        print_json(
            {
                "run": str(done.run),
                "report": str(page),
                "digest": done.digest,
                "seed": seed,
                "games": done.games,
                "deals": done.deals,
                "fouls": done.fouls,
                "seconds": round(seconds, 3),
            }
        )
        return
    print(f"games    {done.games} ({done.deals} deals) in {seconds:.1f} s")
    print(f"speed    {done.games / seconds:.0f} games/s, pilot and writing included")
    print(f"seed     {seed}")
    print(f"digest   {done.digest}")
    print(f"run      {done.run}")
    print(f"report   {page}")


def write(run: str | Path, out: Path | None) -> Path:
    """Build the page of a run and put it in place whole; where it is."""
    from reports.ways_out import Asked

    return _write([str(run)], out, Asked())[0]


def _write(runs: list[str], out: Path | None, want: "Asked") -> tuple[Path, int]:
    """Write what is asked for; where it is, and how many bytes."""
    from contextlib import ExitStack

    from engine_ext.errors import UserError
    from reports.landing import land_file, land_folder
    from reports.reading import opened
    from reports.ways_out import files, is_one_file

    if len(runs) > 1 and out is None:
        raise UserError("--out: say where a report of several runs goes")
    if len({Path(run).resolve() for run in runs}) < len(runs):
        raise UserError("RUN: the same folder is given twice")
    with ExitStack() as stack:
        found = files([stack.enter_context(opened(run)) for run in runs], want)
    size = sum(map(len, found.values()))
    if is_one_file(want, out, found):
        name, content = next(iter(found.items()))
        return land_file(content, out or Path(runs[0]) / name), size
    return land_folder(found, out or Path(runs[0]) / f"report-{want.format}"), size
