"""The page of a tuning: what a club should change, what that brings, and how it was found."""

from pipeline.tuning.outcome import Outcome
from reports.build import left_out
from reports.forms import Language
from reports.page import Chapter, Head, Part, Short, page
from reports.tuning.change import Change
from reports.tuning.course import Course
from reports.tuning.front import Front
from reports.tuning.told import Piece, Told, told
from reports.tuning.topic import candidate_of, stays
from reports.tuning.topics import GROUPS
from reports.tuning.trust import Trust
from reports.tuning.wording import player
from reports.tuning.words import WORDS
from reports.words import counted, whole

MOST_VERIFIED = 3
"""Runs for which the command that checks them is written out."""
BROKEN = " The rules as they are do not fulfil what had to hold."
Commands = tuple[tuple[str, str], ...]


def tuning_page(outcome: Outcome, language: Language = "en", only: str | None = None) -> str:
    """The page as HTML, contracts named in ``language``; the same outcome gives the same bytes.

    ``only`` limits it to the section of that name; ``UserError`` if it has nothing to say.
    """
    found = told(outcome, language, only)
    options = f" --language {language}" * (language != "en") + f" --section {only}" * bool(only)
    return page(_head(found, options), _chapters(found))


def _chapters(found: Told) -> list[Chapter]:
    chapters = []
    for group in GROUPS:
        inside = [one for one in found.pieces if one.topic in group.topics]
        why = {
            topic.title: found.left_out[topic.title]
            for topic in group.topics
            if topic.title in found.left_out
        }
        if inside or why:
            parts = tuple(_part(one, found.outcome) for one in inside)
            chapters.append(Chapter(group.anchor, group.title, group.lead, parts, left_out(why)))
    return chapters


def _part(one: Piece, outcome: Outcome) -> Part:
    name = one.topic.name
    return Part(name, one.topic.title, one.answer, "", _commands(name, outcome))


def _commands(name: str, outcome: Outcome) -> Commands:
    """What to type to see a section's figures again, or more of them."""
    if name == Change.name:
        return () if stays(outcome) else _file(outcome)
    if name == Front.name:
        return (
            (
                "barbu tune FILE --what-if KEY=VALUE --out FOLDER",
                "asks the stored games what one change does, in seconds",
            ),
        )
    if name == Course.name:
        return (
            (
                "barbu tune FILE --out NEW, with more candidates or another seed in the file",
                "searches on, and is another attempt at the question",
            ),
        )
    if name == Trust.name:
        verified = tuple(
            (f"barbu verify FOLDER/{run.path}", "computes this run's digest anew from its tables")
            for run in outcome.runs[:MOST_VERIFIED]
        )
        return (*verified, _again(outcome))
    return ()


def _file(outcome: Outcome) -> Commands:
    """The variant file that was written."""
    written = f"FOLDER/{outcome.file.name}.toml"
    return (
        (f"barbu rules check {written}", "holds the rule file that was written against itself"),
        (f"barbu rules diff {written}", "tells what it changes against its parent"),
        (f"barbu rules show {written}", "tells the whole game, to print and play by"),
    )


def _again(outcome: Outcome) -> tuple[str, str]:
    return (
        "barbu tune FILE --out NEW",
        f"finds all of this again from its tuning file; seed {outcome.file.seed} gives the same "
        "bytes on any machine, with any number of workers",
    )


def _head(found: Told, options: str) -> Head:
    outcome = found.outcome
    commands = (
        _again(outcome),
        *(() if stays(outcome) else _file(outcome)[:1]),
        (f"barbu report FOLDER{options}", "writes this page again, byte for byte"),
    )
    return Head(
        outcome.file.title,
        _verdict(outcome),
        _facts(outcome),
        commands,
        short=_short(found),
        words=WORDS,
    )


def _verdict(outcome: Outcome) -> str:
    """Two or three sentences that may stand alone."""
    broken = "" if candidate_of(outcome, 0).fulfils else BROKEN
    loss = outcome.judged_loss
    if stays(outcome):
        return (
            f"Keep {outcome.parent.title} as it is: all objectives weighed together, nothing that "
            f"was tried is surely better on deals that the search had not seen.{broken}"
        )
    turned = sum(one.parent != one.winner for one in outcome.settings)
    verdicts = [one.verdict for one in outcome.effects]
    worse = verdicts.count("worse")
    sure = loss is not None and loss.high is not None and loss.high < 0
    weighed = "" if sure else ", not surely better in all of them weighed together"
    harm = f", surely worse in {worse}" if worse else ""
    return (
        f"Change {counted(turned, 'thing')} in {outcome.parent.title}: surely better in "
        f"{verdicts.count('better')} of {counted(len(verdicts), 'objective')}{harm}{weighed}, "
        f"on deals that the search had not seen.{broken}"
    )


def _facts(outcome: Outcome) -> tuple[tuple[str, str], ...]:
    file = outcome.file
    return (
        ("parent", outcome.parent_name),
        ("rule file", "none" if stays(outcome) else f"{file.name}.toml"),
        ("knobs", whole(len(outcome.settings))),
        ("objectives", whole(len(file.objectives))),
        ("candidates", whole(len(outcome.candidates))),
        ("deals", whole(sum(run.deals for run in outcome.runs))),
        ("seed", str(file.seed)),
        ("players", player(file.players.full)),
        ("engine", outcome.versions.get("barbu-sim", "unknown")),
    )


def _short(found: Told) -> tuple[Short, ...]:
    """What a club should keep, with the knobs that are turned."""
    lines = tuple(
        (
            one.topic.name,
            one.answer.short,
            next((each for each in one.answer.listings if each.first), None)
            if one.topic.name == Change.name
            else None,
        )
        for one in found.pieces
        if one.answer.short
    )
    return (Short(found.outcome.parent.title, lines),) if lines else ()
