"""The engine's work that is timed, by the same calls as ``barbu run`` makes."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine_ext.batch import Rules, play_deals, play_games
from engine_ext.build import load
from engine_ext.rules.load import load_variant
from engine_ext.rules.resolve import KIND_TRICK
from engine_ext.seeds import run_key
from pipeline.bench.bare import Timed
from strategies.registry import create

VARIANT = "barbu_52_doubling"
BASE = ("barbu_king_br", "king_ru_fixed14", "barbu_fr_reussite", VARIANT)
"""The base form of each document."""
SEED = 1935
LEAST = 100_000
"""Deals of a measurement that makes a ratio."""
WORLDS = 200
"""Playouts of one position."""
CHUNK = 25_000
"""Deals in one call at most: about what a shard asks for, small enough for the memory."""

Play = Callable[[int, int], Mapping[str, Timed] | None]


class Work(NamedTuple):
    """One kind of work."""

    name: str
    """As its figure is called in the answer, without ``_per_s``; after a slash, its group."""
    least: int
    """Units of a measurement at least; for the ratios they hold 100,000 deals."""
    play: Play
    """``play(first, n)``: units ``first`` to ``first + n - 1``, no two alike. Where only
    parts of it count it returns what it measured, by the names of the figures."""
    share: float = 1.0
    """How long it lasts, as a share of what was asked for."""


def works() -> tuple[Work, ...]:
    """Random trick deals, full duck games, Python in every seat, one call a card and in
    batches, and playouts, in this order."""
    rules = Rules(load_variant(VARIANT))
    numbers = rules.numbers
    tricks = [number for number, c in enumerate(numbers.contracts) if c.kind == KIND_TRICK]
    return (
        Work("trick_deals_random", LEAST, deals(rules, "random.v1", tricks)),
        Work("games_greedy", games_of(rules), games(rules, "duck.v1")),
        Work("python_deals", LEAST, deals(rules, "lowest.v1", tricks)),
        Work("batched_deals", LEAST, deals(rules, "lowest_batch.v1", tricks)),
        Work("playouts", LEAST, playouts(rules, tricks)),
    )


def kinds() -> tuple[Work, ...]:
    """Random play of each contract of the variant, and of each base variant's whole games."""
    rules = Rules(load_variant(VARIANT))
    return (
        *(
            Work(f"contracts/{name}", LEAST, deals(rules, "random.v1", [number]), 0.2)
            for number, name in enumerate(rules.numbers.contract_names)
        ),
        *(_whole_games(name) for name in BASE),
    )


def _whole_games(variant: str) -> Work:
    rules = Rules(load_variant(variant))
    return Work(f"variants/{variant}", games_of(rules), games(rules, "random.v1"), 0.2)


def timed(work: Work, first: int, n: int) -> tuple[Timed, Mapping[str, Timed]]:
    """Do it once, by the processor time of this thread: the whole, and what counts of it."""
    start = time.thread_time()
    parts = work.play(first, n)
    whole = Timed(n, time.thread_time() - start)
    return whole, {work.name: whole} if parts is None else parts


def games_of(rules: Rules) -> int:
    """How many games hold :data:`LEAST` deals."""
    return -(-LEAST // rules.numbers.n_deals)


def deals(rules: Rules, name: str, contracts: Sequence[int]) -> Play:
    """The contracts in turn, ``name`` in every seat: one object, as in a run."""
    seats = [create(name)] * rules.numbers.seats
    key = run_key(SEED)

    def play(first: int, n: int) -> None:
        for at in range(first, first + n, CHUNK):
            end = min(at + CHUNK, first + n)
            play_deals(rules, seats, key=key, contracts=contracts, first_block=at, n=end - at)

    return play


def playouts(rules: Rules, contracts: Sequence[int]) -> Play:
    """Deals of ``duck.v1`` whose leader of the fifth trick fills in the hidden hands, each
    time anew, and plays them out with ``duck.v1``: what counts are the playouts."""
    prober = load("strategies.searching").Prober(create("duck.v1"), 4, WORLDS)
    seats = [prober] * rules.numbers.seats
    key = run_key(SEED)

    def play(first: int, n: int) -> Mapping[str, Timed]:
        start, before = time.thread_time(), prober.played
        play_deals(
            rules,
            seats,
            key=key,
            contracts=contracts,
            first_block=first // WORLDS,
            n=-(-n // WORLDS),
        )
        return {"playouts": Timed(prober.played - before, time.thread_time() - start)}

    return play


def games(rules: Rules, name: str) -> Play:
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
