"""Runs in the copy: every mutant in a fork of a warm process, until a test catches it.

``python -m tests.mutation.hunt ORDERS RESULTS``: the orders are a JSON list with a number, the kinds of
tests to be asked, or none for all, the file that is changed, and for how many seconds tests may
be asked; a line is written for each.
"""

import ctypes
import faulthandler
import json
import mmap
import os
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

PLACE = ctypes.c_int(0)
# Before anything compiled is imported: the modules look here for the number.
os.environ["BARBU_MUTANT_AT"] = str(ctypes.addressof(PLACE))

import pytest  # noqa: E402
from _pytest.runner import runtestprotocol  # noqa: E402
from hypothesis import HealthCheck, Phase, settings  # noqa: E402

from tests.mutation.asked import (  # noqa: E402
    KILLERS,
    LATELY,
    aimed_at,
    kind_of,
    of_few_variants,
    place_in_first,
)  # fmt: skip
from tests.mutation.faults import patch  # noqa: E402

COSTS = Path("costs.json")
"""What each test took the last time, in the copy's folder."""
WARMING_S = 0.05
MOST_EXAMPLES = 10
MORE_MEMORY = 2**30
SURVIVED, CAUGHT = 0, 1

# No shrinking: that it fails is enough.
settings.register_profile(
    "hunt",
    derandomize=True,
    deadline=None,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)


class Hunt:
    """A plugin of pytest: in place of running its tests once, runs them for every mutant."""

    def __init__(self, orders: Sequence[tuple[int, list[str], str, float]], out: TextIO):
        self.orders = orders
        self.out = out
        self.seconds: dict[str, float] = {}
        self.at = mmap.mmap(-1, 8)  # which test runs, seen from both sides of a fork

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Rehearse without a mutant, then hunt."""
        items = self.rehearsed(session.items)
        self.keep_costs(items)
        lately: dict[str, list[pytest.Item]] = defaultdict(list)
        for number, kinds, file, budget in self.orders:
            mine = [item for item in items if not kinds or kind_of(item) in kinds]
            aimed = self.spread([item for item in mine if aimed_at(file, item)])
            aimed = self.affordable(aimed, budget / 2)
            asked = self.affordable(
                self.in_order(mine, aimed, [] if kinds else lately[file]), budget
            )
            started = time.monotonic()
            how = self.tried(number, asked)
            caught = asked[int.from_bytes(self.at[:], "little")] if how != "survived" else None
            if caught and not kinds:  # what caught one often catches its neighbour
                items = [caught, *(item for item in items if item is not caught)]
                lately[file] = [caught, *lately[file]]
            line = {
                "number": number,
                "how": how,
                "kind": caught and kind_of(caught),
                "test": caught and caught.nodeid,
                "seconds": round(time.monotonic() - started, 2),
            }
            self.out.write(json.dumps(line) + "\n")
            self.out.flush()
        self.keep_costs(items)
        return True

    def keep_costs(self, items: Sequence[pytest.Item]) -> None:
        """Write down what tests take, in their order."""
        COSTS.write_text(json.dumps({item.nodeid: self.cost(item) for item in items}))

    def rehearsed(self, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        """Run the tests as the code stands; return them: new ones, then those that caught
        something last in the hunt before, else the shortest first. What passed before on the same copy and
        takes long is not run again."""
        before = json.loads(COSTS.read_text()) if COSTS.exists() else {}
        ranks = {test: rank for rank, test in enumerate(before)}
        kept = [item for item in items if of_few_variants(item)]
        self.seconds.update(before)
        for item in kept:
            shorten(item)
            if before.get(item.nodeid, 0) > WARMING_S:
                continue
            started = time.process_time()
            if failed(item):
                raise pytest.UsageError(f"fails without a mutant: {item.nodeid}")
            self.seconds[item.nodeid] = time.process_time() - started
        return sorted(
            kept,
            key=lambda item: (
                ranks.get(item.nodeid, -1),
                place_in_first(item),
                self.cost(item),
            ),
        )

    def in_order(
        self,
        items: Sequence[pytest.Item],
        aimed: Sequence[pytest.Item],
        lately: Sequence[pytest.Item],
    ) -> list[pytest.Item]:
        """Return tests in the order in which a mutant asks them: those that caught its neighbours,
        the signature, those aimed at the same rules, the shortest first, then all others."""
        first = list(dict.fromkeys(lately))[:LATELY]
        first += [item for item in items if kind_of(item) == "signature"]
        return list(dict.fromkeys([*first, *aimed, *items]))

    def spread(self, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        """Return the short tests first, and not all cases of one before another's first one; but
        each position is a test of its own."""
        seen: Counter[str] = Counter()
        keys: dict[str, float] = {}
        for item in sorted(items, key=self.cost):
            name = item.nodeid if kind_of(item) == "golden" else item.nodeid.split("[")[0]
            seen[name] += 1
            keys[item.nodeid] = self.cost(item) * seen[name]
        return sorted(items, key=lambda item: keys[item.nodeid])

    def cost(self, item: pytest.Item) -> float:
        """Return the seconds that a test takes."""
        return self.seconds[item.nodeid]

    def affordable(self, items: Sequence[pytest.Item], seconds: float) -> list[pytest.Item]:
        """Return the tests that fit into some seconds: the first ones, and any short enough."""
        found = []
        for item in items:
            if self.cost(item) <= seconds:
                seconds -= self.cost(item)
                found.append(item)
        return found

    def tried(self, number: int, items: Sequence[pytest.Item]) -> str:
        """Let a fork run the tests with a mutant; return how it ended."""
        pid = os.fork()
        if not pid:
            self.in_the_fork(number, items)
        _, status = os.waitpid(pid, 0)
        if os.WIFSIGNALED(status):
            return "hung" if os.WTERMSIG(status) == signal.SIGPROF else "crashed"
        return ["survived", "failed"][os.WEXITSTATUS(status)]

    def in_the_fork(self, number: int, items: Sequence[pytest.Item]) -> None:
        """Run the tests until one fails, and leave."""
        verdict = CAUGHT
        try:
            faulthandler.disable()
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, 1)
            os.dup2(null, 2)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            most = virtual_memory() + MORE_MEMORY
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            PLACE.value = number
            patch(number)
            for at, item in enumerate(items):
                self.at[:] = at.to_bytes(8, "little")
                # Of the processor's time: other work on the machine must not matter.
                signal.setitimer(signal.ITIMER_PROF, 2 + 4 * self.cost(item))
                if failed(item):
                    break
            else:
                verdict = SURVIVED
        finally:
            os._exit(verdict)


def shorten(item: pytest.Item) -> None:
    """Have Hypothesis draw fewer examples than it does by itself."""
    function: Any = getattr(item, "function", None)
    theirs = getattr(function, "_hypothesis_internal_use_settings", None)
    if theirs:
        examples = min(theirs.max_examples, MOST_EXAMPLES)
        function._hypothesis_internal_use_settings = settings(theirs, max_examples=examples)


def failed(item: pytest.Item) -> bool:
    """Run one test; whether it or what it needs fails."""
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


def virtual_memory() -> int:
    """Return how many bytes of addresses the process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def main(orders: str, results: str) -> int:
    """Hunt what a file of orders asks for."""
    os.environ["HYPOTHESIS_PROFILE"] = "hunt"
    wanted: list[Any] = json.loads(Path(orders).read_text())
    files = [file for places in KILLERS.values() for file in places]
    options = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "--timeout=0"]
    with Path(results).open("w") as out:
        return pytest.main([*options, *files], plugins=[Hunt(wanted, out)])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
