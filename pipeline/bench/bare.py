"""The yardstick: ``bare_loop.c``, compiled when it is needed, never installed."""

import json
import shutil
import subprocess
from importlib.resources import as_file, files
from pathlib import Path
from typing import Literal, NamedTuple

from engine_ext.build import load

FLAGS = ("-O3", "-march=x86-64-v3")
"""Also where the engine runs its baseline kernel: the yardstick stays the same."""


class NoBareLoop(Exception):
    """The yardstick cannot be made here; the message says why, in one line."""


class Timed(NamedTuple):
    """One measurement."""

    n: int
    """Deals or games, all different."""
    seconds: float
    """Processor time of the thread."""

    @property
    def per_s(self) -> float:
        """How many in a second of one core."""
        return self.n / self.seconds


def compile_bare_loop(folder: Path) -> Path:
    """Compile the yardstick into ``folder``; :class:`NoBareLoop` where that cannot be."""
    gcc = shutil.which("gcc")
    if gcc is None:
        raise NoBareLoop("gcc is not installed")
    if not load("engine_ext.machine").runs_v3():
        raise NoBareLoop("this processor does not run x86-64-v3 code")
    program = folder / "bare_loop"
    with as_file(files("pipeline.bench") / "bare_loop.c") as source:
        command = [gcc, *FLAGS, "-o", str(program), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NoBareLoop(f"gcc failed: {done.stderr.strip().splitlines()[-1]}")
    return program


def run_bare_loop(program: Path, mode: Literal["deal", "play"], n: int, first: int) -> Timed:
    """Deal, or deal and play, the ``n`` deals from number ``first`` on."""
    command = [str(program), mode, str(n), str(first)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    if answer["points"] != (-52 * n if mode == "play" else 0):
        raise AssertionError(f"{' '.join(command)}: {answer['points']} points, not -52 a deal")
    return Timed(answer["deals"], answer["seconds"])
