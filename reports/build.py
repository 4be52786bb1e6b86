"""From a run to its page: every section of every variant, and the head."""

from collections.abc import Sequence

from reports.names import Language, in_language
from reports.page import Chapter, Head, Part, page
from reports.reading import Reading
from reports.section import Section
from reports.sections import SECTIONS
from reports.sections.league import standing
from reports.words import counted, listed, whole


def build(run: Reading, sections: Sequence[Section] = SECTIONS, language: Language = "en") -> str:
    """The report as one HTML page, contracts named in ``language``; the same run gives the
    same bytes."""
    names = [variant.name for variant in run.config.variants]
    return page(_head(run, names), [_chapter(run, name, sections, language) for name in names])


def _chapter(
    run: Reading, variant: str, sections: Sequence[Section], language: Language
) -> Chapter:
    rules = in_language(run.rules(variant), language)
    games, blocks = run.games(variant), run.blocks(variant)
    lead = (
        f"{variant}: {counted(rules.seats, 'seat')}, {rules.objective} total wins. "
        f"{counted(games, 'game')} in {counted(blocks, 'block')}. Rules: {rules.source}"
    )
    why_not = {section.title: section.missing(run, variant) for section in sections}
    parts = tuple(
        Part(
            f"{variant}-{section.name}",
            section.title,
            section.render(section.compute(run, variant), rules),
        )
        for section in sections
        if why_not[section.title] is None
    )
    return Chapter(variant, rules.title, lead, parts, _left_out(why_not))


def _left_out(why_not: dict[str, str | None]) -> str:
    """Which sections have nothing to say, in one line; titles with the same reason together."""
    titles: dict[str, list[str]] = {}
    for title, why in why_not.items():
        if why is not None:
            titles.setdefault(why, []).append(title)
    return " ".join(f"No {listed(names, 'or')}: {_inside(why)}" for why, names in titles.items())


def _inside(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _head(run: Reading, names: list[str]) -> Head:
    config, facts = run.config, run.facts
    said = [
        ("games", whole(facts.games)),
        ("deals", whole(facts.deals)),
        ("blocks", ", ".join(sorted({whole(run.blocks(name)) for name in names}))),
        ("seed", str(config.seed)),
        ("design", f"{config.design}, {config.streams} streams"),
        ("entrants", ", ".join(run.entrants())),
        ("engine", facts.version),
        ("fouls", whole(facts.fouls)),
        *([("conduct", "; ".join(facts.conduct))] if facts.conduct else []),
        ("digest", facts.digest or "none yet: the run is not complete"),
    ]
    commands = (
        (
            "barbu run FILE --out RUN",
            f"plays it again from its run file; seed {config.seed} "
            "gives the same digest on any machine, with any number of workers",
        ),
        (
            "barbu verify RUN",
            "checks every file of the run and computes the digest anew from its tables",
        ),
        ('barbu sql RUN "select * from deals_long limit 20"', "asks the run's tables"),
        ("barbu report RUN", "writes this page again, byte for byte"),
    )
    return Head(config.title, _verdict(run, names), tuple(said), commands)


def _unfinished(run: Reading, names: list[str]) -> str:
    """How much of the run is still to be played; this page counts whole blocks only."""
    blocks = sum(run.config.blocks - run.blocks(name) for name in names)
    games = sum(run.planned(name) - run.games(name) for name in names)
    planned = sum(run.planned(name) for name in names)
    return (
        f"This run is not finished: {counted(blocks, 'block')} of "
        f"{whole(run.config.blocks * len(names))} and {counted(games, 'game')} of "
        f"{whole(planned)} are missing. "
    )


def _verdict(run: Reading, names: list[str]) -> str:
    """Two sentences: who is first where, and what the intervals mean."""
    first: dict[str, list[str]] = {}
    sure = 0
    for name in names:
        found = standing(run, name)
        if found is not None:
            first.setdefault(found.entrant, []).append(run.rules(name).title)
            sure += found.sure
    played = sum(map(len, first.values()))
    unfinished = "" if run.facts.complete else _unfinished(run, names)
    if not played:
        return f"{unfinished}No whole block was played, so this page has nothing to say yet."
    places = [f"{entrant} in {listed(titles)}" for entrant, titles in first.items()]
    many = counted(played, "variant")
    who = f"{next(iter(first))} in all {many}" if len(first) == 1 and played > 1 else listed(places)
    how = f"surely better than every other entrant in {sure} of {played}"
    return (
        f"{unfinished}First by points: {who}; {how}. Every interval counts blocks, the same "
        "deals in all seatings, since what happens on one deal is one piece of evidence."
    )
