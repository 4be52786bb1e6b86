"""What the recorded games of a run say beyond its summary: exact sums over whole blocks, by SQL.

A figure is a count and a total in each block, as everywhere; here a seat, an entrant, an
entrant with a certain neighbour, or one in a certain order of the table.
"""

from fractions import Fraction
from typing import NamedTuple

from pipeline.seating import changes_company
from pipeline.stats.estimate import Estimate, Sums, degrees, root, t_quantile, without_spread
from pipeline.stats.joint import Joint
from pipeline.stats.simultaneous import Cross, contrast_covariance, covariance
from reports.reading import Reading
from reports.recorded import values_of

APART = "\x1f"
"""Between names of a company; no name can hold it."""
FIELD = "\x1e"
"""Between the parts of a figure's name; likewise."""
ORDER = "order"
"""Side of a cell that stands for a table of the design ``full``."""


class Key(NamedTuple):
    """An entrant with somebody beside him."""

    company: str
    """Names of who sits at the table, sorted; empty where it changes from block to block."""
    entrant: str
    side: str
    """``before`` or ``after`` in playing order, or ``order``."""
    other: str
    """Who sits there; the number of the table."""


class Centred(NamedTuple):
    """A cell, and what it is measured against: the same entrant in the same company."""

    key: Key
    cell: Sums
    base: Sums
    cross: Cross
    """Between the two: cell 0, base 1."""


CHOSEN = "chosen AS (SELECT * FROM games WHERE variant = $variant AND block < $blocks)"


def held(seats: int) -> str:
    """Every seat of every game: who, between whom, and S * score - total of the table."""
    total = " + ".join(f"score_{s}::HUGEINT" for s in range(seats))
    names = ", ".join(f"entrant_{s}" for s in range(seats))
    branches = (
        f"""SELECT block, "table", rotation, {s} AS seat,
            array_to_string(list_sort([{names}]), chr(31)) AS company, entrant_{s} AS entrant,
            entrant_{(s - 1) % seats} AS before, entrant_{(s + 1) % seats} AS after,
            [{", ".join(f"entrant_{o}" for o in range(seats) if o != s)}] AS others,
            {seats} * score_{s}::HUGEINT - ({total}) AS x FROM chosen"""
        for s in range(seats)
    )
    return f"held AS ({' UNION ALL '.join(branches)})"


def joint_of_seats(run: Reading, variant: str) -> Joint:
    """Exact sums of every seat's points above the table's mean, times the seats."""
    seats = run.rules(variant).seats
    figures = (
        "SELECT block, printf('%02d', seat) AS id, count(*)::HUGEINT AS n, sum(x) AS x "
        "FROM held GROUP BY ALL"
    )
    query = f"WITH {CHOSEN}, {held(seats)}, figures AS ({figures}) {_PAIRS}"
    rows = run.catalog.rows(query, values_of(run, variant))
    return _joint(rows, [f"{seat:02}" for seat in range(seats)], run.prefix(variant))


def centred(run: Reading, variant: str) -> list[Centred]:
    """Every entrant with every neighbour, and in design ``full`` in every order, in a fixed
    order; those left out who have but one."""
    query = f"{_with_cells(run, variant)} {_CENTRED}"
    found = []
    for row in run.catalog.rows(query, values_of(run, variant)):
        cell, base = Sums(*row[4:10]), Sums(*row[14:20])
        xx, nx, xn, nn = row[10:14]
        cross = Cross(
            ((cell.xx, xx), (xx, base.xx)),
            ((cell.nx, nx), (xn, base.nx)),
            ((cell.nn, nn), (nn, base.nn)),
        )
        found.append(Centred(Key(*row[:4]), cell, base, cross))
    many: dict[tuple[str, str, str], int] = {}
    for one in found:
        many[one.key[:3]] = many.get(one.key[:3], 0) + 1
    return [one for one in found if many[one.key[:3]] > 1]


def joint_of_cells(run: Reading, variant: str, cells: list[Centred]) -> Joint:
    """Exact sums of cells of one side, and after each of what it is tested against.

    Neighbours of an entrant are all the same to him where each is the same as his last one,
    which stands for itself. A company that changes has its own base for each of them.
    """
    alone = changes_company(run.config)
    last = {one.key[:3]: one.key for one in cells}
    ids = []
    for key in (one.key for one in cells):
        against = last[key[:3]]
        if alone:
            ids += [FIELD.join(key), FIELD.join((key.company, key.entrant, key.other))]
        elif key != against:
            ids += [FIELD.join(key), FIELD.join(against)]
    figures = (
        "SELECT block, concat_ws(chr(30), company, entrant, side, other) AS id, n, x FROM cells "
        "WHERE side = $side UNION ALL "
        "SELECT block, concat_ws(chr(30), company, entrant, ref) AS id, n, x FROM bases"
    )
    query = f"{_with_cells(run, variant)}, figures AS ({figures}) {_PAIRS}"
    values = values_of(run, variant) | {"side": cells[0].key.side}
    return _joint(run.catalog.rows(query, values), ids, run.prefix(variant))


