"""The strategy that is checked, and how a check says what it found."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine_ext import batch
from engine_ext.build import load
from engine_ext.errors import UserError
from strategies.about import info
from strategies.checks.games import Example, first_difference, play, rules_of
from strategies.decisions import Strategy
from strategies.registry import create

BASE_VARIANTS = ("barbu_king_br", "king_ru_fixed14", "barbu_fr_reussite", "barbu_52_doubling")
"""The base form of each of the four documents: layouts with and without passes, and with
further turns, choice, doubles."""
ODD_VARIANTS = (
    "barbu_3_leaver",
    "barbu_5",
    "barbu_king_br_6",
    "barbu_52_two_rounds",
    "barbu_52_split",
    "barbu_king_br_tiebreak",
    "barbu_king_br_honour",
    "canadian_salad",
)
"""Three, five and six players, two packs, two rounds of doubling, deals that nobody plays, ties
played out, players on their honour."""
MOST_GAMES = 6
PATIENCE_S = 0.5
"""About how long the games of one variant may take, by which their number is found."""


class BrokenPromise(Exception):
    """A check failed; the first example of it."""

    def __init__(self, example: Example) -> None:
        super().__init__(str(example))
        self.example = example


class NotAsked(Exception):
    """A check that does not apply to the strategy; why."""


@dataclass
class Subject:
    """A strategy that is checked."""

    spec: str
    variants: tuple[str, ...] = BASE_VARIANTS + ODD_VARIANTS
    blocks: tuple[int, ...] | None = None
    """The games to play; by their pace unless given."""
    budget_ms: float | None = None
    seen: dict[tuple[str, int], Any] = field(default_factory=dict)
    """By variant and block what it did besides answering; kept by :mod:`.manners`."""
    _own: dict[str, batch.GameRecords] = field(default_factory=dict)
    _paced: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.info = info(self.spec)
        capsule = getattr(self.fresh(), "capsule", None)
        self.one_pack_only = capsule is not None and not load("engine_ext.kernel").knows_two_packs(
            capsule
        )
        if self.one_pack_only:
            self.variants = tuple(v for v in self.variants if rules_of(v).numbers.copies == 1)
        self.remembers = hasattr(self.fresh(), "new_game")
        """Whether it says, in Python, that it has memory within a game."""
        if not self.variants:
            raise UserError(f"{self.info.name} knows one pack only, and all variants have two")

    def fresh(self) -> Strategy:
        """Return a new object."""
        return create(self.spec)

    def base(self) -> tuple[str, ...]:
        """Return the base variants among those to be played; all, if none is among them."""
        return tuple(v for v in self.variants if v in BASE_VARIANTS) or self.variants

    def games(self, variant: str) -> tuple[int, ...]:
        """Return the blocks to be played of a variant, fewer of a slow strategy."""
        if self.blocks is not None:
            return self.blocks
        if variant not in self._paced:
            began = time.perf_counter()
            play(variant, [self.fresh()], [0])
            one = time.perf_counter() - began
            n = max(1, min(MOST_GAMES, int(PATIENCE_S / one)))
            self._paced[variant] = tuple(range(n))
        return self._paced[variant]

    def own(self, variant: str) -> batch.GameRecords:
        """Return games with one new object in all seats; played once."""
        if variant not in self._own:
            self._own[variant] = play(variant, [self.fresh()], self.games(variant))
        return self._own[variant]

    def alike(self, variant: str, how: str, players: Sequence[Any], **play_how: Any) -> None:
        """Raise ``BrokenPromise`` unless these players' games go as those of one new object."""
        blocks, usual = self.games(variant), self.own(variant)
        other = play(variant, players, blocks, **play_how)
        self.hold(first_difference(variant, blocks, usual, other, ("at first", how)))

    def hold(self, example: Example | None) -> None:
        """Raise ``BrokenPromise`` if there is an example."""
        if example is not None:
            raise BrokenPromise(example)
