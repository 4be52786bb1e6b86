"""Profiles what becomes of played games: hash, sums over blocks, tables, Parquet.

    python benchmarks/landing.py [blocks]        (`make profile`)

The work is the landing stage of `barbu bench`: blocks of four games of duck.v1 as one
shard. A profile slows Python's own steps down more than NumPy's, so it shows where to
look; how long a stage takes says `barbu bench`.
"""

import cProfile
import sys
import time
from pathlib import Path
from pstats import Stats

from pipeline.bench.stages import stages

SHOWN = 25
PER_BLOCK = 4


def main(blocks: int) -> None:
    """Print the functions with the most time of their own."""
    (land,) = (work for work in stages() if work.name == "stages/land")
    land.play(0, 100)  # what is paid once
    profile = cProfile.Profile(timer=time.process_time)
    profile.runcall(land.play, 100, blocks)
    found = Stats(profile).stats.items()  # type: ignore[attr-defined]
    per_game = 1e6 / (PER_BLOCK * blocks)
    print(f"{'own us':>8}{'with calls':>12}{'calls':>8}  a game, of {PER_BLOCK * blocks:,} games")
    for (file, _, name), (_, calls, own, whole, _) in sorted(found, key=lambda one: -one[1][2])[
        :SHOWN
    ]:
        where = "" if file == "~" else f"{Path(file).name}  "
        of_a_game = calls / (PER_BLOCK * blocks)
        print(f"{own * per_game:>8.2f}{whole * per_game:>12.2f}{of_a_game:>8.2f}  {where}{name}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
