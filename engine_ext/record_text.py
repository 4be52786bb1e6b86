"""A record's lines taken apart: keyword, who it is about, the rest; and what may stand there.

Anything wrong is a :class:`RecordError` with file and number of the line.
"""

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine_ext.cards import Pack
from engine_ext.errors import UserError
from engine_ext.rules.checks_game import MAX_SCORE

SETUP = (
    "source", "variant", "option", "deal", "replays", "tied", "dealer", "declarer", "leader",
    "turn", "contract", "left", "scores", "hands", "owners", "taken", "laid", "out", "passes",
    "further", "passed", "voids", "lifted", "revokes", "doubles", "duty",
)  # fmt: skip
"""What lies on the table before the first step."""
STEPS = ("choose", "double", "redouble", "trick", "then", "lay")
"""What is said and played."""
CHECKS = (
    "legal", "must", "refused", "next", "winner", "over", "points", "side", "scores", "total",
    "items", "first",
)  # fmt: skip
"""What has to hold at this place."""
OFTEN = ("option", "left", "taken", "voids", "revokes")
"""Setup lines that may come more than once."""

NOBODY = "-"
"""No card, no seat, or a trick whose taker is not known."""
PASS = "pass"
BACK = "!"
"""Behind a card: it was shown, did not fit and went back into the hand."""


class RecordError(UserError):
    """A record that cannot be read, or that the rules contradict."""


class UnreadableError(RecordError):
    """A file that is not there, or no text."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a record."""

    file: str
    number: int
    """Of the line; 0 where ``file`` tells the whole place."""
    word: str
    speaker: int | None
    """The seat before the colon."""
    rest: tuple[str, ...]

    def wrong(self, what: str) -> RecordError:
        """Return the error that says what is wrong with this line."""
        # What is quoted may bring control codes along.
        shown = "".join(char if char.isprintable() else " " for char in what)
        place = f"{self.file}, line {self.number}" if self.number else self.file
        return RecordError(f"{place}: {shown}")

    @property
    def text(self) -> str:
        """What stands behind the keyword."""
        return " ".join(self.rest)

    def one(self, example: str) -> str:
        """Return the only word behind the keyword."""
        if len(self.rest) != 1:
            raise self.wrong(f"{self.word} takes one word (e.g. {self.word} {example})")
        return self.rest[0]

    def integer(self, text: str) -> int:
        """Return a whole number, with or without a sign."""
        if not re.fullmatch(r"[+-]?[0-9]+", text):
            raise self.wrong(f'{self.word}: "{text}" is no whole number')
        if len(text) > 20 or abs(int(text)) > MAX_SCORE:
            raise self.wrong(f"{self.word}: a number of {len(text)} signs (at most {MAX_SCORE})")
        return int(text)

    def numbers(self, seats: int, texts: tuple[str, ...] | None = None) -> tuple[int, ...]:
        """Return one whole number for each seat."""
        given = self.rest if texts is None else texts
        if len(given) != seats:
            many = f"{len(given)} number{'s' * (len(given) != 1)}"
            raise self.wrong(f"{self.word}: {many}, want one for each of P0 to P{seats - 1}")
        return tuple(self.integer(text) for text in given)

    def seat(self, text: str, seats: int) -> int:
        """Return the number of a seat."""
        if not re.fullmatch(r"P[0-9]", text) or int(text[1:]) >= seats:
            raise self.wrong(f'{self.word}: "{text}" is no seat (P0 to P{seats - 1})')
        return int(text[1:])

    def by(self, seats: int) -> int:
        """Return the seat before the colon, which has to be there."""
        if self.speaker is None:
            raise self.wrong(f"{self.word}: say whose (e.g. {self.word} P0: ...)")
        return self.seat(f"P{self.speaker}", seats)

    def card(self, text: str, pack: Pack) -> str:
        """Return the name of a card of the pack."""
        try:
            pack.number(text)
        except ValueError as error:
            raise self.wrong(f"{self.word}: {error}") from error
        return text

    def cards(self, texts: tuple[str, ...], pack: Pack) -> tuple[str, ...]:
        """Return cards in the order of the pack; ``-`` is none."""
        if texts == (NOBODY,):
            return ()
        return in_order([self.card(text, pack) for text in texts], pack)


def in_order(cards: list[str] | tuple[str, ...], pack: Pack) -> tuple[str, ...]:
    """Return cards sorted as in the pack."""
    return tuple(sorted(cards, key=pack.number))


def seats_of(names: object) -> str:
    """Return seats as text, ``-`` for nobody.

    >>> seats_of([0, 2])
    'P0 P2'
    """
    assert isinstance(names, (list, tuple, set, frozenset))
    return " ".join(f"P{seat}" for seat in sorted(names)) or NOBODY


def split(text: str, file: str, first: int = 1) -> Iterator[Line]:
    """Yield the lines of a record that say something; ``first`` is the number of the first."""
    known = {*SETUP, *STEPS, *CHECKS}
    for number, whole in enumerate(text.splitlines(), start=first):
        said = whole.split("#", 1)[0].replace("|", " | ").split()
        if not said:
            continue
        word, rest = said[0], said[1:]
        speaker = None
        if word not in ("source", "option") and rest and rest[0].endswith(":"):
            speaker = _speaker(Line(file, number, word, None, ()), rest.pop(0))
        line = Line(file, number, word, speaker, tuple(rest))
        if word not in known:
            near = difflib.get_close_matches(word, sorted(known), n=1)
            hint = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(sorted(known))}"
            raise line.wrong(f'"{word}" is no keyword ({hint})')
        if word == "option":
            # The value is a piece of TOML, where blanks and strokes may count.
            option = whole.split("#", 1)[0].split(None, 1)
            line = Line(file, number, word, None, (option[1].strip(),) if option[1:] else ())
        yield line


def _speaker(line: Line, text: str) -> int:
    if not re.fullmatch(r"P[0-9]:", text):
        raise line.wrong(f'"{text}" is no seat before a colon (e.g. P0:)')
    return int(text[1])
