"""The tables of a run: every column with its type, unit and meaning.

Stored values are integers (and names); means and errors are computed from
integer sums at the end. Wide columns ``NAME_s`` stand once for each seat s,
0..n-1 in playing order; a run's tables have as many as its largest table, and
rows of smaller tables are null beyond their seats.

Points are inside points: more is better, whatever the document calls winning.
"""

from typing import NamedTuple

import polars as pl

SCHEMA_VERSION = 1
"""Stands in every Parquet file's metadata and in the manifest; docs/data.md says what raises it."""
OLDEST = 1
"""Of the versions that are read."""


class Column(NamedTuple):
    """One column of a table, or one for each seat (or role)."""

    name: str
    dtype: pl.DataType
    by_seat: bool
    """True: stands as ``name_0``, ``name_1``, ..."""
    unit: str
    meaning: str
    wide: str = "seat"
    """What ``by_seat`` columns stand for: each seat, or each role."""


def _by_role(name: str, dtype: pl.DataType, unit: str, meaning: str) -> Column:
    return Column(name, dtype, True, unit, meaning, "role")


def _one(name: str, dtype: pl.DataType, unit: str, meaning: str) -> Column:
    return Column(name, dtype, False, unit, meaning)


def _seats(name: str, dtype: pl.DataType, unit: str, meaning: str) -> Column:
    return Column(name, dtype, True, unit, meaning)


_KEY = (
    _one("variant", pl.String(), "name", "the rules played"),
    _one(
        "block",
        pl.UInt64(),
        "index",
        "unit of counting: all rotations of all tables on the same deals",
    ),
    _one("table", pl.UInt16(), "index", "line-up within the block, as the manifest lists them"),
    _one(
        "rotation",
        pl.UInt8(),
        "index",
        "seat s is held by member (s - rotation) mod n of the line-up's order",
    ),
)

GAMES = (
    *_KEY,
    _seats("entrant", pl.String(), "name", "who sat there"),
    _seats("score", pl.Int32(), "points", "total of the game, side bets included"),
    _seats("place", pl.UInt8(), "rank", "1 is best; equal totals share the better place"),
    _one("n_first", pl.UInt8(), "count", "seats tied for first: each has win share 1 / n_first"),
    _seats("fouls", pl.UInt16(), "count", "illegal or failed answers in the game"),
    _one(
        "digest", pl.Binary(), "sha-256", "hash of this game's canonical rows, see pipeline.digest"
    ),
)

DEALS = (
    *_KEY,
    _one("deal", pl.UInt16(), "index", "number in the game, from 0"),
    _one("contract", pl.String(), "name", "contract played"),
    _one("param", pl.Int8(), "index", "trump suit or start rank by its place in the deck; -1 none"),
    _one("dealer", pl.UInt8(), "seat", "who dealt"),
    _one("declarer", pl.Int8(), "seat", "who chose; -1 where the schedule is fixed"),
    _one("leader", pl.UInt8(), "seat", "who led the first trick or moved first"),
    _one(
        "n_left",
        pl.UInt8(),
        "count",
        "contracts the declarer could choose from, uses counted; 0 where he had no choice",
    ),
    _one("extra", pl.Boolean(), "flag", "the deal played out a tie for the first place"),
    _one(
        "revoked",
        pl.Int8(),
        "seat",
        "whose revoke was charged, its penalty in points; -1 nobody's",
    ),
    _seats("points", pl.Int32(), "points", "of the contract, before side bets"),
    _seats("side", pl.Int32(), "points", "side bets received less paid"),
    _seats(
        "items",
        pl.UInt64(),
        "8 x 8 bits",
        "counted items, slot k in bits 8k..8k+7; the manifest names slots",
    ),
    _seats("finish", pl.UInt8(), "rank", "finishing place of a layout from 1; 0 for tricks"),
)

