"""Revokes and extra deals: engine and twin agree under every option, asked one by one or in step."""

from itertools import product
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from engine_ext.batch import GameRecords, Rules, play_games
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key
from tests.differential.scripted import changed
from tests.differential.test_mischief_games import same_mischief
from tests.differential.test_random_games import same_games

OPTIONS: list[tuple[str, ...]] = list(
    product(
        ("later_same_suit_play", "end_of_deal"),
        ("worsens", "literal_minus", "signed_total"),
        ("void", "keep_so_far"),
        ("next_deal", "replay_deal"),
        ("rejected", "as_revoke"),
    )
)
BASE = load_variant("barbu_king_br")
CHOICE = load_variant("barbu_52_doubling")


def on_honour(variant: Variant, options: tuple[str, ...]) -> Variant:
    keys = ("proof", "sign", "other_scores", "then", "lead_ban_breach")
    rules = dict(zip(keys, options, strict=True))
    return changed(variant, lambda table: table.update(legality=rules))


def often_tied(**ties: Any) -> Variant:
    """One deal of the Barbu, in which three seats always get nothing, then the tie."""

    def rules(table: dict[str, Any]) -> None:
        table["schedule"]["sequence"] = ("king",)
        table["ties"] = {"contract": "take_tricks", **ties}

    return changed(BASE, rules)


@pytest.mark.parametrize("options", OPTIONS, ids="-".join)
def test_every_way_to_settle_a_revoke_is_the_same(options: tuple[str, ...]) -> None:
    game, seen = same_mischief(on_honour(BASE, options), OPTIONS.index(options))
    revoked = [deal.revoked for deal in game.deals]
    assert any(seat is not None for seat in revoked)
    again = len(game.deals) - 8
    assert again == (
        sum(seat is not None for seat in revoked) if "replay_deal" in options else 0
    ) or (
        again == 8  # never more than the schedule has
    )
    assert any(view["voids"] != [0] * 4 for view in seen if view["question"] == "play")


@pytest.mark.parametrize("then", ["next_deal", "replay_deal"])
def test_revokes_among_choices_and_side_bets_are_the_same(then: str) -> None:
    options = ("later_same_suit_play", "worsens", "void", then, "rejected")
    game, _ = same_mischief(on_honour(CHOICE, options), 3)
    assert sum(deal.revoked is not None for deal in game.deals) > 5
    assert len(game.deals) == (56 if then == "replay_deal" else 28)
    # A contract that is played again is the same declarer's, and nobody chooses it.
    for before, deal in zip(game.deals, game.deals[1:], strict=False):
        if deal.left == 0:
            assert (deal.contract, deal.declarer) == (before.contract, before.declarer)


@pytest.mark.parametrize("eligible", ["tied_only", "all"])
@pytest.mark.parametrize("at_most", [1, 3])
def test_every_way_to_play_out_a_tie_is_the_same(eligible: str, at_most: int) -> None:
    variant = often_tied(eligible=eligible, at_most=at_most)
    same_games(variant, 5, 0, 12)
    lengths = set()
    for block in range(6):
        game, seen = same_mischief(variant, block)
        lengths.add(len(game.deals))
        assert [deal.extra for deal in game.deals] == [False] + [True] * (len(game.deals) - 1)
        tied = {view["tied"] for view in seen if view["deal"]}
        assert tied == {15} or (eligible == "tied_only" and 15 not in tied)
    assert max(lengths) <= 1 + at_most
    assert len(lengths) > 1 or at_most == 1


@pytest.mark.parametrize("contract", ["domino", next(iter(CHOICE.contracts))])
def test_ties_in_a_game_with_choices_and_side_bets_are_the_same(contract: str) -> None:
    def rules(table: dict[str, Any]) -> None:
        table["schedule"].update(uses={"king": 1}, dealership=1)
        table["ties"] = {"contract": contract, "at_most": 2}
        table["doubling"]["duty"] = 0

    for block in range(4):
        game, _ = same_mischief(changed(CHOICE, rules), block)
        for deal in game.deals[4:]:
            assert deal.contract == contract
            assert (deal.named is not None) == (contract == "domino")
            assert not any(deal.doubled)


class Hashed:
    """Any card of the hand by what has been played, legal or not on every third question."""

    def play(self, view: Any) -> int:
        number = crc32(repr((view.hand, view.played, view.seat)).encode())
        held = [
            card for card in range(64) if (view.hand if number % 3 == 0 else view.legal) >> card & 1
        ]
        return held[number // 3 % len(held)]


class HashedBatch:
    """The same, asked about many tables at once."""

    batched = True

    def play(self, views: Any) -> Any:
        rows = zip(views.hand, views.legal, views.played, views.seat, strict=True)
        return np.array([self.card(*map(int, row)) for row in rows])

    def card(self, hand: int, legal: int, played: int, seat: int) -> int:
        number = crc32(repr((hand, played, seat)).encode())
        held = [card for card in range(64) if (hand if number % 3 == 0 else legal) >> card & 1]
        return held[number // 3 % len(held)]


def games(variant: Variant, player: Any) -> GameRecords:
    n = 12
    return play_games(
        Rules(variant),
        [player],
        key=run_key(12),
        blocks=np.arange(n, dtype=np.uint64),
        seating=np.zeros((n, 4), np.uint8),
        log=True,
        tables=5,
    )


@pytest.mark.parametrize("options", [OPTIONS[0], OPTIONS[-1], OPTIONS[2]], ids="-".join)
def test_tables_in_step_revoke_as_tables_by_themselves(options: tuple[str, ...]) -> None:
    def tied(table: dict[str, Any]) -> None:
        table["ties"] = {"contract": "take_tricks", "at_most": 3}
        table["schedule"]["sequence"] = ("king", "hearts")

    variant = changed(on_honour(BASE, options), tied)
    one, many = games(variant, Hashed()), games(variant, HashedBatch())
    assert one.deals.revoked is not None
    assert (one.deals.revoked >= 0).any()
    for name in ("score", "place", "n_first", "n_deals", "fouls"):
        assert np.array_equal(getattr(one, name), getattr(many, name)), name
    for name in ("contract", "points", "items", "extra", "revoked", "moves", "dealer"):
        assert np.array_equal(getattr(one.deals, name), getattr(many.deals, name)), name
