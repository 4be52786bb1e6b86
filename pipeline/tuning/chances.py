"""Each seat's chance to win before each deal of a game: what makes a game tense or dead.

The deals to come, by contract and declarer, are known at the table; what they bring is not. So
futures are drawn: for each deal to come one that was played in another game, of the same
contract, turned so that its declarer (in a fixed schedule its first leader) is the same seat,
with points and side bets. Where cards decide who leads, it is turned by any number of seats.
Who is first after a future has won it; who share the first place share it.
"""

import threading
from typing import TYPE_CHECKING, NamedTuple
from weakref import ref

import numpy as np
import numpy.typing as npt

from engine_ext.build import load
from pipeline.tuning.by_group import of_deals, plain
from pipeline.tuning.measured import Ints, group_of
from pipeline.tuning.results import Played
from pipeline.tuning.schedule import is_main, n_main
from pipeline.tuning.winners import WIN, winners

if TYPE_CHECKING:
    import engine_ext.measures as measures
else:
    measures = load("engine_ext.measures")

DRAWS = 64
"""Futures drawn before each deal."""
MOST_GAMES = 2000
"""Games that are followed: all, or those of every k-th block, k the least that will do."""
FEW_BLOCKS = 20
"""No fewer blocks than these are followed for the sake of that, where there are so many."""
SURE = WIN * DRAWS
"""What a chance is counted in: parts of one that is sure."""


class Chances(NamedTuple):
    """What seats could hope for in the games that were followed, M deals of N games in all."""

    chance: Ints
    """(M, S) of being first, before each deal; a deal's are ``SURE`` together."""
    game: Ints
    """(M,) index of the deal's game, ascending."""
    win: Ints
    """(N, S) what came of it, in 1/``WIN`` of a game."""
    n_deals: Ints
    """(N,) deals of each game, without any that play out a tie."""
    group: Ints
    """(N,) group of blocks of each game."""
    n_groups: int
    blocks: int
    """Blocks that were followed."""


_last = threading.local()


def chances_of(played: Played) -> Chances:
    """Follow games; those of the last ones asked about in this thread are kept at hand."""
    kept = getattr(_last, "kept", None)
    if kept is None or kept[0]() is not played:
        kept = _last.kept = (ref(played), _follow(played))
    found: Chances = kept[1]
    return found


def _follow(played: Played) -> Chances:
    stride = _stride(played)
    games = np.flatnonzero(played.block % stride == 0)
    blocks = -(-played.blocks // stride)
    wanted = np.zeros(len(played.block), bool)
    wanted[games] = True
    rows = np.flatnonzero(of_deals(played, wanted.astype(np.int64)) & is_main(played))
    n_deals = n_main(played)[games]
    chance = measures.win_chances(
        plain(played.points[rows] + played.side[rows]),
        played.contract[rows],
        _base(played)[rows],
        n_deals,
        _numbers(played)[games],
        played.rules.n_contracts,
        DRAWS,
    )
    group = group_of(blocks)
    return Chances(
        chance=chance,
        game=np.repeat(np.arange(len(games)), n_deals),
        win=winners(played).win[games],
        n_deals=n_deals,
        group=group[played.block[games] // stride],
        n_groups=int(group[-1]) + 1,
        blocks=blocks,
    )


def _stride(played: Played) -> int:
    """Every how manieth block is followed."""
    most = max(1, played.blocks // FEW_BLOCKS)
    return min(most, max(1, -(-len(played.block) // MOST_GAMES)))


def _base(played: Played) -> npt.NDArray[np.int8]:
    """(D,) the seat that deals are turned by, -1 where it is not known before the cards are."""
    rules = played.rules
    if rules.has_choice:
        return played.declarer
    if rules.leader_card:
        return np.full(len(played.leader), -1, np.int8)
    return played.leader.astype(np.int8)


def _numbers(played: Played) -> npt.NDArray[np.uint64]:
    """(G,) of each game, by its block and its place in it: what is drawn belongs to it."""
    first = np.searchsorted(played.block, played.block)
    within = np.arange(len(played.block)) - first
    return (played.block << 20 | within).astype(np.uint64)
