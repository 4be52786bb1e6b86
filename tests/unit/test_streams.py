"""The random numbers of docs/seeds.md: its worked vectors, and numpy's Philox."""

import re
from itertools import count, islice
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_ext.batch import Rules, as_sets, deal_hands, play_deals
from engine_ext.cards import Pack, cards_in
from engine_ext.reference import cards as twin_cards
from engine_ext.reference import streams
from engine_ext.reference.streams import Dice, below, counter_word, groups, run_key, several, words
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.spec import Deck
from engine_ext.seeds import run_key as engine_run_key
from engine_ext.trials import NAMED, hands_of, trials
from pipeline.sample import chosen
from tests.differential.numbers import Numbers

SEEDS = Path(__file__).parents[2] / "docs" / "seeds.md"
DECK = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]


@pytest.fixture(scope="module")
def vectors() -> dict[str, str]:
    """The worked vectors as they stand in the document, by their label."""
    section = SEEDS.read_text("utf-8").split("## Worked vectors")[1]
    return dict(re.findall(r"^    (\S+(?: \S+)*?)  +(\S.*)$", section, re.MULTILINE))


def test_the_run_key_is_the_one_in_the_document(vectors: dict[str, str]) -> None:
    key = (int(vectors["key 0"], 16), int(vectors["key 1"], 16))
    assert run_key(1) == key
    assert engine_run_key(1) == key


def test_the_first_deal_block_is_the_one_in_the_document(vectors: dict[str, str]) -> None:
    block = streams.philox(run_key(1), (1, 0, 0, 0))
    assert block == tuple(int(vectors[f"word {i}"], 16) for i in range(4))


def test_the_twin_deals_the_hands_in_the_document(vectors: dict[str, str]) -> None:
    hands = streams.deal(run_key(1), 0, 0, DECK, 4)
    for seat, hand in enumerate(hands):
        assert sorted(hand, key=DECK.index) == vectors[f"seat {seat}"].split()


def test_the_engine_deals_the_hands_in_the_document(vectors: dict[str, str]) -> None:
    rules = Rules(load_variant("barbu_king_br"))
    hands = deal_hands(rules, key=run_key(1), blocks=np.zeros(1, np.uint64))
    pack = Pack(Deck(ranks=tuple("23456789TJQKA")))
    for seat in range(4):
        names = [pack.name(card) for card in cards_in(int(hands[0, seat]))]
        assert names == vectors[f"seat {seat}"].split()


def test_two_packs_are_dealt_as_the_document_says(vectors: dict[str, str]) -> None:
    rules = Rules(load_variant("barbu_king_br_6"))
    pack, twins = Pack(rules.variant.deck), twin_cards.Pack(rules.variant.deck)
    slow = streams.deal(run_key(1), 0, 0, twins.cards, 6)
    dealt = as_sets(deal_hands(rules, key=run_key(1), blocks=np.zeros(1, np.uint64))[0])
    for seat in range(6):
        said = vectors[f"six {seat}"].split()
        assert twins.in_order(slow[seat]) == said
        assert [pack.name(c) + "'" * (c >= 64) for c in cards_in(dealt[seat])] == said


def test_audited_blocks_are_drawn_as_the_document_says(vectors: dict[str, str]) -> None:
    for label, blocks in (("audited", 6000), ("audited all", 10)):
        said = [int(word) for word in vectors[label].split()]
        assert chosen(run_key(1), blocks, len(said)) == said
        drawn = (w for c0 in count(1) for w in streams.philox(run_key(1), (c0, 0, 1 << 40, 5)))
        items = list(range(blocks))
        for i in range(len(said)):
            j = i + below(blocks - i, drawn)
            items[i], items[j] = items[j], items[i]
        assert items[: len(said)] == said


# Under seed 1 these blocks of a variant have their word of that number refused, from 0.
REFUSED: list[tuple[str, int, int | None]] = [
    ("barbu_king_br", 73887, 0),
    ("barbu_king_br", 324923, 1),
    ("barbu_king_br", 32329, 2),
    ("barbu_king_br", 383025, 3),
    ("king_ru_fixed14", 22418, 0),
    ("king_ru_fixed14", 8324, 1),
]
NEIGHBOURS: list[tuple[str, int, int | None]] = [
    ("barbu_king_br", block, None) for block in (0, 32328, 32330)
]
# One word of these, the first to the fourth, has a low part below its group's product, but serves.
NEAR: list[tuple[str, int, int | None]] = [
    ("barbu_king_br", block, None) for block in (37103, 67737, 38957, 49783)
]


