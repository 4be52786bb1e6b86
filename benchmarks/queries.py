"""Ten million deals: how long two questions take, and how much memory playing and reporting do.

    python -m benchmarks.queries [GAMES] [--out DIR]

Plays GAMES games of ``barbu_52_doubling`` (357,143 of 28 deals unless given) by ``barbu run``,
asks ``barbu sql``'s catalog for mean points by seat, and by contract, entrant and role, and writes
the page by ``barbu report``; each in a process of its own, whose peak of memory is printed. The
bars: a second a question, 1 GiB.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from pipeline.catalog import open_catalog

RUN = """
title = "ten million deals"
seed = 1
variants = ["barbu_52_doubling"]
blocks = {blocks}
design = "gauntlet"
entrants = [{{ strategy = "duck.v1" }}, {{ strategy = "random.v1" }}]
"""
GAMES_OF_BLOCK = 4
QUESTIONS = {
    "mean points by seat": "select seat, avg(score) from deals_long group by seat order by seat",
    "by contract, entrant and role": (
        "select contract, entrant, role, avg(points) from deals_long "
        "group by contract, entrant, role order by contract, entrant, role"
    ),
}


BARBU = "import sys; from pipeline.cli import main; sys.exit(main())"


def carried_out(*words: str | Path) -> tuple[float, int]:
    """Seconds that a command takes, and the peak of its memory, MiB."""
    began = time.monotonic()
    child = subprocess.Popen([sys.executable, "-c", BARBU, *words], stdout=sys.stderr)
    _, status, used = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"barbu {words[0]} failed")
    return time.monotonic() - began, used.ru_maxrss // 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", type=int, nargs="?", default=357_143)
    parser.add_argument("--out", type=Path)
    words = parser.parse_args()
    with TemporaryDirectory(dir=words.out) as folder:
        file, out = Path(folder) / "run.toml", Path(folder) / "run"
        file.write_text(RUN.format(blocks=-(-words.games // GAMES_OF_BLOCK)))
        for name, command in (("run", ("run", file, "--out", out)), ("report", ("report", out))):
            seconds, peak = carried_out(*command)
            print(f"barbu {name:25} {seconds:8.1f} s, peak {peak:,} MiB")
        with open_catalog(out) as catalog:
            print(f"rows of deals {catalog.rows('select count(*) from deals')[0][0]:,}")
            for name, question in QUESTIONS.items():
                catalog.rows(question)  # files are in the cache of the system from now on
                began = time.monotonic()
                rows = catalog.rows(question)
                print(f"{name:31} {time.monotonic() - began:8.2f} s, {len(rows)} rows")


if __name__ == "__main__":
    main()
