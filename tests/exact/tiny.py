"""Packs so small that every deal, and every way to play it, can be gone through."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import factorial
from typing import Any

import numpy as np

from engine_ext.batch import Rules
from engine_ext.position import Setup, lines_of
from engine_ext.rules.spec import Variant

Contract = dict[str, Any]
HEARTS = {"suits": ("H",)}


def variant_of(
    seats: int, suits: str, ranks: str, contracts: dict[str, Contract], **more: Any
) -> Variant:
    """Return rules whose contracts are played in the order given; the dealer leads."""
    base = {"title": "tiny", "source": "counted", "tone": "mixed"}
    table: dict[str, Any] = {
        "title": "Tiny",
        "language": "en",
        "source": "counted",
        "seats": seats,
        "direction": "clockwise",
        "objective": "highest",
        "deck": {"suits": tuple(suits), "ranks": tuple(ranks)},
        "schedule": {"kind": "fixed", "sequence": tuple(contracts), "leader": "dealer"},
        "contracts": {name: base | rules for name, rules in contracts.items()},
    }
    return Variant.model_validate(table | more)


def tricks(*terms: dict[str, Any], **rules: Any) -> Contract:
    """Return a trick contract; terms are given names."""
    named = tuple({"name": f"item_{i}", "points": 1} | term for i, term in enumerate(terms))
    return {"kind": "trick", "terms": named} | rules


def layout(payout: tuple[int, ...], **rules: Any) -> Contract:
    """Return a domino contract."""
    return {"kind": "layout", "passing": "must_play", "payout": payout} | rules


def setup(rules: Rules, contract: str, hands: tuple[int, ...], param: int | None = None) -> Setup:
    """Return a contract about to be played; seat 0 leads."""
    number = rules.numbers.contract_names.index(contract)
    return Setup(hands=hands, dealer=0, leader=0, declarer=None, contract=number, param=param)


def every_deal(seats: int, suits: str, ranks: str) -> Iterator[tuple[int, ...]]:
    """Yield every deal of a pack, as card sets by seat."""
    cards = [16 * suit + rank for suit in range(len(suits)) for rank in range(len(ranks))]
    size = len(cards) // seats

    def rest(left: list[int], n: int) -> Iterator[tuple[int, ...]]:
        if n == 0:
            yield ()
            return
        for hand in combinations(left, size):
            held = sum(1 << card for card in hand)
            for others in rest([card for card in left if card not in hand], n - 1):
                yield (held, *others)

    return rest(cards, seats)


def deals_up_to_names(
    seats: int, suits: str, ranks: str, alike: str
) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return one deal of each class that differs by the names of the suits ``alike`` only,
    and how many deals each class has."""
    n_suits, n_ranks = len(suits), len(ranks)
    masks = np.array(list(every_deal(seats, suits, ranks)), np.uint64)
    where = np.zeros((len(masks), n_suits, n_ranks), np.int64)  # who holds which card
    for seat in range(seats):
        for suit in range(n_suits):
            for rank in range(n_ranks):
                bit = np.uint64(1 << 16 * suit + rank)
                where[:, suit, rank] += seat * (masks[:, seat] & bit != 0)
    worth = seats ** np.arange(n_ranks)
    rows = where @ worth  # a suit's holders as one number
    movable = [suits.index(suit) for suit in alike]
    codes = []
    for order in permutations(movable):
        turned = rows.copy()
        turned[:, movable] = rows[:, list(order)]
        codes.append(turned @ (seats**n_ranks) ** np.arange(n_suits))
    first = np.min(codes, axis=0) == codes[0]
    stays = (np.array(codes) == codes[0]).sum(axis=0)
    sizes = factorial(len(movable)) // stays[first]
    return [tuple(map(int, row)) for row in masks[first]], [int(size) for size in sizes]


def mean_points(
    rules: Rules,
    contract: str,
    deals: list[tuple[int, ...]],
    weights: list[int],
    param: int | None = None,
) -> list[Fraction]:
    """Return the exact mean by seat over deals and over uniform random play of each."""
    seats = rules.numbers.seats
    sums: dict[int, list[int]] = {}
    for hands, weight in zip(deals, weights, strict=True):
        for product, (count, *points) in lines_of(
            rules, setup(rules, contract, hands, param)
        ).items():
            row = sums.setdefault(product, [0] * (seats + 1))
            row[0] += weight * count
            for seat in range(seats):
                row[seat + 1] += weight * points[seat]
    lines = sum((Fraction(row[0], product) for product, row in sums.items()), Fraction(0))
    assert lines == sum(weights), "the chances of all lines of a deal add up to 1"
    return [
        sum((Fraction(row[seat + 1], product) for product, row in sums.items()), Fraction(0))
        / sum(weights)
        for seat in range(seats)
    ]


@cache
def whole(
    seats: int, suits: str, ranks: str, alike: str = ""
) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return :func:`deals_up_to_names`, kept."""
    return deals_up_to_names(seats, suits, ranks, alike)
