"""Who reads a run says whether code that it names may be run."""

from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.output import note, one_line

if TYPE_CHECKING:
    from pipeline.config import RunConfig
    from pipeline.manifest import Manifest

LoadStrategies = Annotated[
    bool,
    typer.Option(
        "--load-strategies",
        help="Also play strategies that lie in files or modules: their code is run.",
    ),
]


def note_loaded(manifest: "Manifest") -> None:
    """On standard error: which files and modules are imported, before they are."""
    from pipeline.strategy_files import loaded

    for line in loaded(manifest):
        note(f"loads strategies from {one_line(line)}")


def note_not_loaded(config: "RunConfig") -> None:
    """On standard error: whose games are passed over, and why."""
    from pipeline.strategy_files import LOAD, NOT_LOADED, outsiders

    for i in sorted(outsiders(config)):
        note(f"passed over: {one_line(config.entrants[i].label)}: {NOT_LOADED} ({LOAD})")
