"""How strong the shipped strategies are: the tables of docs/strategies.md.

``python benchmarks/strength.py [--blocks N] [--write]`` prints them; ``--write`` puts them into
the page. A challenger sits in every seat in turn on the same deals against the same
field; these rotations are one block, and intervals are Student's on the means of blocks.
``--blocks`` scales all numbers of blocks (1 is what the page has).
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from engine_ext.batch import Rules, play_deals, play_games
from engine_ext.build import build_info
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from strategies.registry import create

PAGE = Path(__file__).parent.parent / "docs" / "strategies.md"
BEGIN, END = "<!-- strength: begin -->\n", "<!-- strength: end -->\n"
KEY = run_key(20261130)
COUNT, S3, S4, S5 = "count.v1", "mc.v1(worlds=20)", "mc.v1", "mc.v1(worlds=300)"
LADDER = ("random.v1", "duck.v1", COUNT, S3, S4, S5)
BASE = ("barbu_king_br", "king_ru_fixed14", "barbu_fr_reussite", "barbu_52_doubling")
CHOICE = "barbu_52_payout_10"
BLOCKS = {COUNT: 4000, S3: 1500, S4: 800, S5: 400, "duck.v1": 4000}
GAMES = {"duck.v1": 1000, COUNT: 1000, S3: 200, S4: 100, S5: 60}


@dataclass(frozen=True)
class Mean:
    """A mean over blocks with the half width of its 95 % interval."""

    mean: float
    half: float
    seconds: float
    """CPU seconds of all blocks."""

    def __str__(self) -> str:
        digits = 1 if self.half >= 0.5 else 2 if self.half >= 0.05 else 3
        return f"{self.mean:.{digits}f} ± {self.half:.{digits}f}"


def mean_of(blocks: "np.ndarray[Any, Any]", seconds: float) -> Mean:
    """Student's interval over blocks."""
    n = len(blocks)
    half = stats.t.ppf(0.975, n - 1) * blocks.std(ddof=1) / n**0.5
    return Mean(float(blocks.mean()), float(half), seconds)


def ahead(points: "np.ndarray[Any, Any]", seat: int) -> "np.ndarray[Any, Any]":
    """Own points less the others' mean, row by row."""
    own = points[:, seat].astype(float)
    found: np.ndarray[Any, Any] = own - (points.sum(1) - own) / (points.shape[1] - 1)
    return found


def in_deals(variant: str, contract: int, challenger: str, field: str, blocks: int) -> Mean:
    """A challenger in single deals of a contract, in each seat in turn."""
    rules = Rules(load_variant(variant))
    seats = rules.numbers.seats
    found, started = np.zeros(blocks), time.process_time()
    for seat in range(seats):
        table = [create(challenger if s == seat else field) for s in range(seats)]
        deals = play_deals(rules, table, key=KEY, contracts=[contract], first_block=0, n=blocks)
        found += ahead(deals.points, seat) / seats
    return mean_of(found, time.process_time() - started)


def in_games(variant: str, challenger: str, field: str, blocks: int) -> Mean:
    """A challenger in whole games, in each seat in turn."""
    rules = Rules(load_variant(variant))
    seats = rules.numbers.seats
    found, started = np.zeros(blocks), time.process_time()
    for seat in range(seats):
        seating = np.ones((blocks, seats), np.uint8)
        seating[:, seat] = 0
        games = play_games(
            rules,
            [create(challenger), create(field)],
            key=KEY,
            blocks=np.arange(blocks, dtype=np.uint64),
            seating=seating,
        )
        found += ahead(games.score, seat) / seats
    return mean_of(found, time.process_time() - started)


def by_dealership(strategy: str, blocks: int) -> Mean:
    """What a declarer makes in his dealership, all seats choosing by the same rule; side bets
    are not counted."""
    rules = Rules(load_variant(CHOICE))
    seats = rules.numbers.seats
    started = time.process_time()
    games = play_games(
        rules,
        [create(strategy)],
        key=KEY,
        blocks=np.arange(blocks, dtype=np.uint64),
        seating=np.zeros((blocks, seats), np.uint8),
    )
    rows = games.deals
    own = rows.points[np.arange(len(rows.declarer)), rows.declarer].astype(float)
    return mean_of(own.reshape(blocks, -1).sum(1) / seats, time.process_time() - started)


Job = tuple[Callable[..., Mean], tuple[object, ...]]


