"""The command ``barbu tune``."""

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pipeline.cli.output import Json, print_json
from pipeline.cli.run import Address, Ship, Who, Workers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.progress import Bar, Progress
    from pipeline.tuning.packs import How
    from pipeline.tuning.tuning_file import Tuning
    from pipeline.tuning.what_if import Answers

REFUSED = 1
"""Exit code where stored games cannot answer."""


def tune(
    file: Annotated[
        str | None, typer.Argument(help="Tuning file (TOML), or the name of a shipped one.")
    ] = None,
    more: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KEY=VALUE]...", help="Further changes, with --what-if."),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            help="Folder of the tuning, new or begun with the same file; s3://BUCKET/FOLDER "
            "(gs, az) too."
        ),
    ] = None,
    what_if: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE", help="Answer one question from stored games, in place of a search."
        ),
    ] = None,
    run: Annotated[
        str | None,
        typer.Option(metavar="RUN", help="With --what-if: any stored run of the base."),
    ] = None,
    objectives: Annotated[
        bool, typer.Option("--objectives", help="List what rules can be tuned by, and exit.")
    ] = False,
    executor: Who = None,
    workers: Workers = None,
    address: Address = None,
    ship: Ship = None,
    as_json: Json = False,
) -> None:
    """Tune house rules from data: which points and options bring what the club wants.

    Candidates are searched, and the best is proved on fresh deals against the rules as they are.
    The folder gets tuning.json, report.html and the variant file. Asked for again with the same
    file and folder it goes on where it was cut; the same file gives the same answer with any
    executor and number of workers.

    Example: barbu tune reussite_zero_sum --out runs/even

    Example: barbu tune my.toml --out runs/my --what-if contracts.queens.terms[0].points=-10
    """
    if objectives:
        _list(as_json)
        return
    from engine_ext.errors import UserError
    from pipeline.cli.standard import answers_kept
    from pipeline.tuning.tuning_file import load_tuning, tuning_names

    if file is None:
        raise UserError(f"FILE: say which tuning (shipped: {', '.join(tuning_names())})")
    changes = [*(what_if or ()), *(more or ())]
    if more and not what_if:
        raise UserError(f"{more[0]}: changes go with --what-if")
    if run is not None and not what_if:
        raise UserError("--run: goes with --what-if")
    if out is None and run is None:
        want = "--out DIR" + " or --run RUN" * bool(what_if)
        raise UserError(f"--out: say where the tuning goes (want {want})")
    if out is not None and run is not None:
        raise UserError("--run: not with --out, which has runs of its own (want one of them)")
    with answers_kept():
        tuning = load_tuning(file)
    asked = _Asked(file, out, run, executor, workers, address, tuple(ship or ()), as_json)
    if what_if:
        _answer(asked, tuning, changes)
    else:
        _tune(asked, tuning)


class _Asked(NamedTuple):
    """What stands on the command line."""

    file: str
    out: str | None
    run: str | None
    executor: str | None
    workers: int | None
    address: str | None
    ship: tuple[str, ...]
    as_json: bool

    def how(self, bar: "Progress") -> "How":
        """Who plays."""
        from pipeline.tuning.packs import How

        return How(self.executor, self.workers, self.address, self.ship, bar)


@contextmanager
def _playing(asked: _Asked) -> "Iterator[Bar]":
    """A bar while runs are played; how to go on where that was cut off."""
    from pipeline.cli.output import note
    from pipeline.cli.run import fouls_told
    from pipeline.cli.standard import answers_kept
    from pipeline.progress import Bar
    from pipeline.stores import store_at
    from pipeline.tuning.keeping import is_tuning

    assert asked.out is not None, "else nothing is played"
    place = store_at(asked.out)  # before a strategy changes the directory
    try:
        with fouls_told(), answers_kept(), Bar() as bar:
            yield bar
    except KeyboardInterrupt:
        if is_tuning(place):
            note(
                "interrupted; what was finished is kept: "
                f"barbu tune {asked.file} --out {asked.out} goes on"
            )
        raise


def _tune(asked: _Asked, tuning: "Tuning") -> None:
    """The whole course, its files, and what is to be said of it."""
    from pipeline.digest import add, text
    from pipeline.tuning.outcome import OUTCOME
    from pipeline.tuning.tuning import tune as carry_out
    from reports.landing import inside, land_file
    from reports.tuning.page import tuning_page
    from reports.tuning.terminal import must_hold, tell

    assert asked.out is not None, "was checked"
    with _playing(asked) as bar:
        outcome = carry_out(tuning, asked.out, asked.how(bar), bar.stage)
    page = land_file(tuning_page(outcome).encode(), inside(asked.out, "report.html"))
    files = [("tuning", inside(asked.out, OUTCOME)), ("page", page)]
    if outcome.winner_number:
        files.insert(0, ("variant", inside(asked.out, f"{tuning.file.name}.toml")))
    digest = text(add(one.digest for one in outcome.runs))
    if asked.as_json:
        told = {"folder": asked.out, "variant": None, "digest": digest, "holds": must_hold(outcome)}
        print_json(told | dict(files) | {"outcome": outcome.model_dump(mode="json")})
    else:
        tell(outcome, files, digest)


def _answer(asked: _Asked, tuning: "Tuning", said: list[str]) -> None:
    """A single question; exit code 1 where stored games cannot answer it."""
    from pipeline.cli.output import note, one_line
    from pipeline.tuning.what_if import changes_of, from_folder, from_run
    from reports.tuning.terminal import tell_answers

    changes = changes_of(said)
    if asked.out is None:
        assert asked.run is not None, "was checked"
        found = from_run(tuning, changes, asked.run)
    else:
        with _playing(asked) as bar:
            found = from_folder(tuning, changes, asked.out, asked.how(bar), _note_first)
    if asked.as_json:
        print_json(_plain(found))
    elif not found.refused:
        tell_answers(found)
    for reason in found.refused:
        note(f"refused: {one_line(reason)}")
    if found.refused:
        note(
            "stored games cannot tell; give the file a knob for it, and barbu tune plays it under "
            "both rules"
        )
        raise typer.Exit(REFUSED)


def _note_first(_: str) -> None:
    from pipeline.cli.output import note

    note("no games of the base are there yet: they are played first")


def _plain(found: "Answers") -> dict[str, object]:
    """Answers as data."""
    from engine_ext.rules.spec import Frozen

    own = [
        {
            key: value.model_dump(mode="json") if isinstance(value, Frozen) else value
            for key, value in one._asdict().items()
        }
        for one in found.answers
    ]
    return {"refused": list(found.refused), "runs": list(found.runs), "answers": own}


def _list(as_json: bool) -> None:
    from pipeline.tuning.objectives import OBJECTIVES
    from reports.tuning.terminal import tell_objectives

    if as_json:
        keys = ("name", "title", "meaning", "unit", "better", "step", "needs")
        print_json({"objectives": [{key: getattr(o, key) for key in keys} for o in OBJECTIVES]})
    else:
        tell_objectives()
