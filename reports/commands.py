"""The commands ``barbu report`` and ``barbu demo``."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.output import Json
from pipeline.cli.run import Workers
from reports.names import Language

if TYPE_CHECKING:
    from pipeline.run import RunResult

PAGE = "report.html"
"""A report's name in the run's folder."""
DEMO = "demo"
"""The shipped run file that the demo plays."""


def report(
    run: Annotated[str, typer.Argument(help="Folder of the run.")],
    out: Annotated[
        Path | None, typer.Option(help=f"File to write; RUN/{PAGE} if not given.")
    ] = None,
    language: Annotated[
        Language, typer.Option(help="Names of contracts: English, Portuguese, French, Catalan.")
    ] = "en",
    show: Annotated[bool, typer.Option("--open", help="Show the page in the browser.")] = False,
    as_json: Json = False,
) -> None:
    """Write a run's report: one page with every figure, its interval and what it says.

    Example: barbu report runs/smoke --out smoke.html
    """
    from pipeline.cli.output import print_json

    path = write(run, out, language)
    if as_json:
        print_json({"report": str(path), "bytes": path.stat().st_size})
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


def write(run: str | Path, out: Path | None, language: Language = "en") -> Path:
    """Build the report of a run and put it in place whole; where it is."""
    from engine_ext.errors import UserError
    from pipeline.files import put
    from reports.build import build
    from reports.reading import opened

    with opened(run) as reading:
        html = build(reading, language=language)
    path = Path(run) / PAGE if out is None else out
    if path.is_dir():
        raise UserError(f"--out: {path} is a folder (want a file name)")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        put(path, html.encode())
    except OSError as error:
        raise UserError(f"--out: {path}: cannot be written: {error.strerror}") from error
    return path
