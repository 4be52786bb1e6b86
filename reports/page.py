"""The page: one file that needs no network, light or dark, on screen or on paper.

plotly.js stands in it once. Drawings get ids from their place in the report, so
that the same run always gives the same bytes. Every drawing has its finding in
words and its data in a table, for readers who do not see it.
"""

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from plotly.offline import get_plotlyjs

from reports.glossary import words_of
from reports.look import SCRIPT, STYLE
from reports.markup import figure, listing, prose, table, text
from reports.section import Answer, Listing


class Part(NamedTuple):
    """A section of the page."""

    anchor: str
    title: str
    answer: Answer
    rests: str = ""
    """What it rests on, a sentence."""
    commands: tuple[tuple[str, str], ...] = ()
    """Commands that replay or extend it, and what each does."""


class Chapter(NamedTuple):
    """All sections about one variant."""

    anchor: str
    title: str
    lead: str
    parts: tuple[Part, ...]
    left_out: str
    """Which sections have nothing to say, and why; empty if all have."""


class RunLine(NamedTuple):
    """One of several runs, as the head lists them."""

    title: str
    verdict: str
    facts: tuple[tuple[str, str], ...]


class Short(NamedTuple):
    """What a player should keep of a variant."""

    title: str
    lines: tuple[tuple[str, str, Listing | None], ...]
    """The section that says more (its anchor), the sentence, and what is to be learnt."""


class Head(NamedTuple):
    """What stands above everything."""

    title: str
    verdict: str
    facts: tuple[tuple[str, str], ...]
    commands: tuple[tuple[str, str], ...]
    """A command, and what it does."""
    runs: tuple[RunLine, ...] = ()
    """Where there are several."""
    short: tuple[Short, ...] = ()
    """What to keep of it all, by variant."""
    words: tuple[tuple[str, str], ...] = ()
    """Words of this page, and what they mean on it; unless given those of the glossary that it
    says."""


def page(head: Head, chapters: Iterable[Chapter]) -> str:
    """The whole report as HTML."""
    chapters = tuple(chapters)
    body = "\n".join(_chapter(chapter) for chapter in chapters)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(head.title)}</title>
<style>{STYLE}</style>
<script>{get_plotlyjs()}</script>
</head>
<body>
<a class="skip" href="#main">Skip to the findings</a>
<header>
{_head(head, body)}
</header>
{_contents(chapters)}
<main id="main" tabindex="-1">
{body}
</main>
<script>{SCRIPT}</script>
</body>
</html>
"""


def _head(head: Head, body: str) -> str:
    told = f"{_short(head.short)}{_facts(head.facts)}{_runs(head.runs)}"
    words = "".join(
        f"<dt>{escape(word)}</dt><dd>{escape(means)}</dd>"
        for word, means in head.words or words_of(told + body)
    )
    return f"""<h1>{escape(head.title)}</h1>
<p class="verdict">{prose(head.verdict)}</p>
{told}
<details class="replay"><summary>How to replay and check this</summary>
{_commands(head.commands)}</details>
<details class="words"><summary>Words and signs of this page</summary>
<dl>{words}</dl></details>"""


def _short(short: tuple[Short, ...]) -> str:
    if not short:
        return ""
    told = "".join(
        f"<h3>{text(one.title)}</h3><ul>"
        + "".join(
            f'<li>{prose(line)} <a href="#{anchor}" aria-label="more: {escape(line[:60])}">more</a>'
            f"{table(learnt) if learnt else ''}</li>"
            for anchor, line, learnt in one.lines
        )
        + "</ul>"
        for one in short
    )
    return (
        f'<section class="short" aria-labelledby="short"><h2 id="short">In short</h2>{told}'
        "</section>\n"
    )


def _facts(facts: tuple[tuple[str, str], ...]) -> str:
    told = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts
    )
    return f'<dl class="facts">{told}</dl>' if facts else ""


def _runs(runs: tuple[RunLine, ...]) -> str:
    told = "".join(
        f"<li><strong>{text(one.title)}</strong><p>{prose(one.verdict)}</p>{_facts(one.facts)}</li>"
        for one in runs
    )
    return f'<ul class="runs" aria-label="Runs">{told}</ul>' if runs else ""


def _contents(chapters: tuple[Chapter, ...]) -> str:
    entries = "".join(
        f'<li><a href="#{chapter.anchor}">{text(chapter.title)}</a><ul>'
        + "".join(
            f'<li><a href="#{part.anchor}">{text(part.title)}</a></li>' for part in chapter.parts
        )
        + "</ul></li>"
        for chapter in chapters
    )
    return f'<nav id="contents" tabindex="-1" aria-label="Contents"><ul>{entries}</ul></nav>'


def _chapter(chapter: Chapter) -> str:
    parts = "\n".join(_part(part) for part in chapter.parts)
    if chapter.left_out:
        parts += f'\n<p class="missing">{prose(chapter.left_out)}</p>'
    return f"""<section class="chapter" {_named(chapter.anchor)}>
<h2 id="{chapter.anchor}-title">{text(chapter.title)}</h2>
<p class="lead">{prose(chapter.lead)}</p>
{parts}
<p class="back"><a href="#contents">Back to the contents</a></p>
</section>"""


def _part(part: Part) -> str:
    figures = "\n".join(figure(part.anchor, one) for one in part.answer.figures)
    before = "\n".join(listing(one) for one in part.answer.listings if one.first)
    listings = "\n".join(listing(one) for one in part.answer.listings if not one.first)
    kinds = "".join(f"<li>{prose(kind)}</li>" for kind in part.answer.kinds)
    return f"""<section {_named(part.anchor)}>
<h3 id="{part.anchor}-title">{text(part.title)}</h3>
<p class="finding">{prose(part.answer.finding)}</p>
{before}
{figures}
{listings}
<ul class="kinds" aria-label="Kinds of interval">{kinds}</ul>
{_basis(part)}</section>"""


def _basis(part: Part) -> str:
    """What a section rests on; how to see it again, or more of it."""
    rests = f'<p class="rests">{prose(part.rests)}</p>\n' if part.rests else ""
    if not part.commands:
        return rests
    told = _commands(part.commands)
    return f'{rests}<details class="again"><summary>Replay or extend</summary>{told}</details>\n'


def _commands(commands: tuple[tuple[str, str], ...]) -> str:
    lines = "".join(
        f"<li><code>{escape(command)}</code> {escape(does)}</li>" for command, does in commands
    )
    return f"<ul>{lines}</ul>"


def _named(anchor: str) -> str:
    """A section that a link can jump to, named by its heading."""
    return f'id="{anchor}" tabindex="-1" aria-labelledby="{anchor}-title"'
