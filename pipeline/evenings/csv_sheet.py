"""A club's table: a row a deal, a column for each player, several games behind each other.

docs/evenings.md tells the columns. Rows become the lines of a score sheet
(:mod:`engine_ext.sheet_text`), so that one scorer checks them all.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from engine_ext.record_text import Line
from engine_ext.rules.messages import nearest
from engine_ext.rules.spec import Variant
from engine_ext.sheet_text import DealLine, players_of
from pipeline.evenings.told import SheetError, Told, whole_number

OWN = (
    "evening",
    "game",
    "seats",
    "deal",
    "declarer",
    "contract",
    "trump",
    "start",
    "counts",
    "doubles",
    "revoke",
)
"""Columns that are no player's."""
ALIKE = {"date": "evening"}
"""Other words for them."""
BARE = "took"
"""In ``counts``: the one thing that counts, or the place in a layout."""
TOTALS = "totals"
"""In ``contract``: the totals of the game so far."""
MOST_COLUMNS = 256


class Row(NamedTuple):
    """One row of the table."""

    number: int
    """Of its last line in the file."""
    own: dict[str, str]
    """By the columns of :data:`OWN` that the table has."""
    players: dict[str, str]
    """Cells that are not empty, by player."""
    order: tuple[str, ...]
    """Players as their columns stand."""

    def said(self, column: str) -> str:
        """What a column of :data:`OWN` says, empty where it lacks."""
        return self.own.get(column, "")


def games_of_csv(text: str, file: str, variant: Variant) -> Iterator[Told]:
    """Yield the games of a table; ``SheetError`` or ``RecordError`` for the first slip."""
    rows = _filled_down(list(_rows(text, file)))
    seen: set[tuple[str, str]] = set()
    for key, found in groupby(rows, key=lambda row: (row.said("evening"), row.said("game"))):
        own = list(found)
        head = Line(file, own[0].number, "game", None, ())
        if key in seen:
            raise head.wrong(f"column game: {key[1]} has rows further up (put its rows together)")
        seen.add(key)
        players = _players(head, own, variant)
        lines = tuple(_lines(file, own, players))
        yield Told(head, key[0] or None, players, lines)


