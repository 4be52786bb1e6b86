"""A copy of the project with every mutant compiled into it."""

import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from tests.mutation.change import Mutant, changes
from tests.mutation.faults import planted
from tests.mutation.source import played_lines
from tests.mutation.weave import HEADER, woven

ROOT = Path(__file__).resolve().parents[2]
RULE_CODE = (
    *(
        f"engine_ext/{name}.pxd"
        for name in (
            "table", "deal", "tricks", "trick_loop", "score_tricks", "any_tricks", "honour",
            "revokes", "layout", "doubling", "game",
        )
    ),
    *(f"engine_ext/{name}.pxi" for name in ("packing", "course", "lockstep")),
    "engine_ext/kernel.pyx",
    "engine_ext/stream.h",
)  # fmt: skip
"""What decides what may be played, what is dealt and drawn, and what counts."""
COMPILED = ("pyx", "pxd", "pxi", "h")
LEFT_OUT = shutil.ignore_patterns(
    ".venv", "build", "runs", "*.so", ".git", ".hypothesis", ".*_cache", "__pycache__"
)
FLAGS = "-O1 -w -UCYTHON_INLINE -DCYTHON_INLINE=inline"
"""Functions stay apart: with all versions of each line they are long."""


def all_mutants() -> list[Mutant]:
    """Return every mutant of the rule code, numbered from 1."""
    found: list[Mutant] = []
    for file in RULE_CODE:
        for line in played_lines(file, (ROOT / file).read_text("utf-8")):
            for change in changes(line):
                found.append(Mutant(len(found) + 1, line, change))
    return found


def sources() -> dict[str, str]:
    """Return the texts of all that is compiled."""
    found = (path for kind in COMPILED for path in ROOT.glob(f"*/*.{kind}"))
    return {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in found}


def build(folder: Path) -> None:
    """Copy the project to ``folder`` and compile it there with all mutants and faults."""
    mutants = [*all_mutants(), *planted()]
    texts = {file: (ROOT / file).read_text("utf-8") for file in RULE_CODE}
    mine = {file: [m for m in mutants if m.line.file == file] for file in texts}
    files = {file: woven(file, texts[file], mine[file]) for file in texts}
    files["engine_ext/mutant.h"] = HEADER
    stamp = sha256(repr(sorted((sources() | files).items())).encode()).hexdigest()
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT, dirs_exist_ok=True)
    for file, text in files.items():
        (folder / file).write_text(text, "utf-8")
    if (folder / "stamp").exists() and (folder / "stamp").read_text() == stamp:
        return
    (folder / "costs.json").unlink(missing_ok=True)
    environment = os.environ | {"BARBU_KERNELS": "baseline", "BARBU_CFLAGS": FLAGS}
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=folder,
        env=environment,
        check=True,
    )
    (folder / "stamp").write_text(stamp)
