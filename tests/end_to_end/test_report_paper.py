"""A page as PDF and pictures, by a browser that leaves nothing behind; or one line why not."""

import os
import signal
import struct
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from pipeline.cli import main
from reports import browser
from tests.unit.invented import config, write

NEEDED = pytest.mark.skipif(
    browser.chromium() is None, reason="no Chromium here: no PDF, no pictures"
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("paper")
    write(folder, config(("barbu_king_br",), blocks=6))
    return folder


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders go, to see whether any stays."""
    place = tmp_path / "scratch"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def children() -> set[int]:
    """Processes whose parent is this one."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            found.add(int(status.parent.name))
    return found


@NEEDED
def test_a_pdf_of_the_page(run: Path, tmp_path: Path, scratch: Path) -> None:
    before = children()
    out = tmp_path / "page.pdf"
    assert main(["report", str(run), "--format", "pdf", "--out", str(out)]) == 0
    paper = out.read_bytes()
    assert paper.startswith(b"%PDF")
    assert b"/StructTreeRoot" in paper  # headings and tables for who hears it
    assert list(scratch.iterdir()) == []
    assert children() == before


@NEEDED
def test_a_picture_of_each_section(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "pictures"
    assert main(["report", str(run), "--format", "png", "--out", str(out)]) == 0
    names = {path.name for path in out.iterdir()}
    told = {"verdict", "trajectory", "league", "pairs", "design", "skill", "seats", "neighbours"}
    told |= {"luck", "decisive", "integrity"}
    assert names == {"head.png", *(f"barbu_king_br-{name}.png" for name in told)}
    for path in out.iterdir():
        content = path.read_bytes()
        width, height = struct.unpack(">II", content[16:24])
        assert width == 2560
        assert height > 400
    one = tmp_path / "seats.png"
    assert (
        main(["report", str(run), "--format", "png", "--section", "seats", "--out", str(one)]) == 0
    )
    assert one.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("form", ["pdf", "png"])
def test_without_a_browser_one_line_says_so(
    run: Path, form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(browser, "NAMES", ("no-such-browser",))
    monkeypatch.delenv(browser.CHOSEN, raising=False)
    before = set(run.iterdir())
    assert main(["report", str(run), "--format", form]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: no Chromium found (looked for no-such-browser; BARBU_CHROMIUM")
    assert len(said.splitlines()) == 1
    assert set(run.iterdir()) == before


def test_a_browser_that_is_not_there_is_named(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(browser.CHOSEN, "no-such-browser")
    assert main(["report", str(run), "--format", "pdf"]) == 2
    assert "BARBU_CHROMIUM: no-such-browser: no such program" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("does", "says"),
    [("pass", "ended too early"), ("import time; time.sleep(60)", "no answer within")],
    ids=["ends", "hangs"],
)
def test_a_browser_that_does_not_answer_is_ended(
    does: str, says: str, tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "browser"
    fake.write_text(f"#!{sys.executable}\n{does}\n")
    fake.chmod(0o755)
    monkeypatch.setenv(browser.CHOSEN, str(fake))
    before, started = children(), time.monotonic()
    with pytest.raises(browser.BrowserError, match=says), browser.opened(1.0):
        pass
    assert time.monotonic() - started < 20
    assert children() == before
    assert list(scratch.iterdir()) == []


def test_a_browser_that_hangs_ends_with_us(
    tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "browser"
    fake.write_text(f"#!{sys.executable}\nimport time; time.sleep(60)\n")
    fake.chmod(0o755)
    monkeypatch.setenv(browser.CHOSEN, str(fake))
    before = children()
    timer = threading.Timer(1, os.kill, (os.getpid(), signal.SIGTERM))
    timer.start()
    with pytest.raises(KeyboardInterrupt), browser.opened(30.0):
        pass
    timer.join()
    assert children() == before
    assert list(scratch.iterdir()) == []
