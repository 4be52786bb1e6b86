"""Figures, tables and sentences as HTML, for eyes, ears and the keyboard.

Every drawing has its caption below and its data in a table; to a screen reader it is one
picture. A table that may be wider than the screen is a group that the keyboard can
scroll. Suits are the symbols that people know, and are spoken by name.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import plotly.io as pio

from reports.section import Figure, Listing

CONFIG = {
    "displaylogo": False,
    "displayModeBar": False,
    "responsive": True,
    # This button would send the data to somebody else's server.
    "modeBarButtonsToRemove": ["sendChartToCloud", "select2d", "lasso2d", "autoScale2d"],
}
TEMPLATES = ("hovertemplate",)
"""Our own texts, with tags; what is put into them is escaped where it stands."""
SUITS = {
    "\N{BLACK CLUB SUIT}": "clubs",
    "\N{BLACK DIAMOND SUIT}": "diamonds",
    "\N{BLACK HEART SUIT}": "hearts",
    "\N{BLACK SPADE SUIT}": "spades",
}
TEXT = "\N{VARIATION SELECTOR-15}"
"""After a suit: as a letter, where a phone would paint a picture."""
BESIDE = 7
"""Columns of the widest table that has room beside its map."""
LONG = 30
"""Characters of a cell that a phone need not show in one line."""
SLIM = 68
"""Characters of a line in half a page's width, three for each column's margins: the letters
of some machines are wide, and what is wider than its column is cut at the margin."""


def text(plain: str) -> str:
    """A name or a cell; suits as symbols with their names for who hears the page."""
    return re.sub("[" + "".join(SUITS) + "]", _suit, escape(plain))


def _suit(found: re.Match[str]) -> str:
    name = SUITS[found[0]]
    return f'<span class="suit {name}" role="img" aria-label="{name}">{found[0]}{TEXT}</span>'


def prose(plain: str) -> str:
    """Text of sentences, where no line begins with a per cent sign."""
    return re.sub(r"(?<=\d) %", "\N{NO-BREAK SPACE}%", text(plain))


def figure(anchor: str, shown: Figure) -> str:
    """A drawing, its caption, and its table beside it if it brings one."""
    drawn = pio.to_html(
        _literal(shown.drawing.to_dict()),
        validate=False,
        config=CONFIG,
        include_plotlyjs=False,
        full_html=False,
        div_id=f"{anchor}-{shown.name}",
    )
    height = shown.drawing.layout.height
    # The caption says what the picture shows; said here as well, it would be heard twice.
    picture = (
        f'<div class="drawing" style="height:{height}px" role="img" '
        f'aria-label="Drawing; what it shows is said below">{drawn}</div>'
    )
    drawing = f"<figure>{picture}<figcaption>{prose(shown.caption)}</figcaption></figure>"
    if shown.beside is None:
        return drawing
    data = f"<summary>{text(shown.beside.caption)}</summary>{table(shown.beside)}"
    broad = " broad" * (len(shown.beside.columns) > BESIDE)
    return f'<div class="pair{broad}">{drawing}<details class="data" open>{data}</details></div>'


def _literal(part: Any) -> Any:
    """A drawing whose names are shown letter for letter: Plotly takes tags in them for its own."""
    if isinstance(part, dict):
        return {k: v if k in TEMPLATES else _literal(v) for k, v in part.items()}
    if isinstance(part, list | tuple):
        return [_literal(one) for one in part]
    if isinstance(part, str):
        return part.replace("&", "&amp;").replace("<", "&lt;")
    return part


def listing(shown: Listing) -> str:
    """A table at once, or on a click."""
    if shown.shown:
        # Above the frame that scrolls, where a long one finds the whole width.
        return f'<p class="caption" aria-hidden="true">{text(shown.caption)}</p>{table(shown)}'
    return f"<details><summary>{text(shown.caption)}</summary>{table(shown)}</details>"


def table(shown: Listing) -> str:
    """A table in a frame that scrolls."""
    kinds = [_kind(cells) for cells in zip(*shown.rows, strict=True)]
    kinds = kinds or [""] * len(shown.columns)
    # What is to be learnt stands line below line on a phone, each cell with its head before it.
    heads = [f' data-head="{escape(c)}"' if shown.first else "" for c in shown.columns[1:]]
    head = "".join(
        f'<th scope="col"{kind}>{text(column)}</th>'
        for kind, column in zip(kinds, shown.columns, strict=True)
    )
    rows = "".join(
        f'<tr><th scope="row">{text(row[0])}</th>'
        + "".join(
            f"<td{kind}{of}>{text(cell)}</td>"
            for kind, of, cell in zip(kinds[1:], heads, row[1:], strict=True)
        )
        + "</tr>"
        for row in shown.rows
    )
    # What one sees stands above it; the caption is for whoever hears the page.
    name, more = escape(shown.caption), _slim(shown) + " learn" * shown.first
    return (
        f'<div class="wide{more}" tabindex="0" role="group" aria-label="{name}"><table>'
        f"<caption>{text(shown.caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _kind(cells: Sequence[str]) -> str:
    """The class of a column: words begin at the left, and long ones are broken on a phone."""
    if not _in_words(cells):
        return ""
    return ' class="said long"' if max(map(len, cells)) > LONG else ' class="said"'


def _in_words(cells: Iterable[str]) -> bool:
    """Whether a column holds no figure, so that its cells begin at the left. A sum with names in
    it is no figure."""
    return not any(
        re.match(r"[+\N{MINUS SIGN}]?\d(?![^\W\d_])", cell) and not re.search(r"[^\W\d_]{3}", cell)
        for cell in cells
    )


def _slim(shown: Listing) -> str:
    """The class of a long table so narrow that two columns of it fit on paper."""
    cells = zip(shown.columns, *shown.rows, strict=True)
    width = sum(3 + max(map(len, column)) for column in cells)
    return " slim" if width <= SLIM and len(shown.rows) > 20 else ""
