"""All builds of the engine give the same results, bit for bit."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine_ext import build

ROOT = Path(__file__).resolve().parents[2]
PLAY = """
import hashlib, sys
import numpy as np
import strategies
from engine_ext import batch, build
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from engine_ext.trials import NAMED, hands_of, play_trials, trials

assert build.KERNEL == sys.argv[1], build.KERNEL
assert build.build_info()["kernel"] == sys.argv[1], build.build_info()
outcome = hashlib.sha256()
for name in ("barbu_52_doubling", "barbu_fr_reussite", "barbu_king_br", "king_ru_fixed14"):
    rules = batch.Rules(load_variant(name))
    blocks = np.arange(40, dtype=np.uint64)
    deals = range(rules.numbers.n_deals)
    given = [batch.deal_hands(rules, key=run_key(6), blocks=blocks, deal=deal) for deal in deals]
    for hands in (None, np.stack(given, axis=1)):
        games = batch.play_games(
            rules,
            [strategies.create(name) for name in ("duck.v1", "random.v1", "count.v1")],
            key=run_key(7),
            blocks=blocks,
            seating=np.tile(np.array([0, 1, 2, 2], np.uint8), (40, 1)),
            hands=hands,
            log=True,
        )
        for array in (games.score, games.deals.items, games.deals.doubled, games.deals.moves):
            outcome.update(np.ascontiguousarray(array).tobytes())
searching = "play=mc.v1(worlds=4), choose=dp.v1(worlds=2, hands=6), double=ev.v1(worlds=4, draws=8)"
for name in ("barbu_52_doubling", "barbu_fr_reussite"):
    games = batch.play_games(
        batch.Rules(load_variant(name)),
        [strategies.create(searching)],
        key=run_key(8),
        blocks=np.arange(1, dtype=np.uint64),
        seating=np.zeros((1, 4), np.uint8),
        log=True,
    )
    for array in (games.score, games.deals.contract, games.deals.doubled, games.deals.moves):
        outcome.update(np.ascontiguousarray(array).tobytes())
for name in ("barbu_52_doubling", "hearts"):
    rules, n = batch.Rules(load_variant(name)), 60
    each = np.arange(n)
    asked = trials(rules, n, block=each % 9, world=each % 5, held=each % 4, code=NAMED)
    for names in (("duck.v1", "random.v1"), ("duck.v1", "lowest_batch.v1")):
        seated = [strategies.create(name) for name in names * 2]
        found = play_trials(rules, seated, asked, key=run_key(7), log=True)
        for array in (found.code, found.deals.items, found.deals.moves):
            outcome.update(np.ascontiguousarray(array).tobytes())
    outcome.update(hands_of(rules, asked, key=run_key(7)).tobytes())
print(outcome.hexdigest())
"""


def outcome(kernel: str) -> str:
    """Hash of what the named kernel plays in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PLAY, kernel],
        env=os.environ | {"BARBU_KERNEL": kernel},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return done.stdout.strip()


def test_the_kernel_for_two_packs_plays_one_pack_alike() -> None:
    assert outcome("baseline") == outcome("wide")


@pytest.mark.skipif(build.KERNEL != "v3", reason="this processor runs the baseline only")
def test_baseline_and_v3_play_alike() -> None:
    assert outcome("baseline") == outcome("v3")


def test_an_unknown_kernel_is_named() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import engine_ext.build"],
        env=os.environ | {"BARBU_KERNEL": "v9"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode != 0
    assert "BARBU_KERNEL: 'v9' is no kernel (want baseline or v3)" in done.stderr
