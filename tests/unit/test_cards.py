"""Cards, their names and sets, with answers done by hand."""

import pytest

from engine_ext.cards import Pack, cards_in
from engine_ext.rules.spec import Deck, Selector

PIQUET = Pack(Deck(ranks=tuple("789TJQKA")))
FULL = Pack(Deck(ranks=tuple("23456789TJQKA")))
THREE = Pack(Deck(ranks=tuple("23456789TJQKA"), remove=("2C",)))


def test_a_card_is_sixteen_times_its_suit_plus_its_rank() -> None:
    assert [FULL.number(name) for name in ("2C", "AC", "2D", "KH", "AS")] == [0, 12, 16, 43, 60]
    assert [PIQUET.number(name) for name in ("7C", "KH", "AS")] == [0, 38, 55]


def test_every_card_has_the_name_it_is_found_by() -> None:
    numbers = list(cards_in(FULL.deck))
    assert len(numbers) == FULL.size == 52
    assert [FULL.number(FULL.name(card)) for card in numbers] == numbers


def test_a_card_taken_out_is_not_dealt_but_keeps_its_place_in_the_suit() -> None:
    assert THREE.size == 51
    assert THREE.names(THREE.deck & THREE.suit_mask(0)).startswith("3C 4C")
    assert THREE.number("3C") == 1
    assert THREE.suit_mask(0) == 0x1FFF
    assert THREE.ranks_in(0) == 0x1FFE
    with pytest.raises(ValueError, match="2C is taken out of this pack"):
        THREE.number("2C")


@pytest.mark.parametrize("name", ["2H", "HK", "10H", "K", "", "KX", "kh"])
def test_a_name_that_is_no_card_is_refused_with_an_example(name: str) -> None:
    with pytest.raises(ValueError, match=r"is no card of this pack \(rank first, e\.g\. AC; ranks"):
        PIQUET.number(name)


def test_a_set_is_read_from_a_text_or_a_list_and_refuses_doubles() -> None:
    assert PIQUET.set_of("7C 8C") == PIQUET.set_of(["8C", "7C"]) == 0b11
    assert PIQUET.names(PIQUET.set_of("KH 7C AS")) == "7C KH AS"
    assert PIQUET.set_of("") == 0
    with pytest.raises(ValueError, match="KH is listed twice"):
        PIQUET.set_of("KH 7C KH")


@pytest.mark.parametrize(
    ("selector", "names"),
    [
        (Selector(suits=("H",)), "7H 8H 9H TH JH QH KH AH"),
        (Selector(ranks=("Q",)), "QC QD QH QS"),
        (Selector(suits=("H", "S"), ranks=("K", "A")), "KH AH KS AS"),
        (Selector(cards=("KH",)), "KH"),
        (Selector(ranks=("Q",), cards=("KH",)), "QC QD QH KH QS"),
        (Selector(suits=("H",), but=("AH", "KH")), "7H 8H 9H TH JH QH"),
        (Selector(), ""),
    ],
)
def test_a_selector_means_suits_and_ranks_and_cards_less_the_exceptions(
    selector: Selector, names: str
) -> None:
    assert PIQUET.names(PIQUET.select(selector)) == names


def test_a_selector_never_means_a_card_that_is_not_dealt() -> None:
    assert THREE.names(THREE.select(Selector(ranks=("2",)))) == "2D 2H 2S"


def test_suits_stand_in_the_order_of_the_deck() -> None:
    spanish = Pack(Deck(suits=("O", "B"), ranks=("1", "R")))
    assert [spanish.name(card) for card in cards_in(spanish.deck)] == ["1O", "RO", "1B", "RB"]
