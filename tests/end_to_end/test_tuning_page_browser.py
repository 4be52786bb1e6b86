"""The page of a tuning in a real browser: everything draws and fits, light and dark, and on paper."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from reports.browser import Tab, chromium, opened
from reports.paper import pdf, pictures
from reports.tuning.page import tuning_page
from reports.tuning.topics import TOPICS
from tests.end_to_end.test_report_browser import COMPLAINTS, DARK, DESK, DRAWN, PHONE, WIDTH
from tests.outcomes import outcome

pytestmark = pytest.mark.skipif(
    chromium() is None, reason="no Chromium here: the page is not looked at in a browser"
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tuning") / "page.html"
    path.write_text(tuning_page(outcome()))
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Tab]:
    with opened(100) as tab:
        yield tab


@pytest.mark.parametrize(
    ("size", "media"), [(DESK, DARK), (PHONE, {})], ids=["dark desk", "light phone"]
)
def test_all_of_it_is_drawn_and_fits(
    browser: Tab, page: Path, size: tuple[int, int], media: dict[str, str]
) -> None:
    browser.size(*size, media)
    browser.show(page)
    drawings = page.read_text().count('class="plotly-graph-div"')
    assert drawings == 10
    assert browser.value(DRAWN) == drawings
    browser.value("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
    browser.settle()
    assert browser.value(WIDTH) <= size[0]
    assert [event for event in browser.events if event[0] in COMPLAINTS] == []


@pytest.mark.slow
def test_on_paper_and_as_pictures(page: Path) -> None:
    html = page.read_text()
    assert pdf(html).startswith(b"%PDF")
    assert list(pictures(html)) == ["head", *(topic.name for topic in TOPICS)]
