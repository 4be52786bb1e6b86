"""The views of a run: their SQL, and what every column of theirs means.

The stored tables are described by :mod:`pipeline.schema`; here stands what is made
of them: deals turned long, items by name, and the manifest's lists.
"""

from collections.abc import Iterator

from pipeline.schema import SHARD_FILES, SHARDS, TABLES

SQL_TYPES = {
    "String": "VARCHAR",
    "Binary": "BLOB",
    "Boolean": "BOOLEAN",
    "Int8": "TINYINT",
    "Int16": "SMALLINT",
    "Int32": "INTEGER",
    "Int64": "BIGINT",
    "UInt8": "UTINYINT",
    "UInt16": "USMALLINT",
    "UInt32": "UINTEGER",
    "UInt64": "UBIGINT",
}
"""DuckDB's names for the types of :mod:`pipeline.schema`."""

VIEW_COMMENTS: dict[str, str] = {
    "games": "one row a game",
    "deals": "one row a deal, wide by seat",
    "doubles": "one row a pair with a bet in a deal",
    "plays": "one row a deal of a sample: what was said and played, for its record",
    "summary": "one row a cell of a shard: integer sums over its whole blocks",
    "totals": "one row a member of a line-up in a block: sums over its seat-games",
    "joint": "one row two entrants of a shard: sums and products of their totals by block",
    "company": "round robins without totals: one row two pairs of a shard that shared tables",
    "units": "studies: one row a unit, a deal of a dealership or a turn of a game",
    "trials": "studies: one row for all trials of a kind in a unit: sums of points by role",
    "shards": "one row a shard: its receipt",
    "deals_long": "one row a seat of a deal",
    "doubles_long": "one row a pair with a bet, with contract, declarer, entrants and roles",
    "items": "one row a counted item of a seat of a deal: tricks, hearts, ...",
    "variants": "one row a variant of the run",
    "seats": "one row a seat of a variant",
    "line_ups": "where it is the same in every block: one row a seat of a table in a rotation",
    "contracts": "one row a contract of a variant",
    "slots": "one row an item that a contract counts",
}

LONG_COMMENTS: dict[str, str] = {
    "seat": "seat, 0..n-1 in playing order",
    "role": "(seat - declarer) mod n, or (seat - leader) mod n without a declarer",
    "entrant": "who sat there",
    "points": "points of the contract, before side bets; more is better",
    "side": "side bets received less paid",
    "score": "points and side bets together",
    "items": "counted items, slot k in bits 8k..8k+7; the view items names them",
    "finish": "finishing place of a layout from 1; 0 for tricks",
    "item": "name of what is counted",
    "count": "how many the seat has",
    "slot": "where it stands in items",
    "seats": "number of players",
    "entrant_doubler": "who doubled first",
    "entrant_doubled": "whom",
    "role_doubler": "role of the seat that doubled first: (seat - declarer) mod n",
    "role_doubled": "role of the seat doubled",
    "objective": "which total wins in the document: stored points are turned if lowest",
    "title": "name for people",
    "tone": "whether taking is bad, good or both",
    "kind": "trick or layout",
}


def columns(table: str, seats: int) -> Iterator[tuple[str, str, str]]:
    """Name, type and meaning of every column of a table as it is stored."""
    for column in TABLES[table]:
        kind = str(column.dtype)
        if column.by_seat:
            for s in range(seats):
                whose = f"{column.wide} {s}"
                yield f"{column.name}_{s}", kind, f"{column.meaning}; {whose} ({column.unit})"
        else:
            yield column.name, kind, f"{column.meaning} ({column.unit})"


def shard_columns() -> Iterator[tuple[str, str]]:
    """Name and meaning of every column of ``shards``."""
    for column in SHARDS:
        yield column.name, f"{column.meaning} ({column.unit})"
    for table in (*TABLES, "parts"):
        for column in SHARD_FILES:
            yield f"{table}_{column.name}", f"{table}: {column.meaning} ({column.unit})"


def deals_long(seats: int, *, line_ups: bool) -> str:
    """Wide deals turned long: one scan, each row met by the seats of its table.

    ``line_ups``: who sits where is the same in every block, and stands in the table of that
    name; of other runs each game says it.
    """
    key = 'variant, block, "table", rotation'

    def of_seat(*sums: str) -> str:
        return f"CASE s.seat {' '.join(f'WHEN {i} THEN {one}' for i, one in enumerate(sums))} END"

    def by_seat(name: str) -> str:
        return of_seat(*(f"{name}_{i}" for i in range(seats)))

    # A hash join of millions of games costs more than all the rest.
    met = (
        'JOIN line_ups s USING (variant, "table", rotation)'
        if line_ups
        else f"LEFT JOIN games g USING ({key}) JOIN seats s USING (variant)"
    )
    score = of_seat(*(f"d.points_{i} + d.side_{i}" for i in range(seats)))
    return f"""SELECT {key}, d.deal, d.contract, d.param, d.dealer, d.declarer, d.leader, d.n_left,
        d.extra, d.revoked, s.seat,
        ((s.seat - CASE WHEN d.declarer >= 0 THEN d.declarer ELSE d.leader END + s.seats)
         % s.seats)::UTINYINT AS role,
        {"s.entrant" if line_ups else by_seat("g.entrant")} AS entrant,
        {by_seat("d.points")} AS points, {by_seat("d.side")} AS side, {score} AS score,
        {by_seat("d.items")} AS items, {by_seat("d.finish")} AS finish
    FROM deals d {met}"""


SEATS = """
SELECT variant, unnest(range(seats))::UTINYINT AS seat, seats FROM variants"""

LINE_UPS = """
CREATE TABLE line_ups AS
WITH listed AS (SELECT unnest(?) AS variant, unnest(?) AS "table", unnest(?) AS names),
turned AS (SELECT *, unnest(range(len(names))) AS rotation FROM listed),
seated AS (SELECT *, unnest(range(len(names))) AS seat FROM turned)
SELECT variant, "table"::USMALLINT AS "table", rotation::UTINYINT AS rotation,
    seat::UTINYINT AS seat, len(names)::INTEGER AS seats,
    names[1 + (seat - rotation + len(names)) % len(names)] AS entrant
FROM seated"""


def doubles_long(seats: int) -> str:
    """Bets with what one asks of them: contract, declarer, and the two by name and role."""
    key = 'variant, block, "table", rotation'
    who = {
        one: f"CASE b.{one} {' '.join(f'WHEN {s} THEN g.entrant_{s}' for s in range(seats))} END"
        for one in ("doubler", "doubled")
    }
    role = {
        one: f"((b.{one} - CASE WHEN d.declarer >= 0 THEN d.declarer ELSE d.leader END + v.seats)"
        " % v.seats)::UTINYINT"
        for one in ("doubler", "doubled")
    }
    return f"""SELECT {key}, b.deal, d.contract, d.declarer, d.n_left,
        b.doubler, {role["doubler"]} AS role_doubler, {who["doubler"]} AS entrant_doubler,
        b.doubled, {role["doubled"]} AS role_doubled, {who["doubled"]} AS entrant_doubled,
        b.redoubled, b.difference, b.settlement
    FROM doubles b JOIN variants v USING (variant)
        LEFT JOIN deals d USING ({key}, deal) LEFT JOIN games g USING ({key})"""


ITEMS = """
SELECT l.variant, l.block, l."table", l.rotation, l.deal, l.contract, l.seat, l.role, l.entrant,
    s.slot, s.item, ((l.items >> (8 * s.slot)) & 255)::UTINYINT AS count
FROM deals_long l JOIN slots s USING (variant, contract)
WHERE l.items IS NOT NULL"""
