"""What the sections say of every variant of some runs: tables and answers, not yet a page.

A page, its pictures and its tables as files all begin here.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from engine_ext.errors import UserError
from engine_ext.rules.spec import Variant
from reports import moments
from reports.evenings import left_out
from reports.forms import Language
from reports.names import in_language
from reports.reading import Reading
from reports.section import Answer, Section, Tables
from reports.sections import DESIGNS, sections_of


class Piece(NamedTuple):
    """A section's answer, and the tables it is made from."""

    section: Section
    tables: Tables
    answer: Answer


class Survey(NamedTuple):
    """What the sections say of one variant of one run."""

    run: int
    """Number of the run in the order given, from 1."""
    runs: int
    """How many runs there are."""
    reading: Reading
    variant: str
    rules: Variant
    """Its contracts are named in the reader's language."""
    pieces: tuple[Piece, ...]
    left_out: dict[str, str]
    """Titles of sections with nothing to say, and why."""

    @property
    def anchor(self) -> str:
        """A word for ids and file names that no other survey has."""
        return self.variant if self.runs == 1 else f"run-{self.run}-{self.variant}"


def survey(
    readings: Sequence[Reading],
    language: Language = "en",
    only: str | None = None,
    sections: Sequence[Section] | None = None,
) -> tuple[Survey, ...]:
    """Every variant of every run: by variant, then design, then as the runs were given.

    ``only`` names the one section that is asked for; ``sections`` stand for those of the
    runs' designs.
    """
    found = [
        _one(number, len(readings), reading, variant.name, language, only, sections)
        for number, reading in enumerate(readings, start=1)
        for variant in reading.config.variants
    ]
    _refuse_unknown(found, readings, only, sections)
    variants = list(dict.fromkeys(one.variant for one in found))
    return tuple(sorted(found, key=lambda s: (variants.index(s.variant), _place(s), s.run)))


def _one(
    number: int,
    runs: int,
    reading: Reading,
    variant: str,
    language: Language,
    only: str | None,
    sections: Sequence[Section] | None,
) -> Survey:
    rules = in_language(reading.rules(variant), language)
    asked = [
        section
        for section in sections or sections_of(reading.config.design)
        if only in (None, section.name)
    ]
    why = {
        section.title: left_out(reading, section.name) or section.missing(reading, variant)
        for section in asked
    }
    pieces = []
    for section in asked:
        if why[section.title] is None:
            pieces.append(_piece(section, reading, variant, rules))
    gone = {title: reason for title, reason in why.items() if reason is not None}
    return Survey(number, runs, reading, variant, rules, tuple(pieces), gone)


def _piece(section: Section, reading: Reading, variant: str, rules: Variant) -> Piece:
    """Of a run whose end was not fixed before with intervals that hold at every moment."""
    tables = section.compute(reading, variant)
    if not reading.watched:
        return Piece(section, tables, section.render(tables, rules))
    tables = moments.held(reading, rules, tables)
    answer = section.render(tables, rules)
    return Piece(section, tables, replace(answer, kinds=moments.told(answer)))


def _place(one: Survey) -> int:
    """Studies of one variant stand in the order in which a player asks."""
    design = one.reading.config.design
    return DESIGNS.index(design) if design in DESIGNS else -1


def _refuse_unknown(
    found: Sequence[Survey],
    readings: Sequence[Reading],
    only: str | None,
    sections: Sequence[Section] | None,
) -> None:
    """A section that no run has is the user's slip; one that has nothing to say as well."""
    if only is None or any(one.pieces for one in found):
        return
    for one in found:
        for title, why in one.left_out.items():
            raise UserError(f"--section: {only}: {one.variant} has no {title}: {why}")
    names = dict.fromkeys(
        section.name
        for reading in readings
        for section in sections or sections_of(reading.config.design)
    )
    raise UserError(f"--section: {only}: no such section (want {', '.join(names)})")
