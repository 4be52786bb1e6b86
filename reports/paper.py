"""A report's page on paper and as pictures, by a Chromium of this machine."""

import base64
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reports.browser import Tab, opened

WIDE = 1280
"""Pixels of a picture's width before it is sharpened."""
LIGHT = {"prefers-color-scheme": "light"}
MARGIN = 12
SHARP = 2
"""Pixels of a picture for one of the page."""
TALLEST = 16_000
"""Pixels that Chromium can draw at once."""
BLOCKS = """Array.from(document.querySelectorAll("header, main section section")).map(part => {
  const box = part.getBoundingClientRect();
  return { name: part.id || "head", y: box.top + window.scrollY, height: box.height }; })"""


def pdf(html: str) -> bytes:
    """The page on A4, every fold opened, with an outline and tags for screen readers."""
    with _shown(html) as tab:
        told = tab.ask(
            "Page.printToPDF",
            preferCSSPageSize=True,
            printBackground=True,
            generateTaggedPDF=True,
            generateDocumentOutline=True,
        )
        return base64.b64decode(told["data"])


def pictures(html: str) -> dict[str, bytes]:
    """A picture of the head and of every section, by id, in the order of the page."""
    with _shown(html) as tab:
        # A window as tall as the page: it would be laid out anew for each picture beyond it.
        tab.size(WIDE, int(tab.value("document.scrollingElement.scrollHeight")), LIGHT)
        return {block["name"]: _picture(tab, block) for block in tab.value(BLOCKS)}


def _picture(tab: Tab, block: dict[str, float]) -> bytes:
    height = block["height"] + 2 * MARGIN
    clip = {
        "x": 0,
        "y": max(0, block["y"] - MARGIN),
        "width": WIDE,
        "height": height,
        "scale": SHARP if height * SHARP < TALLEST else 1,
    }
    told = tab.ask("Page.captureScreenshot", clip=clip)
    return base64.b64decode(told["data"])


@contextmanager
def _shown(html: str) -> Iterator[Tab]:
    """The page in a browser, light and wide."""
    with tempfile.TemporaryDirectory(prefix="barbu-page-") as folder, opened() as tab:
        page = Path(folder) / "report.html"
        page.write_text(html, encoding="utf-8")
        tab.size(WIDE, 900, LIGHT)
        tab.show(page)
        yield tab