def contract_jobs(scale: float) -> Iterator[tuple[str, str, Job]]:
    """By rung and contract of the yardstick."""
    for challenger in (COUNT, S3, S4, S5):
        for number, name in enumerate(load_variant("yardstick").contracts):
            blocks = max(20, int(BLOCKS[challenger] * scale))
            yield challenger, name, (in_deals, ("yardstick", number, challenger, "duck.v1", blocks))


def ladder_jobs(scale: float) -> Iterator[tuple[str, str, Job]]:
    """Each rung against the one below, in every base variant."""
    for below, rung in pairwise(LADDER):
        for variant in BASE:
            blocks = max(10, int(GAMES[rung] * scale))
            yield (
                f"{rung} against three {below}",
                variant,
                (in_games, (variant, rung, below, blocks)),
            )


def choice_jobs(scale: float) -> Iterator[tuple[str, str, Job]]:
    """The rules of choice, then choosing and doubling in whole games."""
    blocks = max(20, int(1500 * scale))
    for by in ("order", "value", "surplus", "dp"):
        yield by, "points a dealership", (by_dealership, (f"dp.v1(by={by})", blocks))


def part_jobs(scale: float) -> Iterator[tuple[str, str, Job]]:
    """One part exchanged in duck.v1."""
    blocks = max(10, int(300 * scale))
    for part in ("choose=dp.v1", "double=ev.v1", "choose=dp.v1, double=ev.v1"):
        name = f"play=duck.v1, {part}"
        yield part, "barbu_52_doubling", (in_games, ("barbu_52_doubling", name, "duck.v1", blocks))


def run_all(jobs: list[tuple[str, str, Job]], workers: int) -> dict[tuple[str, str], Mean]:
    """Work through the jobs, the longest first."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        asked = [(row, column, pool.submit(work, *given)) for row, column, (work, given) in jobs]
        return {(row, column): done.result() for row, column, done in asked}


def table(found: dict[tuple[str, str], Mean], head: str) -> Iterator[str]:
    """A table of Markdown, rows and columns in the order found."""
    rows = list(dict.fromkeys(row for row, _ in found))
    columns = list(dict.fromkeys(column for _, column in found))
    yield f"| {head} | {' | '.join(columns)} |"
    yield f"|---|{'---|' * len(columns)}"
    for row in rows:
        cells = " | ".join(str(found[row, column]) for column in columns)
        yield f"| {row} | {cells} |"


def page(scale: float, workers: int) -> Iterator[str]:
    """All tables."""
    contracts = run_all(list(contract_jobs(scale)), workers)
    build = build_info()
    yield f"Printed by `python benchmarks/strength.py`; kernel {build['kernel']}, seed 20261130."
    yield ""
    yield "Ahead of three `duck.v1`, points a deal of the contract alone:"
    yield ""
    yield from table(contracts, "challenger")
    yield ""
    yield "CPU milliseconds that the table needs for a deal, one challenger and three `duck.v1`:"
    yield ""
    cards = 4
    for rung in (COUNT, S3, S4, S5):
        cells = [m for (row, _), m in contracts.items() if row == rung]
        blocks = max(20, int(BLOCKS[rung] * scale))
        each = sum(m.seconds for m in cells) / len(cells) / blocks / cards
        yield f"- `{rung}`: {1e3 * each:.3f}, {1e6 * each / 13:.1f} microseconds a card"
    yield ""
    yield "Whole games, points ahead of the others' mean:"
    yield ""
    ladder = run_all(list(ladder_jobs(scale)), workers)
    yield from table(ladder, "in each seat in turn")
    yield ""
    open_still = [f"{row} in `{v}`" for (row, v), m in ladder.items() if m.mean <= m.half]
    yield "Not shown to be stronger here: " + ("; ".join(open_still) or "none") + "."
    yield ""
    yield f"Choice of contracts in `{CHOICE}`, all cards by `duck.v1`, side bets not counted:"
    yield ""
    yield from table(run_all(list(choice_jobs(scale)), workers), "`dp.v1(by=...)`")
    yield ""
    yield "One part of `duck.v1` exchanged, against three `duck.v1`, points a game:"
    yield ""
    yield from table(run_all(list(part_jobs(scale)), workers), "part")


def main() -> None:
    """Print the tables, and put them into the page if asked to."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("--blocks", type=float, default=1.0)
    asked.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked.add_argument("--write", action="store_true")
    given = asked.parse_args()
    lines = []
    for line in page(given.blocks, given.workers):
        print(line, flush=True)
        lines.append(f"{line}\n")
    if given.write:
        text = PAGE.read_text()
        before, rest = text.split(BEGIN)
        PAGE.write_text(before + BEGIN + "".join(lines) + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
