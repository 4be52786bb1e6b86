"""The house is in order: names, arrows, pins, and nothing that belongs elsewhere."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from engine_ext.rules.load import load_lineage
from engine_ext.rules.totals import check
from pipeline.cli import app, main

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
ROOTS = ("engine_ext", "strategies", "pipeline", "reports")
HEAVY = ("polars", "duckdb", "ray", "plotly", "pyarrow", "scipy", "pandas")


def tracked() -> list[Path]:
    """Files under version control, and new ones that are not ignored."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = [ROOT / name for name in listing.stdout.split("\0") if name]
    return [path for path in paths if path.is_file()]


@pytest.mark.parametrize("name", [*ROOTS, "configs"])
def test_no_other_distribution_owns_our_package_names(name: str) -> None:
    assert set(packages_distributions()[name]) == {"barbu-sim"}


def test_every_package_goes_into_the_wheel() -> None:
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for root in ROOTS
        for path in (ROOT / root).rglob("*.py")
    }
    listed = set(PROJECT["tool"]["setuptools"]["packages"])
    assert found <= listed
    assert {name.split(".")[0] for name in listed} == {*ROOTS, "configs"}


def test_nothing_names_a_machine_or_a_registry() -> None:
    # In pieces, so that this file does not name them either.
    words = [
        "/" + "work/",
        "/tmp/" + "uvenv",
        "pypi" + ".org",
        "python" + "hosted",
        "index" + "-url",
    ]
    named = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in tracked()
        for word in words
        if word.encode() in path.read_bytes()
    ]
    assert named == []


def test_compiled_modules_know_those_below_them_only() -> None:
    """What import-linter cannot read: ``cimport``, and imports in ``.pyx`` and ``.pxd``."""
    sources = [path for path in tracked() if path.suffix in (".pyx", ".pxd")]
    assert {path.relative_to(ROOT).parts[0] for path in sources} == {"engine_ext", "strategies"}
    for path in sources:
        own = ROOTS.index(path.relative_to(ROOT).parts[0])
        text = path.read_text()
        for line in re.findall(r"^\s*(?:from|import|cimport)\s+(\w+)", text, re.MULTILINE):
            assert line not in ROOTS[own + 1 :], f"{path.relative_to(ROOT)} imports {line}"


def test_every_dependency_is_pinned_with_hashes() -> None:
    pins = (ROOT / "requirements.lock").read_text()
    entries = [line for line in pins.splitlines() if "==" in line and not line.startswith(" ")]
    pinned = {line.split("==")[0] for line in entries}
    project = PROJECT["project"]
    wanted = [
        *project["dependencies"],
        *project["optional-dependencies"]["dev"],
        *PROJECT["build-system"]["requires"],
    ]
    assert {re.split(r"[\[>]", name)[0] for name in wanted} <= pinned
    assert pins.count("--hash=sha256:") >= len(entries)
    assert "://" not in pins


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from pipeline.cli import main; code = main(['--help'])\n"
        f"print(code, sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "0 []"
    assert "Commands:" in done.stdout


def test_help_has_a_line_for_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    listing = capsys.readouterr().out.partition("Commands:")[2]
    told = dict(re.findall(r"^  (\w+) +(\S.*)$", listing, re.MULTILINE))
    assert set(told) == set(app.commands())
    for name, line in told.items():
        assert " " in line, f"{name}: what does it do?"
        assert "not installed" not in line


def help_of(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main([*words, "--help"]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    return shown


@pytest.mark.parametrize("name", sorted(app.commands()))
def test_the_help_of_a_command_has_an_example(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = help_of([name], capsys)
    inner = re.findall(r"^  (\w+) ", shown.partition("Commands:")[2], re.MULTILINE)
    for words in [[name, command] for command in inner] or [[name]]:
        usage, _, text = help_of(words, capsys).partition("\n")
        assert usage.startswith(f"Usage: barbu {' '.join(words)}")
        assert re.search(rf"barbu {' '.join(words)}\b", text), f"{words}: no example"


def test_the_slow_twin_and_the_four_roots_are_under_contract() -> None:
    contracts = PROJECT["tool"]["importlinter"]["contracts"]
    layers = next(c for c in contracts if c["type"] == "layers")
    assert tuple(reversed(layers["layers"])) == ROOTS
    assert any(c.get("source_modules") == ["engine_ext.reference"] for c in contracts)


def test_a_note_of_a_claim_goes_with_the_total_that_it_tells_of(tmp_path: Path) -> None:
    file = tmp_path / "even.toml"
    file.write_text(
        'extends = "barbu_fr_reussite"\n[contracts.reussite]\ntotal = 210\n'
        "payout = [100, 50, 40, 20]\n"
    )
    lineage = load_lineage(file)
    game = next(c for c in check(lineage[0], lineage[1:]).claims if c.what == "game")
    assert (game.ok, game.comes_out, game.note) == (True, 0, None)
    there = next(c for c in check(lineage[1]).claims if c.what == "game")
    assert not there.ok
    assert there.note is not None
    assert there.note.startswith("False:")
