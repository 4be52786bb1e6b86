"""A compiled strategy in a package of its own: built, listed, played, and refused when stale."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import engine_ext

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "outside_strategy"

RUN = """
title = "Tall"
seed = 7
variants = ["barbu_52_doubling"]
blocks = 4
design = "gauntlet"
entrants = [{ strategy = "tall.v1" }, { strategy = "random.v1" }]
"""


def install(folder: Path, old: str = "", new: str = "") -> Path:
    """Build a copy of the example, ``old`` replaced by ``new`` in its C file; its home."""
    source, home = folder / "source", folder / "home"
    shutil.copytree(EXAMPLE, source)
    c_file = source / "barbu_tall" / "tall.c"
    text = c_file.read_text("utf-8")
    assert old in text
    c_file.write_text(text.replace(old, new) if old else text, "utf-8")
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps"]
    command += ["--no-build-isolation", "--target", str(home), str(source)]
    subprocess.run(command, check=True, cwd=ROOT, env=_path(ROOT))
    return home


def _path(*folders: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))}


def barbu(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    code = "import sys; from pipeline.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(
        command, cwd=ROOT, env=_path(ROOT, home), capture_output=True, text=True, check=False
    )


def test_the_headers_are_where_the_engine_says() -> None:
    there = Path(engine_ext.include_dir())
    assert {"policy.h", "stream.h", "policy.pxd", "cards.pxd"} <= {p.name for p in there.iterdir()}


@pytest.mark.slow
def test_an_outside_strategy_is_listed_and_plays(tmp_path: Path) -> None:
    home = install(tmp_path)
    listed = json.loads(barbu(home, "strategies", "list", "--json").stdout)["strategies"]
    (tall,) = (row for row in listed if row["name"] == "tall.v1")
    assert tall["compiled"]
    assert tall["releases_gil"]
    file = tmp_path / "run.toml"
    file.write_text(RUN, "utf-8")
    played = barbu(home, "run", str(file), "--out", str(tmp_path / "out"), "--json")
    assert played.returncode == 0, played.stderr
    answer = json.loads(played.stdout)
    assert answer["games"] > 0
    tests = tmp_path / "test_tall.py"
    tests.write_text(
        "import pytest\nfrom strategies.testing import StrategyConformance\n\n\n"
        '@pytest.mark.parametrize("spec", ["tall.v1"])\n'
        "class TestTall(StrategyConformance):\n    pass\n",
        "utf-8",
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests)]
    done = subprocess.run(
        command, cwd=tmp_path, env=_path(ROOT, home), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_a_strategy_built_for_another_engine_says_that_it_must_be_rebuilt(tmp_path: Path) -> None:
    home = install(tmp_path, ".abi = BARBU_POLICY_ABI,", ".abi = BARBU_POLICY_ABI + 1,")
    shown = barbu(home, "strategies", "show", "tall.v1")
    assert shown.returncode == 2
    assert shown.stderr.count("\n") == 1
    assert "'tall.v1': a strategy was built for policy ABI 2, this engine has 1" in shown.stderr
    assert "rebuild" in shown.stderr