@pytest.mark.parametrize(("name", "block", "number"), REFUSED + NEIGHBOURS + NEAR)
def test_a_refused_word_is_replaced_by_the_next_one_in_both_dealings(
    name: str, block: int, number: int | None
) -> None:
    rules = Rules(load_variant(name))
    pack, deck = Pack(rules.variant.deck), twin_cards.Pack(rules.variant.deck).cards
    products = [prod(group) for group in groups(range(len(deck), len(deck) // 4, -1))]
    first = islice(words(run_key(1), block, 0, 0), len(products))
    refused = [x * n % 2**64 < 2**64 % n for x, n in zip(first, products, strict=True)]
    assert refused == [place == number for place in range(len(products))]
    hands = deal_hands(rules, key=run_key(1), blocks=np.array([block], np.uint64))
    slow = streams.deal(run_key(1), block, 0, deck, 4)
    assert [pack.set_of(" ".join(hand)) for hand in slow] == hands[0].tolist()


def test_a_refused_slice_draws_the_further_words_in_the_document(vectors: dict[str, str]) -> None:
    slice_10 = int(vectors["slice 10"], 16)
    block = streams.philox(run_key(1), (1, 7, counter_word(16, 1), 1))
    assert block[2] >> 32 & 0xFFFF == slice_10
    assert slice_10 * 13 % 2**16 < 2**16 % 13
    further = [int(vectors[f"further word {i}"], 16) for i in range(2)]
    own = counter_word(16, seat=1, decision=10, replicate=2**23)
    assert list(islice(words(run_key(1), 7, own, 1), 2)) == further
    dice = Dice(run_key(1), 7, 16, 1, 10)
    drawn = [dice.below(13), dice.below(13)]
    assert drawn == [int(n) for n in vectors["drawn 10"].split()]
    assert drawn == [word * 13 >> 64 for word in further]


def test_a_bound_beyond_16_bits_refuses_words_as_it_must() -> None:
    """2^63 + 1 refuses nearly half of them."""
    n = 2**63 + 1
    drawn: dict[int, list[int]] = {}

    class Drawing:
        def play(self, view: Any) -> int:
            if view.n_tricks == 0:
                drawn[view.seat] = [view.random.below(n) for _ in range(20)]
            return int(view.cards[0])

    rules = Rules(load_variant("yardstick"))
    play_deals(rules, [Drawing()] * 4, key=run_key(1), contracts=[0], first_block=7, n=1)
    for seat in range(4):
        own = words(run_key(1), 7, counter_word(0, seat, decision=0, replicate=2**23), 1)
        assert drawn[seat] == [below(n, own) for _ in range(20)]


def test_a_slice_of_independent_streams_is_the_one_in_the_document(
    vectors: dict[str, str],
) -> None:
    block = streams.philox(run_key(1), (1, 7, 16 | 1 << 16 | 1 << 24 | 5 << 40, 1))
    assert block[0] >> 16 & 0xFFFF == int(vectors["slice 17"], 16)
    drawn = Dice(run_key(1), 7, 16, 1, 17, replicate=5).below(13)
    assert drawn == int(vectors["drawn 17"]) == int(vectors["slice 17"], 16) * 13 >> 16


def test_drawn_trumps_are_those_in_the_document(vectors: dict[str, str]) -> None:
    suits = [streams.drawn_trump(run_key(1), 0, deal, "CDHS") for deal in range(8)]
    assert suits == vectors["trumps"].split()


def test_hands_dealt_anew_are_those_in_the_document(vectors: dict[str, str]) -> None:
    key = run_key(1)
    one = streams.redeal(key, 2, 5, DECK, streams.deal(key, 2, 5, DECK, 4), held=2, world=3)
    rules = Rules(load_variant("barbu_king_br"))
    asked = trials(rules, 1, block=2, deal=5, held=2, world=3, code=NAMED)
    pack = Pack(rules.variant.deck)
    for seat, hand in enumerate(hands_of(rules, asked, key=key)[0].tolist()):
        said = vectors[f"anew {seat}"].split()
        assert sorted(one[seat], key=DECK.index) == said
        assert [pack.name(card) for card in cards_in(hand)] == said


def test_two_packs_are_dealt_anew_as_the_document_says(vectors: dict[str, str]) -> None:
    key, rules = run_key(1), Rules(load_variant("barbu_king_br_6"))
    pack, twins = Pack(rules.variant.deck), twin_cards.Pack(rules.variant.deck)
    before = streams.turned(streams.deal(key, 2, 5, twins.cards, 6), 1)
    slow = streams.redeal(key, 2, 5, twins.cards, before, held=4, world=3)
    asked = trials(rules, 1, block=2, deal=5, turn=1, held=4, world=3, code=NAMED)
    for seat, hand in enumerate(as_sets(hands_of(rules, asked, key=key)[0])):
        said = vectors[f"anew six {seat}"].split()
        assert twins.in_order(slow[seat]) == said
        assert [pack.name(c) + "'" * (c >= 64) for c in cards_in(hand)] == said


def test_trumps_drawn_anew_are_those_in_the_document(vectors: dict[str, str]) -> None:
    suits = [streams.drawn_trump(run_key(1), 0, deal, "CDHS", world=3) for deal in range(8)]
    assert suits == vectors["trumps anew"].split()


MOST = 2**23 - 1
"""The last world."""


@pytest.mark.parametrize("name", variant_names())
def test_engine_and_twin_deal_all_worlds_alike(name: str) -> None:
    """Of random blocks, deals and turns, each seat's hand held."""
    rules = Rules(load_variant(name))
    seats, pack = rules.variant.seats, twin_cards.Pack(rules.variant.deck)
    draw = np.random.default_rng([3, len(name)])
    n = 12 * seats
    block, deal = draw.integers(0, 2**64, n, np.uint64), draw.integers(0, 2**16, n)
    world, turn = draw.integers(0, MOST, n, endpoint=True), draw.integers(0, seats, n)
    world[:3] = 0, 1, MOST
    held = np.arange(n) % seats
    asked = trials(rules, n, block=block, deal=deal, world=world, turn=turn, held=held, code=NAMED)
    numbers = Numbers(rules.variant)
    for i, hands in enumerate(hands_of(rules, asked, key=run_key(4))):
        place = run_key(4), int(block[i]), int(deal[i])
        before = streams.turned(streams.deal(*place, pack.cards, seats), int(turn[i]))
        slow = streams.redeal(*place, pack.cards, before, int(held[i]), int(world[i]))
        assert as_sets(hands) == tuple(numbers.cards(hand) for hand in slow)
        assert as_sets(hands)[held[i]] == numbers.cards(before[held[i]])


# Of deal 0 of block 0 under seed 1, seat 1 held: worlds that have their word of that number refused.
REFUSED_WORLDS: list[tuple[int, int | None]] = [(63209, 0), (96267, 1), (1, None), (63208, None)]


def test_a_refused_word_is_replaced_in_a_world_too() -> None:
    rules, key = Rules(load_variant("barbu_king_br")), run_key(1)
    products = [prod(group) for group in groups(range(39, 13, -1))]
    hands = streams.deal(key, 0, 0, DECK, 4)
    pack = Pack(rules.variant.deck)
    for world, refused in REFUSED_WORLDS:
        own = words(key, 0, counter_word(0, seat=1, replicate=world), 0)
        bad = [x * n % 2**64 < 2**64 % n for x, n in zip(own, products, strict=False)]
        assert bad == [place == refused for place in range(len(products))]
        slow = streams.redeal(key, 0, 0, DECK, hands, held=1, world=world)
        asked = trials(rules, 1, held=1, world=world, code=NAMED)
        fast = hands_of(rules, asked, key=key)[0].tolist()
        assert fast == [pack.set_of(" ".join(hand)) for hand in slow]


# Counter, key, block. Source: file kat_vectors of Random123, lines philox4x64 with 10 rounds.
KNOWN = [
    (
        (0, 0, 0, 0),
        (0, 0),
        (0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B),
    ),
    (
        (2**64 - 1,) * 4,
        (2**64 - 1,) * 2,
        (0x87B092C3013FE90B, 0x438C3C67BE8D0224, 0x9CC7D7C69CD777B6, 0xA09CAEBF594F0BA0),
    ),
    (  # digits of pi
        (0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89),
        (0x452821E638D01377, 0xBE5466CF34E90C6C),
        (0xA528F45403E61D95, 0x38C72DBD566E9788, 0xA5A1610E72FD18B5, 0x57BD43B5E52B7FE6),
    ),
]


@pytest.mark.parametrize(("counter", "key", "block"), KNOWN)
def test_known_answers_of_the_ciphers_authors(
    counter: tuple[int, int, int, int], key: tuple[int, int], block: tuple[int, int, int, int]
) -> None:
    assert streams.philox(key, counter) == block
    before = sum(word << 64 * i for i, word in enumerate(counter)) - 1  # numpy's steps first
    at = [before % 2**256 >> 64 * i & 2**64 - 1 for i in range(4)]
    theirs = np.random.Philox(key=np.array(key, np.uint64), counter=np.array(at, np.uint64))
    assert tuple(theirs.random_raw(4).tolist()) == block


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
@pytest.mark.parametrize("position", [(0, 0, 0), (5, 3, 1), (2**40, counter_word(7, 3, 2, 9), 2)])
def test_blocks_are_those_of_numpy_whose_counter_steps_first(
    seed: int, position: tuple[int, int, int]
) -> None:
    block, c2, domain = position
    key = run_key(seed)
    theirs = np.random.Philox(
        key=np.array(key, np.uint64), counter=np.array([0, block, c2, domain], np.uint64)
    ).random_raw(40)
    assert list(islice(words(key, block, c2, domain), 40)) == theirs.tolist()


def test_multiply_and_reject_refuses_the_low_parts_that_would_bias() -> None:
    # With 3 bits and n = 3 the numbers 0..7 give 0 0 0 1 1 1 2 2; 2^3 mod 3 = 2 of them,
    # those with low part below 2, are refused: 0 and 3. Two are left for each result.
    kept = [below(3, iter([x, 7]), bits=3) for x in range(8)]
    assert kept == [2, 0, 0, 2, 1, 1, 2, 2]


def test_several_from_one_word_are_as_likely_as_they_should_be() -> None:
    # The words are cut into six parts, which give the pairs below 2 and 3 in order. The
    # first word of a part is refused where its low part is below 2^64 mod 6 = 4.
    first_words = [-(-i * 2**64 // 6) for i in range(6)]
    lows = [x * 6 % 2**64 for x in first_words]
    assert lows == [0, 2, 4, 0, 2, 4]
    pairs = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    assert [several([2, 3], iter([x + 1])) for x in first_words] == pairs
    spare = 2**64 - 1
    drawn = [several([2, 3], iter([x, spare])) for x in first_words]
    assert drawn == [[1, 2], [1, 2], [0, 2], [1, 2], [1, 2], [1, 2]]


def test_bounds_are_grouped_up_to_a_product_of_two_to_the_52() -> None:
    assert [len(group) for group in groups(range(52, 13, -1))] == [9, 9, 10, 11]
    assert list(groups([2**52, 2, 2**51, 3])) == [[2**52], [2, 2**51], [3]]


def test_a_deal_depends_on_seed_block_and_number_alone() -> None:
    one = streams.deal(run_key(5), 3, 2, DECK, 4)
    assert one == streams.deal(run_key(5), 3, 2, DECK, 4)
    others = [(6, 3, 2), (5, 4, 2), (5, 3, 3)]
    assert all(one != streams.deal(run_key(s), b, d, DECK, 4) for s, b, d in others)


@pytest.mark.parametrize(("size", "seats"), [(52, 4), (32, 4), (51, 3), (50, 5), (8, 2), (52, 2)])
def test_every_card_is_dealt_once(size: int, seats: int) -> None:
    hands = streams.deal(run_key(9), 0, 0, DECK[:size], seats)
    assert [len(hand) for hand in hands] == [size // seats] * seats
    assert sorted(card for hand in hands for card in hand) == sorted(DECK[:size])
