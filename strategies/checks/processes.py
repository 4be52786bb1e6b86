"""A strategy plays the same in another process: what Python orders by chance there, sets of
words say, is ordered otherwise."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256

from engine_ext.errors import UserError
from strategies.checks.games import Example, play
from strategies.checks.subject import BrokenPromise, NotAsked, Subject
from strategies.registry import create

CODE = "import sys; from strategies.checks.processes import answer; sys.exit(answer())"
HASH_SEEDS = ("1", "2")
TIMEOUT_S = 600


def same_in_another_process(subject: Subject) -> None:
    """Workers are processes of their own, each with a hash seed of its own."""
    games = {variant: subject.games(variant) for variant in subject.variants}
    found = [_elsewhere(subject.spec, games, seed) for seed in HASH_SEEDS]
    for variant, blocks in games.items():
        for i, block in enumerate(blocks):
            if len({hashes[variant][i] for hashes in found}) > 1:
                what = "other games with another PYTHONHASHSEED"
                raise BrokenPromise(Example(what, variant, block))


def _elsewhere(
    spec: str, games: Mapping[str, Sequence[int]], hash_seed: str
) -> dict[str, list[str]]:
    path = os.pathsep.join(folder for folder in sys.path if folder)
    done = subprocess.run(
        [sys.executable, "-c", CODE, spec],
        input=json.dumps(games),
        env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["it ended"])[-1]
        raise NotAsked(f"it cannot be had in another process: {why}")
    answer: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return answer


def answer() -> int:
    """Play the games asked for on standard input; a hash for each, by variant."""
    games: dict[str, list[int]] = json.load(sys.stdin)
    try:
        hashes = {v: [_hash(sys.argv[1], v, block) for block in bs] for v, bs in games.items()}
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"\n{json.dumps(hashes)}")
    return 0


def _hash(spec: str, variant: str, block: int) -> str:
    records = play(variant, [create(spec)], [block])
    assert records.deals.moves is not None, "played with log=True"
    told = sha256(records.deals.moves.tobytes())
    for array in (records.deals.contract, records.deals.param, records.deals.doubled):
        told.update(array.tobytes())
    return told.hexdigest()
