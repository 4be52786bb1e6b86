"""Nobody's random draws disturb the cards or anybody else's draws."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from engine_ext.batch import DealRecords, GameRecords, Rules, deal_hands, play_games
from engine_ext.reference.streams import Dice, counter_word, words
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.seeds import run_key
from strategies.registry import create

KEY = run_key(4711)


class Drawing:
    """``lowest.v1`` that first draws ``n`` numbers it does not need, in every question."""

    def __init__(self, n: int) -> None:
        self.n = n

    def draw(self, view: Any) -> None:
        for _ in range(self.n // 2):
            view.random.u64()
            view.random.below(3)

    def choose(self, view: Any) -> Any:
        self.draw(view)
        return view.choices[0]

    def double(self, view: Any) -> Any:
        self.draw(view)
        return view.must_double

    def redouble(self, view: Any) -> Any:
        self.draw(view)
        return 0

    def play(self, view: Any) -> Any:
        self.draw(view)
        return view.lowest()

    lay = play


def games(name: str, players: Sequence[Any], n: int = 3, replicate: int = 0) -> GameRecords:
    rules = Rules(load_variant(name))
    around = np.arange(rules.numbers.seats, dtype=np.uint8) % len(players)
    return play_games(
        rules,
        players,
        key=KEY,
        blocks=np.arange(n, dtype=np.uint64),
        seating=np.tile(around.astype(np.uint8), (n, 1)),
        replicates=np.full(n, replicate, np.uint32),
        log=True,
        stop_on_foul=True,
    )


def alike(one: GameRecords, other: GameRecords) -> bool:
    """Whether all that was recorded of two sets of games is the same."""
    fields = DealRecords.__slots__
    return np.array_equal(one.score, other.score) and all(
        np.array_equal(getattr(one.deals, f), getattr(other.deals, f)) for f in fields
    )


@pytest.mark.parametrize("name", variant_names())
def test_a_thousand_numbers_drawn_by_one_seat_move_no_card_and_no_draw_of_another(
    name: str,
) -> None:
    others = ["random.v1", "duck.v1", "random.v1"]
    modest, greedy = (games(name, [Drawing(n), *map(create, others)]) for n in (0, 1000))
    assert alike(modest, greedy)
    # The random seats do draw: with other numbers they play otherwise.
    assert not alike(modest, games(name, [Drawing(0), *map(create, others)], replicate=1))


def test_no_two_deals_of_many_games_are_the_same() -> None:
    rules = Rules(load_variant("barbu_52_doubling"))
    blocks = np.arange(2_000, dtype=np.uint64)
    numbers = range(rules.numbers.n_deals)
    every = np.concatenate([deal_hands(rules, key=KEY, blocks=blocks, deal=d) for d in numbers])
    assert len(np.unique(every, axis=0)) == len(every)


class Noting:
    """Plays the lowest card and notes what it drew: a small number, then further words."""

    def __init__(self) -> None:
        self.drawn: dict[tuple[int, int], list[list[int]]] = {}

    def play(self, view: Any) -> Any:
        noted = self.drawn.setdefault((view.deal, view.seat), [])
        noted.append([view.random.below(1000), *(view.random.u64() for _ in range(10))])
        return view.lowest()


@pytest.mark.parametrize("replicate", [0, 5])
def test_a_seats_numbers_are_those_of_its_place_in_the_stream_however_many(replicate: int) -> None:
    players = [Noting() for _ in range(4)]
    games("king_ru_fixed14", players, n=1, replicate=replicate)
    held = 0
    for player in players:
        for (deal, seat), noted in player.drawn.items():
            for decision, (small, *further) in enumerate(noted):
                dice = Dice(KEY, 0, deal, seat, decision, replicate)
                assert small == dice.below(1000)
                overflow = replicate | 1 << 23
                own = words(KEY, 0, counter_word(deal, seat, decision, overflow), 1)
                there = [next(own) for _ in range(11)]
                # Once in some hundred decisions the first word went into the small number.
                assert further in (there[:10], there[1:])
                held += further == there[:10]
    assert held > 350
