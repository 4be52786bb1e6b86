"""The head of a page: what was played, who came out first, and how to replay it."""

from collections.abc import Sequence

from pipeline.verdict import opponent, said_of
from reports.claims import verdict
from reports.evenings import counts, of_people
from reports.page import Head, RunLine, Short
from reports.reading import Reading
from reports.section import Listing
from reports.sections import DESIGNS
from reports.sections.league import standing
from reports.survey import Survey
from reports.words import counted, listed, whole

TITLES = 3
"""Titles of runs in the heading of a page; more would not be read."""


def head_of_one(run: Reading, surveys: Sequence[Survey], options: str) -> Head:
    """The head of a page about one run; ``options`` of the command that wrote the page."""
    config = run.config
    asked = "trials" if config.design in DESIGNS else "deals_long"
    made = (
        (
            "barbu import SHEET --variant NAME --out RUN",
            "reads the sheets again and holds them against the rules",
        )
        if of_people(run)
        else (
            "barbu run FILE --out RUN",
            f"plays it again from its run file; seed {config.seed} "
            "gives the same digest on any machine, with any number of workers",
        )
    )
    commands = (
        made,
        (
            "barbu verify RUN",
            "checks every file of the run and computes the digest anew from its tables",
        ),
        (f'barbu sql RUN "select * from {asked} limit 20"', "asks the run's tables"),
        (f"barbu report RUN{options}", "writes this page again, byte for byte"),
    )
    verdict, facts = _verdict(run, surveys), _facts(run, surveys)
    return Head(config.title, verdict, facts, commands, short=_short(surveys))


def head_of_many(
    runs: Sequence[Reading], surveys: Sequence[Survey], options: str, are_compared: bool
) -> Head:
    """The head of a page about several runs: each with its facts and its command."""
    told = []
    for number, run in enumerate(runs, start=1):
        its = [one for one in surveys if one.run == number]
        made = f"barbu run FILE-{number} --out RUN-{number}"
        if of_people(run):
            made = f"barbu import SHEET-{number} --variant NAME --out RUN-{number}"
        facts = (*_facts(run, its), ("made by" if of_people(run) else "played by", made))
        told.append(RunLine(f"Run {number}: {run.config.title}", _verdict(run, its), facts))
    titles = list(dict.fromkeys(run.config.title for run in runs))
    heading = " \N{MIDDLE DOT} ".join(titles[:TITLES]) + " and others" * (len(titles) > TITLES)
    folders = " ".join(f"RUN-{number}" for number in range(1, len(runs) + 1))
    commands = (
        (
            "barbu run FILE-1 --out RUN-1",
            "plays a run again from its run file; its seed gives the same digest on any machine",
        ),
        ("barbu verify RUN-1", "checks every file of a run and computes its digest anew"),
        (f"barbu report {folders}{options} --out PAGE", "writes this page again, byte for byte"),
    )
    verdict = f"{counted(len(runs), 'run')} on one page."
    if are_compared:
        verdict += " Where runs share their rules and design a chapter at the front compares them."
    return Head(heading, verdict, (), commands, tuple(told), _short(surveys))


def _short(surveys: Sequence[Survey]) -> tuple[Short, ...]:
    """What a player should keep, variant by variant."""
    lines: dict[str, list[tuple[str, str, Listing | None]]] = {}
    titles: dict[str, str] = {}
    for one in surveys:
        titles.setdefault(one.variant, one.rules.title)
        for piece in one.pieces:
            if piece.answer.short:
                place = f"{one.anchor}-{piece.section.name}"
                learnt = next((each for each in piece.answer.listings if each.first), None)
                line = (place, piece.answer.short, learnt)
                lines.setdefault(one.variant, []).append(line)
    return tuple(Short(titles[name], tuple(said)) for name, said in lines.items())


def _facts(run: Reading, surveys: Sequence[Survey]) -> tuple[tuple[str, str], ...]:
    config, facts = run.config, run.facts
    return (
        ("units" if config.design in DESIGNS else "games", whole(facts.games)),
        ("deals", whole(facts.deals)),
        ("blocks", ", ".join(sorted({whole(run.blocks(one.variant)) for one in surveys}))),
        *([] if of_people(run) else [("seed", str(config.seed))]),
        ("design", _design(run)),
        ("entrants", ", ".join(run.entrants())),
        ("engine", facts.version),
        ("fouls", whole(facts.fouls)),
        *([("conduct", "; ".join(facts.conduct))] if facts.conduct else []),
        *([("set aside", "; ".join(facts.set_aside))] if facts.set_aside else []),
        ("digest", facts.digest or "none yet: the run is not complete"),
    )


def _design(run: Reading) -> str:
    """People drew nothing, so streams are of no account."""
    config = run.config
    return config.design if of_people(run) else f"{config.design}, {config.streams} streams"


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


def _verdict(run: Reading, surveys: Sequence[Survey]) -> str:
    """What came out, and of a run that is not finished, how much is missing."""
    names = [one.variant for one in surveys]
    unfinished = "" if run.facts.complete else _unfinished(run, names)
    watched = f" {run.watched}" if run.watched else ""
    if run.config.design in DESIGNS:
        return f"{unfinished}{_who_played(run)}{watched}"
    claims = _claims(run, names) if run.facts.complete else ""
    return f"{unfinished}{claims}{_winners(run, names)}{watched}"


def _claims(run: Reading, names: list[str]) -> str:
    """What came out for the claim, variant by variant."""
    said: dict[str, list[str]] = {}
    for name in names:
        found = verdict(run, name)
        if found is not None:
            entrant, against, _ = found.subject
            players = run.entrants()
            other = opponent(run.config, None if against is None else players[against])
            line = said_of(found.decision, players[entrant], other, found.race)
            said.setdefault(line, []).append(run.rules(name).title)
    if not said:
        return ""
    told = [
        line if len(titles) == len(names) == 1 else f"{line} in {listed(titles)}"
        for line, titles in said.items()
    ]
    return f"Verdict: {'; '.join(told)}. "


def _who_played(run: Reading) -> str:
    """Of a study: whose play its figures belong to."""
    names = run.entrants()
    if len(names) == 1:
        return f"Everybody at the table plays as {names[0]}, and the figures belong to such play."
    alike = listed(names, "or as")
    return f"At a table everybody plays alike: as {alike}. Figures belong to such play."


def _winners(run: Reading, names: list[str]) -> str:
    """Two sentences: who is first where, and what the intervals mean."""
    first: dict[str, list[str]] = {}
    sure = 0
    for name in names:
        found = standing(run, name)
        if found is not None:
            first.setdefault(found.entrant, []).append(run.rules(name).title)
            sure += found.sure
    played = sum(map(len, first.values()))
    if not played:
        return "No whole block was played, so this page has nothing to say yet."
    if of_people(run):
        (winner,) = first
        return f"Most points a game against their tables: {winner}. {counts(run)}"
    places = [f"{entrant} in {listed(titles)}" for entrant, titles in first.items()]
    who, how = listed(places), f"surely better than every other entrant in {sure} of {played}"
    if len(names) == 1:
        who, how = (
            next(iter(first)),
            f"{'' if sure else 'not '}surely better than every other entrant",
        )
    elif len(first) == 1 and played > 1:
        who = f"{next(iter(first))} in all {counted(played, 'variant')}"
    return (
        f"First by points: {who}; {how}. Every interval counts blocks, the same "
        "deals in all seatings, since what happens on one deal is one piece of evidence."
    )
