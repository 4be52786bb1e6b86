"""Two packs shuffled together: names without copies, sets with them, what never ends refused."""

import ctypes
from collections import Counter
from typing import Any

import numpy as np
import pytest

from engine_ext.batch import Rules, View, as_sets, deal_hands, play_games
from engine_ext.cards import Pack, merged
from engine_ext.errors import UserError
from engine_ext.position import Lying, never_laid
from engine_ext.rules.checks import problems
from engine_ext.rules.load import load_variant
from engine_ext.rules.resolve_contracts import COPIES
from engine_ext.rules.spec import Deck, Selector, Variant
from engine_ext.rules.totals import totals
from engine_ext.seeds import run_key
from strategies.registry import create

SIX = load_variant("barbu_king_br_6")
PACK = Pack(SIX.deck)
KEY = run_key(8)


def seated(variant: Variant, *players: Any, n: int = 8) -> Any:
    """Some games, players around the table in turn."""
    around = np.arange(variant.seats, dtype=np.uint8) % len(players)
    return play_games(
        Rules(variant),
        players,
        key=KEY,
        blocks=np.arange(n, dtype=np.uint64),
        seating=np.tile(around.astype(np.uint8), (n, 1)),
        log=True,
    )


def changed(**deck_or_domino: Any) -> Variant:
    """The six-player game with another deck or other keys of its domino."""
    table = SIX.model_dump(mode="json") | {"readings": [], "claims": []}
    table["deck"] |= deck_or_domino.pop("deck", {})
    table["contracts"]["domino"] |= deck_or_domino
    return Variant.model_validate(table)


def test_the_pack_for_six_has_the_cards_that_the_document_counts() -> None:
    names = PACK.named(PACK.deck)
    suits = Counter(name[1] for name in names)
    assert suits == {"S": 26, "H": 25, "D": 26, "C": 25}  # 000 A38
    assert sum(name[0] == "Q" for name in names) == 8
    assert len(names) == PACK.size == 102
    assert Counter(names)["KH"] == Counter(names)["2C"] == 1


def test_a_card_taken_out_once_lacks_its_second_copy() -> None:
    king = PACK.number("KH")
    assert PACK.deck >> king & 1
    assert not PACK.deck >> king + 64 & 1
    none_left = Pack(Deck(ranks=("Q", "K"), copies=2, remove=("KH", "KH")))
    with pytest.raises(ValueError, match="KH is taken out of this pack"):
        none_left.number("KH")


def test_cards_alike_have_one_name_and_two_bits() -> None:
    ace = PACK.number("AS")
    assert PACK.name(ace) == PACK.name(ace + 64) == "AS"
    assert PACK.set_of("AS AS") == 1 << ace | 1 << ace + 64
    assert PACK.names(PACK.set_of("AS 2H AS")) == "2H AS AS"
    assert PACK.select(Selector(cards=("AS",))) == PACK.set_of("AS AS")
    assert PACK.select(Selector(ranks=("Q",))).bit_count() == 8
    first, second = PACK.sets_of([["AS", "KH"], ["AS"]])
    assert first & second == 0
    assert merged(first) & second >> 64
    with pytest.raises(ValueError, match="AS is listed three times"):
        PACK.set_of("AS AS AS")
    with pytest.raises(ValueError, match="KH is listed twice"):
        PACK.set_of("KH KH")


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("barbu_king_br_3", {"tricks": 85, "salad": 310, "take_tricks": -85, "game": 615}),
        ("barbu_king_br_5", {"tricks": 50, "salad": 275, "take_tricks": -50, "game": 580}),
        ("barbu_king_br_6", {"hearts": 130, "king": 160, "salad": 535, "game": 1065}),
        (
            "tests/golden/positions/rules/king_br_6_one_heart.toml",
            {"hearts": 125, "salad": 530, "game": 1055},
        ),
    ],
)
def test_the_totals_are_those_printed(name: str, wanted: dict[str, int]) -> None:
    sums = totals(load_variant(name))
    assert {key: sums.get(key, sums.get(f"contracts.{key}")) for key in wanted} == wanted


