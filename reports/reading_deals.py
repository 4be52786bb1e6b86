"""Where points come from, deal by deal: exact sums over whole blocks of the recorded deals."""

from typing import NamedTuple

from engine_ext.rules.spec import ChoiceSchedule
from pipeline.stats.estimate import Sums
from reports.reading import Reading
from reports.reading_games import CHOSEN
from reports.recorded import lacks, values_of

MOST_DEALS = 20_000_000
"""Of a variant: so many are scanned in a few seconds."""
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
    query = f"WITH {CHOSEN}, {_dealt(seats)}, {_made(chosen, rules.doubling is not None)} {_SUMS}"
    return [
        Source(entrant, contract, who, Sums(*sums[:6]), Sums(*sums[6:]))
        for entrant, contract, who, *sums in run.catalog.rows(query, values_of(run, variant))
    ]


def _dealt(seats: int) -> str:
    def total(name: str) -> str:
        return " + ".join(f"d.{name}_{s}::HUGEINT" for s in range(seats))

    branches = (
        f"""SELECT d.block, d.contract, d.declarer = {s} AS declares, g.entrant_{s} AS entrant,
            {seats} * d.points_{s}::HUGEINT - ({total("points")}) AS x,
            {seats} * d.side_{s}::HUGEINT - ({total("side")}) AS side
        FROM deals d JOIN chosen g USING (variant, block, "table", rotation)"""
        for s in range(seats)
    )
    games = " UNION ALL ".join(
        f"SELECT block, entrant_{s} AS entrant FROM chosen" for s in range(seats)
    )
    return (
        f"dealt AS ({' UNION ALL '.join(branches)}), "
        "seat_games AS (SELECT block, entrant, count(*)::HUGEINT AS games "
        f"FROM ({games}) GROUP BY ALL)"
    )


def _made(chosen: bool, bets: bool) -> str:
    parts = [f"SELECT block, entrant, contract, '{ALL}' AS who, x FROM dealt"]
    if chosen:
        who = f"CASE WHEN declares THEN '{DECLARER}' ELSE '{OTHERS}' END"
        parts.append(f"SELECT block, entrant, contract, {who} AS who, x FROM dealt")
    if bets:
        parts.append(
            f"SELECT block, entrant, '' AS contract, '{BETS}' AS who, side AS x FROM dealt"
        )
    each = " UNION ALL ".join(parts)
    return (
        "made AS (SELECT block, entrant, contract, who, count(*)::HUGEINT AS n, sum(x) AS x "
        f"FROM ({each}) GROUP BY ALL)"
    )


_SUMS = """, whole AS (
    SELECT entrant, count(*) AS blocks, sum(games) AS n, sum(games * games) AS nn
    FROM seat_games GROUP BY entrant
)
SELECT entrant, contract, who,
    count(*), sum(m.n), sum(m.x), sum(m.n * m.n), sum(m.x * m.x), sum(m.n * m.x),
    any_value(w.blocks), any_value(w.n), sum(m.x), any_value(w.nn), sum(m.x * m.x),
    sum(games * m.x)
FROM made m JOIN seat_games USING (block, entrant) JOIN whole w USING (entrant)
GROUP BY ALL ORDER BY ALL"""
