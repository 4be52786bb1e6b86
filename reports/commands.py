"""The commands ``barbu report`` and ``barbu demo``."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

PAGE = "report.html"
"""A report's name in the run's folder."""
DEMO = "demo"
"""The shipped run file that the demo plays."""


def report(
    run: Annotated[str, typer.Argument(help="Folder of the run.")],
    out: Annotated[
        Path | None, typer.Option(help=f"File to write; RUN/{PAGE} if not given.")
    ] = None,
    show: Annotated[
        Literal["yes", "no"], typer.Option("--open", help="Show the page in the browser.")
    ] = "no",
    as_json: Annotated[bool, typer.Option("--json", help="Say in JSON where it is.")] = False,
) -> None:
    """Write a run's report: one page with every figure, its interval and what it says.

    Example: barbu report runs/smoke --out smoke.html
    """
    from pipeline.cli.output import print_json

    path = write(run, out)
    if as_json:
        print_json({"report": str(path), "bytes": path.stat().st_size})
    else:
        print(path)
    if show == "yes":
        typer.launch(path.resolve().as_uri())


def demo(
    out: Annotated[
        Path | None, typer.Option(help="New folder for the run; runs/demo-TIME if not given.")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="How many; else one a core.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Say in JSON what came of it.")] = False,
) -> None:
    """Play a tournament of all base variants and write its report.

    Example: barbu demo --out runs/demo
    """
    from pipeline.cli.output import note, print_json
    from pipeline.config import load_run
    from pipeline.progress import Bar
    from pipeline.run import run as play

    folder = out or Path("runs") / f"demo-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    config = load_run(DEMO)
    note(f"playing {config.title!r} into {folder} ...")
    started = time.perf_counter()
    with Bar() as bar:
        done = play(config, folder, workers=workers, progress=bar)
    seconds = time.perf_counter() - started
    page = write(folder, None)
    if as_json:
        print_json(
            {
                "run": str(folder),
                "report": str(page),
                "digest": done.digest,
                "seed": config.seed,
                "games": done.games,
                "deals": done.deals,
                "fouls": done.fouls,
                "seconds": round(seconds, 3),
            }
        )
        return
    print(f"games    {done.games} ({done.deals} deals) in {seconds:.1f} s")
    print(f"speed    {done.games / seconds:.0f} games/s, pilot and writing included")
    print(f"seed     {config.seed}")
    print(f"digest   {done.digest}")
    print(f"run      {folder}")
    print(f"report   {page}")


def write(run: str | Path, out: Path | None) -> Path:
    """Build the report of a run and put it in place whole; where it is."""
    from engine_ext.errors import UserError
    from pipeline.store import put
    from reports.build import build
    from reports.reading import opened

    with opened(run) as reading:
        html = build(reading)
    path = Path(run) / PAGE if out is None else out
    if path.is_dir():
        raise UserError(f"--out: {path} is a folder (want a file name)")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        put(path, html.encode())
    except OSError as error:
        raise UserError(f"--out: {path}: cannot be written: {error.strerror}") from error
    return path
