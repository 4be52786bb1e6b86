"""What holds for every deal of every base variant, whoever plays and whatever is dealt."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.reference.cards import Pack
from engine_ext.reference.game import DealRecord, Game, GameRecord, play_game
from engine_ext.reference.players import HighestTwin, LowestTwin, Player, RandomTwin
from engine_ext.reference.schedule import n_deals
from engine_ext.reference.streams import deal, run_key
from engine_ext.rules.facts import contract_total
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.spec import ChoiceSchedule, Variant
from tests.property.generators import variants

SEEDS = st.integers(0, 2**64 - 1)
BASE = [load_variant(name) for name in variant_names()]


def played_by(variant: Variant, record: DealRecord) -> list[list[str]]:
    """Return the cards that each seat played or laid, in order."""
    by_seat: list[list[str]] = [[] for _ in range(variant.seats)]
    laid = [(m.seat, m.card) for m in record.moves if m.card is not None and not m.taken_back]
    for seat, card in [*record.cards, *laid]:
        by_seat[seat].append(card)
    return by_seat


def whole(variant: Variant, record: DealRecord) -> int:
    """Return what all seats together get in a deal, in inside points."""
    rules = variant.contracts[record.contract]
    total = contract_total(variant, record.contract)
    if rules.kind == "trick" and rules.shooting and any(record.items[-1]):
        total = rules.shooting.taker + (variant.seats - 1) * rules.shooting.others
    return -total if variant.objective == "lowest" else total


@settings(max_examples=15)
@given(st.sampled_from(BASE), SEEDS)
def test_every_seat_plays_its_own_cards_once(variant: Variant, seed: int) -> None:
    game = play_game(variant, [RandomTwin()] * variant.seats, key=run_key(seed))
    pack = Pack(variant.deck)
    for number, record in enumerate(game.deals):
        hands = deal(run_key(seed), 0, number, pack.cards, variant.seats)
        for hand, cards in zip(hands, played_by(variant, record), strict=True):
            assert len(set(cards)) == len(cards)
            assert set(cards) <= set(hand)
        rules = variant.contracts[record.contract]
        if rules.kind == "trick" and rules.early_end == "never":
            assert len(record.cards) == len(pack.cards)


@settings(max_examples=15)
@given(st.sampled_from(BASE), SEEDS)
def test_nobody_revokes(variant: Variant, seed: int) -> None:
    n = variant.seats
    game = play_game(variant, [RandomTwin()] * n, key=run_key(seed))
    for record in game.deals:
        later = played_by(variant, record)
        for i, (seat, card) in enumerate(record.cards):
            later[seat].remove(card)
            led = record.cards[i - i % n][1][1]
            # A card of the suit led that is played later was held back now. A deal that
            # ends early hides the cards never played.
            assert card[1] == led or led not in {other[1] for other in later[seat]}


@settings(max_examples=15)
@given(st.sampled_from(BASE), SEEDS)
def test_the_points_of_a_deal_add_up_to_the_contracts_total(variant: Variant, seed: int) -> None:
    game = play_game(variant, [RandomTwin()] * variant.seats, key=run_key(seed))
    for record in game.deals:
        said = variant.contracts[record.contract].total
        assert said == contract_total(variant, record.contract)
        assert sum(record.points) == whole(variant, record)


def assert_quotas_used_exactly(variant: Variant, game: GameRecord) -> None:
    """A fixed sequence is played in order; a declarer uses up what he can choose from. Only
    deals that play out a tie come behind."""
    deals = [record for record in game.deals if not record.extra]
    assert deals == game.deals[: len(deals)]
    if not isinstance(variant.schedule, ChoiceSchedule):
        assert [record.contract for record in deals] == list(variant.schedule.sequence)
        return
    uses = variant.schedule.uses
    if variant.schedule.uses_of == "table":
        assert Counter(record.contract for record in deals) == uses
        assert [record.left for record in deals] == list(range(len(deals), 0, -1))
        return
    for seat in range(variant.seats):
        own = [record for record in deals if record.declarer == seat]
        assert Counter(record.contract for record in own) == uses
        assert [record.left for record in own] == list(range(len(own), 0, -1))


@pytest.mark.parametrize("name", variant_names())
def test_every_contract_is_played_as_often_as_the_schedule_says(name: str) -> None:
    variant = load_variant(name)
    assert_quotas_used_exactly(
        variant, play_game(variant, [RandomTwin()] * variant.seats, key=run_key(4))
    )


@settings(max_examples=40)
@given(variants(), SEEDS)
def test_points_add_up_and_quotas_are_used_exactly_under_any_rules(
    variant: Variant, seed: int
) -> None:
    game = play_game(variant, [RandomTwin()] * variant.seats, key=run_key(seed))
    for record in game.deals:
        assert sum(record.points) == whole(variant, record)
        fined = variant.doubling is not None and variant.doubling.duty_enforced == "penalty"
        assert fined or sum(record.side) == 0
    fines = sum(sum(record.side) for record in game.deals)
    assert sum(game.scores) == sum(sum(record.points) for record in game.deals) + fines
    assert_quotas_used_exactly(variant, game)


@settings(max_examples=8)
@given(SEEDS)
def test_side_bets_pay_from_seat_to_seat(seed: int) -> None:
    variant = load_variant("barbu_52_doubling")
    lineup: list[Player] = [RandomTwin(), HighestTwin(), RandomTwin(), HighestTwin()]
    game = play_game(variant, lineup, key=run_key(seed))
    assert any(any(record.side) for record in game.deals)
    for record in game.deals:
        assert sum(record.side) == 0
        for seat, whom in enumerate(record.doubled):
            assert seat not in whom


@settings(max_examples=10)
@given(SEEDS, st.lists(st.sampled_from([RandomTwin(), LowestTwin()]), min_size=4, max_size=4))
def test_the_duty_of_two_doubles_is_kept_in_every_dealership(
    seed: int, lineup: list[Player]
) -> None:
    game = play_game(load_variant("barbu_52_doubling"), lineup, key=run_key(seed))
    for first in range(0, 28, 7):
        dealership = game.deals[first : first + 7]
        declarer = dealership[0].declarer
        for seat in set(range(4)) - {declarer}:
            assert sum(declarer in record.doubled[seat] for record in dealership) >= 2
    assert game.fouls == [0, 0, 0, 0]


def rotated(by_seat: list[Any], n: int) -> list[Any]:
    """Return a list by seat after everybody has moved on by one seat of ``n``."""
    return [by_seat[(seat - 1) % n] for seat in range(n)]


@pytest.mark.parametrize("name", variant_names())
@settings(max_examples=4)
@given(seed=SEEDS)
def test_when_everybody_moves_on_a_seat_so_do_the_scores(name: str, seed: int) -> None:
    variant = load_variant(name)
    n = variant.seats
    cards = Pack(variant.deck).cards
    lineup: list[Any] = [HighestTwin() if seat in (0, 2) else LowestTwin() for seat in range(n)]

    def dealt(number: int) -> list[list[str]]:
        return deal(run_key(seed), 0, number, cards, n)

    here = Game(variant, lineup, key=run_key(seed), deals=dealt)
    schedule = variant.schedule
    dealership = schedule.dealership if isinstance(schedule, ChoiceSchedule) else 1
    # What a declarer must still be doubled hangs on the deals he has left: there the same
    # deals come a dealership later. In a fixed schedule they have to keep their numbers.
    later = dealership if isinstance(schedule, ChoiceSchedule) else 0
    there = Game(
        variant,
        rotated(lineup, n),
        key=run_key(seed),
        deals=lambda number: rotated(dealt(number - later), n),
    )
    for number in range(min(8, n_deals(variant) - later)):
        first = number // dealership % n
        one = here.play_deal(number, first)
        other = there.play_deal(number + later, (first + 1) % n)
        assert other.contract == one.contract
        assert other.points == rotated(one.points, n)
        assert other.side == rotated(one.side, n)
    assert there.scores == rotated(here.scores, n)
