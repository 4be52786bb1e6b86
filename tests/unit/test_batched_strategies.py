"""Batched strategies: the same games as one call at a time, and what becomes of failures."""

import zlib
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import strategies
from engine_ext import batch, sets
from engine_ext.errors import FoulPlay
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from strategies.decisions import QUESTIONS
from strategies.testing import BASE_VARIANTS, rules_of
from tests.differential.scripted import changed
from tests.steady import Steady
from tests.unit.batched_rows import Rowwise

KEY = run_key(12)
WITH_FURTHER_RULES = ("barbu_52_two_rounds", "barbu_52_split", "hearts")
"""Rounds of doubling, deals that nobody plays, cards that may not be led or thrown, a card that leads."""
SHOWN = (
    "hand",
    "legal",
    "best",
    "led",
    "trick",
    "played",
    "seat",
    "role",
    "n_trick",
    "may_pass",
    "may_double",
    "must_double",
    "may_redouble",
    "deal",
    "dealer",
    "declarer",
    "leader",
    "trump",
    "start_rank",
    "n_tricks",
    "trick_leader",
    "moves",
    "voids",
    "n_cards",
    "places",
    "face_up",
    "doubled",
    "duty_done",
    "scores",
    "uses_left",
    "choices",
)


class Inquisitive(Steady):
    """Answers by a checksum over all that it is shown and some of what it can draw."""

    def __init__(self, name: str = "inquisitive") -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name

    def _sum(self, view: Any) -> int:
        contract = None if view.contract is None else view.contract.id
        shown = [contract, *(getattr(view, name) for name in SHOWN)]
        drawn = [view.random.below(3) for _ in range(view.n_tricks % 3)]
        if view.seat == 1:
            drawn += [view.random.u64(), view.random.below(1 << 40), view.random.random()]
        return zlib.crc32(repr((shown, drawn)).encode())


def play(
    rules: batch.Rules, players: list[Any], n: int = 3, first: int = 0, **options: Any
) -> batch.GameRecords:
    """``n`` games, everybody a place further in each."""
    seats = rules.numbers.seats
    around = (np.arange(seats) + np.arange(n)[:, None]) % len(players)
    return batch.play_games(
        rules,
        players,
        key=KEY,
        blocks=np.arange(first, first + n, dtype=np.uint64),
        seating=around.astype(np.uint8),
        log=True,
        **options,
    )


def assert_same(one: Any, other: Any) -> None:
    for field in fields(one):
        left, right = getattr(one, field.name), getattr(other, field.name)
        if field.name == "deals":
            assert_same(left, right)
        elif field.name != "errors":
            assert np.array_equal(left, right), field.name


def assert_a_batch_plays_as_single_views(variant: str, n: int, sizes: tuple[int, ...]) -> None:
    rules = rules_of(variant)
    others = [strategies.create(name) for name in ("random.v1", "duck.v1", "cautious.v1")]
    alone = play(rules, [Inquisitive()], n)
    among = play(rules, [Inquisitive(), *others], n)
    for tables in sizes:
        asked = Rowwise(Inquisitive())
        assert_same(alone, play(rules, [asked], n, tables=tables))
        assert max(asked.sizes) == min(tables, n)
        assert_same(among, play(rules, [Rowwise(Inquisitive()), *others], n, tables=tables))
    two = [Rowwise(Inquisitive()), *others[:2], Rowwise(others[2])]
    assert_same(among, play(rules, two, n))


@pytest.mark.parametrize("variant", [*BASE_VARIANTS, *WITH_FURTHER_RULES])
def test_a_batch_shows_and_draws_what_single_views_do(variant: str) -> None:
    """Alone, and among compiled and one-call strategies."""
    assert_a_batch_plays_as_single_views(variant, 2, (2,))


@pytest.mark.slow
@pytest.mark.parametrize("variant", BASE_VARIANTS)
def test_a_batch_of_any_size_shows_and_draws_what_single_views_do(variant: str) -> None:
    assert_a_batch_plays_as_single_views(variant, 9, (1, 2, 7, 100))