DOUBLES = (
    *_KEY,
    _one("deal", pl.UInt16(), "index", "number in the game, from 0"),
    _one("doubler", pl.UInt8(), "seat", "who doubled first"),
    _one("doubled", pl.UInt8(), "seat", "whom"),
    _one("redoubled", pl.Boolean(), "flag", "the doubled seat answered"),
    _one(
        "difference",
        pl.Int32(),
        "points",
        "points of the doubler less those of the doubled, before side bets",
    ),
    _one(
        "settlement",
        pl.Int32(),
        "points",
        "what the doubler gets: the difference, twice it if redoubled",
    ),
)

PLAYS = (
    *_KEY,
    _one("deal", pl.UInt16(), "index", "number in the game, from 0"),
    _one("contract", pl.String(), "name", "contract played"),
    _one("param", pl.Int8(), "index", "trump suit or start rank by its place in the deck; -1 none"),
    _one("dealer", pl.UInt8(), "seat", "who dealt"),
    _one("declarer", pl.Int8(), "seat", "who chose; -1 where the schedule is fixed"),
    _one("leader", pl.UInt8(), "seat", "who led the first trick or moved first"),
    _one("revoked", pl.Int8(), "seat", "whose revoke was charged; -1 nobody's"),
    _seats(
        "doubled", pl.UInt16(), "16 x 1 bit", "whom the seat doubled or redoubled, seat k bit k"
    ),
    _seats("points", pl.Int32(), "points", "of the contract, before side bets"),
    _seats("side", pl.Int32(), "points", "side bets received less paid"),
    _one("n_moves", pl.UInt16(), "count", "moves of the deal, passes of a layout among them"),
    _one(
        "moves",
        pl.Binary(),
        "a byte each",
        "cards in the order played; the first 512, with two packs 1024",
    ),
)

SUMMARY = (
    _one("variant", pl.String(), "name", "the rules played"),
    _one("measure", pl.String(), "name", "what is summed; pipeline.summary lists the measures"),
    _one("table", pl.Int32(), "index", "line-up; -1 all line-ups together"),
    _one("entrant", pl.String(), "name", "entrant it is about; empty for all"),
    _one("contract", pl.String(), "name", "contract; empty for all"),
    _one("role", pl.Int8(), "role", "role of the seat; -1 for all"),
    _one("target", pl.Int8(), "role", "role of the other seat of a pair; -1 none"),
    _one("n_left", pl.Int16(), "count", "contracts left to choose from; -1 for all"),
    _one("shard", pl.UInt32(), "index", "shard whose blocks are summed"),
    _one("blocks", pl.Int64(), "count", "whole blocks of the shard in which the cell occurs"),
    _one("n", pl.Int64(), "count", "sum of block counts"),
    _one("x", pl.Int64(), "see measure", "sum of block totals"),
    _one("nn", pl.Int64(), "", "sum of squared block counts"),
    _one("xx", pl.Int64(), "", "sum of squared block totals"),
    _one("nx", pl.Int64(), "", "sum of count times total of blocks"),
)

TOTALS = (
    _one("variant", pl.String(), "name", "the rules played"),
    _one("block", pl.UInt64(), "index", "unit of counting"),
    _one("table", pl.UInt16(), "index", "line-up within the block"),
    _one("member", pl.UInt8(), "index", "place in the line-up's order in this block"),
    _one("entrant", pl.String(), "name", "who that is"),
    _one("n", pl.UInt16(), "count", "seat-games of the member that are summed"),
    _one("x", pl.Int64(), "points", "sum of seats * score - total of the table"),
    _one("xx", pl.Int64(), "points squared", "sum of its squares"),
    _one("win", pl.UInt32(), "1/2520", "sum of win shares: 2520 / seats tied for first"),
    _one("place", pl.UInt32(), "rank", "sum of twice the mean rank of those tied, 2 is best"),
)

