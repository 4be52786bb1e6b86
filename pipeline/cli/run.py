"""``barbu run`` and ``resume``: tournaments from the command line."""

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.loading import note_loaded
from pipeline.cli.output import Json, note, one_line, print_json, print_table
from pipeline.cli.standard import answers_kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.progress import Progress
    from pipeline.run import RunResult
    from pipeline.stores import Store

File = Annotated[str, typer.Argument(help="Run file (TOML), or the name of a shipped one.")]
Folder = Annotated[str, typer.Argument(help="Folder or URI of a run.")]
Out = Annotated[
    str, typer.Option("--out", help="New folder for the run, or s3://BUCKET/FOLDER (gs, az).")
]
Who = Annotated[
    str | None,
    typer.Option(
        "--executor", help="local, processes, inline or ray; local unless RAY_ADDRESS is set."
    ),
]
Workers = Annotated[int | None, typer.Option(help="Workers; as many as processors unless given.")]
Address = Annotated[
    str | None,
    typer.Option(
        help="With --executor ray: local, auto, HOST:PORT or ray://HOST:PORT; RAY_ADDRESS unless "
        "given, a cluster of its own without either."
    ),
]
Ship = Annotated[
    list[str] | None,
    typer.Option(metavar="WHEEL", help="With --executor ray: send this wheel to its nodes."),
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Go on with the same run if it is there already.")
]


def run(
    file: File,
    out: Out,
    executor: Who = None,
    workers: Workers = None,
    address: Address = None,
    ship: Ship = None,
    resume: Resume = False,
    as_json: Json = False,
) -> None:
    """Play a tournament into a new folder or bucket.

    The same file gives the same digest with any executor and number of workers. Exit code 1 where
    shards could not be played: the others are there, and `barbu resume` tries them again.

    Example: barbu run configs/runs/smoke.toml --out runs/smoke
    """
    from pipeline.run import run as begin
    from pipeline.run_file import load_run
    from pipeline.taking_up import run_or_resume

    with answers_kept():
        config = load_run(file)
    play = run_or_resume if resume else begin
    _say(
        lambda progress: play(
            config,
            out,
            executor=executor,
            workers=workers,
            address=address,
            ship=ship or (),
            progress=progress,
        ),
        out,
        as_json,
    )


def resume(
    folder: Folder,
    executor: Who = None,
    workers: Workers = None,
    address: Address = None,
    ship: Ship = None,
    as_json: Json = False,
) -> None:
    """Play what is missing of a run that was cut off, or what is damaged.

    Example: barbu resume runs/smoke
    """
    from pipeline.run import resume as play
    from pipeline.store import Run

    note_loaded(Run.open(folder).manifest)
    _say(
        lambda progress: play(
            folder,
            executor=executor,
            workers=workers,
            address=address,
            ship=ship or (),
            progress=progress,
        ),
        folder,
        as_json,
    )


def with_bar(play: "Callable[[Progress], RunResult]", folder: str) -> "RunResult":
    """Play with a bar; where play was cut off, say on stderr how to go on.

    Exit code 1 where the run stops at fouls and there was one.
    """
    from pipeline.files import MANIFEST
    from pipeline.progress import Bar
    from pipeline.stores import store_at

    try:
        with fouls_told(), answers_kept(), Bar() as bar:
            return play(bar)
    except KeyboardInterrupt:
        if store_at(folder).entry(MANIFEST) is not None:
            note(f"interrupted; what was finished is kept: barbu resume {folder}")
        raise


@contextmanager
def fouls_told() -> "Iterator[None]":
    """One line and exit code 1 where a run that stops at fouls meets one."""
    from engine_ext.errors import FoulPlay

    try:
        yield
    except FoulPlay as foul:
        note(f"error: stopped at a foul: {one_line(str(foul))}")
        raise typer.Exit(1) from foul


