"""``slips.v1`` slips where the rules allow it, as often as it is told, and nothing else moves."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from engine_ext.batch import GameRecords, Rules, deal_hands, play_games
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from strategies.registry import create
from strategies.testing import BASE_VARIANTS, moves

KEY = run_key(31)
HONOUR = "barbu_king_br_honour"


def played(name: str, players: Sequence[Any], games: int = 30) -> GameRecords:
    """Games with the players in turn around the table, moves logged."""
    around = np.arange(4, dtype=np.uint8) % len(players)
    return play_games(
        Rules(load_variant(name)),
        players,
        key=KEY,
        blocks=np.arange(games, dtype=np.uint64),
        seating=np.tile(around.astype(np.uint8), (games, 1)),
        log=True,
    )


class Counting:
    """Plays as a strategy does and counts where it could have slipped, and where it did."""

    def __init__(self, of: Any) -> None:
        self.of = of
        self.chances = self.slips = 0

    def play(self, view: Any) -> int:
        card: int = self.of.play(view)
        if view.n_trick and view.hand & view.led and view.hand & ~view.led:
            self.chances += 1
            self.slips += not view.legal >> card & 1
        return card

    def lay(self, view: Any) -> Any:
        return self.of.lay(view)


def test_it_revokes_as_often_as_it_is_told() -> None:
    counting = Counting(create("slips.v1(of=lowest.v1, revoke=0.1)"))
    assert not played(HONOUR, [counting], 60).fouls.any()
    # 0.1 of the chances, within four standard errors.
    bound = 4 * (0.1 * 0.9 * counting.chances) ** 0.5
    assert counting.chances > 3000
    assert abs(counting.slips - 0.1 * counting.chances) < bound


def test_told_never_to_slip_it_plays_as_the_other_does() -> None:
    for of in ("duck.v1", "cautious.v1"):
        never = played(HONOUR, [create(f"slips.v1(of={of}, revoke=0, misplay=0)")])
        assert np.array_equal(moves(never), moves(played(HONOUR, [create(of)])))


@pytest.mark.parametrize("name", BASE_VARIANTS)
def test_where_nobody_can_slip_it_plays_as_the_other_does(name: str) -> None:
    slips = "slips.v1(revoke=1, misplay=1)"
    if name == "barbu_king_br":
        slips = "slips.v1(revoke=1, misplay=0)"  # its domino lets one show a card
    records = played(name, [create(slips), create("random.v1")])
    assert not records.fouls.any()
    other = played(name, [create("duck.v1"), create("random.v1")])
    assert np.array_equal(moves(records), moves(other))


@pytest.mark.parametrize("name", [HONOUR, "barbu_king_br"])
def test_it_never_fouls_however_often_it_slips(name: str) -> None:
    for of in ("duck.v1", "lowest.v1", "random.v1"):
        records = played(name, [create(f"slips.v1(of={of}, revoke=0.7, misplay=0.7)")])
        assert not records.fouls.any()
        assert records.deals.n_moves is not None


def test_its_misplays_are_taken_back() -> None:
    records = played("barbu_king_br", [create("slips.v1(misplay=0.5)"), create("random.v1")])
    domino = records.deals.contract == 7
    assert records.deals.moves is not None
    shown = records.deals.moves[domino]
    assert ((shown >= 128) & (shown < 254)).any(axis=1).mean() > 0.9


def test_the_compiled_form_and_the_one_in_python_slip_alike() -> None:
    class Lowest:
        """``lowest.v1`` as a compiled strategy asks nobody: what the engine plays by default."""

        def play(self, view: Any) -> int:
            return int(view.lowest())

        def lay(self, view: Any) -> int:
            return int(view.lowest())

        def __repr__(self) -> str:
            return "low.v1"

    from engine_ext.build import load
    from strategies.slips import Slips

    policy = load("engine_ext.pypolicy").PyPolicy(Lowest(), Rules(load_variant(HONOUR)).numbers)
    compiled = load("strategies.slipping").Slipping(policy, 0.2, 0.2)
    python = Slips(of=Lowest(), revoke=0.2, misplay=0.2)
    one, other = played(HONOUR, [compiled]), played(HONOUR, [python])
    assert np.array_equal(moves(one), moves(other))
    assert np.array_equal(one.score, other.score)
    assert one.deals.revoked is not None
    assert (one.deals.revoked >= 0).mean() > 0.2


def test_slips_move_neither_the_cards_nor_what_the_other_draws() -> None:
    slipping = played(HONOUR, [create("slips.v1(of=random.v1, revoke=0.05, misplay=0)")])
    steady = played(HONOUR, [create("random.v1")])
    assert slipping.deals.revoked is not None
    assert slipping.deals.moves is not None
    assert steady.deals.moves is not None
    quiet = slipping.deals.revoked < 0
    assert 0.1 < quiet.mean() < 0.9
    same = (slipping.deals.moves == steady.deals.moves).all(axis=1)
    # A deal without a slip is played card for card as without slips.
    assert same[quiet].all()
    assert not same[~quiet].any()
    rules = Rules(load_variant(HONOUR))
    blocks = np.arange(30, dtype=np.uint64)
    assert np.array_equal(
        deal_hands(rules, key=KEY, blocks=blocks, deal=3),
        deal_hands(Rules(load_variant("barbu_king_br")), key=KEY, blocks=blocks, deal=3),
    )
