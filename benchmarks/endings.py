"""Times the perfect-information solver alone, as `barbu bench` does, with the slowest 5 %.

    python benchmarks/endings.py [endings of each kind]

Machines differ, so the bare C loop is timed before and after on the same core, and means
are also given for a machine where it makes 3.4 million deals a second.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine_ext.batch import Rules
from engine_ext.rules.load import load_variant
from pipeline.bench.bare import compile_bare_loop, run_bare_loop
from pipeline.bench.endings import CONTRACTS, REFERENCE, SIZES, time_contract
from pipeline.bench.machine import one_core


def main(n: int) -> None:
    """Print the table."""
    rules = Rules(load_variant("yardstick"))
    with one_core(), tempfile.TemporaryDirectory() as folder:
        bare = compile_bare_loop(Path(folder))
        rates = [run_bare_loop(bare, "play", 200_000, 0).per_s]
        table = {
            n_left: [time_contract(rules, name, n_left, n) for name in CONTRACTS]
            for n_left in SIZES
        }
        rates.append(run_bare_loop(bare, "play", 200_000, 200_000).per_s)
    scale = sum(rates) / 2 / REFERENCE
    print(f"bare loop {rates[0] / 1e6:.2f} and {rates[1] / 1e6:.2f} M deals/s; microseconds")
    print(f"{'cards':>5} {'contract':<9}{'mean':>8}{'median':>8}{'p95':>8}{'mean at 3.4 M/s':>17}")
    for n_left, measured in table.items():
        means = [1e6 / times.batches.per_s for times in measured]
        for name, mean, times in zip(CONTRACTS, means, measured, strict=True):
            _print_row(n_left, name, mean, times.alone, scale)
        every = np.concatenate([times.alone for times in measured])
        _print_row(n_left, "all", float(np.mean(means)), every, scale)


def _print_row(
    n_left: int, name: str, mean: float, alone: npt.NDArray[np.float64], scale: float
) -> None:
    median, p95 = np.median(alone), np.percentile(alone, 95)
    print(f"{n_left:>5} {name:<9}{mean:>8.2f}{median:>8.2f}{p95:>8.1f}{mean * scale:>17.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
