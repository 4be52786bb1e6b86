"""The time, for those who wait for something."""

import time
from typing import Protocol


class Clock(Protocol):
    """Seconds from some moment on."""

    def now(self) -> float:
        """How many have gone by."""

    def sleep(self, seconds: float) -> None:
        """Let so many go by."""


class Wall:
    """This machine's."""

    def now(self) -> float:
        """Never goes back."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """A signal ends it."""
        time.sleep(seconds)
