"""How much is played between two looks at the clock."""

from dataclasses import dataclass

SLICE_S = 0.05
"""Seconds of play in a slice, about."""
STUDY_S = 0.5
"""The same of a study, whose slices cost more to set up; a stop is seen within them."""
SLICE_GAMES = 1024
"""Games of a slice at most: their arrays stay in the cache."""


@dataclass
class Pace:
    """How many games the next slice has, so that it takes about ``slice_s``."""

    games: int = 8
    slice_s: float = SLICE_S

    def took(self, seconds: float, games: int) -> None:
        """Learn from a slice."""
        fit = int(self.slice_s / max(seconds / games, 1e-9))
        self.games = max(1, min(fit, 2 * self.games, SLICE_GAMES))