@pytest.mark.parametrize(
    ("variant", "problem"),
    [
        (changed(copies="parallel_rows"), 'contracts.domino.copies: with "parallel_rows" from 2'),
        (changed(deck={"remove": ["2C", "KH", "KH", "KH"]}), 'deck.remove: "KH" is listed three'),
        (changed(deck={"remove": ["2C", "3C", "4C"]}), "deck: 101 cards do not divide by 6"),
        (
            load_variant("barbu_king_br").model_copy(
                update={"deck": Deck(ranks=tuple("23456789TJQKA"), identical="first_wins")}
            ),
            "deck.identical: one pack has no cards alike",
        ),
    ],
)
def test_what_cannot_be_played_is_refused(variant: Variant, problem: str) -> None:
    assert next(problems(variant)).startswith(problem)


def test_two_rows_of_cards_need_two_packs() -> None:
    one = load_variant("barbu_king_br")
    domino = one.contracts["domino"].model_copy(update={"copies": "stack"})
    wrong = one.model_copy(update={"contracts": {**one.contracts, "domino": domino}})
    assert next(problems(wrong)).startswith('contracts.domino.copies: "stack" needs two packs')


def test_only_from_the_king_two_rows_can_be_filled_with_one_king_of_hearts() -> None:
    """Dossier 2.16: the second ace of hearts has no king of its own to lie beside."""
    for start, rank in enumerate(PACK.ranks):
        stuck = never_laid(PACK.deck, start, 0, PACK.deck, Lying(COPIES["parallel_rows"]))
        assert (stuck == 0) == (rank == "K"), rank
        if rank in "23456789TJQ":
            assert PACK.names(stuck) == "AH"
        for copies in ("shared_run", "stack"):
            assert never_laid(PACK.deck, start, 0, PACK.deck, Lying(COPIES[copies])) == 0


def test_a_deal_gives_every_card_to_one_seat() -> None:
    dealt = deal_hands(Rules(SIX), key=KEY, blocks=np.arange(50, dtype=np.uint64))
    assert dealt.shape == (50, 6, 2)
    for deal in dealt:
        hands = as_sets(deal)
        assert [hand.bit_count() for hand in hands] == [17] * 6
        assert sum(hands) == PACK.deck


class Twin:
    """Names the other copy of a card it may play, whether it holds that or not."""

    def play(self, view: View) -> int:
        return view.lowest() ^ 64

    lay = play


def test_either_copy_of_a_card_may_be_named() -> None:
    named, own = seated(SIX, Twin()), seated(SIX, create("lowest.v1"))
    assert not named.fouls.any()
    assert named.score.tolist() == own.score.tolist()


def test_a_batch_sees_both_words() -> None:
    alone, batch = seated(SIX, create("lowest.v1")), seated(SIX, create("lowest_batch.v1"))
    assert not batch.fouls.any()
    assert (batch.deals.moves % 64 == alone.deals.moves % 64).all()
    assert (batch.score == alone.score).all()
    assert (alone.deals.moves[:, 0] >= 64).any(), "no second copy was ever played"


class OnePack:
    """A compiled strategy that says nothing of second copies: a policy_t's ABI and flags."""

    def __init__(self, abi: int) -> None:
        self._policy = ctypes.create_string_buffer(abi.to_bytes(4, "little"), 256)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype = ctypes.py_object
        make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self.capsule: object = make(ctypes.addressof(self._policy), b"engine_ext.policy", None)

    def __repr__(self) -> str:
        return "simple.v1"


def test_a_strategy_that_knows_one_pack_is_not_seated_at_two() -> None:
    with pytest.raises(UserError, match=r"^'?simple.v1'? knows one pack only, Barbu King"):
        seated(SIX, OnePack(2))