def test_independent_streams_are_each_games_own() -> None:
    rules = rules_of("barbu_king_br")
    arrangement = np.arange(3, dtype=np.uint32)
    alone = play(rules, [Inquisitive()], replicates=arrangement)
    assert_same(alone, play(rules, [Rowwise(Inquisitive())], replicates=arrangement))
    assert not np.array_equal(alone.score, play(rules, [Inquisitive()]).score)


@pytest.mark.parametrize("variant", BASE_VARIANTS)
def test_single_deals_are_the_same_too(variant: str) -> None:
    rules = rules_of(variant)
    contracts = list(range(rules.numbers.n_contracts))
    seats = [Inquisitive(str(seat)) for seat in range(rules.numbers.seats)]
    options: dict[str, Any] = {
        "key": KEY, "contracts": contracts, "first_block": 7, "n": 11, "log": True
    }  # fmt: skip
    alone = batch.play_deals(rules, seats, **options)
    together = batch.play_deals(rules, [*map(Rowwise, seats)], tables=4, **options)
    assert_same(alone, together)
    one_object = [Rowwise(seats[0])] * len(seats)
    assert_same(alone, batch.play_deals(rules, one_object, **options))


@pytest.mark.parametrize("seat", range(4))
def test_a_foul_in_a_single_deal_is_its_seats(seat: int) -> None:
    """In the last of four deals alone; in a batch as by itself."""

    class Wrong:
        def __repr__(self) -> str:
            return "wrong"

        def play(self, view: Any) -> int:
            return 63 if (view.seat, view.declarer) == (seat, 3) else int(view.cards[0])

    rules = rules_of("barbu_52_doubling")
    options: dict[str, Any] = {"key": KEY, "contracts": [0], "first_block": 0, "n": 4}
    for player in (Wrong(), Rowwise(Wrong())):
        players: list[Any] = [strategies.create("lowest.v1")] * 4
        players[seat] = player
        with pytest.raises(FoulPlay, match=f"seat {seat}: wrong: an answer that is not allowed"):
            batch.play_deals(rules, players, **options)


@pytest.mark.parametrize("variant", BASE_VARIANTS)
def test_the_shipped_batched_strategy_plays_as_the_shipped_one_call_strategy(variant: str) -> None:
    rules = rules_of(variant)
    one, many = strategies.create("lowest.v1"), strategies.create("lowest_batch.v1")
    assert_same(play(rules, [one], 200), play(rules, [many], 200, tables=64))


class Batch:
    """Answers each question with a function given for it."""

    batched = True

    def __init__(self, **answers: Callable[[Any], Any]) -> None:
        vars(self).update(answers)

    def __repr__(self) -> str:
        return "batch"


def test_a_question_without_a_method_takes_its_default() -> None:
    rules = rules_of("barbu_52_doubling")
    silent = play(rules, [Batch(lay=lambda views: sets.lowest(views.legal))], 5)
    assert_same(play(rules, [strategies.create("lowest.v1")], 5), silent)


def test_a_contract_that_no_batch_doubles_is_split() -> None:
    rules = rules_of("barbu_52_split")
    silent = play(rules, [Batch(lay=lambda views: sets.lowest(views.legal))], 1)
    assert_same(play(rules, [strategies.create("lowest.v1")], 1), silent)
    deals = silent.deals
    queens = (deals.contract == 1) & (deals.declarer == 2)
    assert deals.points[queens].tolist() == [[-8, -8, 0, -8]]


