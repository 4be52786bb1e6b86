"""Commands that end in every way a command can; see test_cli.py."""

import typer

from engine_ext.errors import RuleError

group = typer.Typer(no_args_is_help=True)


@group.command()
def inner() -> None:
    """Does something within the group."""


@group.command()
def other() -> None:
    """Does something else."""


def fine(count: int = 1) -> None:
    """Says that all is well.

    Second paragraph.
    """
    print("well" * count)


def wrong_file() -> None:
    """Meets a mistake in a rule file."""
    raise RuleError("x.toml: seats: 99 (want 2 to 10)")


def failed_verdict() -> None:
    """Finds that the verdict is no."""
    raise typer.Exit(1)


def interrupted() -> None:
    """Is stopped with Ctrl-C."""
    raise KeyboardInterrupt


def bug() -> None:
    """Has a bug."""
    raise ZeroDivisionError("ours")
