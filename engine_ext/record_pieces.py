"""Several deals in one text, taken apart."""

from typing import NamedTuple

from engine_ext.record_text import CHECKS, STEPS, Line, split

RULE = "---"
"""A line that parts two deals."""
HEAD = ("variant", "option")
"""Lines that hold for every deal of a file."""
OPENS = ("source", *HEAD, "deal")
"""Lines that begin the next deal behind the steps and checks of another."""


class Piece(NamedTuple):
    """The text of one deal."""

    first: int
    """Number of its first line in the file."""
    text: str

    def lines(self, file: str) -> list[Line]:
        """Return the lines that say something."""
        return list(split(self.text, file, self.first))


def pieces(text: str) -> list[Piece]:
    """Return the text of each deal; one without a word where a text says nothing."""
    found: list[tuple[int, list[str]]] = [(1, [])]
    acted = False
    for number, line in enumerate(text.splitlines(), start=1):
        word = next(iter(line.split("#", 1)[0].split()), "")
        if word == RULE or (word in OPENS and acted):
            found.append((number, []))
            acted = False
        acted = acted or (word in STEPS + CHECKS and word != "scores")
        found[-1][1].append("" if word == RULE else line)
    said = [(n, piece) for n, piece in found if any(_says(line) for line in piece)]
    return [Piece(n, "\n".join(piece)) for n, piece in said] or [Piece(1, "")]


def _says(line: str) -> bool:
    return bool(line.split("#", 1)[0].strip())
