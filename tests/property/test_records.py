"""What the engine plays can be written down, read again and played again, whole or from the middle."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.batch import Rules, View, play_games
from engine_ext.cards import cards_in
from engine_ext.record import Record, parse
from engine_ext.record_checks import hold
from engine_ext.record_deal import records_of_game
from engine_ext.record_play import EngineSide, slips
from engine_ext.record_position import position_from, setup_of
from engine_ext.record_write import write
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key
from strategies.registry import create
from tests.golden.twin_side import TwinSide
from tests.property.generators import variants
from tests.property.middles import is_layout, later, shown

BASE = [name for name in variant_names() if name != "yardstick"]
games = st.tuples(st.sampled_from(BASE), st.integers(0, 2**64 - 1))


class Wild:
    """Random play that also passes, shows cards that do not fit, declines turns and revokes."""

    def choose(self, view: View) -> tuple[int, int]:
        return view.choices[view.random.below(len(view.choices))]

    def double(self, view: View) -> int:
        return int(view.may_double & view.random.below(1024) | view.must_double)

    def redouble(self, view: View) -> int:
        return int(view.may_redouble & view.random.below(1024))

    def play(self, view: View) -> int:
        slipping = list(cards_in(slips(view)))
        if slipping and view.random.below(8) == 0:
            return slipping[view.random.below(len(slipping))]
        return view.cards[view.random.below(len(view.cards))]

    def lay(self, view: View) -> int | None:
        if view.may_pass and view.random.below(4) == 0:
            return None
        return view.cards[view.random.below(len(view.cards))]


def game_of(name: str, seed: int) -> Iterator[Record]:
    """Return a game of random players as records."""
    return game_of_rules(Rules(load_variant(name)), seed, name)


def game_of_rules(rules: Rules, seed: int, name: str) -> Iterator[Record]:
    key = run_key(seed)
    players = [Wild() for _ in range(rules.numbers.seats)]
    records = play_games(
        rules,
        players,
        key=key,
        blocks=np.array([5], np.uint64),
        seating=np.arange(rules.numbers.seats, dtype=np.uint8)[None, :],
        log=True,
    )
    assert not records.fouls.any()
    return records_of_game(rules, records, 0, key=key, block=5, variant_name=name)


@settings(max_examples=6)
@given(games)
def test_a_game_written_down_is_read_and_played_as_it_was(game: tuple[str, int]) -> None:
    for record in game_of(*game):
        again = parse(write(record))
        assert again == record
        hold(again)


@settings(max_examples=2)
@given(games)
def test_the_twin_plays_written_deals_to_the_same_points(game: tuple[str, int]) -> None:
    for record in game_of(*game):
        assert hold(record, TwinSide()) == hold(record)


@settings(max_examples=25)
@given(games, st.data())
def test_a_deal_set_up_in_its_middle_ends_as_it_did(
    game: tuple[str, int], data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, Rules(load_variant(game[0])).numbers.n_deals - 1))
    ends_alike_from_the_middle(next(islice(game_of(*game), number, None)), data)


def ends_alike_from_the_middle(record: Record, data: st.DataObject) -> None:
    course = hold(record)
    tricks = record.script.moves and not is_layout(record)
    step = record.variant.seats if tricks else 1
    # A deal that a revoke has stopped may have less than a trick.
    cut = data.draw(st.integers(0, max(len(course.moves) // step - 1, 0))) * step
    middle = later(record, course, cut)
    again = parse(write(middle), variant=record.variant)
    assert again == middle
    for side in (EngineSide(), TwinSide()):
        rest = hold(again, side)
        assert (rest.points, rest.side, rest.scores) == (course.points, course.side, course.scores)
        assert rest.moves == course.moves[cut:]
    views, whole = shown(again), shown(record)
    assert views == whole[len(whole) - len(views) :]
    rules = Rules(record.variant)
    assert position_from(setup_of(middle.position, rules), rules) == middle.position


def written_down(variant: Variant, seed: int, data: st.DataObject) -> None:
    """Write and read each deal of a game, whole and from its middle."""
    for record in game_of_rules(Rules(variant), seed, "invented"):
        again = parse(write(record), variant=variant)
        assert again == record
        assert hold(again) == hold(again, TwinSide())
        if record.script.moves:  # else it was split, and nothing was played
            ends_alike_from_the_middle(record, data)


@settings(max_examples=12)
@given(variants(), st.integers(0, 2**64 - 1), st.data())
def test_some_rules_can_be_written_down(variant: Variant, seed: int, data: st.DataObject) -> None:
    written_down(variant, seed, data)


@pytest.mark.slow
@settings(max_examples=300, derandomize=False)
@given(variants(), st.integers(0, 2**64 - 1), st.data())
def test_any_rules_can_be_written_down(variant: Variant, seed: int, data: st.DataObject) -> None:
    written_down(variant, seed, data)


def test_a_deal_that_nobody_doubles_and_that_is_split_is_read_as_it_was() -> None:
    rules = Rules(load_variant("barbu_52_split"))
    played = play_games(
        rules,
        [create("lowest.v1")],  # doubles nobody
        key=run_key(1),
        blocks=np.array([5], np.uint64),
        seating=np.zeros((1, 4), np.uint8),
        log=True,
    )
    first = next(
        records_of_game(rules, played, 0, key=run_key(1), block=5, variant_name="barbu_52_split")
    )
    assert first.script.moves == ()
    again = parse(write(first))
    assert again == first
    assert hold(again).points == (1, -9, -9, -9)  # -26 in three parts, rounded up


ROWS = {
    "title": "Rows", "language": "en", "source": "invented", "seats": 2, "objective": "highest",
    "direction": "clockwise", "deck": {"suits": ("H",), "ranks": ("7", "8", "9"), "copies": 2},
    "schedule": {"kind": "fixed", "sequence": ("rows",) * 8, "leader": "dealer"},
    "contracts": {
        "rows": {
            "kind": "layout", "title": "Rows", "tone": "positive", "source": "invented",
            "passing": "must_play", "payout": (1, 0), "stall": "freeze",
            "replay": {"cards": {"suits": ("H",)}}, "unplayable": "lose_turn",
        }
    },
}  # fmt: skip
"""Each card gives a further turn, and nearly each may be in two hands."""


@pytest.mark.parametrize("seed", range(12))
def test_whose_of_two_cards_alike_follows_an_ace_is_written_down(seed: int) -> None:
    variant = Variant.model_validate(ROWS)
    for record in game_of_rules(Rules(variant), seed, "rows"):
        again = parse(write(record), variant=variant)
        points = next(check.rest for check in record.checks if check.word == "points")
        assert tuple(map(str, hold(again).points)) == points
        assert hold(again) == hold(again, TwinSide())


HEARTS = {
    "title": "Hearts", "language": "en", "source": "invented", "seats": 2, "objective": "lowest",
    "direction": "clockwise", "deck": {"suits": ("C", "H"), "ranks": ("7", "8")},
    "schedule": {"kind": "fixed", "sequence": ("hearts",), "leader": "dealer"},
    "legality": {"lead_ban_breach": "as_revoke"},
    "contracts": {
        "hearts": {
            "kind": "trick", "title": "Hearts", "tone": "negative", "source": "invented",
            "terms": ({"per": "trick", "points": 1},),
            "lead_ban": {"cards": {"suits": ("H",)}}, "first_trick_ban": {"cards": ("7H",)},
        }
    },
}  # fmt: skip
LEAD = "variant hearts\ndeal 1\nhands 7H 8H | 7C 8C\n\nlegal P0: 8H\nrefused P0: 7H\n"


def test_who_holds_nothing_but_banned_cards_does_not_revoke_by_one_that_another_rule_keeps() -> (
    None
):
    record = parse(LEAD, variant=Variant.model_validate(HEARTS))
    for side in (EngineSide(), TwinSide()):
        (asked,) = hold(record, side).asked
        assert asked.options == {"8H"}
        assert asked.slips == set()
