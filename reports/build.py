"""From runs to their page: every section of every variant, runs compared, and the head."""

from collections.abc import Sequence

from reports.basis import basis
from reports.forms import Language
from reports.heads import head_of_many, head_of_one
from reports.page import Chapter, Part, page
from reports.reading import Reading
from reports.section import Section
from reports.sections import DESIGNS
from reports.survey import Survey, survey
from reports.together import compared
from reports.words import counted, listed

QUOTED = "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"


def build(
    *runs: Reading,
    sections: Sequence[Section] | None = None,
    language: Language = "en",
    only: str | None = None,
) -> str:
    """The report as one HTML page, contracts named in ``language``; the same runs give the
    same bytes. ``only`` limits it to the section of that name."""
    surveys = survey(runs, language, only, sections)
    options = f" --language {language}" * (language != "en") + f" --section {only}" * bool(only)
    chapters = [_chapter(one) for one in surveys]
    if len(runs) == 1:
        return page(head_of_one(runs[0], surveys, options), chapters)
    front = [
        Chapter(
            one.anchor,
            one.title,
            one.lead,
            tuple(Part(f"{one.anchor}-{a.name}", a.title, a.answer) for a in one.parts),
            left_out(one.left_out),
        )
        for one in compared(surveys)
    ]
    return page(head_of_many(runs, surveys, options, bool(front)), [*front, *chapters])


def _chapter(one: Survey) -> Chapter:
    rules, run = one.rules, one.reading
    games, blocks = run.games(one.variant), run.blocks(one.variant)
    pieces = "unit" if run.config.design in DESIGNS else "game"
    lead = (
        f"{one.variant}: {counted(rules.seats, 'seat')}, {rules.objective} total wins. "
        f"{counted(games, pieces)} in {counted(blocks, 'block')}. Rules: {rules.source}"
    )
    rests, commands = basis(one)
    parts = tuple(
        Part(f"{one.anchor}-{p.section.name}", p.section.title, p.answer, rests, commands)
        for p in one.pieces
    )
    if one.runs == 1:
        return Chapter(one.anchor, rules.title, lead, parts, left_out(one.left_out))
    design = run.config.design
    study = f"{design} study, " if design in DESIGNS else ""
    title = f"{rules.title}: {study}run {one.run}"
    quoted = f"\N{LEFT DOUBLE QUOTATION MARK}{run.config.title}\N{RIGHT DOUBLE QUOTATION MARK}"
    lead = f"Run {one.run}, {quoted}. {lead}"
    return Chapter(one.anchor, title, lead, parts, left_out(one.left_out))


def left_out(why_not: dict[str, str]) -> str:
    """Which sections have nothing to say, in one line; titles with the same reason together."""
    titles: dict[str, list[str]] = {}
    for title, why in why_not.items():
        titles.setdefault(why, []).append(f"{QUOTED[0]}{title}{QUOTED[1]}")
    return " ".join(
        f"{listed(names)} {'is' if len(names) == 1 else 'are'} left out: {_inside(why)}"
        for why, names in titles.items()
    )


def _inside(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
