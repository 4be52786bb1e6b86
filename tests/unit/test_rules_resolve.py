"""A variant as numbers: signs, seats, sets of cards."""

from pathlib import Path

import pytest

from engine_ext.cards import Pack
from engine_ext.rules.load import load_variant
from engine_ext.rules.resolve import ContractNumbers, VariantNumbers, resolve
from tests.unit.rule_files import extended, tiny

BRAZIL = load_variant("barbu_king_br")


def numbers(name: str) -> VariantNumbers:
    return resolve(load_variant(name))


def contract(name: str, of: str) -> ContractNumbers:
    resolved = numbers(name)
    return resolved.contracts[resolved.contract_names.index(of)]


def loaded(folder: Path, text: str) -> VariantNumbers:
    return resolve(load_variant(extended(folder, text)))


def test_points_are_turned_where_the_lowest_total_wins() -> None:
    salad = contract("barbu_king_br", "salad")
    assert salad.slot_names == ("tricks", "hearts", "queens", "king")
    assert salad.slot_points == (-5, -5, -20, -80)
    assert salad.total == -290
    assert contract("barbu_king_br", "domino").payout == (50, 20, -20, -40)
    assert contract("yardstick", "trumps").slot_points == (1,)
    assert numbers("barbu_king_br").objective == -1


def test_points_stand_where_the_highest_total_wins() -> None:
    assert contract("barbu_52_doubling", "domino").payout == (45, 20, 5, -5)
    assert contract("king_ru_fixed14", "plus_eralash").total == 96
    assert numbers("barbu_52_doubling").objective == 1


def test_tone_is_a_word_of_the_document_and_is_not_turned() -> None:
    tones = [c.tone for c in numbers("barbu_king_br").contracts]
    assert tones == [-1, -1, -1, -1, -1, 1, -1, 0]


@pytest.mark.parametrize(
    ("name", "dealer", "leader", "dealership"),
    [
        ("barbu_king_br", 0, 1, 1),  # left of the dealer, clockwise
        ("king_ru_fixed14", 0, 1, 1),
        ("barbu_fr_reussite", 0, 1, 1),  # right of the declarer, counter-clockwise
        ("barbu_52_doubling", 3, 0, 7),  # dealer on the declarer's right, who leads
    ],
)
def test_relations_at_the_table_become_seats_onward(
    name: str, dealer: int, leader: int, dealership: int
) -> None:
    n = numbers(name)
    assert (n.dealer_offset, n.leader_offset, n.dealership) == (dealer, leader, dealership)


@pytest.mark.parametrize(
    ("direction", "relation", "offset"),
    [
        ("clockwise", "left_of_declarer", 1),
        ("clockwise", "right_of_declarer", 3),
        ("counter_clockwise", "left_of_declarer", 3),
        ("counter_clockwise", "right_of_declarer", 1),
        ("clockwise", "declarer", 0),
    ],
)
def test_left_is_onward_only_where_play_is_clockwise(
    tmp_path: Path, direction: str, relation: str, offset: int
) -> None:
    text = (
        f'direction = "{direction}"\nschedule.leader = "{relation}"\nschedule.dealer = "{relation}"'
    )
    n = loaded(tmp_path, text)
    assert (n.leader_offset, n.dealer_offset) == (offset, offset)


def test_a_fixed_schedule_has_a_sequence_and_no_uses() -> None:
    n = numbers("king_ru_fixed14")
    assert (n.n_deals, n.has_choice) == (14, 0)
    assert n.sequence == tuple(range(14))
    assert n.uses == (0,) * 14


def test_a_choice_has_uses_and_no_sequence() -> None:
    n = numbers("barbu_fr_reussite")
    assert (n.n_deals, n.has_choice) == (28, 1)
    assert n.uses == (1, 1, 1, 1, 1, 2)
    assert n.sequence == (0,) * 28


def test_sets_of_cards_hold_only_cards_that_are_dealt(tmp_path: Path) -> None:
    n = loaded(
        tmp_path,
        'deck.remove = ["7H", "7S"]\nseats = 2\ncontracts.domino.payout = [1, 0]\n'
        "contracts.hearts.total = -14",
    )
    pack = Pack(load_variant(tmp_path / "child.toml").deck)
    assert pack.names(n.contracts[1].slot_cards[0]) == "8H 9H TH JH QH KH AH"
    assert n.suit[2] == 0xFF << 32
    assert (n.deck.bit_count(), n.hand_size, n.contracts[1].total) == (30, 15, -14)


