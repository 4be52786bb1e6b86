"""Which mutants of the rule code no test catches: ``python -m tests.mutation.run``.

``--every N`` takes one mutant in N (``--from K``: from that at K on), ``--faults`` plants the faults of ``faults.py`` instead and
prints which kinds of test caught each.
"""

import argparse
import json
import os
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.mutation.change import Mutant
from tests.mutation.faults import FAULTS, FIRST_NUMBER, table
from tests.mutation.tree import ROOT, all_mutants, build

FOLDER = ROOT / "build" / "mutants"
SAME = Path(__file__).parent / "equivalent.toml"
BUDGET_S = 20.0
"""What a mutant is worth of tests."""
SAME_S = 2.0
"""What one is worth that is said to make no difference."""
FAULT_BUDGET_S = 5.0
"""What each kind of test gets for a fault."""
KINDS = ("by hand", "exact", "golden", "property", "twin", "signature")

Result = dict[str, Any]
Order = tuple[int, Sequence[str], str, float]
"""Number, kinds of tests, file and seconds: see hunt.py."""
Key = tuple[str, str, str, str]
"""File, function, line and change."""


@dataclass(frozen=True)
class Outcome:
    """What became of the mutants that were tried."""

    kinds: Counter[str]
    """How many were caught, by kind of test."""
    survivors: tuple[Mutant, ...]
    """Nobody caught them, and nothing says why."""
    caught: tuple[Mutant, ...]
    """Said to make no difference, but somebody caught them."""


def without_difference() -> dict[Key, str]:
    """Return the mutants that play as the rules say, each with the reason."""
    entries = tomllib.loads(SAME.read_text("utf-8"))["same"]
    return {
        (entry["file"], entry.get("function", ""), line, change): entry["why"]
        for entry in entries
        for line in entry["lines"]
        for change in entry["changes"]
    }


def key_of(mutant: Mutant) -> Key:
    """Return what an entry of the file says of a mutant."""
    return mutant.line.file, mutant.line.function, mutant.line.name, mutant.change.what


def hunt(orders: Sequence[Order], folder: Path) -> list[Result]:
    """Try mutants; how each ended."""
    folder = folder.resolve()
    build(folder)
    wanted, results = folder / "orders.json", folder / "results.jsonl"
    wanted.write_text(json.dumps(orders))
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutation.hunt", str(wanted), str(results)],
        cwd=folder,
        env=os.environ | {"BARBU_KERNEL": "baseline", "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
    return [json.loads(line) for line in results.read_text().splitlines()]


def try_mutants(
    every: int = 1, start: int = 0, folder: Path = FOLDER, budget: float = BUDGET_S
) -> Outcome:
    """Try one mutant in ``every`` of the rule code, from that at ``start`` on."""
    mutants = all_mutants()[start::every]
    same = without_difference()
    orders: list[Order] = [
        (m.number, (), m.line.file, min(budget, SAME_S) if key_of(m) in same else budget)
        for m in mutants
    ]
    results = hunt(orders, folder)
    lived = [result["how"] == "survived" for result in results]
    pairs = list(zip(mutants, lived, strict=True))
    return Outcome(
        Counter(result["kind"] for result in results if result["kind"]),
        tuple(mutant for mutant, alive in pairs if alive and key_of(mutant) not in same),
        tuple(mutant for mutant, alive in pairs if not alive and key_of(mutant) in same),
    )


def plant_faults(folder: Path = FOLDER, by_kind: bool = True) -> dict[int, list[str]]:
    """Plant every fault; all kinds of test that caught each, or only the first that did."""
    numbers = range(FIRST_NUMBER, FIRST_NUMBER + len(FAULTS))
    asked: list[tuple[str, ...]] = [(kind,) for kind in KINDS] if by_kind else [()]
    budget = FAULT_BUDGET_S if by_kind else BUDGET_S
    orders: list[Order] = [
        (number, kinds, fault.file, budget)
        for number, fault in zip(numbers, FAULTS, strict=True)
        for kinds in asked
    ]
    caught: dict[int, list[str]] = {number: [] for number in numbers}
    for result in hunt(orders, folder):
        if result["kind"]:
            caught[result["number"]].append(result["kind"])
    return caught


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="tests.mutation.run", description=__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--from", type=int, default=0, metavar="K", dest="start")
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--budget", type=float, default=BUDGET_S, metavar="SECONDS")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    given = parser.parse_args()
    if given.faults:
        print(table(plant_faults(given.folder)))
        return 0
    outcome = try_mutants(given.every, given.start, given.folder, given.budget)
    print("caught by", dict(outcome.kinds))
    for mutant in outcome.survivors:
        print("survived:", mutant.place)
    for mutant in outcome.caught:
        print("is said to make no difference, but was caught:", mutant.place)
    return int(bool(outcome.survivors or outcome.caught))


if __name__ == "__main__":
    sys.exit(main())
