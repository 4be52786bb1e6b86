"""One text with all its mutants: which one runs, a number says while the program does."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from tests.mutation.change import CONDITIONS, Change, Mutant, first_equals, split_at_commas
from tests.mutation.source import Line, Word, text_of

HEADER = """\
/* The number of the mutant that runs, 0 for none: it lies where the program that asks says,
 * one place for all modules. */
#ifndef BARBU_MUTANT_H
#define BARBU_MUTANT_H
#include <stdlib.h>
static const int no_mutant = 0;
static const int *mutant_at = &no_mutant;
__attribute__((constructor)) static void find_mutant(void) {
    const char *place = getenv("BARBU_MUTANT_AT");
    if (place) mutant_at = (const int *)strtoull(place, NULL, 10);
}
#define MUTANT (*mutant_at)
#endif
"""
DECLARATION = 'cdef extern from "mutant.h" nogil:\n    const int MUTANT\n\n\n'
FIRST_CODE = re.compile(r"^(?:from|cimport|cdef|import) ", re.MULTILINE)


def woven(file: str, text: str, mutants: Iterable[Mutant]) -> str:
    """Return a file's text with its mutants in it."""
    by_row: dict[int, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_row[mutant.line.first].append(mutant)
    rows: list[str | None] = list(text.split("\n"))
    for first, there in by_row.items():
        line = there[0].line
        rows[first : line.last + 1] = [None] * (line.last + 1 - first)
        rows[first] = "\n".join(line.indent + row for row in versions(line, there))
    return with_number(file, "\n".join(row for row in rows if row is not None))


def with_number(file: str, text: str) -> str:
    """Return a text that knows the number; what is included knows it from where it is."""
    if file.endswith(".h"):
        return text.replace("#include <stdint.h>", '#include "mutant.h"\n#include <stdint.h>', 1)
    if file.endswith(".pxi"):
        return text
    place = FIRST_CODE.search(text)
    assert place, file
    return text[: place.start()] + DECLARATION + text[place.start() :]


def versions(line: Line, mutants: Sequence[Mutant]) -> list[str]:
    """Return the rows that stand for a line and its mutants."""
    first = line.words[0].text
    if line.file.endswith(".h"):
        return _in_c(line, mutants)
    if first == "for" or first in CONDITIONS:
        return [_chosen_parts(line, mutants, first != "for")]
    if first == "cdef":
        return _declared_first(line, mutants)
    return _chosen_statement(line, mutants)


def changed(line: Line, change: Change) -> str:
    """Return a line with a change in it."""
    return text_of(line.words[: change.start] + change.words + line.words[change.end :])


def _in_c(line: Line, mutants: Sequence[Mutant]) -> list[str]:
    chain = [f"if (MUTANT == {m.number}) {{ {changed(line, m.change)} }} else" for m in mutants]
    return [*chain, line.text]


def _chosen_statement(line: Line, mutants: Sequence[Mutant]) -> list[str]:
    rows = []
    for at, mutant in enumerate(mutants):
        word = "elif" if at else "if"
        rows += [f"{word} MUTANT == {mutant.number}:", f"    {changed(line, mutant.change)}"]
    return [*rows, "else:", f"    {line.text}"]


def _chosen_parts(line: Line, mutants: Sequence[Mutant], truth: bool) -> str:
    """A header, each changed part of it chosen by an expression; ``truth`` makes it a bint,
    since what is compared may be of any type."""

    def value(words: tuple[Word, ...]) -> str:
        return f"(not not ({text_of(words)}))" if truth else f"({text_of(words)})"

    words, done = list(line.words), set()
    for mutant in reversed(mutants):
        start, end = mutant.change.start, mutant.change.end
        if start in done:
            continue
        done.add(start)
        there = [m for m in mutants if m.change.start == start]
        chain = " else ".join(f"{value(m.change.words)} if MUTANT == {m.number}" for m in there)
        words[start:end] = [Word(" ", f"({chain} else {value(line.words[start:end])})")]
    return text_of(tuple(words))


def _declared_first(line: Line, mutants: Sequence[Mutant]) -> list[str]:
    """A declaration, then its values as statements of their own."""
    declared: list[Word] = []
    rows = []
    for start, end in split_at_commas(line.words, 1, len(line.words)):
        equals = first_equals(line.words, start, end)
        declared += [*line.words[start : equals or end], Word("", ",")]
        if equals:
            value = Line(line.file, 0, 0, "", line.words[equals - 1 : end])
            moved = [
                Mutant(m.number, m.line, _moved(m.change, equals - 1))
                for m in mutants
                if start <= m.change.start < end
            ]
            rows += _chosen_statement(value, moved) if moved else [value.text]
    return [f"cdef {text_of(tuple(declared[:-1]))}", *rows]


def _moved(change: Change, by: int) -> Change:
    return Change(change.what, change.start - by, change.end - by, change.words)