def _say(play: "Callable[[Progress], RunResult]", folder: str, as_json: bool) -> None:
    """Play, then say what came out."""
    from pipeline.cli.aside import note_set_aside
    from pipeline.cli.audited import note_audit
    from pipeline.stores import store_at

    place = store_at(folder)  # before a strategy changes the directory
    result = with_bar(play, folder)
    _note_conduct(result)
    for attempt in result.attempts:
        if attempt.number > 1:
            note(
                f"{attempt.variant}: attempt {attempt.number} at this question: alpha spent "
                f"{attempt.alpha_spent:.4g} in all"
            )
    note_audit(result.audited)
    whole = result.status == "complete"
    if not whole:
        note_set_aside(result.set_aside, folder)
    if as_json:
        told = {
            "run": folder,
            "digest": result.digest or None,
            "set_aside": [one.model_dump() for one in result.set_aside],
            "conduct": [one.model_dump() for one in result.conduct],
            "decided": [one.model_dump() for one in result.decided],
            "attempts": [one._asdict() for one in result.attempts],
            "audited": [one.model_dump() for one in result.audited],
        }
        print_json(result._asdict() | told)
    else:
        _print_result(place, result, folder)
    if not whole:
        raise typer.Exit(1)


def _print_result(place: "Store", result: "RunResult", folder: str) -> None:
    from pipeline.cli.audited import audit_line
    from pipeline.store import Run
    from pipeline.studies.designs import STUDIES

    design = Run.of(place).manifest.config.design
    pieces = "units" if design in STUDIES else "games"
    speed = f", {result.played / result.seconds:,.0f} {pieces}/s" if result.seconds > 0 else ""
    now = f", {result.played:,} {pieces} of them now" if result.played < result.games else ""
    beyond = f"surplus {result.surplus:,} games landed beyond the stop\n" if result.surplus else ""
    print(
        f"{result.games:,} {pieces}, {result.deals:,} deals{now} in {result.seconds:.1f} s{speed}\n"
        f"{beyond}digest {result.digest or 'none: the run is incomplete'}\n"
        f"run    {folder}"
    )
    again = audit_line(result.audited, pieces)
    if again is not None:
        print(f"audit  {again}")
    if design in STUDIES:
        print(f"\nbarbu report {folder}   writes what was found")
        return
    if result.status == "complete":
        _print_standings(place)
    else:
        print(f"\nbarbu status {folder}   says what the blocks before the gap tell")
    _print_verdicts(place)


def _note_conduct(result: "RunResult") -> None:
    """On standard error: fouls, and what else strategies did."""
    if result.fouls:
        note(f"{result.fouls:,} fouls (illegal or failed answers), the first:")
        for line in result.first_fouls:
            note(f"  {one_line(line)}")
    for one in result.conduct:
        note(one_line(str(one)))


def _print_standings(store: "Store") -> None:
    """Each entrant's figure, best first."""
    from pipeline.standings import standings
    from pipeline.store import Run
    from pipeline.verdict import figure_of

    rows, there = [], Run.of(store)
    config = there.manifest.config
    for s in standings(there):
        e = s.points
        interval = "" if e.low is None else f"{e.low:+.2f} to {e.high:+.2f}"
        better = "lower is better" if s.lowest_wins else "higher is better"
        rows.append((s.variant, s.entrant, f"{e.value:+.2f}", interval, better))
    if rows:
        figure = figure_of(config)
        how = "" if config.stop is None else ", at every moment"
        print(f"\n{figure}\n(95 % intervals; all of a variant hold together{how})")
        print_table(("variant", "entrant", "points", "interval", ""), rows)


def _print_verdicts(store: "Store") -> None:
    """What came out for the claim, a sentence each variant."""
    from textwrap import fill

    from pipeline.store import Run
    from pipeline.verdict import sentence

    manifest = Run.of(store).manifest
    if manifest.decided:
        print("\nverdict")
        for found in manifest.decided:
            told = one_line(sentence(manifest.config, found))
            print(fill(told, 80, initial_indent="  ", subsequent_indent="    "))
