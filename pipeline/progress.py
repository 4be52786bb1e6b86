"""How far a run is, shown while it runs."""

import sys
from types import TracebackType
from typing import Protocol, Self


class Progress(Protocol):
    """Told what a run does."""

    def begin(self, games: int, done: int) -> None:
        """``games`` are to be played in all, ``done`` are there already."""

    def advance(self, games: int) -> None:
        """So many more have landed."""


class Silent:
    """Says nothing."""

    def begin(self, games: int, done: int) -> None:
        """Nothing."""

    def advance(self, games: int) -> None:
        """Nothing."""


class Bar:
    """One bar on stderr, if that is a terminal; use it in a ``with``."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),  # long words, large numbers and all fit into 80 columns
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            disable=not sys.stderr.isatty(),
            transient=True,
        )
        self._task = self._bar.add_task("games", total=None)

    def stage(self, name: str) -> None:
        """Say of what the games are that follow."""
        self._bar.update(self._task, description=f"{name}, games")

    def begin(self, games: int, done: int) -> None:
        """Show the whole."""
        self._bar.update(self._task, total=games, completed=done)

    def advance(self, games: int) -> None:
        """Show the progress."""
        self._bar.advance(self._task, games)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()
