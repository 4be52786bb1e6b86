"""The engine's work that is timed, by the same calls as ``barbu run`` makes."""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine_ext.batch import Rules, play_deals, play_games
from engine_ext.rules.load import load_variant
from engine_ext.rules.resolve import KIND_TRICK
from engine_ext.seeds import run_key
from pipeline.bench.bare import Timed
from strategies.registry import create

VARIANT = "barbu_52_doubling"
SEED = 1935
CHUNK = 25_000
"""Deals in one call at most: about what a shard asks for, small enough for the memory."""


class Work(NamedTuple):
    """One kind of work."""

    name: str
    """As its figure is called in the answer, without ``_per_s``."""
    least: int
    """Units that hold 100,000 deals."""
    play: Callable[[int, int], object]
    """``play(first, n)``: units ``first`` to ``first + n - 1``, no two alike."""


def works() -> tuple[Work, ...]:
    """Random trick deals, full duck games, and Python in every seat, one call a card and in
    batches, in this order."""
    rules = Rules(load_variant(VARIANT))
    n_games = -(-100_000 // rules.numbers.n_deals)
    return (
        Work("trick_deals_random", 100_000, _deals(rules, "random.v1")),
        Work("games_greedy", n_games, _games(rules, "duck.v1")),
        Work("python_deals", 100_000, _deals(rules, "lowest.v1")),
        Work("batched_deals", 100_000, _deals(rules, "lowest_batch.v1")),
    )


def timed(work: Work, first: int, n: int) -> Timed:
    """Do it once, by the processor time of this thread."""
    start = time.thread_time()
    work.play(first, n)
    return Timed(n, time.thread_time() - start)


def _deals(rules: Rules, name: str) -> Callable[[int, int], object]:
    """The variant's trick contracts in turn, ``name`` in every seat: one object, as in a run."""
    numbers = rules.numbers
    contracts = [number for number, c in enumerate(numbers.contracts) if c.kind == KIND_TRICK]
    seats = [create(name)] * numbers.seats
    key = run_key(SEED)

    def play(first: int, n: int) -> None:
        for at in range(first, first + n, CHUNK):
            end = min(at + CHUNK, first + n)
            play_deals(rules, seats, key=key, contracts=contracts, first_block=at, n=end - at)

    return play


def _games(rules: Rules, name: str) -> Callable[[int, int], object]:
    """Whole games, ``name`` choosing, doubling and playing in every seat."""
    numbers = rules.numbers
    seats = [create(name) for _ in range(numbers.seats)]
    key = run_key(SEED)
    step = CHUNK // numbers.n_deals

    def play(first: int, n: int) -> None:
        for at in range(first, first + n, step):
            blocks = np.arange(at, min(at + step, first + n), dtype=np.uint64)
            seating = np.tile(np.arange(numbers.seats, dtype=np.uint8), (len(blocks), 1))
            play_games(rules, seats, key=key, blocks=blocks, seating=seating, stop_on_foul=True)

    return play
