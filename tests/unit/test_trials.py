"""Single deals in which everything is given: as in a game, or as was asked for."""

from dataclasses import fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import strategies
from engine_ext.batch import (
    DealRecords,
    GameRecords,
    Rules,
    StopFlag,
    deal_hands,
    play_deals,
    play_games,
)
from engine_ext.rules.load import variant_names
from engine_ext.seeds import run_key
from engine_ext.trials import (
    ASKED,
    MOST_WORLDS,
    NAMED,
    Outcomes,
    Question,
    Trials,
    hands_of,
    play_trials,
    trials,
)
from tests.houses import HOUSES, any_variant
from tests.steady import Steady
from tests.unit.batched_rows import Rowwise
from tests.unit.test_batched_strategies import Inquisitive

KEY = run_key(21)
PLAYED_BACK = (
    "barbu_52_doubling",
    "barbu_52_two_rounds",
    "barbu_52_split",
    "barbu_5",
    "barbu_app",
    "barbu_3_leaver",
    "barbu_fr_reussite",
    "barbu_king_br",
    "barbu_king_br_tiebreak",
    "barbu_king_br_6",
    "bga_barbu_32",
    "hearts",
    "king_ru_choice",
    *HOUSES,
)
"""Every kind of schedule, bets, drawn trumps, a card that leads, extra deals, two packs."""


def rules_of(name: str) -> Rules:
    return Rules(any_variant(name))


def assert_alike(one: Any, other: Any, *but: str) -> None:
    """Arrays of records, but for some."""
    for field in fields(one):
        left, right = getattr(one, field.name), getattr(other, field.name)
        if field.name not in but:
            assert np.array_equal(left, right), field.name


def assert_same(one: Outcomes, other: Outcomes) -> None:
    assert np.array_equal(one.code, other.code)
    assert np.array_equal(one.fouls, other.fouls)
    assert_alike(one.deals, other.deals)


def played(
    rules: Rules, player: Any, asked: Trials, question: Question = Question.PLAY, **how: Any
) -> Outcomes:
    """Trials with one player in all seats, moves logged."""
    seats = rules.numbers.seats
    return play_trials(rules, [player] * seats, asked, key=KEY, question=question, log=True, **how)


def n_moves(deals: DealRecords) -> npt.NDArray[np.uint16]:
    assert deals.n_moves is not None
    return deals.n_moves


def various(rules: Rules, n: int, seed: int = 5, **given: Any) -> Trials:
    """Trials of random places, worlds and contracts, some of them asked for."""
    draw, numbers = np.random.default_rng(seed), rules.numbers
    seats, contracts = numbers.seats, np.flatnonzero(np.array(numbers.uses)[: numbers.n_contracts])
    if not numbers.has_choice:
        contracts = np.unique(numbers.sequence)
    code = draw.choice(contracts, n) << 8 | NAMED
    if numbers.has_choice:
        code = np.where(draw.random(n) < 0.4, ASKED, code)
    usual = {
        "block": draw.integers(0, 99, n),
        "deal": draw.integers(0, numbers.n_deals, n),
        "world": draw.integers(0, 4, n),
        "held": draw.integers(0, seats, n),
        "turn": draw.integers(0, seats, n),
        "base": draw.integers(0, seats, n),
        "code": code,
    }
    return trials(rules, n, **usual | given)


# ---- as in a game, or in a single deal


@pytest.mark.parametrize("name", [*variant_names(), *HOUSES])
@pytest.mark.parametrize("player", ["random.v1", "duck.v1"])
def test_world_0_of_an_imposed_contract_is_the_single_deal(name: str, player: str) -> None:
    rules = rules_of(name)
    numbers = rules.numbers
    contracts = [c for c in range(numbers.n_contracts) if numbers.uses[c] or not numbers.has_choice]
    made, n, seats = strategies.create(player), 40, numbers.seats
    single = play_deals(
        rules, [made] * seats, key=KEY, contracts=contracts, first_block=6, n=n, log=True
    )
    each = np.arange(n)
    contract = np.array(contracts)[each % len(contracts)]
    given = {"block": 6 + each, "base": each % seats, "code": contract << 8 | NAMED}
    for held in (0, seats - 1):
        found = played(rules, made, trials(rules, n, held=held, **given))
        # How much was left to choose is told of a trial only.
        assert_alike(found.deals, single, "n_left", *["side"] * bool(numbers.duty_penalty))
        assert np.array_equal(found.code >> 8, single.contract)
        assert (found.deals.n_left == (sum(numbers.uses) if numbers.has_choice else 0)).all()


