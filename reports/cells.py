"""What a report asks of a run's database: cells of the summary, products over games."""

from typing import NamedTuple

from pipeline.stats.estimate import Sums


class Cell(NamedTuple):
    """Sums of a measure in one cell of its table; -1 and "" stand for all."""

    table: int
    entrant: str
    contract: str
    role: int
    target: int
    n_left: int
    sums: Sums


CELLS = """
SELECT variant, measure, "table", entrant, contract, role, target, n_left,
    sum(blocks), sum(n), sum(x), sum(nn), sum(xx), sum(nx)
FROM summary GROUP BY ALL ORDER BY ALL"""


def joint_sql(seats: int) -> str:
    """Products of block totals for each pair of entrants, as exact integers.

    Blocks of which some games are missing, in a run that was cut off, do not count.
    """
    total = " + ".join(f"score_{s}::HUGEINT" for s in range(seats))
    held = "\nUNION ALL\n".join(
        f"SELECT block, entrant_{s} AS entrant, {seats} * score_{s}::HUGEINT - ({total}) AS x "
        "FROM chosen"
        for s in range(seats)
    )
    return f"""
WITH whole AS (
        SELECT block FROM games WHERE variant = $variant GROUP BY block HAVING count(*) = $games
    ),
    chosen AS (SELECT * FROM games SEMI JOIN whole USING (block) WHERE variant = $variant),
    held AS ({held}),
    totals AS (SELECT block, entrant, count(*)::HUGEINT AS n, sum(x) AS x FROM held GROUP BY ALL)
SELECT a.entrant, b.entrant, sum(a.x * b.x), sum(a.n * b.x), sum(a.n * b.n)
FROM totals a JOIN totals b USING (block) GROUP BY ALL ORDER BY ALL"""
