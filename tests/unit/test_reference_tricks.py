"""Trick deals on the slow twin; numbers in names are cases of the dossier's section 3."""

import pytest

from engine_ext.reference.game import play_game
from engine_ext.reference.players import RandomTwin
from engine_ext.reference.tricks import legal_cards, winner
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import TrickContract, Variant
from tests.differential.scripted import KEY, PACK32, PACK52, cards, changed, reckoned, trick_of

BRAZIL = load_variant("barbu_king_br")
RUSSIA = load_variant("king_ru_fixed14")
FRANCE = load_variant("barbu_fr_reussite")
DOUBLING = load_variant("barbu_52_doubling")


def legal(
    variant: Variant, contract: str, hand: str, led: str | None, trump: str | None = None
) -> str:
    """Return the legal cards of a hand as a text."""
    rules = variant.contracts[contract]
    assert isinstance(rules, TrickContract)
    pack = PACK32 if variant.deck.ranks[0] == "7" else PACK52
    return " ".join(legal_cards(cards(hand), led, rules, pack, trump))


@pytest.mark.parametrize(
    ("leader", "names", "taker"),
    [(0, "5S AH 9S KS", 3), (0, "2D AS AH AC", 0), (2, "7H 8H 6H TH", 1)],
)
def test_highest_of_the_suit_led_takes_the_trick_cases_1_and_2(
    leader: int, names: str, taker: int
) -> None:
    assert winner(trick_of(leader, names), PACK52) == taker


def test_highest_trump_beats_the_suit_led() -> None:
    assert winner(trick_of(0, "AD 2S KD 3S"), PACK52, "S") == 3
    assert winner(trick_of(0, "AD 2C KD 3C"), PACK52, "S") == 0


@pytest.mark.parametrize(
    ("contract", "hand", "led", "expected"),
    [
        pytest.param("tricks", "3S KH 2C", "S", "3S", id="case 3: suit must be followed"),
        pytest.param("king", "KH 2C", "S", "KH 2C", id="case 4: no card is forced out"),
        pytest.param("hearts", "2H 7H 3C", None, "3C", id="case 5: no heart led"),
        pytest.param("hearts", "2H 7H", None, "2H 7H", id="case 6: only hearts left"),
        pytest.param("queens", "2H 7H 3C", None, "2H 7H 3C", id="case 7: queens, no ban"),
        pytest.param("first_last", "2H 7H 3C", None, "2H 7H 3C", id="case 7: first and last"),
        pytest.param("salad", "2H 7H 3C", None, "3C", id="A14: the salad has the ban"),
        pytest.param("hearts", "2H 7H 3C", "H", "2H 7H", id="a heart lead is followed"),
    ],
)
def test_legal_cards_of_document_000(
    contract: str, hand: str, led: str | None, expected: str
) -> None:
    assert legal(BRAZIL, contract, hand, led) == expected


@pytest.mark.parametrize(
    ("contract", "hand", "led", "expected"),
    [
        pytest.param("king", "KH 7C AD", "S", "KH", id="case 44: the king must go"),
        pytest.param("plus_king", "KH 7C AD", "S", "KH", id="case 44: positive side too"),
        pytest.param("eralash", "KH 7C AD", "S", "KH", id="B12: Eralash"),
        pytest.param("plus_eralash", "KH 7C AD", "S", "KH", id="B12: positive Eralash"),
        pytest.param("king", "KH 7H 9C", "H", "KH 7H", id="case 45: another heart will do"),
        pytest.param("king", "KH 9C", "H", "KH", id="case 45: the only heart"),
        pytest.param("hearts", "KH 7C", "S", "KH 7C", id="case 47: hearts deal"),
        pytest.param("kings", "KH 7C", "S", "KH 7C", id="case 47: kings deal"),
        pytest.param("plus_hearts", "KH 7C", None, "7C", id="dossier 2.30: ban holds"),
        pytest.param("king", "KH 7H", None, "KH 7H", id="dossier 2.33: no need to lead it"),
    ],
)
def test_legal_cards_of_document_002(
    contract: str, hand: str, led: str | None, expected: str
) -> None:
    assert legal(RUSSIA, contract, hand, led) == expected


def test_french_hearts_may_be_led_case_60() -> None:
    assert legal(FRANCE, "hearts", "AH 7S", None) == "AH 7S"


@pytest.mark.parametrize(
    ("contract", "hand", "led", "trump", "expected"),
    [
        pytest.param("trumps", "2S AH", "D", "S", "2S", id="case 82: must ruff"),
        pytest.param("trumps", "AH KC", "D", "S", "AH KC", id="case 82: no trump either"),
        pytest.param("trumps", "2D 2S", "D", "S", "2D", id="following comes first"),
        pytest.param("king", "KH QH 2C", None, None, "QH 2C", id="2.44: the ban names KH alone"),
        pytest.param("king", "KH QH", None, None, "QH", id="2.44: not even before QH"),
        pytest.param("king", "KH", None, None, "KH", id="2.44: the only card"),
        pytest.param("hearts", "KH 2C", None, None, "2C", id="D8: no heart led"),
    ],
)
def test_legal_cards_of_document_004(
    contract: str, hand: str, led: str | None, trump: str | None, expected: str
) -> None:
    assert legal(DOUBLING, contract, hand, led, trump) == expected


