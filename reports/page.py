"""The page: one file that needs no network, light or dark, on screen or on paper.

plotly.js stands in it once. Drawings get ids from their place in the report, so
that the same run always gives the same bytes. Every drawing has its finding in
words and its data in a table, for readers who do not see it.
"""

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

import plotly.io as pio
from plotly.offline import get_plotlyjs

from reports.glossary import GLOSSARY
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
<p class="verdict">{escape(head.verdict)}</p>
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
<p class="lead">{escape(chapter.lead)}</p>
{parts}
</section>"""


def _part(part: Part) -> str:
    opening = f'<section id="{part.anchor}"><h3>{escape(part.title)}</h3>'
    figures = "\n".join(_figure(part.anchor, figure) for figure in part.answer.figures)
    listings = "\n".join(_listing(listing) for listing in part.answer.listings)
    kinds = "".join(f"<li>{escape(kind)}</li>" for kind in part.answer.kinds)
    return f"""{opening}
<p class="finding">{escape(part.answer.finding)}</p>
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
    caption = escape(figure.caption)
    height = figure.drawing.layout.height
    return (
        f'<figure><div class="drawing" style="height:{height}px" role="img" '
        f'aria-label="{caption}">{drawn}</div><figcaption>{caption}</figcaption></figure>'
    )


