"""The page in a real browser: everything draws, and nothing is fetched."""

import shutil
import subprocess
from pathlib import Path

import pytest

from reports.commands import write as write_report
from tests.unit.invented import config, write

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--virtual-time-budget=8000",
    "--enable-logging=stderr",
)

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium here")


def _browse(page: Path, profile: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(BROWSER), *FLAGS, f"--user-data-dir={profile}", *flags, page.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browser")
    write(folder, config(("barbu_52_doubling", "barbu_king_br"), blocks=8))
    return write_report(folder, None)


def test_every_drawing_is_drawn_without_a_complaint(page: Path, tmp_path: Path) -> None:
    seen = _browse(page, tmp_path, "--dump-dom")
    drawings = page.read_text().count('class="plotly-graph-div"')
    assert seen.stdout.count('data-ready="1"') == 1
    assert seen.stdout.count('class="plot-container') == drawings
    # Each cartesian drawing has a layer of points or a picture of cells.
    assert seen.stdout.count("scatterlayer") + seen.stdout.count("heatmaplayer") >= drawings
    assert "sendChartToCloud" not in seen.stdout.split("</script>")[-1]
    assert "CONSOLE" not in seen.stderr


@pytest.mark.slow
def test_it_prints_to_a_few_pages_folded_tables_and_all(page: Path, tmp_path: Path) -> None:
    paper = tmp_path / "page.pdf"
    _browse(page, tmp_path / "profile", f"--print-to-pdf={paper}", "--no-pdf-header-footer")
    content = paper.read_bytes()
    assert content.startswith(b"%PDF")
    assert 2 <= content.count(b"/Type /Page\n") + content.count(b"/Type /Page ") <= 28
