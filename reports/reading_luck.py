"""How much of a game comes with its cards: sums over whole blocks of the recorded games.

A game is measured against what its entrant makes on average in the same line-up, since who is
better is no luck. The par of a seat in a block is what was left over, on average, in the other
games on the same deals; in design ``candidates`` in the datum. The own game is left out, so
that no game foretells itself.
"""

from math import lcm
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.seating import changes_company
from pipeline.stats.blocks import Floats, per_block
from pipeline.stats.estimate import Sums
from reports.reading import Reading
from reports.reading_games import CHOSEN, held
from reports.recorded import values_of

MOST = 1_000_000
"""Seat-games that are looked at one by one; it is no matter of the tenth digit."""
Ints = npt.NDArray[np.int64]


class Luck(NamedTuple):
    """Sums by block over seat-games: points more than the entrant usually makes, times the
    seats, and their pars."""

    games: Floats
    """(B,) seat-games."""
    squares: Floats
    """(B,) of the points."""
    products: Floats
    """(B,) of points and par."""
    pars: Floats
    """(B,) squares of the pars."""


def luck(run: Reading, variant: str) -> Luck:
    """What blocks tell of the cards, from block 0 on; the first of them in a long run."""
    seats, values = run.rules(variant).seats, values_of(run, variant)
    all_blocks = int(str(values["blocks"]))
    blocks = min(all_blocks, max(1, MOST * all_blocks // (run.games(variant) * seats)))
    query = f"WITH {CHOSEN}, {held(seats)} {_SEAT_GAMES}"
    rows = run.catalog.rows(query, values | {"blocks": blocks})
    block, table, rotation, seat, x = np.array([row[:5] for row in rows], np.int64).T
    company = 0 * table if changes_company(run.config) else table
    names = np.array([row[5] for row in rows])
    more = _less_mean(x, company, names)
    if run.config.design == "candidates":
        pair = (block * seats + rotation) * seats + seat
        datum = table == 0
        known = np.zeros(blocks * seats * seats)
        known[pair[datum]] = more[datum]
        more, par, block = more[~datum], known[pair[~datum]], block[~datum]
    else:
        place = block * seats + seat
        total = per_block(more, place, blocks * seats)[place]
        others = np.bincount(place)[place] - 1
        par = (total - more) / others
    return Luck(
        *(per_block(one, block, blocks) for one in (np.ones_like(par), more**2, more * par, par**2))
    )


def _less_mean(x: Ints, company: Ints, names: npt.NDArray[np.str_]) -> Floats:
    """Points more than the entrant makes on average in this company."""
    _, who = np.unique(names, return_inverse=True)
    _, cell = np.unique(company * (who.max() + 1) + who, return_inverse=True)
    mean = np.bincount(cell, weights=x) / np.bincount(cell)
    out: Floats = x - mean[cell]
    return out


def adjusted(run: Reading, variant: str) -> tuple[dict[str, Sums], int]:
    """By entrant his points less what the seat made in all games on the same deals, and by how
    much these sums are to be divided beside the seats.

    All games and not all but his own: that alone is on the scale of the points above the
    table's mean. In design ``candidates`` it is what the datum made.
    """
    seats = run.rules(variant).seats
    head, values = f"WITH {CHOSEN}, {held(seats)}", values_of(run, variant)
    if run.config.design == "candidates":
        rows = run.catalog.rows(f"{head} {_LESS_DATUM}", values)
        return {entrant: Sums(*sums) for entrant, *sums in rows}, 1
    found = run.catalog.rows(f"{head} {_GAMES}", values)
    over = lcm(*(int(games) for (games,) in found))
    rows = run.catalog.rows(f"{head} {_LESS_ALL}", values | {"over": over})
    return {entrant: Sums(*sums) for entrant, *sums in rows}, over


_SEAT_GAMES = """
SELECT block::BIGINT, "table", rotation, seat, x::BIGINT, entrant FROM held
ORDER BY block, "table", rotation, seat"""
_GAMES = """
SELECT DISTINCT games FROM (SELECT count(*) AS games FROM chosen GROUP BY block) ORDER BY games"""
_SIX = (
    "count(*), sum(n), sum(x), sum(n * n), sum(x * x), sum(n * x) FROM made "
    "GROUP BY entrant ORDER BY entrant"
)
_LESS_DATUM = f"""
, made AS (
    SELECT h.block, h.entrant, count(*)::HUGEINT AS n, sum(h.x - d.x) AS x
    FROM held h JOIN held d USING (block, rotation, seat)
    WHERE h."table" > 0 AND d."table" = 0 GROUP BY ALL
)
SELECT entrant, {_SIX}"""
_LESS_ALL = f"""
, by_seat AS (
    SELECT block, seat, count(*)::HUGEINT AS games, sum(x) AS total FROM held GROUP BY ALL
), made AS (
    SELECT block, entrant, count(*)::HUGEINT AS n,
        sum($over * x - ($over // games) * total) AS x
    FROM held JOIN by_seat USING (block, seat) GROUP BY ALL
)
SELECT entrant, {_SIX}"""
