"""The small changes of a line that a rule's tests must notice, one at a time."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.mutation.source import CLOSING, OPENING, Line, Word, text_of

SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+",
    "*": "+", "//": "*", "%": "*", "&": "|", "|": "&", "^": "&", "<<": ">>", ">>": "<<",
    "and": "or", "or": "and", "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "|=": "=", "&=": "=",
    "^=": "|=", "*=": "+=", "True": "False", "False": "True",
}  # fmt: skip
KEYWORDS = ("and", "or", "not", "if", "elif", "else", "while", "in", "is", "return", "for", "cdef")
CONDITIONS = ("if", "elif", "while")
LEFT_ALONE = ("try", "except", "finally", "else", "raise", "with", "import", "from", "global")
NEVER, ALWAYS = "MUTANT < 0", "MUTANT >= 0"
"""Conditions that a compiler cannot work out."""

Words = tuple[Word, ...]


@dataclass(frozen=True)
class Change:
    """One change: a part of a line, from word ``start`` to before ``end``, in other words."""

    what: str
    start: int
    end: int
    words: Words


@dataclass(frozen=True)
class Mutant:
    """A change in a file, by number."""

    number: int
    line: Line
    change: Change

    @property
    def place(self) -> str:
        """Where it stands and what it does."""
        return f"{self.line.file}:{self.line.first + 1}: {self.line.text}  [{self.change.what}]"


def changes(line: Line) -> list[Change]:
    """Return all changes of a line, by its parts in order."""
    first = line.words[0].text
    if first in LEFT_ALONE or first.startswith(('"', "'")):
        return []
    found = [
        Change(what, start, end, line.words[start:at] + words + line.words[past:end])
        for start, end in parts(line)
        for what, at, past, words in _in_part(line.words, start, end)
    ]
    if first in CONDITIONS:
        end = len(line.words) - 1
        found.append(Change("never", 1, end, (Word(" ", NEVER),)))
        if first != "while":
            found.append(Change("always", 1, end, (Word(" ", ALWAYS),)))
    elif can_be_dropped(line):
        nothing = ";" if line.file.endswith(".h") else "pass"
        found.append(Change("dropped", 0, len(line.words), (Word("", nothing),)))
    return told_apart(found)


def told_apart(found: list[Change]) -> list[Change]:
    """Return changes with the second of two that have one name called so, and so on."""
    seen: Counter[str] = Counter()
    apart = []
    for change in found:
        seen[change.what] += 1
        nth = f" ({seen[change.what]})" if seen[change.what] > 1 else ""
        apart.append(replace(change, what=change.what + nth))
    return apart


def can_be_dropped(line: Line) -> bool:
    """Whether a line is a statement without which the rest still makes sense."""
    texts = [word.text for word in line.words]
    return texts[0] not in ("cdef", "return", "for", "pass", *CONDITIONS)


def parts(line: Line) -> list[tuple[int, int]]:
    """Return the parts of a line that can be changed by themselves, as ranges of words."""
    texts = [word.text for word in line.words]
    if texts[0] in CONDITIONS:
        return [(1, len(texts) - 1)]
    if texts[0] == "for":
        if "range" not in texts:
            return []
        start = texts.index("range") + 2
        return split_at_commas(line.words, start, len(texts) - 2)
    if texts[0] == "cdef":
        return [
            (equals + 1, end)
            for start, end in split_at_commas(line.words, 1, len(texts))
            if (equals := first_equals(line.words, start, end))
        ]
    return [(0, len(texts))]


def first_equals(words: Words, start: int, end: int) -> int:
    """Return where a declaration's value begins; 0 if it has none."""
    return next((at for at in range(start, end) if words[at].text == "="), 0)


def split_at_commas(words: Words, start: int, end: int) -> list[tuple[int, int]]:
    """Return the ranges between the commas that stand outside brackets."""
    found, depth, begun = [], 0, start
    for at in range(start, end):
        text = words[at].text
        depth += (text in OPENING) - (text in CLOSING)
        if text == "," and depth == 0:
            found.append((begun, at))
            begun = at + 1
    return [*found, (begun, end)]


def _in_part(words: Words, start: int, end: int) -> Iterator[tuple[str, int, int, Words]]:
    """Yield the changes of single words: what, from where to where, and the new ones."""
    at = start
    while at < end:
        text, gap = words[at].text, words[at].gap
        after_value = at > 0 and is_value(words[at - 1].text)
        if text == "<" and not after_value:  # a cast
            at = next(i for i in range(at, end) if words[i].text == ">")
        elif text in SWAPS and (after_value or text in ("True", "False")):
            yield f"{text} to {SWAPS[text]}", at, at + 1, (Word(gap, SWAPS[text]),)
        elif text in ("not", "~", "!") and not after_value:
            nothing = "not not" if text == "not" else ""  # still a truth
            yield f"{text} dropped", at, at + 1, (Word(gap, nothing),)
        elif text == "if" and at > start:
            stop = _else_of(words, at, end)
            negated = (Word(" ", "if not ("), *words[at + 1 : stop], Word("", ")"))
            yield "if negated", at, stop, negated
        elif text.isdigit() and not (words[at - 1].text == "-" and is_sign(words, at - 1)):
            for other in (int(text) + 1, *([0] if text == "1" else [])):
                yield f"{text} to {other}", at, at + 1, (Word(gap, str(other)),)
        at += 1


def _else_of(words: Words, at: int, end: int) -> int:
    """Return where the condition of a conditional expression ends."""
    depth = 0
    for i in range(at, end):
        text = words[i].text
        depth += (text in OPENING) - (text in CLOSING)
        if text == "else" and depth == 0:
            return i
    raise AssertionError(text_of(words))


def is_sign(words: Words, at: int) -> bool:
    """Whether a minus stands before a number of its own: -1 mostly says that there is none."""
    return at == 0 or not is_value(words[at - 1].text)


def is_value(text: str) -> bool:
    """Whether a word can stand left of an operator between two values."""
    return text not in KEYWORDS and (text[0].isalnum() or text[0] == "_" or text in (")", "]"))