class Story:
    """The deals of some games as trials: what was left, bet and declared before each."""

    def __init__(self, rules: Rules, games: GameRecords, turns: list[int]) -> None:
        numbers, deals = rules.numbers, games.deals
        self.rules, self.rows = rules, []
        given: dict[str, list[Any]] = {
            name: []
            for name in ("block", "deal", "turn", "base", "left", "duty", "code", "doubled")
        }
        row = 0
        for game, n_deals in enumerate(games.n_deals.tolist()):
            left = [list(numbers.uses[: numbers.n_contracts]) for _ in range(numbers.seats)]
            duty = np.zeros((numbers.seats, numbers.seats), int)
            for deal in range(n_deals):
                base = deal // numbers.dealership % numbers.seats
                contract, param = int(deals.contract[row]), int(deals.param[row])
                drawn = numbers.contracts[contract].trump_mode == 2
                if deals.extra is None or not deals.extra[row]:
                    self.rows.append(row)
                    given["block"].append(game)
                    given["deal"].append(deal)
                    given["turn"].append(turns[game])
                    given["base"].append(base)
                    given["left"].append(list(left[base]))
                    given["duty"].append(duty[base].copy())
                    given["code"].append(contract << 8 | (0 if drawn else max(param, 0)))
                    given["doubled"].append(deals.doubled[row])
                for seat in range(numbers.seats):
                    if numbers.has_choice and (seat == base or numbers.uses_of_table):
                        left[seat][contract] -= 1
                    duty[base][seat] += seat != base and int(deals.doubled[row][seat]) >> base & 1
                row += 1
        if not numbers.has_choice:
            del given["left"]
        self.given = {name: np.array(values) for name, values in given.items()}

    def trials(self, *names: str, **more: Any) -> Trials:
        """Trials of all deals in which these things are given."""
        places = ("block", "deal", "turn", "base", "left", "duty")
        known = {name: self.given[name] for name in (*places, *names) if name in self.given}
        return trials(self.rules, len(self.rows), **known, **more)


def games_of(rules: Rules, player: Any, turns: list[int]) -> GameRecords:
    n, seats = len(turns), rules.numbers.seats
    return play_games(
        rules,
        [player],
        key=KEY,
        blocks=np.arange(n, dtype=np.uint64),
        seating=np.zeros((n, seats), np.uint8),
        turns=np.array(turns, np.uint8),
        log=True,
    )


@pytest.mark.parametrize("name", PLAYED_BACK)
def test_a_game_is_the_trials_of_its_deals(name: str) -> None:
    """The same choices, doubles and, with both given, the same play, side bets and fines."""
    rules = rules_of(name)
    numbers, turns = rules.numbers, [0, 1, rules.numbers.seats - 1, 0]
    games = games_of(rules, Steady(), turns)
    story, deals = Story(rules, games, turns), games.deals
    if numbers.has_choice:
        chosen = played(rules, Steady(), story.trials(), Question.CHOOSE)
        assert np.array_equal(chosen.code, story.given["code"])
        assert np.array_equal(chosen.deals.n_left, deals.n_left[story.rows])
        assert not chosen.deals.points.any()
        assert not n_moves(chosen.deals).any()
    if numbers.has_doubling:
        bet = played(rules, Steady(), story.trials(), Question.BET)
        assert np.array_equal(bet.code, story.given["code"])
        assert np.array_equal(bet.deals.doubled, deals.doubled[story.rows])
        again = played(rules, Steady(), story.trials("code"), Question.BET)
        assert np.array_equal(again.deals.doubled, deals.doubled[story.rows])
        assert not bet.deals.points.any()
        assert not bet.deals.side.any()
    found = played(rules, Steady(), story.trials("code", "doubled"))
    # A trial is played even where nobody doubles and the rules would split the points.
    same = np.flatnonzero(n_moves(deals)[story.rows] > 0)
    assert len(same) > len(story.rows) // 2
    at = np.array(story.rows)[same]
    for field in ("points", "side", "items", "finish", "moves", "param", "leader", "dealer"):
        assert np.array_equal(getattr(found.deals, field)[same], getattr(deals, field)[at]), field
    assert (n_moves(found.deals) > 0).all()
    assert not found.fouls.any()


