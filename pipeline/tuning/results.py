"""What an objective looks at: games as arrays, a declarer's hands, tables with restricted players.

Points are inside points, more is better.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine_ext.rules.resolve import VariantNumbers
from engine_ext.rules.spec import Variant
from pipeline.studies.worth import Worth

FULL = "full"
"""What runs call the player who lacks nothing."""


class Bets(NamedTuple):
    """Pairs with a bet, one element a pair, by deal."""

    row: npt.NDArray[np.int64]
    """Row of its deal."""
    doubler: npt.NDArray[np.uint8]
    doubled: npt.NDArray[np.uint8]
    redoubled: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Played:
    """G whole games of one variant, their D deals game after game, S seats."""

    variant: Variant
    """The rules by which points were reckoned."""
    rules: VariantNumbers
    blocks: int
    """B: units of counting."""
    block: npt.NDArray[np.int64]
    """(G,) block of each game, 0..B-1, ascending."""
    labels: tuple[str, ...]
    entrant: npt.NDArray[np.uint8]
    """(G, S) index of the label who sat there."""
    n_deals: npt.NDArray[np.int64]
    """(G,) deals of each game."""
    score: npt.NDArray[np.int32]
    """(G, S) totals, side bets included."""
    contract: npt.NDArray[np.uint8]
    """(D,) number of the contract."""
    declarer: npt.NDArray[np.int8]
    """(D,) seat, -1 where the schedule is fixed."""
    leader: npt.NDArray[np.uint8]
    """(D,)"""
    n_left: npt.NDArray[np.uint8]
    """(D,) uses of contracts the declarer could choose from; 0 where he had no choice."""
    points: npt.NDArray[np.int32]
    """(D, S) before side bets."""
    side: npt.NDArray[np.int32]
    """(D, S) side bets received less paid."""
    items: npt.NDArray[np.uint64]
    """(D, S) what was counted, slot k of the contract in bits 8k..8k+7; layouts: the place."""
    counted: npt.NDArray[np.bool_]
    """(D,) whether items are known: not on a sheet that tells points alone."""
    bets: Bets
    n_moves: npt.NDArray[np.int64] | None = None
    """(D,) cards and passes of the deal; None where moves were not kept."""
    revoked: npt.NDArray[np.int8] | None = None
    """(D,) seat whose revoke was charged, -1 nobody's; None where nobody can revoke."""

    @property
    def first_row(self) -> npt.NDArray[np.int64]:
        """(G,) row of the first deal of each game."""
        return np.cumsum(self.n_deals) - self.n_deals


class Choices(NamedTuple):
    """A declarer's hands and what each is worth in every contract under the candidate's points."""

    variant: Variant
    worth: Worth


class Results(NamedTuple):
    """All that was found of one candidate; what no objective needs is None."""

    games: Played | None = None
    """Every seat held by the player who plans under these rules."""
    choices: Choices | None = None
    """A study of ``value``, the best chooser's hands."""
    skill: Played | None = None
    """Restricted players, one at a table of full ones each; blocks as in ``games``."""
