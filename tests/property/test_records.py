"""What the engine plays can be written down, read again and played again, whole or from the middle."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.batch import Rules, View, play_games
from engine_ext.cards import Pack, cards_in
from engine_ext.record import Record, parse
from engine_ext.record_checks import hold
from engine_ext.record_course import Course
from engine_ext.record_deal import records_of_game
from engine_ext.record_play import EngineSide, prompter_of, slips
from engine_ext.record_position import Position, position_from, setup_of
from engine_ext.record_steps import Script
from engine_ext.record_text import in_order
from engine_ext.record_write import write
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key
from tests.differential.numbers import Row, shown_by_engine
from tests.golden.twin_side import TwinSide
from tests.property.generators import variants

BASE = [name for name in variant_names() if name != "yardstick"]
games = st.tuples(st.sampled_from(BASE), st.integers(0, 2**64 - 1))


SETS = ("hand", "legal", "best", "led", "trick", "played")
"""What a view shows as a set of cards."""


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
    record = next(islice(game_of(*game), number, None))
    course = hold(record)
    tricks = record.script.moves and not is_layout(record)
    step = record.variant.seats if tricks else 1
    # A deal that a revoke has stopped may have less than a trick.
    cut = data.draw(st.integers(0, max(len(course.moves) // step - 1, 0))) * step
    middle = later(record, course, cut)
    again = parse(write(middle))
    assert again == middle
    for side in (EngineSide(), TwinSide()):
        rest = hold(again, side)
        assert (rest.points, rest.side, rest.scores) == (course.points, course.side, course.scores)
        assert rest.moves == course.moves[cut:]
    views = shown(again)
    assert views == shown(record)[-len(views) :]
    rules = Rules(record.variant)
    assert position_from(setup_of(middle.position, rules), rules) == middle.position


def all_shown(record: Record) -> list[Row]:
    rows: list[Row] = []
    hold(record, EngineSide(lambda kind, view: rows.append(shown_by_engine(kind, view))))
    return rows


def shown(record: Record) -> list[Row]:
    """Return all that the views show; the cards of earlier tricks are not set up in order, and
    which copy of a card is whose is not written down."""
    rows = all_shown(record)
    pack = Pack(record.variant.deck)
    for row in rows:
        del row["moves"]
        if pack.copies == 2:
            row |= {key: pack.names(row[key]) for key in SETS}
            row["face_up"] = list(map(pack.names, row["face_up"]))
    return rows


def is_layout(record: Record) -> bool:
    name = record.script.choice.option.split()[0] if record.script.choice else None
    return record.variant.contracts[name or record.position.contract or ""].kind == "layout"


def later(record: Record, course: Course, cut: int) -> Record:
    """Return the deal as it stood after ``cut`` moves (whole tricks), the rest still to play."""
    place, pack = record.position, Pack(record.variant.deck)
    option = record.script.choice.option if record.script.choice else None
    contract, named = place.contract, place.named
    if option is not None:
        contract, _, text = option.partition(" ")
        named = text or None
    gone = course.moves[:cut]
    doubles, duty = list(place.doubles), list(place.duty)
    for bet in record.script.bets:
        doubles[bet.seat] |= bet.seats
        duty[bet.seat] += bet.kind == "double" and place.declarer in bet.seats
    declarer = place.declarer
    shared = getattr(record.variant.schedule, "uses_of", "declarer") == "table"
    left = tuple(
        tuple(
            (
                name,
                uses - (option is not None and name == contract and (shared or seat == declarer)),
            )
            for name, uses in uses_of
        )
        for seat, uses_of in enumerate(place.left)
    )
    position = replace(
        place,
        phase="play",
        contract=contract,
        named=named,
        hands=tuple(
            in_order(held(hand, seat, gone), pack) for seat, hand in enumerate(place.hands)
        ),
        turn=course.moves[cut][0],
        doubles=tuple(doubles),
        duty=tuple(duty),
        left=tuple(tuple(pair for pair in uses if pair[1]) for uses in left),
    )
    if not is_layout(record):
        position = with_tricks(position, course, cut, pack)
    else:
        position = replace(with_layout(position, gone, pack), passed=passed(record, cut))
        position = replace(position, further=is_further(record, course, cut))
    return replace(
        record, position=position, script=Script(None, (), record.script.moves[cut:]), checks=()
    )


def passed(record: Record, cut: int) -> tuple[int, ...]:
    """Return how often each seat has passed of its own will, as its next view tells it."""
    seats = range(record.variant.seats)
    rows = [row for row in all_shown(record) if row["question"] == "lay"]
    later_on = [row for row in rows if len(row["moves"]) >= cut]
    mine = ((row["passed"][seat] for row in later_on if row["seat"] == seat) for seat in seats)
    return tuple(next(counts, 0) for counts in mine)


def is_further(record: Record, course: Course, cut: int) -> bool:
    """Tell whether the mover laid the card before, and has a further turn by it."""
    mover, token = course.moves[cut - 1]
    replay = prompter_of(record, record.script).further
    return cut > 0 and token in replay and course.moves[cut][0] == mover


def held(hand: Sequence[str], seat: int, gone: Sequence[tuple[int, str]]) -> list[str]:
    """What is left of a hand; of two cards alike one goes at a time."""
    return [*(Counter(hand) - Counter(token for mover, token in gone if mover == seat)).elements()]


def pack_names(pack: Pack) -> set[str]:
    return {pack.name(card) for card in cards_in(pack.deck)}


def with_tricks(position: Position, course: Course, cut: int, pack: Pack) -> Position:
    """Put the tricks before their takers."""
    seats = len(position.hands)
    owners = course.winners[: cut // seats]
    taken: list[list[str]] = [[] for _ in range(seats)]
    voids: list[set[str]] = [set() for _ in range(seats)]
    revokes: dict[int, set[str]] = {}
    for trick, owner in enumerate(owners):
        played = course.moves[trick * seats : (trick + 1) * seats]
        taken[owner] += [card for _, card in played]
        for i, (seat, card) in enumerate(played):
            led = played[0][1][1]
            voids[seat] = voids[seat] - {card[1]} | ({led} - {card[1]})
            later_on = [c for s, c in course.moves[trick * seats + i :] if s == seat]
            if led != card[1] and any(c[1] == led for c in [*later_on, *position.hands[seat]]):
                revokes.setdefault(seat, set()).add(led)
    return replace(
        position,
        owners=owners,
        taken=tuple(in_order(cards, pack) for cards in taken),
        voids=tuple(tuple(suit for suit in pack.suits if suit in gone) for gone in voids),
        revokes=tuple(
            (seat, tuple(suit for suit in pack.suits if suit in withheld))
            for seat, withheld in revokes.items()
        ),
    )


def with_layout(position: Position, gone: Sequence[tuple[int, str]], pack: Pack) -> Position:
    """Lay the cards on the table, and see who is out and how often was passed since."""
    names = pack_names(pack)
    last = {seat: i for i, (seat, token) in enumerate(gone) if token in names}
    out = [seat for seat in last if not position.hands[seat]]
    laid = [i for i, (_, token) in enumerate(gone) if token in names]
    return replace(
        position,
        laid=in_order([gone[i][1] for i in laid], pack),
        out=tuple(sorted(out, key=lambda seat: last[seat])),
        passes=len(gone) - 1 - laid[-1] if laid else len(gone),
    )


@pytest.mark.slow
@settings(max_examples=300, derandomize=False)
@given(variants(), st.integers(0, 2**64 - 1))
def test_any_rules_can_be_written_down(variant: Variant, seed: int) -> None:
    for record in game_of_rules(Rules(variant), seed, "invented"):
        again = parse(write(record), variant=variant)
        assert again == record
        assert hold(again) == hold(again, TwinSide())
