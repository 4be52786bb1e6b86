"""Puts the command together, importing only what the given words need.

A command is a function, or a :class:`typer.Typer` with commands of its own. The
one that was asked for is imported; the others are only listed, their line
read from the source, so that ``barbu --help`` answers at once.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import entry_points, version
from typing import Annotated

import typer

from pipeline.cli.errors import exit_code
from pipeline.cli.listing import first_line
from pipeline.cli.standard import open_all

GROUP = "barbu.commands"
"""Entry points of this group are commands too: ``NAME = "module:function"``."""

COMMANDS: dict[str, str] = {
    "plan": "pipeline.cli.plan:plan",
    "run": "pipeline.cli.run:run",
    "runs": "pipeline.cli.runs:runs",
    "status": "pipeline.cli.status:status",
    "resume": "pipeline.cli.run:resume",
    "verify": "pipeline.cli.verify:verify",
    "compact": "pipeline.cli.compact:compact",
    "sql": "pipeline.cli.sql:sql",
    "score": "pipeline.cli.score:score",
    "import": "pipeline.cli.import_sheet:import_sheets",
    "replay": "pipeline.cli.replay:replay",
    "export": "pipeline.cli.replay:export",
    "rules": "pipeline.cli.rules:app",
    "strategies": "pipeline.cli.strategies:app",
    "bench": "pipeline.cli.bench:bench",
}
"""Where this package's own commands lie, in the order of ``barbu --help``."""


def commands() -> dict[str, str]:
    """Every command by name, others' packages included; our own names win."""
    found = {entry.name: entry.value for entry in entry_points(group=GROUP)}
    return COMMANDS | {name: found[name] for name in sorted(found) if name not in COMMANDS}


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``barbu``; the exit code is 0, 1 (a failed verdict), 2 (the user's mistake) or 130."""
    open_all()
    words = list(sys.argv[1:] if argv is None else argv)
    return exit_code(lambda: typer.main.get_command(_assemble(words)), words)


def _assemble(words: Sequence[str]) -> typer.Typer:
    root = typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        invoke_without_command=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    root.callback()(barbu)
    asked = next((word for word in words if not word.startswith("-")), None)
    for name, where in commands().items():
        if name == asked:
            _add(root, name, where)
        else:
            root.command(name, short_help=first_line(where))(_listed)
    return root


def _add(root: typer.Typer, name: str, where: str) -> None:
    module, _, attribute = where.partition(":")
    found = getattr(import_module(module), attribute)
    if isinstance(found, typer.Typer):
        root.add_typer(found, name=name)
    else:
        root.command(name)(found)


def _listed() -> None:
    raise AssertionError("a command that was asked for is imported, never only listed")


def barbu(
    context: typer.Context,
    show_version: Annotated[
        bool, typer.Option("--version", help="Print version, kernel and compiler, and exit.")
    ] = False,
) -> None:
    """Tournaments and analytics for the Barbu / King family of card games.

    Example: barbu run configs/runs/smoke.toml --out runs/smoke
    """
    if show_version:
        from engine_ext.build import build_info

        build = ", ".join(f"{key} {value}" for key, value in build_info().items())
        typer.echo(f"barbu-sim {version('barbu-sim')} ({build})")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())