@pytest.mark.parametrize("name", ["barbu_52_doubling", "barbu_app", "stock", "king_ru_choice"])
def test_choices_and_doubles_that_are_drawn_are_those_of_the_game(name: str) -> None:
    rules = rules_of(name)
    games = games_of(rules, strategies.create("random.v1"), [0, 2])
    story = Story(rules, games, [0, 2])
    question = Question.BET if rules.numbers.has_doubling else Question.CHOOSE
    found = played(rules, strategies.create("random.v1"), story.trials(), question)
    assert np.array_equal(found.code, story.given["code"])
    if question == Question.BET:
        assert np.array_equal(found.deals.doubled, games.deals.doubled[story.rows])


def test_a_duty_that_is_owed_forces_the_last_deals_of_a_stock() -> None:
    """The test above would hold without any duty."""
    rules = rules_of("stock")

    class Shy(Steady):
        def double(self, view: Any) -> int:
            seen.append(view.must_double)
            return int(view.must_double)

    seen: list[int] = []
    games = games_of(rules, Shy(), [0])
    assert any(seen)
    doubled = played(rules, Shy(), Story(rules, games, [0]).trials(), Question.BET).deals.doubled
    assert np.array_equal(doubled, games.deals.doubled)


@pytest.mark.parametrize(
    "name", ["barbu_52_doubling", "hearts", "barbu_king_br_6", "canadian_salad_3"]
)
def test_turned_hands_are_the_hands_dealt_to_the_seats_after(name: str) -> None:
    rules = rules_of(name)
    seats, n_deals = rules.numbers.seats, rules.numbers.n_deals

    class Looks(Steady):
        def play(self, view: Any) -> int:
            if view.n_tricks == 0:
                seen[view.deal, view.seat] = view.hand
            return super().play(view)

        def lay(self, view: Any) -> int | None:
            if not view.played:
                seen[view.deal, view.seat] = view.hand
            return super().lay(view)

    for turn in range(seats):
        seen: dict[tuple[int, int], int] = {}
        games_of(rules, Looks(), [turn])
        assert len(seen) >= n_deals
        for (deal, seat), hand in seen.items():
            dealt = deal_hands(rules, key=KEY, blocks=np.zeros(1, np.uint64), deal=deal)[0]
            other = np.roll(dealt, -turn, axis=0)[seat].reshape(-1).tolist()
            assert hand == sum(word << 64 * i for i, word in enumerate(other))
        asked = various(rules, 1, block=0, deal=2, turn=turn, world=0)
        dealt = deal_hands(rules, key=KEY, blocks=np.zeros(1, np.uint64), deal=2)[0]
        assert np.array_equal(hands_of(rules, asked, key=KEY)[0], np.roll(dealt, -turn, axis=0))


def test_turned_games_differ_and_no_turn_is_the_usual() -> None:
    rules = rules_of("barbu_king_br")
    games = games_of(rules, Steady(), [0, 1, 2, 3])
    usual = play_games(
        rules,
        [Steady()],
        key=KEY,
        blocks=np.zeros(1, np.uint64),
        seating=np.zeros((1, 4), np.uint8),
    )
    assert np.array_equal(games.score[0], usual.score[0])
    with pytest.raises(ValueError, match="turns"):
        games_of(rules, Steady(), [4])
    with pytest.raises(ValueError, match="turns"):
        play_games(
            rules, [Steady()], key=KEY, blocks=np.zeros(1, np.uint64),
            seating=np.zeros((1, 4), np.uint8), turns=np.zeros(2, np.uint8),
        )  # fmt: skip


