"""Where points come from, deal by deal: exact sums over whole blocks of the recorded deals."""

from collections.abc import Iterator
from operator import add
from typing import NamedTuple

from engine_ext.rules.spec import ChoiceSchedule
from pipeline.stats.estimate import Sums
from reports.reading import Reading
from reports.reading_games import CHOSEN
from reports.recorded import Values, lacks, values_of

MOST_DEALS = 20_000_000
"""Of a variant: so many are scanned in a few seconds."""
AT_ONCE = 1_000_000
"""Deals summed up at once: the sums by block of many more would fill gigabytes."""
DECLARER, OTHERS, ALL, BETS = "declarer", "others", "", "bets"
"""Who chose the contract: the entrant, somebody else, anybody; and side bets of all contracts."""


class Source(NamedTuple):
    """What an entrant made in some of his deals above the mean of each, times the seats."""

    entrant: str
    contract: str
    """Empty for side bets."""
    who: str
    by_deal: Sums
    """n counts his deals of this kind."""
    by_game: Sums
    """n counts all his seat-games."""


def lacks_deals(run: Reading, variant: str) -> str | None:
    """Why the deals of a run cannot be looked through, or None."""
    why = lacks(run, variant, "games", "deals")
    if why is None and run.games(variant) * _deals_of_game(run, variant) > MOST_DEALS:
        return "So many deals are read from their summary alone."
    return why


def _deals_of_game(run: Reading, variant: str) -> int:
    games = max(1, run.facts.games)
    return -(-run.facts.deals // games)


def sources(run: Reading, variant: str) -> list[Source]:
    """Every entrant in every contract, as declarer, else, and both; and his side bets."""
    rules = run.rules(variant)
    seats, chosen = rules.seats, isinstance(rules.schedule, ChoiceSchedule)
    made = _made(chosen, rules.doubling is not None)
    query = f"WITH {CHOSEN}, {_part(seats)}, {_dealt(seats)}, {made} {_SUMS}"
    found: dict[tuple[str, str, str], list[int]] = {}
    for part in _parts(run, variant):
        for entrant, contract, who, *more in run.catalog.rows(query, part):
            sums = found.setdefault((entrant, contract, who), [0] * len(more))
            sums[:] = map(add, sums, more)
    whole = f"WITH {CHOSEN}, {_seat_games(seats, 'chosen')} {_WHOLE}"
    games = {who: sums for who, *sums in run.catalog.rows(whole, values_of(run, variant))}
    sources = []
    for (entrant, contract, who), (blocks, n, x, nn, xx, nx, products) in sorted(found.items()):
        in_all, seat_games, squares = games[entrant]
        by_deal = Sums(blocks, n, x, nn, xx, nx)
        by_game = Sums(in_all, seat_games, x, squares, xx, products)
        sources.append(Source(entrant, contract, who, by_deal, by_game))
    return sources


def _parts(run: Reading, variant: str) -> Iterator[Values]:
    """Ranges of whole blocks, each of about ``AT_ONCE`` deals: sums over all are theirs added."""
    values, blocks = values_of(run, variant), run.prefix(variant)
    step = max(1, AT_ONCE * blocks // (run.games(variant) * _deals_of_game(run, variant)))
    for first in range(0, blocks, step):
        yield values | {"first": first, "end": min(blocks, first + step)}


def _seat_games(seats: int, games: str) -> str:
    each = " UNION ALL ".join(
        f"SELECT block, entrant_{s} AS entrant FROM {games}" for s in range(seats)
    )
    return (
        "seat_games AS (SELECT block, entrant, count(*)::HUGEINT AS games "
        f"FROM ({each}) GROUP BY ALL)"
    )


def _part(seats: int) -> str:
    return "part AS (SELECT * FROM chosen WHERE block >= $first AND block < $end), " + _seat_games(
        seats, "part"
    )


def _dealt(seats: int) -> str:
    """Every seat of every deal of the part."""

    def total(name: str) -> str:
        return " + ".join(f"d.{name}_{s}::BIGINT" for s in range(seats))

    branches = (
        f"""SELECT d.block, d.contract, d.declarer = {s} AS declares, g.entrant_{s} AS entrant,
            {seats} * d.points_{s}::BIGINT - ({total("points")}) AS x,
            {seats} * d.side_{s}::BIGINT - ({total("side")}) AS side
        FROM deals d JOIN part g USING (variant, block, "table", rotation)
        WHERE d.block >= $first AND d.block < $end"""
        for s in range(seats)
    )
    return f"dealt AS ({' UNION ALL '.join(branches)})"


def _made(chosen: bool, bets: bool) -> str:
    """By block and entrant; the deals are gone through once, and what they gave thrice."""
    once = (
        "once AS MATERIALIZED (SELECT block, entrant, contract, declares, "
        "count(*)::HUGEINT AS n, sum(x) AS x, sum(side) AS side FROM dealt GROUP BY ALL)"
    )
    parts = [f"SELECT block, entrant, contract, '{ALL}' AS who, n, x FROM once"]
    if chosen:
        who = f"CASE WHEN declares THEN '{DECLARER}' ELSE '{OTHERS}' END"
        parts.append(f"SELECT block, entrant, contract, {who} AS who, n, x FROM once")
    if bets:
        parts.append(
            f"SELECT block, entrant, '' AS contract, '{BETS}' AS who, n, side AS x FROM once"
        )
    each = " UNION ALL ".join(parts)
    return (
        f"{once}, made AS (SELECT block, entrant, contract, who, sum(n) AS n, sum(x) AS x "
        f"FROM ({each}) GROUP BY ALL)"
    )


_SUMS = """
SELECT entrant, contract, who, count(*), sum(m.n), sum(m.x), sum(m.n * m.n), sum(m.x * m.x),
    sum(m.n * m.x), sum(games * m.x)
FROM made m JOIN seat_games USING (block, entrant) GROUP BY ALL"""
_WHOLE = """
SELECT entrant, count(*), sum(games), sum(games * games)
FROM seat_games GROUP BY entrant"""
