"""What the sections say of a tuning: tables and answers, not yet a page."""

from typing import NamedTuple

from engine_ext.errors import UserError
from pipeline.tuning.outcome import Outcome
from reports.exports import Source
from reports.forms import Language
from reports.names import in_language
from reports.section import Answer, Tables
from reports.tuning.topic import Topic
from reports.tuning.topics import TOPICS


class Piece(NamedTuple):
    """A section's answer, and the tables it is made from."""

    topic: Topic
    tables: Tables
    answer: Answer


class Told(NamedTuple):
    """All that the sections say of a tuning."""

    outcome: Outcome
    """Its contracts are named in the reader's language."""
    pieces: tuple[Piece, ...]
    left_out: dict[str, str]
    """Titles of sections with nothing to say, and why."""


def told(outcome: Outcome, language: Language = "en", only: str | None = None) -> Told:
    """Every section, or the one named ``only``; ``UserError`` where that has nothing to say."""
    rules = {who: in_language(getattr(outcome, who), language) for who in ("parent", "winner")}
    outcome = outcome.model_copy(update=rules)
    asked = [topic for topic in TOPICS if only in (None, topic.name)]
    if not asked:
        known = ", ".join(topic.name for topic in TOPICS)
        raise UserError(f"--section: {only}: no such section (want {known})")
    why = {topic: topic.missing(outcome) for topic in asked}
    if only is not None and why[asked[0]] is not None:
        raise UserError(f"--section: {only}: {why[asked[0]]}")
    pieces = tuple(_piece(topic, outcome) for topic in asked if why[topic] is None)
    left_out = {topic.title: reason for topic, reason in why.items() if reason is not None}
    return Told(outcome, pieces, left_out)


def _piece(topic: Topic, outcome: Outcome) -> Piece:
    tables = topic.compute(outcome)
    return Piece(topic, tables, topic.render(tables, outcome))


def sources(found: Told) -> list[Source]:
    """For exports: each section with its tables."""
    outcome = found.outcome
    return [
        Source(
            {"variant": outcome.file.name},
            outcome.winner,
            one.topic.name,
            one.topic.title,
            one.tables,
            one.answer,
            outcome.file.title,
        )
        for one in found.pieces
    ]
