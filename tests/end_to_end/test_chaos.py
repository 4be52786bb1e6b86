"""Workers, a node and the driver are killed at random: the run ends as if nothing had been."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.config import RunConfig
from pipeline.run import run
from pipeline.run_file import load_run
from pipeline.store import Run
from pipeline.verify import verify
from tests.raylets import WAIT_S, Raylets, until
from tests.runs import rows

pytestmark = pytest.mark.ray

NAPS = """
import os, time
from strategies import register

@register("naps.v1")
class Naps:
    def choose(self, view):
        time.sleep(float(os.environ.get("NAP_S", "0")))
        return view.choices[0]
"""
RUN = """
title = "chaos"
seed = 8
variants = ["barbu_52_doubling"]
blocks = {blocks}
design = "gauntlet"
entrants = [{{ strategy = "naps.py:Naps", name = "naps" }}, {{ strategy = "random.v1" }}]
"""
DRIVER = """
import sys
from pipeline import run as module
from pipeline.run_file import load_run
from pipeline.taking_up import run_or_resume
from tests.runs import cut_into

module.pilot = lambda config: {v.name: 1.0 for v in config.variants}
module.cut = lambda config, _: cut_into(config, 1)  # a shard a block
file, out, address = sys.argv[1:]
found = run_or_resume(load_run(file), out, executor="ray", address=address)
print(found.digest)
"""


class Chaos:
    """A run on a cluster, and somebody who kills what it runs on."""

    def __init__(self, folder: Path, blocks: int, cluster: Raylets, seed: int) -> None:
        self.cluster = cluster
        self.rng = random.Random(seed)
        self.out = folder / "run"
        (folder / "naps.py").write_text(NAPS, "utf-8")
        self.file = folder / "run.toml"
        self.file.write_text(RUN.format(blocks=blocks), "utf-8")
        self.driver = self.begin()

    def begin(self) -> "subprocess.Popen[str]":
        words = (sys.executable, "-c", DRIVER, self.file, self.out, self.cluster.address)
        return subprocess.Popen(
            words,
            cwd=self.file.parent,  # Ray puts it before everything else that workers import from
            env=self.cluster.env | {"PYTHONPATH": str(Path.cwd())},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def landed(self) -> int:
        return len(list(self.out.glob("_receipts/*")))

    def after(self, shards: int) -> None:
        """Wait until so many have landed."""
        until(lambda: self.landed() >= shards or self.ended(), f"{shards} shards")
        assert not self.ended(), self.driver.communicate()

    def ended(self) -> bool:
        return self.driver.poll() is not None

    def kill(self, what: str) -> None:
        if what == "worker":
            until(lambda: bool(self.cluster.workers()) or self.ended(), "a worker at work")
            for pid in self.rng.sample(self.cluster.workers(), k=1):
                os.kill(pid, signal.SIGKILL)
        elif what == "node":
            self.cluster.kill(self.rng.choice(self.cluster.nodes[1:]))
        else:
            self.driver.kill()
            self.driver.communicate()
            self.driver = self.begin()

    def end(self) -> str:
        """What the last driver found."""
        out, err = self.driver.communicate(timeout=2 * WAIT_S)
        assert self.driver.returncode == 0, err
        return out.split()[-1]


def check(chaos: Chaos, told: str, folder: Path) -> None:
    """Exactly the planned games stand there, and they are those of an undisturbed run."""
    config: RunConfig = load_run(chaos.file)
    expected = run(config, folder / "undisturbed", executor="inline").digest
    there = Run.open(chaos.out)
    assert told == there.manifest.digest == expected
    assert verify(there).ok
    games = [(row["block"], row["table"], row["rotation"]) for row in rows(there, "games")]
    assert sorted(games) == [(b, 0, r) for b in range(config.blocks) for r in range(4)]
    assert there.manifest.shards == config.blocks


def test_a_worker_and_the_driver_are_killed(tmp_path: Path) -> None:
    with Raylets(2, NAP_S="0.01") as cluster:
        chaos = Chaos(tmp_path, 16, cluster, seed=1)
        for shards, what in ((1, "worker"), (3, "driver")):
            chaos.after(shards)
            chaos.kill(what)
        check(chaos, chaos.end(), tmp_path)


@pytest.mark.slow
def test_ten_random_kills_in_two_hundred_shards(tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    print(json.dumps({"seed": seed}))
    rng = random.Random(seed)
    kills = ["worker"] * 7 + ["driver"] * 2 + ["node"]
    rng.shuffle(kills)
    moments = sorted(rng.sample(range(5, 180), k=len(kills)))
    with Raylets(3, NAP_S="0.01") as cluster:
        chaos = Chaos(tmp_path, 200, cluster, seed)
        for shards, what in zip(moments, kills, strict=True):
            chaos.after(shards)
            chaos.kill(what)
        check(chaos, chaos.end(), tmp_path)
