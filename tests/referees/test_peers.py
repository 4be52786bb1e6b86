"""The peers of ``barbu bench --peers`` do what their figures say, where they are installed."""

from typing import Any

import pytest

from pipeline.bench import peers
from tests.referees.invite import invite

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("peer", peers.PEERS, ids=lambda peer: peer.module)
def test_a_peer_does_every_unit_of_its_work(peer: peers.Peer) -> None:
    invite(peer.module)
    for work in peer.works():
        assert work.name.startswith("peers/")
        work.play(1, 2)


def test_open_spiel_plays_every_card_of_hearts_and_bridge() -> None:
    pyspiel = invite("pyspiel")
    hearts = pyspiel.load_game("hearts", {"pass_cards": False})
    bridge = pyspiel.load_game("bridge", {"use_double_dummy_result": False})
    for game, calls in ((hearts, ()), (bridge, (peers.ONE_NO_TRUMP, *[peers.PASS] * 3))):
        witness = Witness(game)
        peers._open_spiel(witness, calls)(1, 3)
        for state in witness.states:
            assert state.is_terminal()
            cards = len(state.history()) - len(calls)
            assert cards - 52 in (52, 53)  # dealt, then played; hearts also draws the passing
        assert len({str(state.history()) for state in witness.states}) == 3
        assert all("1NT" in str(state) for state in witness.states if calls)


class Witness:
    """A game that keeps the states it hands out."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.states: list[Any] = []

    def new_initial_state(self) -> Any:
        self.states.append(self.game.new_initial_state())
        return self.states[-1]
