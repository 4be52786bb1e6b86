"""Rules in plain words, where the shipped variants do not show every phrase."""

import doctest
from pathlib import Path

import pytest

import engine_ext.cards
from engine_ext.rules import words
from engine_ext.rules.load import load_variant
from engine_ext.rules.show import show
from engine_ext.rules.spec import PerTrickAt, Selector
from tests.unit.rule_files import changed, extended


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


def test_ties_that_are_played_out_are_told(tmp_path: Path) -> None:
    text = told(tmp_path, 'ties = { contract = "tricks", at_most = 1 }')
    assert 'an extra deal of "No tricks" is played, deal and lead passing on' in text
    assert "as long as they are tied, at most once. All play, but only those who" in text
    text = told(tmp_path, 'ties = { contract = "tricks", eligible = "all" }')
    assert "at most 10 times. It counts for all alike: whoever has the best total then" in text


def test_what_a_revoke_costs_is_told(tmp_path: Path) -> None:
    text = told(tmp_path, "legality = {}")
    assert "the deal stops at that card, and the trick counts for nobody" in text
    assert "always against him: minus points. Nothing else of the deal counts" in text
    text = told(
        tmp_path,
        'legality = { proof = "end_of_deal", sign = "signed_total", then = "replay_deal", '
        'other_scores = "keep_so_far", lead_ban_breach = "as_revoke" }\n'
        'contracts.hearts.lead_ban = { cards = { suits = ["H"] } }',
    )
    assert "proved after the last trick, when all is shown; of several the first." in text
    assert (
        "gets what the whole table gets in the contract, with its own sign. What has been" in text
    )
    assert "played again by the same declarer with new cards" in text
    assert "Leading a banned card with another in hand is a revoke too, proved when all" in text
    text = told(tmp_path, 'legality = { sign = "literal_minus" }')
    assert "taken off his total, whatever its sign" in text


def test_removed_cards_and_their_start_rank_are_told(tmp_path: Path) -> None:
    text = told(tmp_path, 'deck.remove = ["7C", "7D"]\nseats = 2\ncontracts.domino.payout = [1, 0]')
    assert "hearts and spades, without the seven of clubs and the seven of diamonds;" in text
    assert "A start card that is taken out of the pack counts as laid." in text
    assert text.startswith(
        "Tiny ==== From made up for the tests, with house rules. The game -------- Two players"
    )


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


def test_a_duty_in_rotation_is_told_for_all_deals_of_a_declarer(tmp_path: Path) -> None:
    text = told(
        tmp_path,
        'schedule.dealership = 1\n[doubling]\nsource = "page 2"\nin_negative = "anyone"\n'
        'in_positive = "anyone"\ndeclarer = "nobody"\nduty = 1',
    )
    assert "In the four deals of a declarer each other player has to double him" in text


def test_a_start_rank_that_a_suit_lacks_is_told_as_forbidden(tmp_path: Path) -> None:
    pack = 'deck.remove = ["7C", "7D"]\nseats = 2\ncontracts.domino.payout = [1, 0]\n'
    text = told(tmp_path, pack + 'contracts.domino.missing_start = "forbid"')
    assert "names the start rank: any rank but seven, held or not." in text
    assert "counts as laid" not in text


def test_a_start_card_counts_as_laid_only_where_it_can_be_named(tmp_path: Path) -> None:
    pack = 'deck.remove = ["7C", "7D"]\nseats = 2\ncontracts.domino.payout = [1, 0]\n'
    assert "counts as laid" not in told(tmp_path, pack + 'contracts.domino.start = ["T"]')


def test_lost_turns_end_where_a_card_must_be_laid(tmp_path: Path) -> None:
    text = told(
        tmp_path,
        'contracts.domino.unplayable = "lose_turn"\n'
        'contracts.domino.stall = "force_after_full_circle"',
    )
    assert (
        "Who can lay a card must. A card that does not fit is taken back and the turn is lost, "
        "as by a pass. But once all players still in have passed in turn, whoever can lay a "
        "card must, until one is laid." in text
    )


def test_of_several_forced_cards_one_goes_and_before_a_trump(tmp_path: Path) -> None:
    text = told(
        tmp_path,
        '[contracts.trumps]\nvoid_duty = "must_ruff"\n'
        'forced_play = { cards = { cards = ["KH", "QS"] } }',
    )
    assert (
        "Who lacks the suit led must play the king of hearts or the queen of spades if he can, "
        "even before a trump." in text
    )


def test_points_that_an_inclusion_multiplies_are_told_as_such(tmp_path: Path) -> None:
    text = told(tmp_path, "contracts.trumps.include = [{ contract = 'tricks', times = -3 }]")
    assert 'Counts what "No tricks" counts: +6 for each trick.' in text


def test_where_only_layouts_are_played_nobody_leads_to_a_trick(tmp_path: Path) -> None:
    path = changed(tmp_path, "{ tricks = 1, hearts = 1, trumps = 1, domino = 1 }", "{ domino = 2 }")
    text = " ".join(show(load_variant(path)).split())
    assert "The declarer deals and moves first." in text
    assert "leads to the first trick" not in text


def test_who_begins_the_game_is_told(tmp_path: Path) -> None:
    text = told(tmp_path, "")
    assert "Seat 0 is declarer first. The next player to the left is declarer after" in text
    king = " ".join(show(load_variant("barbu_king_br")).split())
    assert "Seat 0 deals first; the deal passes on to the left after each deal." in king


def test_what_the_codes_mean_is_told_where_there_are_any(tmp_path: Path) -> None:
    king = show(load_variant("barbu_king_br"))
    last = " ".join(king[king.rindex("\n\n") :].split())
    assert last.startswith("Codes: 000 to 004 are the documents; A10, B5, C4 or D6 a rule of one")
    assert "Codes:" not in told(tmp_path, "")


def test_what_a_variant_leaves_out_is_told(tmp_path: Path) -> None:
    text = told(tmp_path, 'not_covered = ["Tables of three (page 9).", "Revokes (page 10)."]')
    assert (
        "Rules of the document that are left out --------------------------------------- "
        "- Tables of three (page 9). - Revokes (page 10). Totals" in text
    )
    assert "left out" not in told(tmp_path, "")


def test_the_first_document_has_its_other_games_in_files_of_their_own() -> None:
    base = load_variant("barbu_king_br")
    assert base.not_covered == ()
    for name, rule in (
        ("short", "A30"), ("choice_8", "A31"), ("rotate_5", "A32"), ("tiebreak", "A33"),
        ("honour", "A26-A29"),
    ):  # fmt: skip
        other = load_variant(f"barbu_king_br_{name}")
        assert rule in other.source
        assert other.not_covered == base.not_covered


def test_the_yardstick_says_what_it_is_made_for() -> None:
    yardstick = load_variant("yardstick")
    assert yardstick.source == "a set-up made for comparing strategies"
    assert "lab" not in show(yardstick)