JOINT = (
    _one("variant", pl.String(), "name", "the rules played"),
    _one("shard", pl.UInt32(), "index", "shard whose whole blocks are summed"),
    _one("entrant", pl.String(), "name", "whose figure it is (docs/statistics.md)"),
    _one(
        "beside",
        pl.String(),
        "name",
        "only tables that seat this one too are counted; empty for all tables",
    ),
    _one("other", pl.String(), "name", "whose figure it is multiplied with, perhaps his own"),
    _one("blocks", pl.Int64(), "count", "blocks in which the entrant was counted"),
    _one("n", pl.Int64(), "count", "sum over blocks of the entrant's seat-games"),
    _one("x", pl.Int64(), "points", "sum of his totals, seats * score - total of the table"),
    _one("nn", pl.Int64(), "", "sum of his count times the other's"),
    _one("xx", pl.Int64(), "", "sum of his total times the other's"),
    _one("nx", pl.Int64(), "", "sum of his count times the other's total"),
)

COMPANY = (
    _one("variant", pl.String(), "name", "the rules played"),
    _one("shard", pl.UInt32(), "index", "shard whose whole blocks are summed"),
    _one("entrant", pl.String(), "name", "one of a pair that shared a table"),
    _one("other", pl.String(), "name", "the other of the pair"),
    _one("third", pl.String(), "name", "one of a second pair, or he alone"),
    _one("fourth", pl.String(), "name", "the other of the second pair; empty for the third alone"),
    _one(
        "blocks",
        pl.Int64(),
        "count",
        "blocks in which each pair shared a table; 0 where the third is alone",
    ),
    _one(
        "x",
        pl.Int64(),
        "points",
        "of the third alone: sum of his totals in blocks in which the pair shared a table; else 0",
    ),
)

_UNIT = (
    _one("variant", pl.String(), "name", "the rules played"),
    _one("block", pl.UInt64(), "index", "unit of counting: one dealership, or one game turned"),
    _one("table", pl.UInt16(), "index", "entrant, who holds every seat"),
    _one(
        "step",
        pl.UInt16(),
        "index",
        "deal of the dealership, from 0; in seats: turn of the hands, s holds that of s + step",
    ),
)

UNITS = (
    *_UNIT,
    _one("entrant", pl.String(), "name", "who holds every seat"),
    _one("hand", pl.String(), "cards", "the declarer's cards as dealt; empty in seats"),
    _one(
        "left",
        pl.String(),
        "names",
        "contracts left to choose from, each as often as it may be used; empty in seats",
    ),
    _one("n_left", pl.UInt16(), "count", "how many these are"),
    _one("fouls", pl.UInt32(), "count", "illegal or failed answers"),
    _one("n_trials", pl.UInt32(), "count", "deals played"),
    _one("n_rows", pl.UInt32(), "count", "rows of trials"),
    _one("digest", pl.Binary(), "sha-256", "hash of this row and its trials, see pipeline.studies"),
)

TRIALS = (
    *_UNIT,
    _one("kind", pl.String(), "name", "what was played; pipeline.studies.designs lists the kinds"),
    _one("contract", pl.String(), "name", "contract; empty for all"),
    _one("param", pl.Int8(), "index", "trump suit or start rank by its place in the deck; -1 none"),
    _one("who", pl.Int8(), "role", "whose hand is kept, or one of a pair; -1 none"),
    _one("whom", pl.Int8(), "role", "the other of a pair; -1 none"),
    _one("weight", pl.UInt8(), "count", "bets between the two: 1 doubled, 2 redoubled"),
    _one("half", pl.Int8(), "index", "half of the worlds, 0 or 1; -1 none"),
    _one("n_left", pl.UInt16(), "count", "contracts left where one was chosen, else 0"),
    _one("n", pl.UInt32(), "count", "trials that are summed"),
    _by_role("points", pl.Int64(), "points", "sum of the contract's points, before side bets"),
    _one(
        "squares",
        pl.Int64(),
        "points squared",
        "sum of squared points of role `who`, of role 0 where there is none",
    ),
)