def test_tricks_are_counted_from_nought_and_from_the_end() -> None:
    assert contract("barbu_king_br", "first_last").slot_tricks == (1 << 0 | 1 << 12,)
    assert contract("barbu_52_doubling", "last_two").slot_tricks == (1 << 11, 1 << 12)
    assert contract("king_ru_fixed14", "last_two").slot_tricks == (1 << 6 | 1 << 7,)


def test_slots_of_cards_are_ordered_by_size_of_points() -> None:
    eralash = contract("king_ru_fixed14", "eralash")
    assert [eralash.slot_names[k] for k in eralash.card_slots] == [
        "king",
        "kings",
        "queens",
        "hearts",
    ]
    hearts = contract("barbu_52_doubling", "hearts")
    assert [hearts.slot_names[k] for k in hearts.card_slots] == ["ace", "hearts"]


def test_a_deal_ends_early_only_where_cards_alone_score(tmp_path: Path) -> None:
    pack = Pack(BRAZIL.deck)
    assert pack.names(contract("barbu_52_doubling", "queens").end_cards) == "QC QD QH QS"
    assert contract("barbu_king_br", "queens").end_cards == 0
    assert contract("king_ru_fixed14", "eralash").end_cards == 0
    n = loaded(
        tmp_path,
        "[contracts.hearts]\ntotal = -24\nearly_end = 'when_decided'\n"
        "include = [{ contract = 'tricks', times = 1 }]\n"
        "terms = [{ per = 'card', of = { suits = ['H'] }, points = -1, name = 'hearts' }]",
    )
    assert n.contracts[1].end_cards == 0


def test_what_may_be_named_is_a_suit_or_a_rank_or_nothing() -> None:
    params = {
        name: c.params
        for name, c in zip(
            numbers("barbu_52_doubling").contract_names,
            numbers("barbu_52_doubling").contracts,
            strict=True,
        )
    }
    assert params == dict.fromkeys(params, 1) | {"trumps": 0b1111, "domino": 0x1FFF}
    assert contract("yardstick", "trumps").params == 1
    assert contract("barbu_fr_reussite", "reussite").params == 0xFF


def test_a_start_rank_that_a_suit_lacks_may_be_forbidden(tmp_path: Path) -> None:
    text = 'deck.remove = ["7C", "7D"]\nseats = 2\ncontracts.domino.payout = [1, 0]\n'
    assert loaded(tmp_path, text).contracts[3].params == 0xFF
    text += 'contracts.domino.missing_start = "forbid"'
    assert loaded(tmp_path, text).contracts[3].params == 0xFE
    text += '\ncontracts.domino.start = ["9", "A"]'
    assert loaded(tmp_path, text).contracts[3].params == 0x84


def test_doubling_rules_become_targets_by_tone(tmp_path: Path) -> None:
    n = numbers("barbu_52_doubling")
    assert (n.has_doubling, n.targets, n.declarer_redoubles, n.duty) == (1, (2, 2, 1), 1, 2)
    n = resolve(tiny(tmp_path))
    assert (n.has_doubling, n.targets, n.declarer_redoubles, n.duty) == (0, (0, 0, 0), 0, 0)


def test_a_duty_that_nobody_enforces_binds_nobody(tmp_path: Path) -> None:
    text = (
        '[doubling]\nsource = "x"\nin_negative = "anyone"\nin_positive = "declarer"\n'
        'declarer = "nobody"\nduty = 1\nduty_enforced = '
    )
    assert loaded(tmp_path, text + '"force"').duty == 1
    n = loaded(tmp_path, text + '"none"')
    assert (n.duty, n.declarer_redoubles, n.targets) == (0, 0, (2, 2, 1))


def test_the_longest_game_that_a_file_can_say_fits_the_engine() -> None:
    """10 seats x 32 contracts x 8 uses are the MAX_DEALS of policy.h; the schema holds the limits."""
    header = Path("engine_ext/policy.h").read_text("utf-8")
    assert "MAX_DEALS = 2560" in header
    assert "MAX_SLOTS = 8" in header
    assert "MAX_CONTRACTS = 32" in header
    assert 10 * 32 * 8 == 2560
