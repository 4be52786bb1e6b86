"""A made-up game of doubles whose truth is known: hands are numbers, points are hands and luck.

Of each contract every role holds a number; its points are that number, what the contract
gives its role, and luck. The declarer chooses the contract left of which he holds most.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tests.study_frames import trial

SEATS = 4
CONTRACTS = ("tricks", "queens", "last_two", "hearts", "king", "trumps", "domino")
NEGATIVE = CONTRACTS[:5]


class Model(NamedTuple):
    """How much hands, roles and luck matter."""

    hand: int = 8
    """Numbers of a hand are -hand..hand."""
    luck: int = 4
    role: Sequence[int] = (-2, 0, 1, 1)
    """Points of each role in every contract."""
    worlds: int = 8
    contracts: Sequence[str] = CONTRACTS
    eager: int = 4
    """The entrant doubles the declarer with more than this."""
    steer: int = 0
    """Points that the later role of a bet takes from the earlier once both know, on average
    over three blocks."""


def rows(model: Model, blocks: int, key: int = 1) -> list[dict[str, Any]]:
    """Trials of all blocks."""
    rng = np.random.default_rng(key)
    return [row for block in range(blocks) for row in _block(model, block, rng)]


def chosen(model: Model, blocks: int, key: int) -> list[tuple[Any, Any]]:
    """Of each step the contracts chosen, (blocks,), and their points, (blocks, seats)."""
    rng = np.random.default_rng(key)
    left = np.ones((blocks, len(model.contracts)), bool)
    every = np.arange(blocks)
    out = []
    for _ in model.contracts:
        hands = _hands(model, rng, blocks)
        c = np.argmax(np.where(left, hands[:, :, 0], -99), axis=1)
        out.append((c, _points(model, hands, rng)[every, c]))
        left[every, c] = False
    return out


def _hands(model: Model, rng: np.random.Generator, many: int = 1) -> Any:
    """(many, contracts, seats)"""
    shape = (many, len(model.contracts), SEATS)
    return rng.integers(-model.hand, model.hand + 1, shape)


def _points(model: Model, hands: Any, rng: np.random.Generator) -> Any:
    return hands + np.array(model.role) + rng.integers(-model.luck, model.luck + 1, hands.shape)


def _choice(hands: Any, left: Sequence[int]) -> Any:
    """Which contract each declarer chooses, (many,)."""
    return np.array(left)[np.argmax(hands[:, left, 0], axis=1)]


def _block(model: Model, block: int, rng: np.random.Generator) -> list[dict[str, Any]]:
    left = list(range(len(model.contracts)))
    out = []
    for step in range(len(model.contracts)):
        hands = _hands(model, rng)
        points = _points(model, hands, rng)[0]
        c = int(_choice(hands, left)[0])
        out += _deal(model, block, step, points, c, len(left))
        out += [
            trial("made", block, step, points[c], model.contracts[c], who=who, whom=0, weight=1)
            for who in range(1, SEATS)
            if hands[0, c, who] > model.eager
        ]
        for who in range(SEATS):
            worlds = _hands(model, rng, model.worlds)
            worlds[:, :, who] = hands[0, :, who]
            out += _worlds(model, (block, step), who, worlds, (c, left), rng)
        left.remove(c)
    return out


def _deal(
    model: Model, block: int, step: int, points: Any, c: int, n_left: int
) -> list[dict[str, Any]]:
    at = (block, step)
    out = [trial("forced", *at, p, name) for name, p in zip(model.contracts, points, strict=True)]
    out.append(trial("chosen", *at, points[c], model.contracts[c], n_left=n_left))
    for name, p in zip(model.contracts, points, strict=True):
        for who in range(SEATS):
            for whom in range(who + 1, SEATS):
                if name not in NEGATIVE and who:
                    continue
                steered = p.copy()
                steered[whom] += model.steer * (block % 3)
                steered[who] -= model.steer * (block % 3)
                out += [
                    trial("aware", *at, steered, name, who=who, whom=whom, weight=w) for w in (1, 2)
                ]
    return out


def _worlds(
    model: Model, at: tuple[int, int], who: int, worlds: Any, chosen: Any, rng: np.random.Generator
) -> list[dict[str, Any]]:
    points = _points(model, worlds, rng)
    c, left = chosen
    half = np.arange(len(points)) % 2
    out = []
    for h in (0, 1):
        for k, name in enumerate(model.contracts):
            mine = points[half == h, k]
            out.append(trial("hand", *at, mine.sum(axis=0), name, who=who, half=h, n=len(mine)))
        picked = (half == h) & (_choice(worlds, left) == c)
        where = {"who": who, "half": h, "n": int(picked.sum()), "n_left": len(left)}
        if picked.any():
            out.append(
                trial("picked", *at, points[picked, c].sum(axis=0), model.contracts[c], **where)
            )
        for whom in range(1, SEATS) if who == 0 else ():
            doubled = (half == h) & (worlds[:, c, whom] > 2)
            if doubled.any():
                where = {"who": 0, "whom": whom, "half": h, "n": int(doubled.sum())}
                out.append(
                    trial(
                        "answer", *at, points[doubled, c].sum(axis=0), model.contracts[c], **where
                    )
                )
    return out