@pytest.mark.parametrize(
    ("question", "wrong"),
    [("play", 63), ("play", -1), ("play", 255), ("lay", 15), ("lay", 64), ("choose", 31 << 8),
     ("choose", 4 << 8 | 32), ("choose", -5), ("choose", 1 << 40), ("double", 1 << 12),
     ("double", 1 << 20), ("redouble", 15), ("redouble", -1)],
)  # fmt: skip
def test_a_wrong_row_is_a_foul_of_that_row_alone(question: str, wrong: int) -> None:
    """Once in four deals the seat answers wrongly, in a batch or by itself."""
    rules = rules_of("barbu_52_doubling")

    cautious = strategies.create("cautious.v1")

    class Wrong:
        def __getattr__(self, name: str) -> Any:
            if name not in QUESTIONS:
                raise AttributeError(name)
            pair = (wrong >> 8, 0) if question == "choose" else wrong
            usual = getattr(cautious, name)
            return lambda view: pair if name == question and view.deal % 4 == 1 else usual(view)

    others = [strategies.create("random.v1")]
    alone = play(rules, [Wrong(), *others], 4)
    together = play(rules, [Rowwise(Wrong()), *others], 4)
    assert alone.fouls.any()
    assert set(alone.foul_deal % 4) <= {1, 3}  # -1 where there was none
    assert_same(alone, together)
    with pytest.raises(FoulPlay, match="an answer that is not allowed"):
        play(rules, [Rowwise(Wrong()), *others], 4, stop_on_foul=True)


def test_one_row_that_fails_takes_no_other_with_it() -> None:
    """And what was drawn before it failed is drawn again: the others go on as they would."""
    rules = rules_of("barbu_52_doubling")
    sizes = []

    def picky(views: Any) -> Any:
        sizes.append(len(views))
        drawn = views.random.below(sets.count(views.legal))
        if ((views.deal == 3) & (views.seat == 2) & (views.n_tricks > 5)).any():
            raise RuntimeError("not these")
        return sets.nth(views.legal, drawn)

    together = play(rules, [Batch(play=picky)], 6)
    assert max(sizes) == 6
    alone = play(rules, [Batch(play=picky)], 6, tables=1)
    assert_same(alone, together)
    assert set(map(int, together.fouls.ravel())) == {0, 7}
    assert set(map(int, together.foul_deal)) == {3}
    assert "play in deal 3, seat 2: RuntimeError: not these" in " ".join(alone.errors)


def broken(views: Any) -> Any:
    raise RuntimeError("lost my glasses")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (broken, "play at 4 tables: RuntimeError: lost my glasses"),
        (lambda views: None, "play at 4 tables: TypeError: answered object(), want integers"),
        (lambda views: views.legal[:-1] * 0, "answered uint64(3,), want integers, shape (4,)"),
        (lambda views: np.zeros(len(views)), "answered float64(4,), want integers"),
        (lambda views: ["2C"] * len(views), "want integers"),
    ],
)
def test_a_failed_batch_is_a_foul_of_every_row(answer: Callable[[Any], Any], told: str) -> None:
    rules = rules_of("barbu_king_br")
    failed = play(rules, [Batch(play=answer)], 4)
    tricks = [c.kind == 0 for c in rules.numbers.contracts]
    assert failed.deals.n_moves is not None
    asked = (failed.deals.n_moves[np.array(tricks)[failed.deals.contract]]).sum()
    assert failed.fouls.sum() == asked
    assert told in failed.errors[0]
    assert len(failed.errors) == 5
    assert_same(play(rules, [Batch()], 4).deals, failed.deals)


def test_after_a_stop_the_first_whole_games_are_given() -> None:
    rules = rules_of("barbu_king_br")
    whole = play(rules, [strategies.create("lowest.v1")], 40)
    stop = batch.StopFlag()
    asked = []

    def stopping(views: Any) -> Any:
        asked.append(len(views))
        if len(asked) == 1500:
            stop.set()
        return sets.lowest(views.legal)

    part = play(rules, [Batch(play=stopping, lay=stopping)], 40, tables=4, stop=stop)
    done = len(part.score)
    assert 4 <= done < 40
    assert len(asked) == 1500
    assert np.array_equal(part.score, whole.score[:done])
    assert len(part.deals.points) == done * rules.numbers.n_deals
    assert len(play(rules, [Batch(play=stopping)], 3, stop=stop).score) == 0


def test_an_interrupt_ends_play_at_once() -> None:
    asked = []

    def interrupted(views: Any) -> Any:
        asked.append(views)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(rules_of("barbu_king_br"), [Batch(play=interrupted)])
    assert len(asked) == 1


