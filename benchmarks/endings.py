"""Times the perfect-information solver on endings that duck.v1 plays itself into.

    python benchmarks/endings.py [endings of each kind]

Five contracts of the yardstick variant, 4 and 5 cards a hand; a seat against the other
three, each seat in turn. Machines differ, so the bare C loop is timed before and after on
the same core, and means are also given for a machine where it makes 3.4 million deals a
second. Means are of whole batches (one question, many endings: what was found of one may
serve the next, which gains little); medians of endings asked one by one, the call from
Python (0.4 us) included.
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine_ext.batch import Rules, deal_hands, play_deals
from engine_ext.endings import Solver
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from pipeline.bench.bare import compile_bare_loop, run_bare_loop
from pipeline.bench.machine import one_core
from strategies.registry import create

CONTRACTS = ("tricks", "hearts", "king", "last_two", "trumps")
KEY = run_key(1935)
REFERENCE = 3.4e6
"""Bare deals a second of the machine for which means are converted."""
ONE_BY_ONE = 500
"""Endings of each seat that are also timed alone."""


class Endings(NamedTuple):
    """Positions at the start of a trick: (N, 4) hands, (N,) leaders and trump suits."""

    hands: npt.NDArray[np.uint64]
    leaders: npt.NDArray[np.uint8]
    trumps: npt.NDArray[np.int8]


def duck_endings(rules: Rules, contract: int, n_left: int, n: int) -> Endings:
    """Let duck.v1 play ``n`` deals until ``n_left`` cards are in each hand."""
    seats = [create("duck.v1") for _ in range(4)]
    deals = play_deals(rules, seats, key=KEY, contracts=[contract], first_block=0, n=n, log=True)
    assert deals.moves is not None
    hands = deal_hands(rules, key=KEY, blocks=np.arange(n, dtype=np.uint64))
    leaders, rows = deals.leader.astype(np.int64), np.arange(n)
    for trick in range(rules.numbers.hand_size - n_left):
        cards = deals.moves[:, 4 * trick : 4 * trick + 4].astype(np.int64)
        suits, ranks = cards // 16, cards % 16
        heights = np.where(suits == suits[:, :1], ranks, -1)
        heights = np.where(suits == deals.param[:, None], 16 + ranks, heights)
        for k in range(4):
            hands[rows, (leaders + k) % 4] &= ~(np.uint64(1) << cards[:, k].astype(np.uint64))
        leaders = (leaders + heights.argmax(axis=1)) % 4
    return Endings(hands, leaders.astype(np.uint8), deals.param)


def time_contract(
    rules: Rules, contract: int, n_left: int, n: int
) -> tuple[float, npt.NDArray[np.float64]]:
    """Return the mean in batches and the times alone, in microseconds an ending."""
    endings = duck_endings(rules, contract, n_left, n)
    seconds, alone = 0.0, []
    for trump in np.unique(endings.trumps):
        for seat in range(4):
            rows = np.flatnonzero(endings.trumps == trump)
            rows = rows[rows % 4 == seat]
            hands, leaders = endings.hands[rows], endings.leaders[rows]
            question: dict[str, Any] = {"trump": None if trump < 0 else int(trump), "seats": {seat}}
            solver = Solver(rules, contract, **question)
            start = time.thread_time()
            solver.values(hands, leaders)
            seconds += time.thread_time() - start
            alone += _one_by_one(Solver(rules, contract, **question), hands, leaders)
    return seconds / len(endings.leaders) * 1e6, np.array(alone)


def _one_by_one(
    solver: Solver, hands: npt.NDArray[np.uint64], leaders: npt.NDArray[np.uint8]
) -> list[float]:
    out, times = np.zeros(1, np.int32), []
    ask = solver._solver.values  # the checks before it cost more than many an ending
    for i in range(min(ONE_BY_ONE, len(leaders))):
        start = time.perf_counter_ns()
        ask(hands[i : i + 1], leaders[i : i + 1], out)
        times.append((time.perf_counter_ns() - start) / 1e3)
    return times


def main(n: int) -> None:
    """Print the table."""
    rules = Rules(load_variant("yardstick"))
    with one_core(), tempfile.TemporaryDirectory() as folder:
        bare = compile_bare_loop(Path(folder))
        rates = [run_bare_loop(bare, "play", 200_000, 0).per_s]
        table = {
            n_left: [
                time_contract(rules, rules.numbers.contract_names.index(name), n_left, n)
                for name in CONTRACTS
            ]
            for n_left in (4, 5)
        }
        rates.append(run_bare_loop(bare, "play", 200_000, 200_000).per_s)
    scale = sum(rates) / 2 / REFERENCE
    print(f"bare loop {rates[0] / 1e6:.2f} and {rates[1] / 1e6:.2f} M deals/s; microseconds")
    print(f"{'cards':>5} {'contract':<9}{'mean':>8}{'median':>8}{'p95':>8}{'mean at 3.4 M/s':>17}")
    for n_left, measured in table.items():
        for name, (mean, alone) in zip(CONTRACTS, measured, strict=True):
            _print_row(n_left, name, mean, alone, scale)
        mean = float(np.mean([mean for mean, _ in measured]))
        _print_row(n_left, "all", mean, np.concatenate([alone for _, alone in measured]), scale)


def _print_row(
    n_left: int, name: str, mean: float, alone: npt.NDArray[np.float64], scale: float
) -> None:
    median, p95 = np.median(alone), np.percentile(alone, 95)
    print(f"{n_left:>5} {name:<9}{mean:>8.2f}{median:>8.2f}{p95:>8.1f}{mean * scale:>17.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
