"""Compiled sources as logical lines: the words of each, and whether it is played in a game."""

import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from io import StringIO

OPENING, CLOSING = "([{", ")]}"
SKIPPED = (tokenize.NL, tokenize.COMMENT, tokenize.ENDMARKER)
WORDS_OF_C = re.compile(r"(\s*)(\w+|->|<<=|>>=|[-+*/%&|^<>=!]=|<<|>>|&&|\|\||\+\+|--|\S)")
STATEMENT_OF_C = re.compile(r"(return|[a-z]\w*(->\w+|\.\w+|\[\w+\])* ?[-+*/%&|^]?=(?!=)) .*[^,;]+;")


@dataclass(frozen=True)
class Word:
    """A token, and the blanks before it."""

    gap: str
    text: str


@dataclass(frozen=True)
class Line:
    """A logical line; continuation lines are joined to it."""

    file: str
    first: int
    last: int
    """Rows in the file, from 0."""
    indent: str
    words: tuple[Word, ...]
    function: str = ""
    """In which it stands."""
    nth: int = 1
    """Which of the lines alike in it."""

    @property
    def text(self) -> str:
        """The line without its indentation."""
        return text_of(self.words)

    @property
    def name(self) -> str:
        """The line, with a number if others like it stand above it in the function."""
        return f"{self.text} ({self.nth})" if self.nth > 1 else self.text


def text_of(words: tuple[Word, ...]) -> str:
    """Return words as they stand in a line."""
    return "".join(word.gap + word.text for word in words).strip()


def played_lines(file: str, text: str) -> list[Line]:
    """Return the lines of a source that run while games are played: the bodies of Cython's
    functions without the GIL and of those that pack rules; statements of C."""
    if file.endswith(".h"):
        return told_apart(_lines_of_c(file, text))
    found, depth, function = [], -1, ""
    for line in logical_lines(file, text):
        if depth >= 0 and len(line.indent) <= depth:
            depth = -1
        if is_function(line):
            depth = len(line.indent) if is_played(line) else -1
            function = name_of(line)
        elif depth >= 0:
            found.append(replace(line, function=function))
    return told_apart(found)


def told_apart(lines: Iterable[Line]) -> list[Line]:
    """Return lines with the second of two alike in one function numbered so, and so on."""
    seen: Counter[tuple[str, str]] = Counter()
    apart = []
    for line in lines:
        seen[line.function, line.text] += 1
        apart.append(replace(line, nth=seen[line.function, line.text]))
    return apart


def name_of(line: Line) -> str:
    """Return the name of the function that a line begins."""
    texts = [word.text for word in line.words]
    return texts[texts.index("(") - 1]


def is_function(line: Line) -> bool:
    """Whether a line begins a function."""
    words = [word.text for word in line.words]
    return words[0] in ("def", "cdef", "cpdef") and words[-1] == ":" and "(" in words


def is_played(line: Line) -> bool:
    """Whether a function's header says that it has no GIL, or packs rules."""
    return line.text.endswith("noexcept nogil:") or line.text.startswith("cdef void pack_")


def logical_lines(file: str, text: str) -> Iterator[Line]:
    """Yield the lines of Cython text; Python's own tokenizer reads it well enough."""
    rows = text.split("\n")
    words: list[Word] = []
    start, end = (0, 0), (0, 0)
    for token in tokenize.generate_tokens(StringIO(text).readline):
        if token.type in (*SKIPPED, tokenize.INDENT, tokenize.DEDENT):
            continue
        if token.type == tokenize.NEWLINE:
            indent = rows[start[0] - 1][: start[1]]
            yield Line(file, start[0] - 1, end[0] - 1, indent, tuple(words))
            words = []
            continue
        if not words:
            gap, start = "", token.start
        elif token.start[0] == end[0]:
            gap = " " * (token.start[1] - end[1])
        else:
            gap = " " if words[-1].text not in OPENING and token.string not in CLOSING else ""
        words.append(Word(gap, token.string))
        end = token.end


def _lines_of_c(file: str, text: str) -> Iterator[Line]:
    """Yield the statements of a header that fill one row each."""
    for row, line in enumerate(text.split("\n")):
        statement = line.strip()
        if STATEMENT_OF_C.fullmatch(statement):
            words = tuple(Word(*pair) for pair in WORDS_OF_C.findall(statement))
            yield Line(file, row, row, line[: len(line) - len(line.lstrip())], words)