def test_views_are_for_their_question_only_but_their_arrays_last() -> None:
    kept: list[Any] = []
    hands: list[tuple[Any, Any]] = []

    def keep(views: Any) -> Any:
        kept.append((views, views.random))
        hands.append((views.hand, views.hand.copy()))
        with pytest.raises(ValueError, match="read-only"):
            views.legal[:] = 0
        for name in SHOWN:
            assert not np.any(
                getattr(getattr(views, name), "flags", None)
                and getattr(views, name).flags.writeable
            ), name
        assert views.hand is views.hand
        return sets.lowest(views.hand)

    records = play(rules_of("barbu_52_doubling"), [Batch(play=keep)], 2)
    assert records.fouls.any()  # the lowest of the hand is not always allowed
    for views, draws in kept[:2]:
        with pytest.raises(RuntimeError, match="only valid during the question"):
            _ = views.hand
        with pytest.raises(RuntimeError, match="only valid during the question"):
            draws.u64()
    assert all(np.array_equal(now, then) for now, then in hands)


class Remembering:
    """Plays higher from deal to deal of a game; one call at a time."""

    def __init__(self) -> None:
        self._asked = 0

    def __repr__(self) -> str:
        return "remembering"

    def new_game(self) -> None:
        self._asked = 0

    def play(self, view: Any) -> int:
        self._asked += 1
        return int(view.cards[self._asked % len(view.cards)])


def test_beside_a_player_with_memory_games_are_played_one_by_one() -> None:
    rules = rules_of("king_ru_fixed14")
    alone = play(rules, [Remembering(), Inquisitive()], 4)
    asked = Rowwise(Inquisitive())
    assert_same(alone, play(rules, [Remembering(), asked], 4))
    assert set(asked.sizes) == {1}


def test_draws_say_what_they_cannot_do() -> None:
    said: list[str] = []

    def draw(views: Any) -> Any:
        calls: tuple[Callable[[], Any], ...] = (
            lambda: views.random.below(0),
            lambda: views.random.below(np.array([1, 2])),
            lambda: views.random.u64(np.ones(len(views), np.uint8)),
        )
        for call in calls:
            with pytest.raises(ValueError, match=r"below\(0\)|broadcast|want bool\(3,\)") as caught:
                call()
            said.append(str(caught.value))
        return sets.lowest(views.legal)

    assert not play(rules_of("barbu_king_br"), [Batch(play=draw)], 3).errors
    assert said


def test_random_play_in_arrays_is_random_play() -> None:
    """``random.v1``, compiled, against the same written with arrays."""

    def card(views: Any) -> Any:
        legal = views.legal
        n = sets.count(legal).astype(np.int64) + views.may_pass
        numbers = sets.nth(legal, views.random.below(n))
        return np.where(numbers == 64, 255, numbers)

    rules = rules_of("barbu_52_doubling")
    numbered = enumerate(rules.numbers.contracts)
    contracts = [c for c, contract in numbered if contract.params == 1]
    seats = rules.numbers.seats
    options: dict[str, Any] = {
        "key": KEY, "contracts": contracts, "first_block": 3, "n": 400, "log": True
    }  # fmt: skip
    compiled = batch.play_deals(rules, [strategies.create("random.v1")] * seats, **options)
    arrays = batch.play_deals(rules, [Batch(play=card, lay=card)] * seats, **options)
    assert_same(compiled, arrays)


def test_tables_are_at_least_one() -> None:
    with pytest.raises(ValueError, match="tables 0: want at least 1"):
        play(rules_of("barbu_king_br"), [Batch()], tables=0)


def test_all_of_five_seats_may_answer_in_the_second_round() -> None:
    """The third of five can be doubled by the fourth after it has spoken."""
    doubling = load_variant("barbu_52_two_rounds").model_dump()["doubling"]
    variant = changed(load_variant("barbu_5"), lambda table: table.update(doubling=doubling))
    rules = batch.Rules(variant)
    assert_same(play(rules, [Inquisitive()], 1), play(rules, [Rowwise(Inquisitive())], 1))
