"""The page: one file that needs no network, light or dark, on screen or on paper.

plotly.js stands in it once. Drawings get ids from their place in the report, so
that the same run always gives the same bytes. Every drawing has its finding in
words and its data in a table, for readers who do not see it.
"""

import re
from collections.abc import Iterable
from html import escape
from typing import NamedTuple

import plotly.io as pio
from plotly.offline import get_plotlyjs

from reports.glossary import GLOSSARY
from reports.look import SCRIPT, STYLE
from reports.section import Answer, Figure, Listing

CONFIG = {
    "displaylogo": False,
    "displayModeBar": False,
    "responsive": True,
    # This button would send the data to somebody else's server.
    "modeBarButtonsToRemove": ["sendChartToCloud", "select2d", "lasso2d", "autoScale2d"],
}


class Part(NamedTuple):
    """A section of the page."""

    anchor: str
    title: str
    answer: Answer


class Chapter(NamedTuple):
    """All sections about one variant."""

    anchor: str
    title: str
    lead: str
    parts: tuple[Part, ...]
    left_out: str
    """Which sections have nothing to say, and why; empty if all have."""


class Head(NamedTuple):
    """What stands above everything."""

    title: str
    verdict: str
    facts: tuple[tuple[str, str], ...]
    commands: tuple[tuple[str, str], ...]
    """A command, and what it does."""


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
<header>
{_head(head)}
{_contents(chapters)}
</header>
<main>
{body}
</main>
<script>{SCRIPT}</script>
</body>
</html>
"""


def _head(head: Head) -> str:
    facts = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in head.facts
    )
    commands = "".join(
        f"<li><code>{escape(command)}</code> {escape(does)}</li>" for command, does in head.commands
    )
    words = "".join(f"<dt>{escape(word)}</dt><dd>{escape(means)}</dd>" for word, means in GLOSSARY)
    return f"""<h1>{escape(head.title)}</h1>
<p class="verdict">{_prose(head.verdict)}</p>
<dl class="facts">{facts}</dl>
<details class="replay"><summary>How to replay and check this</summary>
<ul>{commands}</ul></details>
<details class="words"><summary>Words and signs of this page</summary>
<dl>{words}</dl></details>"""


def _contents(chapters: tuple[Chapter, ...]) -> str:
    entries = "".join(
        f'<li><a href="#{chapter.anchor}">{escape(chapter.title)}</a><ul>'
        + "".join(
            f'<li><a href="#{part.anchor}">{escape(part.title)}</a></li>' for part in chapter.parts
        )
        + "</ul></li>"
        for chapter in chapters
    )
    return f'<nav aria-label="Contents"><ul>{entries}</ul></nav>'


def _chapter(chapter: Chapter) -> str:
    parts = "\n".join(_part(part) for part in chapter.parts)
    if chapter.left_out:
        parts += f'\n<p class="missing">{escape(chapter.left_out)}</p>'
    return f"""<section class="chapter" id="{chapter.anchor}">
<h2>{escape(chapter.title)}</h2>
<p class="lead">{_prose(chapter.lead)}</p>
{parts}
</section>"""


def _part(part: Part) -> str:
    opening = f'<section id="{part.anchor}"><h3>{escape(part.title)}</h3>'
    figures = "\n".join(_figure(part.anchor, figure) for figure in part.answer.figures)
    listings = "\n".join(_listing(listing) for listing in part.answer.listings)
    kinds = "".join(f"<li>{_prose(kind)}</li>" for kind in part.answer.kinds)
    return f"""{opening}
<p class="finding">{_prose(part.answer.finding)}</p>
{figures}
{listings}
<ul class="kinds" aria-label="Kinds of interval">{kinds}</ul>
</section>"""


def _figure(anchor: str, figure: Figure) -> str:
    drawn = pio.to_html(
        figure.drawing,
        config=CONFIG,
        include_plotlyjs=False,
        full_html=False,
        div_id=f"{anchor}-{figure.name}",
    )
    caption = _prose(figure.caption)
    height = figure.drawing.layout.height
    return (
        f'<figure><div class="drawing" style="height:{height}px" role="img" '
        f'aria-label="{caption}">{drawn}</div><figcaption>{caption}</figcaption></figure>'
    )


def _listing(listing: Listing) -> str:
    kinds = [' class="said"' * _in_words(cells) for cells in zip(*listing.rows, strict=True)]
    kinds = kinds or [""] * len(listing.columns)
    head = "".join(
        f'<th scope="col"{kind}>{escape(column)}</th>'
        for kind, column in zip(kinds, listing.columns, strict=True)
    )
    rows = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(
            f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds[1:], row[1:], strict=True)
        )
        + "</tr>"
        for row in listing.rows
    )
    # In a fold the summary is what one sees; the caption stays for whoever hears the page.
    table = (
        f'<div class="wide{_slim(listing)}" tabindex="0"><table>'
        f"<caption>{escape(listing.caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
    if listing.shown:
        return table
    return f"<details><summary>{escape(listing.caption)}</summary>{table}</details>"


def _in_words(cells: Iterable[str]) -> bool:
    """Whether a column holds no figure, so that its cells begin at the left."""
    return not any(re.match(r"[+\N{MINUS SIGN}]?\d(?![^\W\d_])", cell) for cell in cells)


def _prose(text: str) -> str:
    """Text of sentences, where no line begins with a per cent sign."""
    return re.sub(r"(?<=\d) %", "\N{NO-BREAK SPACE}%", escape(text))


def _slim(listing: Listing) -> str:
    """The class of a long table so narrow that two columns of it fit on paper."""
    cells = zip(listing.columns, *listing.rows, strict=True)
    width = sum(3 + max(map(len, column)) for column in cells)
    return " slim" if width <= SLIM and len(listing.rows) > 20 else ""


SLIM = 68
"""Characters of a line in half a page's width, three for each column's margins: the letters
of some machines are wide, and what is wider than its column is cut at the margin."""