def _rows(text: str, file: str) -> Iterator[Row]:
    """Yield the rows below the head."""
    first = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max(";,\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    columns: list[str] = []
    order: tuple[str, ...] = ()
    try:
        for cells in reader:
            said = [cell.strip() for cell in cells]
            if not any(said):
                continue
            if not columns:
                columns = _columns(Line(file, reader.line_num, "columns", None, ()), said)
                order = tuple(name for name in columns if name not in OWN)
                continue
            where = Line(file, reader.line_num, "row", None, ())
            if any(said[len(columns) :]):
                raise where.wrong(f"{len(said)} cells, the head has {len(columns)} columns")
            pairs = list(zip(columns, said, strict=False))
            own = {name: cell for name, cell in pairs if name in OWN}
            players = {name: cell for name, cell in pairs if name not in OWN and cell}
            yield Row(reader.line_num, own, players, order)
    except csv.Error as error:
        raise SheetError(f"{file}, line {reader.line_num}: no row of a table: {error}") from error
    if not columns:
        raise SheetError(
            f"{file}: empty (barbu import --template csv writes a table to begin with)"
        )


def _columns(where: Line, said: Sequence[str]) -> list[str]:
    if len(said) > MOST_COLUMNS:
        raise where.wrong(f"{len(said)} columns (want {MOST_COLUMNS} at most)")
    found = []
    for name in said:
        plain = ALIKE.get(name.lower(), name.lower())
        found.append(plain if plain in OWN else name)
    while found and not found[-1]:
        found.pop()
    for i, name in enumerate(found):
        if not name:
            raise where.wrong(f"column {i + 1} has no name")
        if name in found[:i]:
            raise where.wrong(f"column {name} stands twice")
    if "contract" not in found:
        near = next((n for n in found if n not in OWN and nearest(n, ["contract"])), None)
        raise where.wrong(f"no column contract{'' if near is None else f' (is {near} meant?)'}")
    return found


def _filled_down(rows: list[Row]) -> list[Row]:
    """Evening and game stand in the first of their rows at least; an empty cell says as above."""
    above: dict[str, str] = {}
    for row in rows:
        if row.said("evening") not in ("", above.get("evening")):
            above.pop("game", None)
        for column in ("evening", "game"):
            if column in row.own:
                row.own[column] = row.own[column] or above.get(column, "")
                above[column] = row.own[column]
    return rows


def _players(head: Line, rows: Sequence[Row], variant: Variant) -> tuple[str, ...]:
    """Who played, in playing order: as ``seats`` says, or as the columns stand."""
    orders = {row.said("seats") for row in rows} - {""}
    if len(orders) > 1:
        raise head.wrong("column seats: one game, and two orders of its players")
    there = {name for row in rows for name in row.players}
    columns = [name for name in rows[0].order if name in there]
    said = orders.pop().split() if orders else columns
    players = players_of(Line(head.file, head.number, "players", None, tuple(said)), variant)
    for name in columns:
        if name not in players:
            raise head.wrong(
                f"column {name}: has no seat in this game (seats: {' '.join(players)})"
            )
    return players


def _lines(file: str, rows: Sequence[Row], players: tuple[str, ...]) -> Iterator[DealLine | Line]:
    """Yield deals and totals of a game: rows of one deal together."""
    number, last = 0, 0
    deal: list[Row] = []
    for row in rows:
        at = Line(file, row.number, "deal", None, ())
        if row.said("contract").lower() == TOTALS:
            if deal:
                yield _deal(file, number, deal, players)
                deal = []
            if row.players:
                yield Line(file, row.number, TOTALS, None, _numbers(at, row, players))
            continue
        last, number_said = number, _deal_number(at, row, number)
        if deal and number_said == last:
            deal.append(row)
            continue
        if deal:
            yield _deal(file, number, deal, players)
        number, deal = number_said, [row]
    if deal:
        yield _deal(file, number, deal, players)


def _deal_number(at: Line, row: Row, before: int) -> int:
    """The deal a row is about; without a number the next one, or the one before where the row
    names no contract."""
    said = row.said("deal")
    if not said:
        goes_on = "deal" in row.own and before and not row.said("contract")
        return before if goes_on else before + 1
    if not said.isascii() or not said.isdigit() or len(said) > 4:
        raise at.wrong(f'column deal: "{said}" is no number of a deal (want {before + 1})')
    return int(said)


def _deal(file: str, number: int, rows: Sequence[Row], players: tuple[str, ...]) -> DealLine:
    first = rows[0]
    head = Line(file, first.number, "deal", None, tuple(_head(file, rows, players)))
    fields = []
    for row in rows:
        at = Line(file, row.number, "counts", None, ())
        word = row.said("counts") or "points"
        if row.players:
            numbers = _numbers(at, row, players)
            bare = word.lower() == BARE
            word, rest = (numbers[0], numbers[1:]) if bare else (word, numbers)
            fields.append(Line(file, row.number, word, None, rest))
        pairs = row.said("doubles").replace(",", " ").replace(";", " ").split()
        if pairs:
            fields.append(Line(file, row.number, "doubles", None, tuple(pairs)))
        if row.said("revoke"):
            fields.append(Line(file, row.number, "revoke", None, (row.said("revoke"),)))
    return DealLine(head, number, tuple(fields))


def _head(file: str, rows: Sequence[Row], players: tuple[str, ...]) -> Iterator[str]:
    """Who declares what: said in the first row, or once more in the others."""
    things = set()
    for column in ("declarer", "contract", "trump", "start"):
        said = {row.said(column): row.number for row in rows if row.said(column)}
        if len(said) > 1:
            at = Line(file, max(said.values()), "deal", None, ())
            raise at.wrong(f"column {column}: {' and '.join(said)} in one deal")
        for text, number in said.items():
            at = Line(file, number, "deal", None, ())
            if column == "declarer" and text not in players:
                known = ", ".join(players)
                raise at.wrong(f'column declarer: nobody is called "{text}" (want {known})')
            if column in ("trump", "start"):
                things.add(column)
                if len(things) > 1:
                    raise at.wrong("columns trump and start: only one of them in a deal")
            yield text


def _numbers(at: Line, row: Row, players: tuple[str, ...]) -> tuple[str, ...]:
    """A whole number of each player; an empty cell is a nought."""
    found = []
    for name in players:
        cell = row.players.get(name, "0")
        number = whole_number(cell)
        if number is None:
            raise at.wrong(
                f'column {name}: "{cell[:40]}" is no whole number (want 12 or -12, '
                "without decimals or thousands)"
            )
        found.append(number)
    return tuple(found)