def test_ruffing_is_free_where_the_rules_say_so_case_82() -> None:
    free = changed(DOUBLING, lambda t: t["contracts"]["trumps"].update(void_duty="free"))
    assert legal(free, "trumps", "2S AH", "D", "S") == "2S AH"


def test_tricks_count_five_each_case_8() -> None:
    tricks = [(seat, "2C 3C 4C 5C") for seat, n in enumerate((4, 4, 3, 2)) for _ in range(n)]
    assert reckoned(BRAZIL, "tricks", tricks) == [20, 20, 15, 10]


def test_first_and_last_trick_cases_9() -> None:
    middle = [(2, "2C 3C 4C 5C")] * 11
    one, other = (0, "2S 3S 4S 5S"), (2, "2S 3S 4S 5S")
    assert reckoned(BRAZIL, "first_last", [one, *middle, one]) == [80, 0, 0, 0]
    assert reckoned(BRAZIL, "first_last", [one, *middle, other]) == [40, 0, 40, 0]


def test_whole_salad_to_one_player_case_11() -> None:
    by_rank = [" ".join(rank + suit for suit in "CDHS") for rank in "23456789TJQKA"]
    assert reckoned(BRAZIL, "salad", [(1, names) for names in by_rank]) == [0, 290, 0, 0]


def test_salad_trick_with_the_barbu_case_12() -> None:
    assert reckoned(BRAZIL, "salad", [(3, "2S KH 3S 4S")]) == [0, 0, 0, 90]


def test_taking_tricks_lowers_the_total_case_13() -> None:
    tricks = [(seat, "2C 3C 4C 5C") for seat, n in enumerate((0, 3, 4, 6)) for _ in range(n)]
    assert reckoned(BRAZIL, "take_tricks", tricks) == [0, -15, -20, -30]


@pytest.mark.parametrize(("contract", "points"), [("eralash", -38), ("plus_eralash", 38)])
def test_last_eralash_trick_of_the_worked_example_case_42(contract: str, points: int) -> None:
    others = [(1, "7S 8S 9S TS")] * 7
    assert reckoned(RUSSIA, contract, [*others, (0, "KH QH JS 7C")])[0] == points


def test_last_two_tricks_case_51() -> None:
    six = [(1, "7S 8S 9S TS")] * 6
    last, other = (2, "7C 8C 9C TC"), (3, "7D 8D 9D TD")
    assert reckoned(RUSSIA, "last_two", [*six, last, last]) == [0, 0, -16, 0]
    assert reckoned(RUSSIA, "last_two", [*six, last, other]) == [0, 0, -8, -8]


def test_all_four_kings_do_not_turn_the_sign_case_52() -> None:
    assert reckoned(RUSSIA, "kings", [(0, "KC KD KH KS")]) == [-16, 0, 0, 0]


def test_jacks_are_no_kings_case_54() -> None:
    assert reckoned(RUSSIA, "kings", [(0, "AS KS JS JD")]) == [-4, 0, 0, 0]


def test_french_tricks_case_58() -> None:
    tricks = [(seat, "7C 8C 9C TC") for seat, n in enumerate((3, 3, 2, 0)) for _ in range(n)]
    assert reckoned(FRANCE, "tricks", tricks) == [-15, -15, -10, 0]


def test_generale_trick_case_59() -> None:
    assert reckoned(FRANCE, "generale", [(0, "KH QH 7S 8D")]) == [-100, 0, 0, 0]


def test_ace_of_hearts_counts_six_instead_of_two_case_81() -> None:
    assert reckoned(DOUBLING, "hearts", [(2, "2H AH 5H 7C")]) == [0, 0, -10, 0]
    hearts = " ".join(rank + "H" for rank in "23456789TJQKA")
    assert reckoned(DOUBLING, "hearts", [(2, hearts)]) == [0, 0, -30, 0]


def test_last_two_of_document_004_case_86() -> None:
    eleven = [(0, "2C 3C 4C 5C")] * 11
    one, three = (1, "2S 3S 4S 5S"), (3, "2S 3S 4S 5S")
    assert reckoned(DOUBLING, "last_two", [*eleven, one, three]) == [0, -10, 0, -20]
    assert reckoned(DOUBLING, "last_two", [*eleven, one, one]) == [0, -30, 0, 0]


@pytest.mark.parametrize(
    ("variant", "scoring"),
    [
        (RUSSIA, {"kings": "KC KD KH KS", "queens": "QC QD QH QS", "plus_king": "KH"}),
        (DOUBLING, {"queens": "QC QD QH QS", "king": "KH"}),
    ],
)
def test_a_deal_ends_with_the_last_scoring_card_cases_49_50_85(
    variant: Variant, scoring: dict[str, str]
) -> None:
    n_short = 0
    for block in range(8):
        for deal in play_game(variant, [RandomTwin()] * 4, key=KEY, block=block).deals:
            if deal.contract not in scoring:
                continue
            seen = [card for _, card in deal.cards]
            decisive = set(cards(scoring[deal.contract]))
            assert decisive <= set(seen)
            assert decisive & set(seen[-4:]), "the last trick decides, or the deal went on"
            n_short += len(deal.owners) < len(variant.deck.ranks)
    assert n_short


def test_brazilian_deals_of_tricks_are_played_to_the_end() -> None:
    for deal in play_game(BRAZIL, [RandomTwin()] * 4, key=KEY).deals[:7]:
        assert len(deal.owners) == 13
