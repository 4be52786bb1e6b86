"""The page in a real browser: everything draws, nothing is fetched, the keyboard gets everywhere."""

import base64
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine_ext.rules.spec import Variant
from pipeline.stats.estimate import Estimate
from reports.browser import Tab, chromium, opened
from reports.build import build
from reports.charts import Series, bars, dots, heat, lines
from reports.commands import write as write_report
from reports.grids import grid
from reports.paths import path, walk
from reports.reading import Reading
from reports.reading import opened as reading
from reports.section import Answer, Figure, Tables
from tests.runs import entrants, played, small
from tests.unit.invented import config, write

pytestmark = pytest.mark.skipif(
    chromium() is None, reason="no Chromium here: the page is not looked at in a browser"
)
BOUNDS = [(-2.9, "not better"), (2.9, "better")]
PHONE, DESK = (375, 800), (1300, 900)
DARK = {"prefers-color-scheme": "dark"}
WIDTH = "document.scrollingElement.scrollWidth"
COMPLAINTS = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
DRAWN = """Array.from(document.querySelectorAll(".plotly-graph-div")).filter(drawing => {
  const marks = drawing.querySelectorAll(".points path, .point path, .hm image, path.js-line");
  return Array.from(marks).some(mark => { const box = mark.getBoundingClientRect();
    return box.width > 0 && box.height > 0; });
}).length"""
FOCUS = """(() => { const e = document.activeElement, style = getComputedStyle(e);
  return { href: e.getAttribute("href"), tag: e.tagName, outline: style.outlineStyle,
    name: e.textContent.slice(0, 80), last: e === document.body }; })()"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browser")
    write(folder, config(("barbu_52_doubling", "barbu_king_br"), blocks=8))
    return write_report(folder, None)


class Everything:
    """A section with a drawing of each kind."""

    name, title = "everything", "Everything"

    def missing(self, run: Reading, variant: str) -> str | None:
        return None

    def compute(self, run: Reading, variant: str) -> Tables:
        return {}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        found = [Estimate(k, 1.0, k - 2.0, k + 2.0, 9, 9, 8.0, "t") for k in range(5)]
        names = [f"a name that is rather long {k}" for k in range(5)]
        two = (Series("anna", found), Series("bert", [*found[1:], None]))
        drawings = {
            "dots": dots(names, two, "points"),
            "bars": bars(names, two, "points"),
            "curves": lines([5, 4, 3, 2, 1], two, "contracts left", "points a deal", names=names),
            "map": heat(names, names, [[1.0] * 5] * 5, [["1"] * 5] * 5, "role", True, 2.0),
            "path": path(range(1, 6), found, "blocks", "points a game"),
            "walk": walk(range(1, 6), [0.1, -0.2, 0.4, 1.0, 3.1], "blocks", "ratio", BOUNDS),
        }
        beside = grid("Points", "contract", names, names, [found] * 5)
        figures = (
            Figure(name, drawing, "It.", beside if name == "map" else None)
            for name, drawing in drawings.items()
        )
        return Answer("Trumps \N{BLACK HEART SUIT}.", tuple(figures), (), ("t",))


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_every_kind_of_drawing_is_drawn_and_fits(
    browser: Tab, page: Path, tmp_path: Path, size: tuple[int, int]
) -> None:
    with reading(page.parent) as run:
        (tmp_path / "a.html").write_text(build(run, sections=(Everything(),)))
    browser.size(*size)
    browser.show(tmp_path / "a.html")
    assert browser.value(DRAWN) == 6 * 2
    assert browser.value(WIDTH) <= size[0]
    assert [event for event in browser.events if event[0] in COMPLAINTS] == []
    # Names at the left do not run into each other.
    boxes = browser.value(
        "Array.from(document.querySelector('[id$=-dots]').querySelectorAll('.ytick text'))"
        ".map(text => text.getBoundingClientRect()).map(box => [box.top, box.bottom])"
    )
    assert len(boxes) == 5
    assert all(above[1] <= below[0] + 1 for above, below in pairwise(sorted(boxes)))
    # Names under a curve: none left out or turned for want of room.
    names = browser.value(
        "Array.from(document.querySelector('[id$=curves]').querySelectorAll('.xtick text'))"
        ".map(text => text.getAttribute('transform'))"
    )
    assert len(names) == 5
    assert not [turn for turn in names if "rotate(0" not in turn and "rotate" in turn]


@pytest.fixture(scope="module")
def browser() -> Iterator[Tab]:
    with opened(200) as tab:
        yield tab


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The three studies of a variant on one page, too short to say much."""
    folder = tmp_path_factory.mktemp("studies")
    with ExitStack() as stack:
        runs = []
        for design in ("doubling", "value", "seats"):
            how: dict[str, Any] = {"design": design, "lineups": (), "blocks": 8}
            how |= {} if design == "seats" else {"worlds": 4}
            played(
                small(("barbu_52_doubling",), entrants=entrants("duck.v1"), **how), folder / design
            )
            runs.append(stack.enter_context(reading(folder / design)))
        (folder / "page.html").write_text(build(*runs))
    return folder / "page.html"


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_studies_are_drawn_and_fit(browser: Tab, studies: Path, size: tuple[int, int]) -> None:
    browser.size(*size)
    browser.show(studies)
    drawings = studies.read_text().count('class="plotly-graph-div"')
    assert drawings > 10
    assert browser.value(DRAWN) == drawings
    browser.value("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
    browser.settle()
    assert browser.value(WIDTH) <= size[0]
    assert [event for event in browser.events if event[0] in COMPLAINTS] == []
    chapters = browser.value(
        "Array.from(document.querySelectorAll('.chapter h2')).map(h => h.textContent)"
    )
    assert [title.split(": ")[1].split()[0] for title in chapters] == ["value", "seats", "doubling"]


@pytest.fixture
def desk(browser: Tab, page: Path) -> Tab:
    browser.size(*DESK)
    browser.show(page)
    return browser


def press(tab: Tab, key: str) -> dict[str, Any]:
    """Press a key; what has the focus then."""
    code = {"Tab": 9, "Enter": 13}[key]
    text = {"text": "\r"} if key == "Enter" else {}
    for kind in ("keyDown", "keyUp"):
        tab.ask(
            "Input.dispatchKeyEvent",
            type=kind,
            key=key,
            code=key,
            windowsVirtualKeyCode=code,
            **(text if kind == "keyDown" else {}),
        )
    return dict(tab.value(FOCUS))


def test_every_drawing_is_drawn_without_a_complaint(desk: Tab, page: Path) -> None:
    drawings = page.read_text().count('class="plotly-graph-div"')
    assert drawings > 10
    assert desk.value(DRAWN) == drawings
    assert [event for event in desk.events if event[0] in COMPLAINTS] == []
    assert desk.value("document.querySelectorAll('.modebar-btn').length") == 0


def test_nothing_is_fetched(desk: Tab, page: Path) -> None:
    asked = [told["request"]["url"] for name, told in desk.events if name.endswith("WillBeSent")]
    assert page.resolve().as_uri() in asked
    # A map's cells are a picture that the drawing library makes itself.
    assert {url.split(":")[0] for url in asked} <= {"file", "data"}
    assert sum(url.startswith("file:") for url in asked) == 1


def test_a_complaint_and_a_request_would_be_noticed(desk: Tab) -> None:
    desk.value(
        "new Promise(done => { const i = new Image(); i.onerror = () => done(1); "
        "i.src = 'http://example.invalid/a.png'; console.error('oh'); })"
    )
    seen = [name for name, _ in desk.events]
    assert "Runtime.consoleAPICalled" in seen
    urls = [told["request"]["url"] for name, told in desk.events if name.endswith("WillBeSent")]
    assert "http://example.invalid/a.png" in urls


@pytest.mark.parametrize("media", [{}, DARK], ids=["light", "dark"])
def test_a_phone_scrolls_down_only(browser: Tab, page: Path, media: dict[str, str]) -> None:
    browser.size(*PHONE, media)
    browser.show(page)
    assert browser.value(WIDTH) <= PHONE[0]
    browser.value("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
    browser.settle()
    assert browser.value(WIDTH) <= PHONE[0]
    drawings = page.read_text().count('class="plotly-graph-div"')
    assert browser.value(DRAWN) == drawings


def test_the_keyboard_reaches_every_section_and_table(desk: Tab) -> None:
    first = press(desk, "Tab")
    assert first["href"] == "#main"  # past the contents at once
    assert first["outline"] != "none"
    reached, folds, tables = [], [], 0
    stops = desk.value("document.querySelectorAll('a, summary, .wide').length")
    for _ in range(stops):
        now = press(desk, "Tab")
        if now["last"]:
            break
        assert now["outline"] != "none", now
        reached += [now["href"]] if now["href"] else []
        tables += now["tag"] == "DIV"
        folds += [now["name"]] if now["tag"] == "SUMMARY" else []
    anchors = desk.value(
        "Array.from(document.querySelectorAll('main section')).map(s => '#' + s.id)"
    )
    assert set(anchors) <= set(reached)
    shown = "Array.from(document.querySelectorAll('.wide')).filter(e => e.checkVisibility()).length"
    assert tables == desk.value(shown) > 5
    assert len(folds) == desk.value("document.querySelectorAll('summary').length")


def test_a_link_of_the_contents_leads_into_its_section(desk: Tab) -> None:
    desk.value("document.querySelector('nav a[href$=\"-seats\"]').focus()")
    press(desk, "Enter")
    desk.settle()
    assert desk.value("document.activeElement.id").endswith("-seats")
    assert abs(desk.value("document.activeElement.getBoundingClientRect().top")) < 60


def test_what_a_screen_reader_hears_is_in_order(desk: Tab) -> None:
    levels = desk.value(
        "Array.from(document.querySelectorAll('h1,h2,h3,h4')).map(h => Number(h.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))
    named = desk.value(
        "Array.from(document.querySelectorAll('section, nav, .wide, [role=img]')).every(e => "
        "e.getAttribute('aria-label') || document.getElementById(e.getAttribute('aria-labelledby')))"
    )
    assert named is True
    assert desk.value("document.querySelectorAll('main, nav, header').length") == 3


def test_dark_is_dark_to_the_letters_of_drawings(browser: Tab, page: Path) -> None:
    shades = {}
    for name, media in (("light", {"prefers-color-scheme": "light"}), ("dark", DARK)):
        browser.size(*DESK, media)
        browser.show(page)
        shades[name] = browser.value(
            "[getComputedStyle(document.body).backgroundColor, "
            "getComputedStyle(document.querySelector('.xtick text')).fill]"
        )
    assert shades["light"] == ["rgb(255, 255, 255)", "rgb(28, 31, 35)"]
    assert shades["dark"] == ["rgb(20, 23, 26)", "rgb(230, 232, 234)"]


def test_a_maps_table_stands_beside_it_where_there_is_room(desk: Tab, page: Path) -> None:
    beside = """(() => { const pair = document.querySelector(".pair:not(.broad)");
      const [map, data] = Array.from(pair.children).map(e => e.getBoundingClientRect());
      return [pair.querySelector("details").open, data.left >= map.right - 1]; })()"""
    assert desk.value(beside) == [True, True]
    desk.size(*PHONE)
    desk.show(page)
    assert desk.value(beside) == [False, False]


def test_it_prints_to_a_few_pages_folded_tables_and_all(desk: Tab) -> None:
    paper = base64.b64decode(desk.ask("Page.printToPDF", preferCSSPageSize=True)["data"])
    assert paper.startswith(b"%PDF")
    assert 2 <= paper.count(b"/Type /Page\n") + paper.count(b"/Type /Page ") <= 60
    # What was folded on the screen is folded again.
    assert desk.value("document.querySelectorAll('details:not([open])').length") > 5
