"""What the sheets of a club tell, game by game, whatever they are written in."""

import re
from typing import NamedTuple

from engine_ext.errors import UserError
from engine_ext.record_text import Line, UnreadableError
from engine_ext.rules.spec import Variant
from engine_ext.sheet_text import NUMBER, DealLine, numbers_of

MOST_BYTES = 2**22
"""Of a sheet; a club's games of fifty years need less."""
MOST_GAMES = 10_000
"""Of a run of evenings."""


class SheetError(UserError):
    """A sheet that cannot be imported."""


class Told(NamedTuple):
    """One game as it is told, not yet held against the rules."""

    head: Line
    """Where it stands, for messages."""
    evening: str | None
    players: tuple[str, ...]
    """In playing order; who deals first stands first."""
    lines: tuple[DealLine | Line, ...]
    """Its deals, and lines of totals; of a game of which only the totals are known one of
    these."""


def text_of(content: bytes, file: str) -> str:
    """The text of a sheet, with or without a mark in front."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableError(
            f"{file}: byte {error.start}: not UTF-8 text (save the table as CSV UTF-8)"
        ) from error
    if "\0" in text:
        raise UnreadableError(f"{file}: not UTF-8 text (save the table as CSV UTF-8)")
    return text


def final_totals(told: Told, variant: Variant) -> tuple[int, ...] | None:
    """The totals of a game of which nothing else is told, in the document's sign; else None."""
    if any(isinstance(line, DealLine) for line in told.lines):
        return None
    totals = [line for line in told.lines if isinstance(line, Line) and line.word == "totals"]
    if len(totals) != 1:
        raise told.head.wrong(f"{len(totals)} lines of totals, want deals, or the totals once")
    return numbers_of(totals[0], totals[0].rest, told.players)


def whole_number(text: str) -> str | None:
    """A whole number as sheets have it, with the minus of a typewriter; None for another text."""
    plain = text.replace("\N{MINUS SIGN}", "-")
    return plain if re.fullmatch(NUMBER, plain) else None
