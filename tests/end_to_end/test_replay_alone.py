"""Any game of a run, played alone in another process, is the game that the run played."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.runs import BASE, entrants, played, small

ALONE = """
import json, sys
from pipeline.replay import Replayer
from pipeline.store import Run

run = Run.open(sys.argv[1])
replayers, told = {}, []
for variant, block, table, rotation in json.load(sys.stdin):
    if variant not in replayers:
        replayers[variant] = Replayer(run, variant)
    found = replayers[variant].play(block, table, rotation)
    told.append([found.digest, found.kept])
print(json.dumps(told))
"""


@pytest.mark.parametrize("n", [50, pytest.param(1_000, marks=pytest.mark.slow)])
def test_games_drawn_at_random_are_the_same_alone(tmp_path: Path, n: int) -> None:
    blocks = 20 if n == 50 else 250
    config = small(
        BASE,
        blocks=blocks,
        entrants=entrants("duck.v1", "random.v1", "cautious.v1", "count.v1"),
        lineups=(
            ("duck.v1", "random.v1", "cautious.v1", "count.v1"),
            ("random.v1", "random.v1", "count.v1", "duck.v1"),
        ),
        streams="common" if n == 50 else "independent",
    )
    there, _ = played(config, tmp_path / "run")
    rng = random.Random(n)
    asked = [
        (rng.choice(BASE), rng.randrange(blocks), rng.randrange(2), rng.randrange(4))
        for _ in range(n)
    ]
    alone = subprocess.run(
        [sys.executable, "-c", ALONE, str(there.folder)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONHASHSEED": "4711"},
    )
    told = json.loads(alone.stdout)
    assert len(told) == n
    assert len({digest for digest, _ in told}) == len(set(asked))
    assert [digest for digest, _ in told] == [kept for _, kept in told]