def estimate(one: Centred, scale: Fraction) -> Estimate:
    """The cell's mean less that of its base, with a t interval on blocks."""
    cells = (one.cell, one.base)
    value = scale * (Fraction(one.cell.x, one.cell.n) - Fraction(one.base.x, one.base.n))
    n, blocks = one.cell.n, one.cell.blocks
    if blocks < 2:
        return Estimate(float(value), None, None, None, n, blocks, 0.0, "none")
    cov = covariance(cells, one.cross, blocks)
    square = scale * scale * contrast_covariance(cov, [(1, -1)])[0][0]
    if square == 0:
        return without_spread(value, one.cell, contrast=True)
    df, se, v = degrees(one.cell), root(square), float(value)
    half = se * t_quantile(df)
    return Estimate(v, se, v - half, v + half, n, blocks, df, "t")


def _with_cells(run: Reading, variant: str) -> str:
    """Cells and their bases, block by block. A company that changes from block to block gives
    its own points away, so there the base is the entrant whenever the other is at his table."""
    alone = changes_company(run.config)
    company = "'' AS company" if alone else "company"
    sides = [
        f"SELECT block, {company}, entrant, '{side}' AS side, {side} AS other, "
        f"{side if alone else chr(39) * 2} AS ref, count(*)::HUGEINT AS n, sum(x) AS x "
        "FROM held GROUP BY ALL"
        for side in ("before", "after")
    ]
    if run.config.design == "full":
        sides.append(
            f"SELECT block, company, entrant, '{ORDER}' AS side, printf('%05d', \"table\") AS "
            "other, '' AS ref, count(*)::HUGEINT AS n, sum(x) AS x FROM held GROUP BY ALL"
        )
    source = (
        "(SELECT block, '' AS company, entrant, unnest(others) AS ref, x FROM held)"
        if alone
        else "(SELECT block, company, entrant, '' AS ref, x FROM held)"
    )
    return f"""WITH {CHOSEN}, {held(run.rules(variant).seats)},
    cells AS ({" UNION ALL ".join(sides)}),
    bases AS (
        SELECT block, company, entrant, ref, count(*)::HUGEINT AS n, sum(x) AS x
        FROM {source} GROUP BY ALL
    )"""


_CENTRED = """, whole AS (
    SELECT company, entrant, ref, count(*) AS blocks, sum(n) AS n, sum(x) AS x,
        sum(n * n) AS nn, sum(x * x) AS xx, sum(n * x) AS nx
    FROM bases GROUP BY ALL
), apart AS (
    SELECT company, entrant, side, other, ref, count(*) AS blocks, sum(c.n) AS n, sum(c.x) AS x,
        sum(c.n * c.n) AS nn, sum(c.x * c.x) AS xx, sum(c.n * c.x) AS nx,
        sum(c.x * e.x) AS products, sum(c.n * e.x) AS cn, sum(e.n * c.x) AS en,
        sum(c.n * e.n) AS counts
    FROM cells c JOIN bases e USING (block, company, entrant, ref) GROUP BY ALL
)
SELECT company, entrant, side, other, a.blocks, a.n, a.x, a.nn, a.xx, a.nx, products, cn, en,
    counts, w.blocks, w.n, w.x, w.nn, w.xx, w.nx
FROM apart a JOIN whole w USING (company, entrant, ref) ORDER BY ALL"""

_PAIRS = """
SELECT a.id, b.id, count(*), sum(a.n), sum(a.x), sum(a.x * b.x), sum(a.n * b.x), sum(a.n * b.n)
FROM figures a JOIN figures b USING (block) GROUP BY ALL ORDER BY ALL"""


def _joint(rows: list[tuple[object, ...]], ids: list[str], blocks: int) -> Joint:
    """The sums of the figures ``ids``, each as often as it stands there."""
    found: dict[tuple[object, object], tuple[int, ...]] = {
        (a, b): tuple(int(str(v)) for v in sums) for a, b, *sums in rows
    }
    nothing = (0,) * 6

    def square(i: int) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(found.get((a, b), nothing)[i] for b in ids) for a in ids)

    own = [found.get((one, one), nothing) for one in ids]
    there, n, x = (tuple(sums[i] for sums in own) for i in range(3))
    return Joint(blocks, there, n, x, square(3), square(4), square(5))
