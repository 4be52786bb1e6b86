"""``barbu demo``: a tournament of all base variants and the three studies, with their pages."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.output import Json
from pipeline.cli.run import Workers

if TYPE_CHECKING:
    from pipeline.run import RunResult

TOURNAMENT = "demo"
"""The shipped run file of the tournament."""
STUDIES = ("study_value", "study_seats", "study_doubling")
"""Those of the studies."""


def demo(
    out: Annotated[
        str | None, typer.Option(help="New folder for all of it; runs/demo-TIME if not given.")
    ] = None,
    workers: Workers = None,
    as_json: Json = False,
) -> None:
    """Play a tournament of all base variants and the studies, and write their pages.

    Example: barbu demo --out runs/demo
    """
    from engine_ext.errors import UserError
    from pipeline.cli.output import note, print_json
    from pipeline.stores import is_uri
    from reports.commands import write_page

    if out is not None and is_uri(out):
        raise UserError("--out: a URI: the demo is for this machine (want a new folder)")
    folder = Path(out or f"runs/demo-{datetime.now(UTC):%Y%m%d-%H%M%S}")
    started = time.perf_counter()
    tournament = _play(TOURNAMENT, folder / "tournament", workers)
    studies = [_play(name, folder / name.removeprefix("study_"), workers) for name in STUDIES]
    note("writing the pages ...")
    league = write_page([tournament.run], folder / "tournament.html")
    page = write_page([one.run for one in studies], folder / "studies.html")
    seconds = time.perf_counter() - started
    if as_json:
        print_json(
            _told(tournament)
            | {"report": league, "seconds": round(seconds, 3), "page": page}
            | {"studies": [_told(one) for one in studies]}
        )
        return
    for one in (tournament, *studies):
        name = Path(one.run).name
        print(f"{name:<11}{one.deals:>11,} deals  digest {one.digest[:16]}...  {one.run}")
    print(f"\n{seconds:.0f} seconds in all, pages and pilots included. Look at")
    print(
        f"  {page}\n      what contracts, seats and doubles are worth, and what to learn by heart"
    )
    print(f"  {league}\n      who played better")


def _play(name: str, folder: Path, workers: int | None) -> "RunResult":
    from pipeline.cli.output import note
    from pipeline.cli.run import with_bar
    from pipeline.run import run
    from pipeline.run_file import load_run

    config = load_run(name)
    note(f"playing {config.title!r} into {folder} ...")
    folder.parent.mkdir(parents=True, exist_ok=True)
    return with_bar(lambda bar: run(config, folder, workers=workers, progress=bar), str(folder))


def _told(done: "RunResult") -> dict[str, object]:
    return {
        "run": str(done.run),
        "digest": done.digest,
        "games": done.games,
        "deals": done.deals,
        "fouls": done.fouls,
    }
