"""Nodes of a Ray cluster on which something else is installed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.store import Run
from pipeline.verify import verify
from tests.end_to_end.test_chaos import Chaos
from tests.raylets import Raylets, until
from tests.started import started

pytestmark = [pytest.mark.ray, pytest.mark.slow]


def other_code(folder: Path) -> str:
    """Where this package lies with one strategy changed; as PYTHONPATH."""
    home = folder / "other"
    home.mkdir()
    for package in ("engine_ext", "pipeline"):
        (home / package).symlink_to(Path(package).absolute())
    shutil.copytree("strategies", home / "strategies")
    with (home / "strategies" / "about.py").open("a", encoding="utf-8") as file:
        file.write("\n# changed\n")
    return str(home)


def test_a_node_with_other_code_is_named_and_nothing_played(tmp_path: Path) -> None:
    with Raylets(1, PYTHONPATH=other_code(tmp_path)) as cluster:
        chaos = Chaos(tmp_path, 2, cluster, seed=1)
        _, err = chaos.driver.communicate(timeout=200)
    assert chaos.driver.returncode != 0
    last = err.splitlines()[-1]
    assert "UserError: node " in last
    assert "): code: " in last
    assert Run.open(chaos.out).manifest.status == "failed"
    assert not Run.open(chaos.out).receipts()


def test_a_node_that_joins_later_with_other_code_is_left_out(tmp_path: Path) -> None:
    with Raylets(1, NAP_S="0.02") as cluster:
        chaos = Chaos(tmp_path, 60, cluster, seed=1)
        chaos.after(3)
        cluster.add(PYTHONPATH=other_code(tmp_path))
        _, err = chaos.driver.communicate(timeout=280)
    assert chaos.driver.returncode == 0, err
    (line,) = [line for line in err.splitlines() if line.startswith("left out: node ")]
    assert "): code: " in line
    assert verify(Run.open(chaos.out)).ok


def test_a_driver_that_is_interrupted_leaves_no_process_and_no_folder(tmp_path: Path) -> None:
    before = set(Path("/tmp").glob("barbu-ray-*"))
    (tmp_path / "run.toml").write_text(
        'title = "cut"\nseed = 1\nvariants = ["barbu_52_doubling"]\nblocks = 2000\n'
        'design = "gauntlet"\nentrants = [{ strategy = "duck.v1" }, { strategy = "random.v1" }]\n'
    )
    barbu = Path(sys.executable).with_name("barbu")
    words = (barbu, "run", tmp_path / "run.toml", "--out", tmp_path / "run", "--executor", "ray")
    with started(words, stderr=subprocess.PIPE, text=True) as driver:
        receipts = tmp_path / "run" / "_receipts"
        until(lambda: receipts.is_dir() or driver.poll() is not None, "the first shard")
        driver.terminate()
        _, err = driver.communicate(timeout=60)
    assert driver.returncode == 130, err
    assert f"barbu resume {tmp_path / 'run'}" in err
    assert not set(Path("/tmp").glob("barbu-ray-*")) - before