def _listing(listing: Listing) -> str:
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in listing.columns)
    rows = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in listing.rows
    )
    # In a fold the summary is what one sees; the caption stays for whoever hears the page.
    table = (
        f'<div class="wide{_slim(listing)}" tabindex="0"><table><caption>{escape(listing.caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
    if listing.shown:
        return table
    return f"<details><summary>{escape(listing.caption)}</summary>{table}</details>"


def _slim(listing: Listing) -> str:
    """The class of a long table so narrow that two columns of it fit on paper."""
    cells = zip(listing.columns, *listing.rows, strict=True)
    width = sum(3 + max(map(len, column)) for column in cells)
    return " slim" if width <= SLIM and len(listing.rows) > 20 else ""


SLIM = 72
"""Characters of a line in half a page's width, three for each column's margins."""

STYLE = """
:root { --text: #1c1f23; --soft: #565d66; --page: #ffffff; --line: #d5d9de; --tint: #f4f6f8;
  --link: #1d5fa8; --shade: #0000003d; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8ea; --soft: #a7adb4; --page: #14171a; --line: #3a4046; --tint: #1e2226;
    --link: #84b9ef; --shade: #ffffff47; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem 1.25rem 4rem; background: var(--page);
  color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 1rem 0 .5rem; }
h2 { font-size: 1.4rem; margin: 2.5rem 0 .25rem; padding-top: 1rem;
  border-top: 2px solid var(--line); }
h3 { font-size: 1.1rem; margin: 1.75rem 0 .25rem; }
a { color: var(--link); }
p { margin: .4rem 0; max-width: 46rem; }
.verdict { font-weight: 600; }
.finding { border-left: 3px solid var(--link); padding-left: .7rem;
  white-space: pre-line; }
.lead, .kinds, figcaption, .missing { color: var(--soft); font-size: .92rem; }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1.75rem; margin: .75rem 0; }
.facts dt { color: var(--soft); font-size: .8rem; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
code { background: var(--tint); padding: .1em .3em; border-radius: 3px; font-size: .9em;
  overflow-wrap: anywhere; }
nav > ul { list-style: none; padding: 0; display: grid; gap: .5rem 1.25rem;
  grid-template-columns: repeat(auto-fit, minmax(12.5rem, 1fr)); }
nav ul ul { padding-left: 1rem; font-size: .9rem; }
figure { margin: .75rem 0 1.5rem; }
figcaption { max-width: 46rem; margin-top: .6rem; }
.drawing { width: 100%; }
/* Shades at the edges and a bar that stays say that a table goes on. */
.wide { overflow-x: auto; margin: .5rem 0; scrollbar-width: thin;
  background: linear-gradient(to right, var(--page) 40%, transparent) left / 3rem 100% no-repeat
    local, linear-gradient(to left, var(--page) 40%, transparent) right / 3rem 100% no-repeat local,
    linear-gradient(to right, var(--shade), transparent) left / 1rem 100% no-repeat scroll,
    linear-gradient(to left, var(--shade), transparent) right / 1rem 100% no-repeat scroll; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: .25rem; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; vertical-align: top; }
thead th { font-weight: 600; white-space: normal; vertical-align: bottom; }
tr > :first-child { text-align: left; }
tbody th { font-weight: 500; }
details { margin: .4rem 0; }
details caption { position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); }
.words dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem;
  font-size: .9rem; max-width: 52rem; }
.words dt { font-weight: 600; }
.words dd { margin: 0; }
summary { cursor: pointer; color: var(--link); font-size: .92rem; }
.kinds { padding-left: 1.1rem; margin: .5rem 0; font-size: .82rem; }
@media (max-width: 34rem) { body { padding: .5rem .75rem 3rem; } nav ul ul { display: none; }
  th, td { padding: .2rem .4rem; } tbody th { white-space: normal; min-width: 5.5rem; }
  .words dl { display: block; } .words dd { margin-bottom: .4rem; } }
@media print {
  @page { size: A4 portrait; margin: 14mm; }
  :root { --text: #000; --soft: #444; --page: #fff; --line: #bbb; --tint: #f2f2f2; --link: #000; }
  body { max-width: none; padding: 0; font-size: 11pt; }
  nav { display: none; }
  h1 { margin-top: 0; }
  h2 { margin-top: 1.5rem; }
  h3 { margin-top: 1rem; }
  .words dl { display: block; max-width: none; }
  .words dt { float: left; padding-right: .5rem; }
  summary { list-style: none; color: var(--soft); }
  figure, tr, p, dd { break-inside: avoid; }
  h2, h3, .lead, .finding, summary { break-after: avoid; }
  figcaption { break-before: avoid; }
  .wide { overflow: visible; background: none; }
  table { font-size: 7.5pt; }
  .slim { columns: 2; column-gap: 6mm; }
  th, td { padding: .05rem .45rem; }
}
"""

SCRIPT = """
(function () {
  var PAPER = 680;  // pixels between the margins of an upright A4 page
  var TALL = 640;  // a drawing's most, so that its section's opening fits above it
  var NARROW = 560;
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var light = { text: "#1c1f23", grid: "#e1e4e8", zero: "#8a9199" };
  var night = { text: "#e6e8ea", grid: "#31363c", zero: "#8a9199" };
  var opened = [];
  function wrapped(text, most) {
    var lines = [""];
    text.split(" ").forEach(function (word) {
      var last = lines[lines.length - 1];
      if (last && (last + " " + word).length > most) { lines.push(word); }
      else { lines[lines.length - 1] = last ? last + " " + word : word; }
    });
    return lines.join("<br>");
  }
  function fit(drawing, change, width, most) {
    // Titles and names as they came are kept, since the page may grow wide again.
    var own = drawing.barbu = drawing.barbu || {
      title: drawing.layout.xaxis.title.text, names: drawing.layout.yaxis.ticktext,
      height: drawing.layout.height };
    var narrow = width < NARROW;
    change["xaxis.title.text"] = wrapped(own.title, narrow ? 34 : 90);
    change["yaxis.ticktext"] = own.names.map(function (name) {
      return wrapped(name, narrow ? 13 : 40); });
    change["xaxis.nticks"] = narrow ? 5 : 0;
    change.height = most ? Math.min(most, own.height) : own.height;
    drawing.closest(".drawing").style.height = change.height + "px";
  }
  function paint(colours, width, most) {
    document.querySelectorAll(".plotly-graph-div").forEach(function (drawing) {
      if (!drawing.layout) { return; }
      var change = { "font.color": colours.text, width: width || null, autosize: !width };
      ["xaxis", "yaxis"].forEach(function (key) {
        change[key + ".gridcolor"] = colours.grid;
        change[key + ".zerolinecolor"] = colours.zero;
      });
      fit(drawing, change, width || drawing.parentNode.clientWidth, most);
      Plotly.relayout(drawing, change);
    });
  }
  function now() { paint(dark.matches ? night : light); }
  var narrow = window.matchMedia("(max-width: 600px)");
  now();
  dark.addEventListener("change", now);
  narrow.addEventListener("change", now);
  window.addEventListener("beforeprint", function () {
    opened = document.querySelectorAll("details:not([open])");
    opened.forEach(function (fold) { fold.open = true; });
    paint(light, PAPER, TALL);
  });
  window.addEventListener("afterprint", function () {
    opened.forEach(function (fold) { fold.open = false; });
    now();
  });
  document.documentElement.dataset.ready = "1";
})();
"""
