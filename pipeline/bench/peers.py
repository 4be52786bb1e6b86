"""Other people's programs at comparable work, where they are installed.

Random playouts through the calls that their own documentation shows; a double dummy
solver beside them. They are thousands of times slower than the engine, so a measurement
holds as many deals as fit its seconds.
"""

import random
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from pipeline.bench.work import Play, Work

PASS, ONE_NO_TRUMP = 52, 59
"""Calls of OpenSpiel's bridge."""


class Peer(NamedTuple):
    """A program of others."""

    module: str
    package: str
    """As registries call it."""
    works: Callable[[], tuple[Work, ...]]

    @property
    def install(self) -> str:
        """The command that makes it available."""
        return f"pip install {self.package}"


def installed() -> tuple[Work, ...]:
    """The works of every peer that is there."""
    return tuple(work for peer in PEERS if find_spec(peer.module) for work in peer.works())


def missing() -> dict[str, str]:
    """How to install every other, by its module."""
    return {peer.module: peer.install for peer in PEERS if find_spec(peer.module) is None}


def _pyspiel() -> tuple[Work, ...]:
    pyspiel = import_module("pyspiel")
    hearts = pyspiel.load_game("hearts", {"pass_cards": False})
    bridge = pyspiel.load_game("bridge", {"use_double_dummy_result": False})
    return (
        Work("peers/pyspiel hearts, random deals", 10, _open_spiel(hearts, ())),
        Work(
            "peers/pyspiel bridge at 1NT, random deals",
            10,
            _open_spiel(bridge, (ONE_NO_TRUMP, PASS, PASS, PASS)),
        ),
    )


def _open_spiel(game: Any, calls: tuple[int, ...]) -> Play:
    """Deal, make these calls, play at random: the leanest loop that Python can drive."""

    def play(first: int, n: int) -> None:
        chance = random.Random(first).random
        for _ in range(n):
            state = game.new_initial_state()
            while state.is_chance_node():
                choices = state.legal_actions()
                state.apply_action(choices[int(chance() * len(choices))])
            for call in calls:
                state.apply_action(call)
            while not state.is_terminal():
                choices = state.legal_actions()
                state.apply_action(choices[int(chance() * len(choices))])
            state.returns()

    return play


def _rlcard() -> tuple[Work, ...]:
    rlcard, agents = import_module("rlcard"), import_module("rlcard.agents")

    def play(first: int, n: int) -> None:
        bridge = rlcard.make("bridge", config={"seed": first})
        bridge.set_agents([agents.RandomAgent(bridge.num_actions)] * bridge.num_players)
        for _ in range(n):
            bridge.run(is_training=False)

    return (Work("peers/rlcard bridge, random deals", 4, play),)


def _endplay() -> tuple[Work, ...]:
    types, dds = import_module("endplay.types"), import_module("endplay.dds")
    cards = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]

    def play(first: int, n: int) -> None:
        chance = random.Random(first)
        for _ in range(n):
            chance.shuffle(cards)
            hands = [cards[13 * seat : 13 * seat + 13] for seat in range(4)]
            deal = types.Deal("N:" + " ".join(map(_suits, hands)))
            deal.first, deal.trump = types.Player.north, types.Denom.nt
            if len(list(dds.solve_board(deal))) != 13:
                raise AssertionError(f"{deal}: not every card was judged")

    return (Work("peers/endplay (DDS), 13-trick no-trump deals solved", 2, play),)


def _suits(hand: list[str]) -> str:
    return ".".join("".join(card[0] for card in hand if card[1] == suit) for suit in "SHDC")


PEERS = (
    Peer("pyspiel", "open-spiel", _pyspiel),
    Peer("rlcard", "rlcard", _rlcard),
    Peer("endplay", "endplay", _endplay),
)
