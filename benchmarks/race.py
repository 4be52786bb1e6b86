"""Two checkouts raced: what a change of the engine costs, told from this machine's moods.

``python benchmarks/race.py OLD NEW [ROUNDS]``: folders of two built checkouts. Each works in
a process of its own; they take turns, and who goes first changes every round. Printed for
each kind of work: the ratio of the best times (below 1: NEW is faster) and the median of the
ratios of a round. CPU seconds count, so that a busy machine matters less.
"""

import os
import statistics
import subprocess
import sys
from pathlib import Path

WORK = """
import sys, time
import numpy as np
import strategies
from engine_ext import batch
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key

rules = batch.Rules(load_variant("barbu_52_doubling"))
random, duck = [strategies.create("random.v1")] * 4, [strategies.create("duck.v1")]
kinds = [[c.id for c in rules.numbers.contracts if c.kind == kind] for kind in (0, 1)]
blocks, seats = np.arange(150, dtype=np.uint64), np.zeros((150, 4), np.uint8)

def deals(contracts, n):
    batch.play_deals(rules, random, key=run_key(1), contracts=contracts, first_block=0, n=n)

def games():
    batch.play_games(rules, duck, key=run_key(1), blocks=blocks, seating=seats)

games()
for line in sys.stdin:
    times = []
    for work in (lambda: deals(kinds[0], 20_000), lambda: deals(kinds[1], 5_000), games):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    print(*times, flush=True)
"""
KINDS = ("random trick deals", "random layouts", "duck games")


def runner(folder: str) -> "subprocess.Popen[str]":
    """Return a process that does the work once for every line it is given."""
    return subprocess.Popen(
        [sys.executable, "-P", "-c", WORK],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(Path(folder).resolve())},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def lap(process: "subprocess.Popen[str]") -> list[float]:
    """Return the seconds of one round, by kind of work."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("go\n")
    process.stdin.flush()
    return [float(text) for text in process.stdout.readline().split()]


def main(old: str, new: str, rounds: int = 40) -> None:
    """Race and print."""
    sides = [runner(old), runner(new)]
    laps: list[list[list[float]]] = [[], []]
    for turn in range(rounds):
        for side in (0, 1) if turn % 2 else (1, 0):
            laps[side].append(lap(sides[side]))
    for side in sides:
        side.communicate()
    for kind, name in enumerate(KINDS):
        before, after = ([times[kind] for times in laps[side]] for side in (0, 1))
        ratio = statistics.median(a / b for a, b in zip(after, before, strict=True))
        print(f"{name}: best {min(after) / min(before):.3f}, median {ratio:.3f}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:4]))