# ---- what is asked, and of whom


class Tells(Steady):
    """Notes who was asked what."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []
        self.choices: list[list[tuple[int, int]]] = []

    def choose(self, view: Any) -> tuple[int, int]:
        self.asked.append(("choose", view.seat))
        self.choices.append(view.choices)
        return super().choose(view)

    def double(self, view: Any) -> int:
        self.asked.append(("double", view.seat))
        return 0

    def play(self, view: Any) -> int:
        self.asked.append(("play", view.seat))
        return super().play(view)


def test_only_what_is_open_is_asked_for() -> None:
    rules = rules_of("barbu_52_doubling")
    trumps = rules.numbers.contract_names.index("trumps")
    hearts = rules.numbers.contract_names.index("hearts")

    def asked(code: int, question: Question, **given: Any) -> Tells:
        one = Tells()
        found = played(rules, one, trials(rules, 1, base=2, code=code, **given), question)
        if code >= 0:
            assert found.code[0] >> 8 == code >> 8
        return one

    assert asked(trumps << 8 | 2, Question.CHOOSE).asked == []
    assert asked(hearts << 8 | NAMED, Question.CHOOSE).asked == []
    named = asked(trumps << 8 | NAMED, Question.CHOOSE)
    assert named.asked == [("choose", 2)]
    assert named.choices == [[(trumps, suit) for suit in range(4)]]
    left = np.zeros(7, np.uint8)
    left[[hearts, trumps]] = 1
    two = asked(ASKED, Question.CHOOSE, left=left)
    assert two.choices == [[(hearts, 0), *((trumps, suit) for suit in range(4))]]
    bets = asked(hearts << 8, Question.BET)
    assert bets.asked == [("double", seat) for seat in (3, 0, 1)]
    assert {what for what, _ in asked(hearts << 8, Question.PLAY).asked} == {"play"}


def test_bets_on_the_table_are_shown_and_paid() -> None:
    rules = rules_of("barbu_52_doubling")
    shown = []

    class Sees(Steady):
        def play(self, view: Any) -> int:
            shown.append(tuple(view.doubled))
            return super().play(view)

    bets = np.array([0b0010, 0b0001, 0, 0b0010], np.uint16)
    found = played(rules, Sees(), trials(rules, 1, code=0, doubled=bets))
    assert set(shown) == {(2, 1, 0, 2)}
    points = found.deals.points[0]
    side = [2 * (points[0] - points[1]), 0, 0, points[3] - points[1]]
    side[1] = -side[0] - side[3]
    assert found.deals.side[0].tolist() == side
    assert points.any()


def test_draws_differ_from_world_to_world_and_seat_to_seat() -> None:
    rules = rules_of("barbu_52_doubling")
    drawn: list[int] = []

    class Draws(Steady):
        def choose(self, view: Any) -> tuple[int, int]:
            drawn.append(int(view.random.u64()))
            return super().choose(view)

    worlds = np.array([0, 1, 2, MOST_WORLDS - 1])
    played(rules, Draws(), trials(rules, 4, world=worlds, held=0), Question.CHOOSE)
    played(rules, Draws(), trials(rules, 4, world=worlds, held=1), Question.CHOOSE)
    assert drawn[:4] == drawn[4:]
    assert len(set(drawn)) == 4


def test_a_drawn_suit_is_no_part_of_a_choice() -> None:
    """Nobody names it, and it differs from world to world."""
    rules = rules_of("drawn")
    trumps = rules.numbers.contract_names.index("trumps")
    left = np.arange(7) == trumps
    asked = trials(rules, 60, world=np.arange(60), left=left)
    found = played(rules, Steady(), asked, Question.CHOOSE)
    assert (found.code == trumps << 8).all()
    again = played(rules, Steady(), replace(asked, code=found.code))
    assert set(again.deals.param.tolist()) == {0, 1, 2, 3}
    assert np.array_equal(again.deals.param, found.deals.param)


# ---- batched strategies, many tables, both kinds of loop


@pytest.mark.parametrize("name", ["barbu_52_doubling", "barbu_52_two_rounds", "king_ru_choice",
                                  "barbu_3_leaver", "drawn", "stock", "hearts", "bga_barbu_32"])  # fmt: skip
@pytest.mark.parametrize("question", list(Question))
def test_a_batch_answers_trials_as_single_views_do(name: str, question: Question) -> None:
    rules = rules_of(name)
    if question == Question.BET and not rules.numbers.has_doubling:
        return
    asked = various(rules, 14)
    alone = played(rules, Inquisitive(), asked, question)
    for tables in (3, 64):
        assert_same(alone, played(rules, Rowwise(Inquisitive()), asked, question, tables=tables))
    among = [Inquisitive(), *map(strategies.create, ("random.v1", "duck.v1", "cautious.v1"))]
    some = [among[s % 4] for s in range(rules.numbers.seats)]
    mixed = [Rowwise(some[0]), *some[1:]]
    how: dict[str, Any] = {"key": KEY, "question": question, "log": True}
    assert_same(play_trials(rules, some, asked, **how), play_trials(rules, mixed, asked, **how))


@pytest.mark.parametrize("name", ["barbu_52_doubling", "barbu_fr_reussite", "six"])
@pytest.mark.parametrize("question", list(Question))
def test_lowest_plays_trials_alike_one_by_one_and_in_batches(name: str, question: Question) -> None:
    rules = rules_of(name)
    if question == Question.BET and not rules.numbers.has_doubling:
        return
    asked = various(rules, 500)
    one, many = (strategies.create(f"{name}.v1") for name in ("lowest", "lowest_batch"))
    assert_same(played(rules, one, asked, question), played(rules, many, asked, question))


def test_trials_that_ask_nobody_anything_follow_each_other_at_any_number() -> None:
    """A machine that opened each from within the one before would run out of stack."""
    rules = rules_of("barbu_52_doubling")
    n = 200_000
    asked = trials(rules, n, block=np.arange(n) % 9, code=0)
    low = strategies.create("lowest_batch.v1")
    found = play_trials(rules, [low] * 4, asked, key=KEY, question=Question.CHOOSE)
    assert len(found.code) == n


def test_two_packs_are_held_and_dealt_anew() -> None:
    rules = rules_of("six")
    asked = various(rules, 60, turn=0)
    hands = hands_of(rules, asked, key=KEY)
    dealt = hands_of(rules, replace(asked, world=np.zeros(60, np.uint32)), key=KEY)
    assert hands.shape == (60, 6, 2)
    each = np.arange(60)
    assert np.array_equal(hands[each, asked.held], dealt[each, asked.held])
    assert np.array_equal(np.bitwise_or.reduce(hands, axis=1), np.bitwise_or.reduce(dealt, axis=1))
    changed = (hands != dealt).any(axis=2)
    assert (changed.sum(axis=1) == np.where(asked.world > 0, 5, 0)).all()
    found = played(rules, strategies.create("duck.v1"), asked)
    total = np.array([c.total for c in rules.numbers.contracts])
    assert np.array_equal(found.deals.points.sum(axis=1), total[found.deals.contract])


# ---- stopping, failing, refusing


@pytest.mark.parametrize("wrap", [lambda one: one, Rowwise])
def test_a_stop_ends_trials_and_gives_those_before(wrap: Any) -> None:
    rules, stop = rules_of("barbu_52_doubling"), StopFlag()
    asked = various(rules, 60, code=0)

    class Stops(Steady):
        def __init__(self, after: int) -> None:
            self.left = after

        def play(self, view: Any) -> int:
            self.left -= 1
            if self.left == 0:
                stop.set()
            return super().play(view)

    whole = played(rules, Steady(), asked)
    some = played(rules, wrap(Stops(1000)), asked, stop=stop, tables=8)
    n = len(some.code)
    assert 5 < n < 40
    assert some.fouls.shape == (n, 4)
    assert np.array_equal(some.deals.points, whole.deals.points[:n])
    assert len(played(rules, wrap(Steady()), asked, stop=stop).code) == 0


@pytest.mark.parametrize("wrap", [lambda one: one, Rowwise])
def test_fouls_are_counted_by_trial_and_seat(wrap: Any) -> None:
    rules = rules_of("barbu_52_doubling")

    class Wrong(Steady):
        def choose(self, view: Any) -> tuple[int, int]:
            return (99, 0) if view.deal == 1 else super().choose(view)

        def double(self, view: Any) -> int:
            if view.deal == 2:
                raise KeyError("whom?")
            return 0xF if view.deal == 3 else 0

        def play(self, view: Any) -> int:
            return 200 if view.deal == 4 and view.seat == 2 else super().play(view)

    def of(question: Question, **given: Any) -> Outcomes:
        asked = trials(rules, 6, deal=np.arange(6), base=3, **given)
        return played(rules, wrap(Wrong()), asked, question)

    chosen = of(Question.CHOOSE)
    assert chosen.fouls.tolist() == [[0, 0, 0, int(deal == 1)] for deal in range(6)]
    assert chosen.code[1] == 0
    bet = of(Question.BET, code=0)
    assert bet.fouls.tolist() == [[int(deal in (2, 3))] * 3 + [0] for deal in range(6)]
    assert not bet.deals.doubled[2:4].any()
    assert "KeyError" in bet.errors[0]
    at_play = of(Question.PLAY, code=0)
    assert at_play.fouls.tolist() == [[0, 0, 13 * (deal == 4), 0] for deal in range(6)]


def test_nothing_to_carry_out_is_nothing() -> None:
    rules = rules_of("barbu_52_doubling")
    for player in (Steady(), Rowwise(Steady())):
        found = played(rules, player, trials(rules, 0))
        assert len(found.code) == len(found.deals.points) == len(found.fouls) == 0
    assert hands_of(rules, trials(rules, 0), key=KEY).shape == (0, 4)


def test_usual_trials_are_the_first_deal_of_seat_0() -> None:
    one = trials(rules_of("barbu_52_doubling"), 2)
    assert len(one) == 2
    said = {name: array[0].tolist() for name, array in one.arrays().items()}
    places = dict.fromkeys(("block", "deal", "world", "held", "turn", "base"), 0)
    assert said == places | {
        "code": ASKED, "left": [1] * 7, "duty": [0] * 4, "doubled": [0] * 4
    }  # fmt: skip


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("barbu_52_doubling", {"held": 4}, "held: want numbers below 4"),
    ("barbu_52_doubling", {"turn": 4}, "turn: want numbers below 4"),
    ("barbu_52_doubling", {"base": 4}, "base: want numbers below 4"),
    ("barbu_52_doubling", {"world": MOST_WORLDS}, "world: want numbers below 8388608"),
    ("barbu_52_doubling", {"duty": 255}, "duty: want numbers below 255"),
    ("barbu_52_doubling", {"doubled": [16, 0, 0, 0]}, "doubled: want sets of seats below 4"),
    ("barbu_52_doubling", {"doubled": [0, 2, 0, 0]}, "doubled: nobody doubles himself"),
    ("king_ru_choice", {"doubled": [2, 0, 0, 0]}, "doubled: nobody doubles in this variant"),
    ("barbu_52_doubling", {"left": 0}, "left: a declarer must have a contract left"),
    ("barbu_52_doubling", {"left": 2}, "left: more than the rules give"),
    ("barbu_52_doubling", {"code": 7 << 8}, "code: want contracts below 7"),
    ("barbu_52_doubling", {"code": 0, "left": [0] + [1] * 6}, "code: a contract that is not left"),
    ("barbu_52_doubling", {"code": 1}, "code: a trump suit or start rank that may not be"),
    ("barbu_52_doubling", {"code": 5 << 8 | 4}, "code: a trump suit or start rank"),
    ("barbu_52_doubling", {"code": 5 << 8 | 32}, "code: a trump suit or start rank"),
    ("barbu_52_doubling", {"code": 6 << 8 | 13}, "code: a trump suit or start rank"),
    ("barbu_king_br", {"code": ASKED}, "code: nobody chooses in a fixed schedule"),
    ("barbu_king_br", {"code": 8 << 8}, "code: want contracts below 8"),
]


@pytest.mark.parametrize(("name", "given", "said"), REFUSED)
def test_what_no_table_has_is_refused(name: str, given: dict[str, Any], said: str) -> None:
    rules = rules_of(name)
    asked = trials(rules, 3, **given)
    with pytest.raises(ValueError, match=said):
        played(rules, Steady(), asked)
    with pytest.raises(ValueError, match=said):
        hands_of(rules, asked, key=KEY)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("barbu_52_doubling", {"code": 5 << 8 | 3}),
        ("barbu_52_doubling", {"code": 6 << 8 | 12}),
        ("barbu_52_doubling", {"code": 0 | NAMED}),
        ("barbu_52_doubling", {"world": MOST_WORLDS - 1, "held": 3, "turn": 3, "base": 3}),
        ("barbu_52_doubling", {"doubled": [14, 13, 11, 7], "code": 0}),
        ("barbu_king_br", {"code": 7 << 8 | NAMED}),
    ],
)
def test_the_most_that_a_table_has_is_accepted(name: str, given: dict[str, Any]) -> None:
    rules = rules_of(name)
    assert not played(rules, Steady(), trials(rules, 2, **given)).fouls.any()


def test_one_wrong_trial_among_many_is_refused() -> None:
    rules = rules_of("barbu_52_doubling")
    for name, bad in {"held": 4, "code": 7 << 8, "world": MOST_WORLDS}.items():
        values = np.zeros(9, np.int64)
        values[7] = bad
        with pytest.raises(ValueError, match=name):
            played(rules, Steady(), trials(rules, 9, **{name: values}))


def test_shapes_seats_and_tables_that_do_not_fit_are_refused() -> None:
    rules = rules_of("barbu_52_doubling")
    asked = trials(rules, 3)
    with pytest.raises(ValueError, match=r"left \(3, 6\) must be \(3, 7\)"):
        played(rules, Steady(), replace(asked, left=asked.left[:, :6]))
    with pytest.raises(ValueError, match=r"duty .* must be \(3, 4\)"):
        played(rules, Steady(), replace(asked, duty=asked.duty[:2]))
    with pytest.raises(ValueError, match=r"world \(2,\) must be \(3,\)"):
        played(rules, Steady(), replace(asked, world=asked.world[:2]))
    with pytest.raises(ValueError, match="3 strategies, the table has 4 seats"):
        play_trials(rules, [Steady()] * 3, asked, key=KEY)
    with pytest.raises(ValueError, match="tables 0"):
        played(rules, Rowwise(Steady()), asked, tables=0)
    with pytest.raises(ValueError, match="question: nobody doubles in this variant"):
        played(rules_of("king_ru_choice"), Steady(), trials(rules_of("king_ru_choice"), 1),
               Question.BET)  # fmt: skip
    with pytest.raises(TypeError, match=r"trials\(\) has no seat, suit"):
        trials(rules, 1, suit=3, seat=1)


@pytest.mark.parametrize(
    ("name", "value"),
    [("held", 256), ("held", -1), ("world", 1 << 32), ("deal", 65536), ("block", -1),
     ("code", 1 << 31), ("held", 0.5), ("left", [256] * 7)],
)  # fmt: skip
def test_numbers_that_an_array_cannot_hold_are_refused_and_not_wrapped(
    name: str, value: Any
) -> None:
    rules = rules_of("barbu_52_doubling")
    with pytest.raises(ValueError, match=f"{name}: want integers"):
        trials(rules, 2, **{name: np.array(value)})
