"""Side bets on the slow twin; numbers in names are cases of the dossier's section 3."""

import pytest

from engine_ext.reference.asking import Asker
from engine_ext.reference.doubling import duty_compels, settle, speak, targets
from engine_ext.reference.game import play_game
from engine_ext.reference.players import HighestTwin, LowestTwin, RandomTwin
from engine_ext.reference.streams import Dice
from engine_ext.reference.table import Option, View
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Doubling
from tests.differential.scripted import KEY, PACK52, changed, table_of

DOUBLING = load_variant("barbu_52_doubling")
assert DOUBLING.doubling is not None
RULES: Doubling = DOUBLING.doubling


@pytest.mark.parametrize(
    ("points", "doubled", "after"),
    [
        pytest.param(
            [-6, 0, -6, -12],
            [{2}, {0, 2, 3}, {0}, set()],
            [-12, 24, -12, -24],
            id="case 68: Parlett's deal",
        ),
        pytest.param([-6, -6, 0, 0], [{1}, {0}, set(), set()], [-6, -6, 0, 0], id="case 70"),
        pytest.param([30, 15, 10, 10], [set(), {0}, set(), set()], [45, 0, 10, 10], id="case 72"),
        pytest.param([-6, -12, 0, -6], [set(), {2}, {1}, {1}], [-6, -42, 24, 0], id="case 75"),
    ],
)
def test_settlement_pair_by_pair(
    points: list[int], doubled: list[set[int]], after: list[int]
) -> None:
    side = settle(points, doubled)
    assert [p + s for p, s in zip(points, side, strict=True)] == after
    assert sum(side) == 0


def test_who_may_be_doubled_case_77() -> None:
    table = table_of(DOUBLING, "trumps", declarer=0)
    assert targets(RULES, table, 1, "positive") == {0}
    assert targets(RULES, table, 1, "negative") == {0, 2, 3}
    assert targets(RULES, table, 1, "mixed") == {0, 2, 3}
    assert targets(RULES, table, 0, "positive") == set()
    table.doubled[3] = {0, 1}
    assert targets(RULES, table, 0, "positive") == {3}
    closed = RULES.model_copy(update={"declarer": "nobody", "in_negative": "nobody"})
    assert targets(closed, table, 0, "negative") == set()
    assert targets(closed, table, 1, "negative") == set()


class Recorder(HighestTwin):
    """Doubles everybody and notes each question."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int, set[int]]] = []

    def double(self, view: View, dice: Dice) -> set[int]:
        self.asked.append(("double", view.seat, set(view.may_double)))
        return set(view.may_double)

    def redouble(self, view: View, dice: Dice) -> set[int]:
        self.asked.append(("redouble", view.seat, set(view.may_redouble)))
        return set(view.may_redouble)


def test_the_declarers_neighbour_speaks_first_and_the_declarer_last() -> None:
    recorder = Recorder()
    table = table_of(DOUBLING, "queens", declarer=2)
    ask = Asker(PACK52, [recorder] * 4, KEY, 0)
    speak(DOUBLING, table, [[], [], [], []], ask)
    assert recorder.asked == [
        ("double", 3, {0, 1, 2}),
        ("double", 0, {1, 2}),
        ("redouble", 0, {3}),
        ("double", 1, {2}),
        ("redouble", 1, {0, 3}),
        ("redouble", 2, {0, 1, 3}),
    ]
    assert ask.decisions == [2, 2, 1, 1]
    assert table.duty_done == [1, 1, 0, 1]


def test_nobody_is_asked_when_there_is_nobody_to_double() -> None:
    table = table_of(DOUBLING, "domino", declarer=0)
    ask = Asker(PACK52, [LowestTwin()] * 4, KEY, 0)
    speak(DOUBLING, table, [[], [], [], []], ask)
    assert ask.decisions == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("done", "deals_left", "forced"),
    [(0, 3, False), (0, 2, True), (0, 1, True), (1, 2, False), (1, 1, True), (2, 1, False)],
)
def test_duty_compels_as_soon_as_the_deals_left_would_not_suffice(
    done: int, deals_left: int, forced: bool
) -> None:
    assert duty_compels(RULES, done, deals_left) is forced
    unforced = RULES.model_copy(update={"duty_enforced": "none"})
    assert not duty_compels(unforced, done, deals_left)


def test_who_never_doubles_must_in_the_last_two_deals_of_a_dealership() -> None:
    deals = play_game(DOUBLING, [LowestTwin()] * 4, key=KEY).deals
    for number, deal in enumerate(deals):
        assert deal.declarer is not None
        due = {deal.declarer} if number % 7 >= 5 else set()
        expected = [set() if seat == deal.declarer else due for seat in range(4)]
        assert deal.doubled == expected, number


class Mute(RandomTwin):
    """Answers that are not allowed: doubles nobody, redoubles everybody."""

    def double(self, view: View, dice: Dice) -> set[int]:
        return set()

    def redouble(self, view: View, dice: Dice) -> set[int]:
        return {0, 1, 2, 3}


def test_shirking_duty_is_a_foul_and_the_double_stands() -> None:
    game = play_game(DOUBLING, [Mute(), LowestTwin(), LowestTwin(), LowestTwin()], key=KEY)
    # Three dealerships of others with two forced doubles each, and as declarer two deals
    # in which three seats double it and it answers for too many.
    assert game.fouls == [3 * 2 + 2, 0, 0, 0]
    forced = [deal.doubled[0] for number, deal in enumerate(game.deals) if number % 7 >= 5]
    assert forced == [set(), set(), {1}, {1}, {2}, {2}, {3}, {3}]


class TwoAtOnce(LowestTwin):
    """Doubles the declarer in his first two deals."""

    def choose(self, view: View, dice: Dice) -> Option:
        return view.options[0]

    def double(self, view: View, dice: Dice) -> set[int]:
        assert not view.must_double
        declarer = view.table.declarer
        assert declarer is not None
        return {declarer} if view.table.deal % 7 < 2 else set()


def test_two_early_doubles_settle_the_duty_for_the_dealership() -> None:
    deals = play_game(DOUBLING, [TwoAtOnce()] * 4, key=KEY).deals
    assert [sum(map(len, deal.doubled)) for deal in deals] == [3, 3, 0, 0, 0, 0, 0] * 4


def test_in_rotation_the_duty_runs_over_all_deals_of_a_declarer() -> None:
    rotating = changed(DOUBLING, lambda t: t["schedule"].update(dealership=1))
    game = play_game(rotating, [LowestTwin()] * 4, key=KEY)
    # Each declares seven deals, every fourth one: the last two of each are forced.
    assert [sum(map(len, deal.doubled)) for deal in game.deals] == [0] * 20 + [3] * 8
