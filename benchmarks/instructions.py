"""Counts the instructions of random trick deals, by function and by line of the engine's sources.

    python benchmarks/instructions.py [deals]        (`make profile`; needs valgrind and gcc)

The engine is built once more, with debug lines, below build/profile; callgrind counts what
`play_deals` does on the kernel for x86-64-v3. Most functions are inlined, so a line of
generated C counts for the line of .pyx or .pxd that Cython notes above it, and that for the
function it stands in. Instructions are no nanoseconds: they say where work is left, and
unlike times they come out the same on a busy machine.
"""

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

BUILD = Path("build/profile")
COUNTED = "__pyx_pw*play_deals"
NOTE = re.compile(r'\s*/\* "(.+)":(\d+)$')
"""Cython's comment above what it made of a line."""
DEFINITION = re.compile(r"\s*(?:cdef |def |static )[^=#]*?(\w+)\(")
SHOWN = 25
SHORT = 60
"""Characters shown of a line."""


class Place(NamedTuple):
    """A line of a source."""

    file: str
    line: int


def main(deals: int) -> None:
    """Build, count and print."""
    out = BUILD / "callgrind.out"
    _build()
    count(out, deals)
    by_line: Counter[Place] = Counter()
    for place, n in costs(out):
        by_line[source_of(place)] += n
    by_file: Counter[str] = Counter()
    by_function: Counter[str] = Counter()
    for place, n in by_line.items():
        by_file[place.file] += n
        by_function[f"{place.file}  {function_of(place)}"] += n
    total = by_line.total()
    print(f"{total / deals:,.0f} instructions a random trick deal, {deals:,} deals\n")
    _print("file", by_file.most_common(10), total, deals)
    print()
    _print("function", by_function.most_common(SHOWN), total, deals)
    lines = [(f"{p.file}:{p.line}  {_text(p)}", n) for p, n in by_line.most_common(SHOWN)]
    print()
    _print("line", lines, total, deals)


def play(deals: int) -> None:
    """What is counted: the six trick contracts in turn, random.v1 in every seat."""
    from pipeline.bench.work import works

    works()[0].play(0, deals)


def _build() -> None:
    environment = os.environ | {"BARBU_CFLAGS": "-g"}
    command = [sys.executable, "setup.py", "-q", "build", "--build-base", str(BUILD)]
    subprocess.run(command, check=True, env=environment)


def count(out: Path, deals: int) -> None:
    """Run :func:`play` under callgrind."""
    (built,) = BUILD.glob("lib*")
    tool = ["valgrind", "-q", "--tool=callgrind", f"--toggle-collect={COUNTED}"]
    plain = ["--compress-strings=no", "--compress-pos=no", f"--callgrind-out-file={out}"]
    played = [sys.executable, __file__, "play", str(deals)]
    environment = os.environ | {"PYTHONPATH": str(built.resolve()), "BARBU_KERNEL": "v3"}
    subprocess.run([*tool, *plain, *played], check=True, env=environment)


def costs(out: Path) -> Iterator[tuple[Place, int]]:
    """Yield the lines of compiled sources with what they cost by themselves."""
    file, of_callee = "", False
    for line in out.read_text().splitlines():
        if line.startswith(("fl=", "fi=", "fe=")):
            file = line[3:]
        elif line.startswith("calls="):
            of_callee = True  # the next line tells what was called, which is counted there
        elif line[:1].isdigit():
            number, n = map(int, line.split()[:2])
            if not of_callee:
                yield Place(file, number), n
            of_callee = False


def source_of(place: Place) -> Place:
    """Return the line that a line of generated C was made of; others stay what they are."""
    noted = _notes(place.file)
    if noted is None:
        return Place(Path(place.file).name, place.line)
    note = noted[min(place.line, len(noted) - 1)]
    return Place(os.path.relpath(place.file), place.line) if note is None else note


@cache
def _notes(file: str) -> list[Place | None] | None:
    """Return the source of every line of a file that Cython wrote; None for its head, where C
    stands that the sources quote."""
    path = Path(file)
    if path.suffix != ".c" or not path.is_file():
        return None
    found: list[Place | None] = [None]
    for line in path.read_text().splitlines():
        note = NOTE.match(line)
        found.append(Place(note[1], int(note[2])) if note else found[-1])
    return found


def function_of(place: Place) -> str:
    """Return the name of the function around a line, empty where there is none."""
    for line in reversed(_lines(place.file)[: place.line]):
        found = DEFINITION.match(line)
        if found:
            return found[1]
    return ""


@cache
def _lines(file: str) -> list[str]:
    path = next((p for p in (Path(file), Path("engine_ext") / file) if p.is_file()), None)
    return path.read_text().splitlines() if path else []


def _text(place: Place) -> str:
    lines = _lines(place.file)
    return lines[place.line - 1].strip()[:SHORT] if 0 < place.line <= len(lines) else ""


def _print(what: str, rows: list[tuple[str, int]], total: int, deals: int) -> None:
    print(f"{'a deal':>8}{'share':>7}  {what}")
    for name, n in rows:
        print(f"{n / deals:>8,.0f}{n / total:>7.1%}  {name}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["play"]:
        play(int(sys.argv[2]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000)
