"""Rules in plain words, where the shipped variants do not show every phrase."""

import doctest
from pathlib import Path

import pytest

import engine_ext.cards
from engine_ext.rules import words
from engine_ext.rules.load import load_variant
from engine_ext.rules.show import show
from engine_ext.rules.spec import PerTrickAt, Selector
from tests.unit.rule_files import extended


def told(folder: Path, text: str) -> str:
    """Return the small variant with changes, in words, on one line."""
    return " ".join(show(load_variant(extended(folder, text))).split())


def test_the_examples_of_the_docstrings_hold() -> None:
    for module in (words, engine_ext.cards):
        result = doctest.testmod(module)
        assert result.attempted > 0
        assert result.failed == 0


@pytest.mark.parametrize(
    ("selector", "each", "several"),
    [
        (Selector(suits=("H",)), "each heart", "hearts"),
        (Selector(ranks=("K", "J")), "each king and each jack", "kings and jacks"),
        (Selector(ranks=("6",)), "each six", "sixes"),
        (
            Selector(suits=("H", "S"), ranks=("A",)),
            "each ace of hearts or spades",
            "aces of hearts or spades",
        ),
        (Selector(cards=("KH", "QS")), "the king of hearts and the queen of spades", None),
        (
            Selector(ranks=("Q",), cards=("KH",)),
            "each queen and the king of hearts",
            "queens and the king of hearts",
        ),
        (Selector(suits=("H",), but=("AH",)), "each heart but the ace", "hearts but the ace"),
        (Selector(ranks=("A",), but=("AH",)), "each ace but the ace of hearts", None),
        (Selector(suits=("O",), ranks=("R",)), "each R of Os", "Rs of Os"),
    ],
)
def test_a_set_of_cards_is_told_as_a_player_says_it(
    selector: Selector, each: str, several: str | None
) -> None:
    assert words.cards(selector, each=True) == each
    assert words.cards(selector, each=False) == (several or each.replace("each ace", "aces"))


@pytest.mark.parametrize(
    ("tricks", "text"),
    [
        ((1,), "-3 for the first trick"),
        ((7, 13), "-3 each for the seventh trick and the 13th trick"),
        ((-1,), "-3 for the last trick"),
        (
            (-3, -2, -1),
            "-3 each for the third trick from the end, the last trick but one and the last trick",
        ),
    ],
)
def test_tricks_are_told_from_the_first_or_from_the_last(
    tricks: tuple[int, ...], text: str
) -> None:
    term = PerTrickAt(per="trick_at", tricks=tricks, points=-3, name="a")
    assert words.scores(term) == text


def test_removed_cards_and_their_start_rank_are_told(tmp_path: Path) -> None:
    text = told(tmp_path, 'deck.remove = ["7C", "7D"]\nseats = 2\ncontracts.domino.payout = [1, 0]')
    assert "hearts and spades, without the seven of clubs and the seven of diamonds;" in text
    assert "A start card that is taken out of the pack counts as laid." in text
    assert text.startswith("Tiny ==== From made up for the tests. The game -------- Two players")


def test_the_ranks_that_may_be_named_are_told(tmp_path: Path) -> None:
    text = told(tmp_path, 'contracts.domino.start = ["7", "J", "A"]')
    assert "names the start rank: seven, jack or ace, held or not." in text


def test_counter_clockwise_the_deal_passes_to_the_right(tmp_path: Path) -> None:
    text = told(tmp_path, 'direction = "counter_clockwise"')
    assert "Everything goes counter-clockwise." in text
    assert "The next player to the right is declarer after two deals in a row." in text


def test_who_may_double_whom_is_told(tmp_path: Path) -> None:
    text = told(
        tmp_path,
        '[doubling]\nsource = "page 2"\nin_negative = "declarer"\nin_positive = "nobody"\n'
        'declarer = "nobody"',
    )
    assert "others may double the declarer only, in positive ones nobody." in text
    assert "The declarer may not double." in text
    assert "has to double him" not in text


def test_a_duty_that_nobody_enforces_is_told_without_force(tmp_path: Path) -> None:
    text = told(
        tmp_path,
        '[doubling]\nsource = "page 2"\nin_negative = "anyone"\nin_positive = "anyone"\n'
        'declarer = "nobody"\nduty = 1\nduty_enforced = "none"',
    )
    assert "each other player has to double him at least once. [page 2]" in text
