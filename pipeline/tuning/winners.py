"""Who won each game and how the lead changed, from what its deals brought."""

from typing import TYPE_CHECKING, NamedTuple

from engine_ext.build import load
from pipeline.tuning.by_group import plain
from pipeline.tuning.measured import Ints
from pipeline.tuning.results import Played
from pipeline.tuning.schedule import n_main

if TYPE_CHECKING:
    import engine_ext.measures as measures
else:
    measures = load("engine_ext.measures")

WIN: int = measures.WIN
"""A game won alone; who share it get a part of this each."""


class Winners(NamedTuple):
    """How games ended."""

    win: Ints
    """(G, S) in 1/2520 of a game."""
    lead_changes: Ints
    """(G,) how often a seat led alone after another had, by the totals after each deal."""


def winners(played: Played) -> Winners:
    """By totals; where ties are played out, of those who were tied by the deals that do so."""
    return Winners(
        *measures.follow(
            plain(played.points),
            plain(played.side),
            played.n_deals,
            n_main(played),
            bool(played.rules.extra_for_all),
        )
    )
