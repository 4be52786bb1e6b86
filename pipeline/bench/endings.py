"""Exact endings: what the perfect-information solver takes for those duck.v1 plays itself into.

Five contracts of the yardstick variant, 4 and 5 cards a hand; a seat against the other
three, each seat in turn. Means are of whole batches (one question, many endings: what was
found of one may serve the next, which gains little); medians of endings asked one by one,
the call from Python (0.4 us) included.
"""

import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine_ext.batch import Rules, deal_hands, play_deals
from engine_ext.endings import Solver
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from pipeline.bench.bare import Timed
from pipeline.bench.work import LEAST, SEED, Play, Work
from strategies.registry import create

CONTRACTS = ("tricks", "hearts", "king", "last_two", "trumps")
SIZES = (4, 5)
"""Cards in a hand."""
REFERENCE = 3.4e6
"""Bare deals a second of the machine for which means are converted."""
ONE_BY_ONE = 500
"""Endings of each seat and trump suit that are also timed alone."""


class Endings(NamedTuple):
    """Positions at the start of a trick: (N, 4) hands, (N,) leaders and trump suits."""

    hands: npt.NDArray[np.uint64]
    leaders: npt.NDArray[np.uint8]
    trumps: npt.NDArray[np.int8]


class EndingTimes(NamedTuple):
    """What the endings of a contract took."""

    batches: Timed
    alone: npt.NDArray[np.float64]
    """Microseconds of each ending that was asked by itself."""


def endings() -> tuple[Work, ...]:
    """Every contract and size, timed together."""
    rules = Rules(load_variant("yardstick"))
    return (Work("endings", LEAST // len(CONTRACTS), _solving(rules), 0.0),)


def _solving(rules: Rules) -> Play:
    def play(first: int, n: int) -> Mapping[str, Timed]:
        found = {}
        for n_left in SIZES:
            times = {name: time_contract(rules, name, n_left, n, first) for name in CONTRACTS}
            for name, (batches, alone) in (*times.items(), ("all", _together(times))):
                median_s = float(np.median(alone)) / 1e6
                found[f"endings/{n_left}/{name}/mean"] = batches
                found[f"endings/{n_left}/{name}/median"] = Timed(1, median_s)
        return found

    return play


def _together(times: Mapping[str, EndingTimes]) -> EndingTimes:
    batches = [one.batches for one in times.values()]
    n, seconds = sum(one.n for one in batches), sum(one.seconds for one in batches)
    return EndingTimes(Timed(n, seconds), np.concatenate([one.alone for one in times.values()]))


def time_contract(rules: Rules, name: str, n_left: int, n: int, first: int = 0) -> EndingTimes:
    """Time the endings of the ``n`` deals from block ``first`` on."""
    contract = rules.numbers.contract_names.index(name)
    found = duck_endings(rules, contract, n_left, n, first)
    seconds, alone = 0.0, []
    for question, rows in _questions(found):
        hands, leaders = found.hands[rows], found.leaders[rows]
        solver = Solver(rules, contract, **question)
        start = time.thread_time()
        solver.values(hands, leaders)
        seconds += time.thread_time() - start
        alone += _one_by_one(Solver(rules, contract, **question), hands, leaders)
    return EndingTimes(Timed(n, seconds), np.array(alone))


def _questions(found: Endings) -> Iterator[tuple[dict[str, Any], npt.NDArray[np.intp]]]:
    """Each trump suit and seat that counts, with the rows that are asked so."""
    for trump in np.unique(found.trumps):
        for seat in range(4):
            rows = np.flatnonzero(found.trumps == trump)
            yield (
                {"trump": None if trump < 0 else int(trump), "seats": {seat}},
                rows[rows % 4 == seat],
            )


def duck_endings(rules: Rules, contract: int, n_left: int, n: int, first: int = 0) -> Endings:
    """Let duck.v1 play ``n`` deals until ``n_left`` cards are in each hand."""
    seats, key = [create("duck.v1") for _ in range(4)], run_key(SEED)
    blocks = np.arange(first, first + n, dtype=np.uint64)
    hands = deal_hands(rules, key=key, blocks=blocks)
    deals = play_deals(
        rules, seats, key=key, contracts=[contract], first_block=first, n=n, log=True
    )
    assert deals.moves is not None
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