LEDGER = (
    _one(
        "question",
        pl.String(),
        "hash",
        "of rules, design, strategies at the tables and claim; not of seed, blocks, stop rule",
    ),
    _one("variant", pl.String(), "name", "the rules played"),
    _one("words", pl.String(), "text", "the claim in words"),
    _one("run", pl.String(), "hash", "which run asked; again with the same digest no new attempt"),
    _one("attempt", pl.UInt32(), "count", "how many runs had asked the question by then, this too"),
    _one("seed", pl.UInt64(), "number", "of the run"),
    _one("rule", pl.String(), "name", "how it was to stop: fixed, sprt, width, decided, race"),
    _one("alpha", pl.Float64(), "probability", "how often its verdict may be wrong"),
    _one("cap", pl.UInt64(), "blocks", "planned; with a rule at most"),
    _one("blocks", pl.UInt64(), "blocks", "that the verdict rests on; null until there is one"),
    _one("statistic", pl.Float64(), "see rule", "what the rule looked at; null where it has none"),
    _one("decision", pl.String(), "name", "what came out; null until the run came to its end"),
    _one("digest", pl.String(), "hash", "of the run; null until it came to its end"),
)
"""Of ``ledger.parquet``, which lies beside the runs."""

SHARDS = (
    _one("run", pl.String(), "hash", "run it belongs to"),
    _one("shard", pl.Int64(), "index", "shard, which names its files"),
    _one("variant", pl.String(), "name", "the rules played"),
    _one("first_block", pl.Int64(), "index", "its first block"),
    _one("n_blocks", pl.Int64(), "count", "how many it has; 1 where a block is cut into parts"),
    _one("first_game", pl.Int64(), "index", "first game of each block; 0 for whole blocks"),
    _one("n_games", pl.Int64(), "count", "games of each block, of a study units"),
    _one("games", pl.Int64(), "count", "games in all, of a study units"),
    _one("deals", pl.Int64(), "count", "deals played"),
    _one("fouls", pl.Int64(), "count", "illegal or failed answers"),
    _one("first_fouls", pl.List(pl.String()), "text", "what the first fouls were"),
    _one(
        "conduct",
        pl.List(
            pl.Struct(
                {"entrant": pl.String(), "kind": pl.String(), "n": pl.Int64(), "first": pl.String()}
            )
        ),
        "list",
        "who fouled, printed, or drew from everybody's random numbers, how often, where first",
    ),
    _one("digest", pl.String(), "sha-256", "sum of the hashes of its games, 64 hexadecimal digits"),
    _one("build", pl.String(), "text", "kernel and compiler that played it"),
    _one("ms", pl.Int64(), "milliseconds", "how long it took one worker"),
)
"""Of ``shards.parquet``: a receipt, and for each table T the columns ``T_NAME`` of its file."""

SHARD_FILES = (
    _one("rows", pl.Int64(), "count", "rows of this shard; null where it has none, so no file"),
    _one("bytes", pl.Int64(), "bytes", "size of the file"),
    _one("sha256", pl.String(), "sha-256", "of its bytes, 64 hexadecimal digits"),
    _one("first", pl.Int64(), "index", "first shard of a compacted file; else null"),
    _one("last", pl.Int64(), "index", "last shard of a compacted file; else null"),
    _one("first_row", pl.Int64(), "index", "where in a compacted file its rows begin; else null"),
)

TABLES: dict[str, tuple[Column, ...]] = {
    "games": GAMES,
    "deals": DEALS,
    "doubles": DOUBLES,
    "plays": PLAYS,
    "summary": SUMMARY,
    "totals": TOTALS,
    "joint": JOINT,
    "company": COMPANY,
    "units": UNITS,
    "trials": TRIALS,
}
"""Those of tournaments, then those of studies."""


def polars_schema(table: str, seats: int) -> dict[str, pl.DataType]:
    """Names and types of a table's columns for runs of up to ``seats`` seats."""
    wide: dict[str, pl.DataType] = {}
    for column in TABLES[table]:
        if column.by_seat:
            wide |= {f"{column.name}_{s}": column.dtype for s in range(seats)}
        else:
            wide[column.name] = column.dtype
    return wide
