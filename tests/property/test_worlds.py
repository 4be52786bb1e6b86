"""Worlds in every shipped variant: none is impossible, and the true deal is always among them."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from engine_ext.batch import Rules, deal_hands, play_games
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.seeds import run_key
from strategies.registry import create
from tests.exact.retold import Hands, agrees, look

KEY = run_key(12)


class Watcher:
    """Looks at worlds whenever it is asked; plays anything. What is wrong is an error."""

    def __init__(self, rules: Rules, block: int, draws: int, replays: int) -> None:
        self.rules, self.block, self.draws = rules, block, draws
        self.replays = replays
        """One world in so many questions is played again by the twin."""
        self.asked = self.drawn = 0

    def dealt(self, deal: int) -> list[int]:
        blocks = np.array([self.block], np.uint64)
        hands = deal_hands(self.rules, key=KEY, blocks=blocks, deal=deal)[0]
        return [whole(hand) for hand in hands.reshape(self.rules.numbers.seats, -1)]

    def choose(self, view: Any) -> tuple[int, int]:
        self.watch(view)
        choices: list[tuple[int, int]] = view.choices
        return choices[int(view.random.below(len(choices)))]

    def double(self, view: Any) -> int:
        self.watch(view)
        return int(view.must_double)

    def play(self, view: Any) -> int:
        self.watch(view)
        cards: list[int] = view.cards
        return cards[int(view.random.below(len(cards)))]

    def lay(self, view: Any) -> int | None:
        if view.may_pass and view.random.below(4) == 0:
            return None
        return self.play(view)

    def watch(self, view: Any) -> None:
        gone = [0] * self.rules.numbers.seats
        for seat, move in view.moves:
            gone[seat] |= 1 << move if move < 128 else 0
        truth = [hand & ~g for hand, g in zip(self.dealt(view.deal), gone, strict=True)]
        may_hold = view.may_hold
        assert truth[view.seat] == view.hand
        assert all(hand & ~may == 0 for hand, may in zip(truth, may_hold, strict=True))
        assert view.n_worlds() >= 1
        worlds = view.worlds(self.draws)
        possible(worlds, truth, may_hold)
        self.asked += 1
        self.drawn += len(worlds)
        if view.legal and self.asked % self.replays == 0:
            rows = worlds.reshape(len(worlds), len(truth), -1)
            world: Hands = tuple(map(whole, rows[-1]))
            assert agrees(look(self.rules, view), world), (view.moves, world)


def whole(words: npt.NDArray[np.uint64]) -> int:
    """A hand of one or two words as one number."""
    return sum(int(word) << 64 * i for i, word in enumerate(np.atleast_1d(words)))


def possible(worlds: npt.NDArray[np.uint64], truth: list[int], may_hold: list[int]) -> None:
    """Every card once, hands of the right size, nothing where it cannot be."""
    rows = worlds.reshape(len(worlds), len(truth), -1)
    for word in range(rows.shape[2]):
        mask = [np.uint64(hand >> 64 * word & (1 << 64) - 1) for hand in may_hold]
        assert not (rows[:, :, word] & ~np.array(mask)).any()
        every = np.bitwise_or.reduce(rows[:, :, word], axis=1)
        assert (every == np.uint64(sum(truth) >> 64 * word & (1 << 64) - 1)).all()
    sizes = np.bitwise_count(rows).sum(axis=2)
    assert (sizes == [hand.bit_count() for hand in truth]).all()


def watched(name: str, block: int, draws: int, replays: int, others: str | None) -> Watcher:
    """A game of watchers alone, or of one among others."""
    rules = Rules(load_variant(name))
    n = rules.numbers.seats
    watcher: Any = Watcher(rules, block, draws, replays)
    players = [watcher] if others is None else [watcher, create(others)]
    seats = np.array([[0] + [len(players) - 1] * (n - 1)], np.uint8)
    records = play_games(
        rules, players, key=KEY, blocks=np.array([block], np.uint64), seating=seats
    )
    assert not records.errors, records.errors
    found: Watcher = watcher
    return found


@pytest.mark.parametrize("name", variant_names())
def test_no_world_of_a_variant_is_impossible(name: str) -> None:
    assert watched(name, 0, 10, 40, None).drawn > 100
    assert watched(name, 1, 10, 20, "duck.v1").asked


@pytest.mark.slow
@pytest.mark.parametrize("name", variant_names())
def test_none_of_a_million_worlds_of_a_variant_is_impossible(name: str) -> None:
    drawn, block = 0, 2
    while drawn < 1_000_000:
        others = (None, "duck.v1")[block % 2]
        drawn += watched(name, block, 1000, 20, others).drawn
        block += 1


class Curious:
    """Plays at random, and may look at worlds before."""

    def __init__(self, looks: bool) -> None:
        self.looks = looks
        self.worlds: list[bytes] = []
        self.last: Any = None

    def play(self, view: Any) -> int:
        self.last = view
        if self.looks:
            self.worlds += [view.worlds(n).tobytes() for n in (3, 3)]
        return int(view.cards[view.random.below(len(view.cards))])


def test_worlds_have_random_numbers_of_their_own() -> None:
    rules = Rules(load_variant("king_ru_fixed14"))
    played = []
    players: list[Any] = [Curious(False), Curious(True), Curious(True)]
    for player in players:
        blocks, seating = np.zeros(1, np.uint64), np.zeros((1, 4), np.uint8)
        played.append(play_games(rules, [player], key=KEY, blocks=blocks, seating=seating))
        assert not played[-1].errors
    assert all((game.score == played[0].score).all() for game in played)
    assert players[1].worlds == players[2].worlds
    assert players[1].worlds[::2] == players[1].worlds[1::2]
    assert len(set(players[1].worlds)) > 300
    for ask in ("worlds", "n_worlds", "may_hold"):
        with pytest.raises(RuntimeError, match="only valid during the question"):
            getattr(players[1].last, ask)(*[1] * (ask == "worlds"))


def test_worlds_are_there_even_where_others_have_revoked() -> None:
    rules = Rules(load_variant("barbu_king_br_honour"))
    untrue = []

    class Looking(Curious):
        def play(self, view: Any) -> int:
            unseen = rules.numbers.deck & ~view.played & ~view.hand
            possible = [may for seat, may in enumerate(view.may_hold) if seat != view.seat]
            untrue.append(unseen & ~np.bitwise_or.reduce(np.array(possible, np.uint64)).item())
            return super().play(view)

    slips = create("slips.v1(of=random.v1, revoke=0.5, misplay=0.5)")
    seating = np.tile(np.array([0, 1, 1, 1], np.uint8), (20, 1))
    blocks = np.arange(20, dtype=np.uint64)
    players: list[Any] = [Looking(True), slips]
    records = play_games(rules, players, key=KEY, blocks=blocks, seating=seating)
    assert not records.errors, records.errors
    assert any(untrue), "voids that cannot all be true"
