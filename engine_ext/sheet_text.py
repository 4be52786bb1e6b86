"""A score sheet taken apart: who plays what, and a line for each deal. ``docs/records.md``
tells the grammar.

Anything wrong is a ``RecordError`` with file and number of the line, as in a record.
"""

import difflib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine_ext.record import variant_of
from engine_ext.record_text import NOBODY, Line, RecordError
from engine_ext.rules.messages import nearest
from engine_ext.rules.spec import Variant

HEAD = ("source", "variant", "option", "players")
"""Lines before the first deal."""
ENDING = ("totals", "first")
"""Lines behind the deals so far: the totals, and who is first."""
RESULTS = ("doubles", "points", "side", "scores", "out", "place", "revoke")
"""First words of a deal's fields, beside the names of what counts."""
ONCE = ("source", "variant", "players")
NUMBER = r"[+-]?[0-9]{1,9}"


@dataclass(frozen=True, slots=True)
class DealLine:
    """One line of a sheet: the number of the deal and its fields."""

    head: Line
    """Who declares what; its number is in ``number``."""
    number: int
    fields: tuple[Line, ...]
    """Behind the strokes: keyword or item first."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet as it is written."""

    file: str
    variant_name: str
    variant: Variant
    players: tuple[str, ...]
    """In playing order."""
    deals: tuple[DealLine | Line, ...]
    """Deals and lines of totals, in order."""

    def seat(self, line: Line, text: str) -> int:
        """Return the seat of a player's name, or of P0, P1, ..."""
        found = self.seat_of(text)
        if found is None:
            hint = difflib.get_close_matches(text, self.players, n=1)
            right = f'did you mean "{hint[0]}"?' if hint else f"known: {', '.join(self.players)}"
            raise line.wrong(f'{line.word}: nobody is called "{text}" ({right})')
        return found

    def seat_of(self, text: str) -> int | None:
        """Return a player's seat, None for another word."""
        if text in self.players:
            return self.players.index(text)
        if re.fullmatch(r"P[0-9]", text) and int(text[1:]) < len(self.players):
            return int(text[1:])
        return None

    def names(self, seats: Collection[int]) -> str:
        """Return the names of seats, ``-`` for nobody."""
        return " ".join(self.players[seat] for seat in sorted(seats)) or NOBODY


def is_sheet(text: str) -> bool:
    """Tell a sheet from a record: it names the players."""
    return any(line.split("#", 1)[0].split()[:1] == ["players"] for line in text.splitlines())


def read_sheet(text: str, file: str = "sheet", folder: Path = Path()) -> Sheet:
    """Read a sheet from its text; raises ``RecordError``.

    ``file`` stands in the errors; a variant given by its path counts from ``folder``.
    """
    head: dict[str, list[Line]] = {}
    deals: list[DealLine | Line] = []
    for line in _lines(text, file):
        if isinstance(line, Line) and line.word in HEAD:
            if deals:
                raise line.wrong(f"{line.word} belongs before the first deal")
            if line.word in ONCE and line.word in head:
                raise line.wrong(f"{line.word} stands in line {head[line.word][0].number} already")
            head.setdefault(line.word, []).append(line)
        else:
            deals.append(line)
    for word in ("variant", "players"):
        if word not in head:
            raise RecordError(f"{file}: no line says the {word}")
    name = head["variant"][0]
    variant = variant_of(name, head.get("option", []), folder)
    players = players_of(head["players"][0], variant)
    return Sheet(file, name.text, variant, players, tuple(deals))


def _lines(text: str, file: str) -> Iterator[DealLine | Line]:
    for number, whole in enumerate(text.splitlines(), start=1):
        said = whole.split("#", 1)[0]
        words = said.split()
        if not words:
            continue
        word = words[0]
        line = Line(file, number, word, None, tuple(words[1:]))
        if re.fullmatch(r"[0-9]{1,4}[.:]?", word):
            yield _deal(line, said)
        elif word == "option":
            # The value is a piece of TOML, where blanks and strokes may count.
            rest = said.split(None, 1)[1:]
            yield Line(file, number, word, None, tuple(text.strip() for text in rest))
        elif word in (*HEAD, *ENDING):
            yield line
        else:
            known = (*HEAD, *ENDING)
            hint = nearest(word, known) or f"known: {', '.join(known)};"
            raise line.wrong(f'"{word}" is no keyword ({hint} a deal begins with its number)')


def _deal(line: Line, said: str) -> DealLine:
    head, *fields = said.split("|")
    found = []
    for field in fields:
        words = field.split()
        if not words:
            raise line.wrong("an empty field between strokes")
        found.append(Line(line.file, line.number, words[0], None, tuple(words[1:])))
    number = int(line.word.rstrip(".:"))
    rest = tuple(head.split()[1:])
    return DealLine(Line(line.file, line.number, "deal", None, rest), number, tuple(found))


def players_of(line: Line, variant: Variant) -> tuple[str, ...]:
    """Return the names of a line, in playing order; one that can mean anything else is refused."""
    if len(line.rest) != variant.seats:
        raise line.wrong(f"players: {len(line.rest)} names, this variant has {variant.seats} seats")
    taken = {*RESULTS, *variant.contracts, NOBODY}
    for name in line.rest:
        # A name must not read like anything else that can stand in its place.
        if name in taken or re.fullmatch(NUMBER + r"|P[0-9]", name) or set(name) & set("|>*():,="):
            raise line.wrong(f'players: "{name}" means something else here (take another name)')
        if line.rest.count(name) > 1:
            raise line.wrong(f"players: {name} stands there twice")
    return line.rest


def numbers_of(line: Line, texts: tuple[str, ...], players: tuple[str, ...]) -> tuple[int, ...]:
    """Return a row with one whole number for each player."""
    if len(texts) != len(players):
        given = f"{len(texts)} number{'s' * (len(texts) != 1)}"
        raise line.wrong(f"{line.word}: {given}, want one for each of {len(players)}")
    return tuple(map(line.integer, texts))


def row_text(row: Sequence[int]) -> str:
    """Return a row of numbers as text."""
    return " ".join(map(str, row))


def not_so(line: Line, said: Sequence[int], right: Sequence[int]) -> RecordError:
    """Return the error of a row of numbers that comes out otherwise."""
    return line.wrong(
        f"{line.word}: the sheet says {row_text(said)}, by the rules it is {row_text(right)}"
    )
