"""``dp.v1`` and ``ev.v1`` at the table: what they name, and whom they double."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

import strategies
from engine_ext.batch import Rules, play_games
from engine_ext.cards import Pack
from engine_ext.position import DOUBLE, Setup
from engine_ext.rules.checks import problems
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key
from tests.exact.tiny import tricks, variant_of

KEY = run_key(9)
BASE = load_variant("barbu_52_doubling")


def changed(variant: Variant, **parts: Any) -> Variant:
    """The same variant with other values for some of its keys."""
    table = variant.model_dump(mode="json") | {"readings": [], "claims": []}
    for key, value in parts.items():
        if value is None:
            del table[key]
        else:
            table[key] = table.get(key, {}) | value
    found = Variant.model_validate(table)
    assert not list(problems(found)), list(problems(found))
    return found


def play(variant: Variant, spec: str, n: int, first: int = 0) -> Any:
    records = play_games(
        Rules(variant),
        [strategies.create(spec)],
        key=KEY,
        blocks=np.arange(first, first + n, dtype=np.uint64),
        seating=np.zeros((n, variant.seats), np.uint8),
    )
    assert not records.fouls.any()
    return records


def dominoes(variant: Variant, payout: tuple[int, ...]) -> Variant:
    table = variant.model_dump(mode="json") | {"readings": [], "claims": []}
    (name,) = [n for n, c in table["contracts"].items() if c["kind"] == "layout"]
    table["contracts"][name]["payout"] = list(payout)
    return Variant.model_validate(table)


CHOICES = dominoes(changed(BASE, doubling=None), (45, 20, 10, -10))
"""The rules of the yardstick of choice: no doubles."""


def dealerships(by: str, n: int, worlds: int, hands: int) -> np.ndarray[Any, Any]:
    """Return what declarers got in all their deals, by game and seat."""
    spec = f"play=duck.v1, choose=dp.v1(worlds={worlds}, hands={hands}, by={by})"
    deals = play(CHOICES, spec, n).deals
    won = np.zeros((n, 4))
    for declarer in range(4):
        mine = deals.declarer.reshape(n, -1) == declarer
        points = deals.points[:, declarer].reshape(n, -1)
        won[:, declarer] = (points * mine).sum(axis=1)
    return won


def test_choice_by_value_and_what_is_left_is_worth_it() -> None:
    """Means of a dealership: some 13 in any order, 27 by value alone, 41 to 43 by the others."""
    found = {by: dealerships(by, 24, 6, 60).mean() for by in ("order", "value", "dp")}
    assert found["order"] + 4 < found["value"]
    assert found["value"] + 5 < found["dp"]


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_every_rule_of_choice_beats_the_one_below() -> None:
    games, bounds = 1500, {}
    for by in ("order", "value", "surplus", "dp"):
        means = dealerships(by, games, 20, 1000).mean(axis=1)
        error = 1.96 * means.std(ddof=1) / games**0.5
        bounds[by] = (means.mean() - error, means.mean() + error)
    assert bounds["order"][1] < bounds["value"][0], bounds
    assert bounds["value"][1] < bounds["surplus"][0], bounds
    assert bounds["surplus"][1] < bounds["dp"][0], bounds


QUICK = "play=duck.v1, choose=dp.v1(worlds=2, hands=8, by={by}), double=ev.v1(worlds=4, draws=8)"


@pytest.mark.parametrize("by", ["dp", "surplus", "value", "order"])
@pytest.mark.parametrize(
    "variant", ["barbu_3_leaver", "barbu_fr_reussite", "king_ru_fixed14", "barbu_king_br_6",
                "barbu_52_doubling"],
)  # fmt: skip
def test_it_knows_every_kind_of_schedule(variant: str, by: str) -> None:
    play(load_variant(variant), QUICK.format(by=by), 1)


def test_by_order_names_the_first_that_is_left() -> None:
    deals = play(BASE, QUICK.format(by="order"), 1).deals
    for declarer in range(4):
        named = deals.contract[deals.declarer == declarer]
        assert list(named) == sorted(named)


MANY = {
    f"c{i}": tricks({"per": "trick", "points": i - 8}) for i in range(17)
}  # 131,072 ways in which some may be left


def test_with_too_many_ways_it_goes_by_surplus() -> None:
    schedule = {"kind": "choice", "uses": dict.fromkeys(MANY, 1), "dealership": 1,
                "dealer": "declarer", "leader": "declarer"}  # fmt: skip
    variant = variant_of(3, "HSD", "23456", MANY, schedule=schedule)
    found = [
        play(variant, f"play=duck.v1, choose=dp.v1(worlds=5, hands=30, by={by})", 2)
        for by in ("dp", "surplus", "value")
    ]
    contracts = [list(records.deals.contract) for records in found]
    assert contracts[0] == contracts[1] != contracts[2]


def test_what_it_knows_of_other_rules_is_not_used() -> None:
    spec = "play=duck.v1, choose=dp.v1(worlds=3, hands=20), double=ev.v1(worlds=4, draws=16)"
    player = strategies.create(spec)

    def scores(variant: Variant, who: Any) -> list[int]:
        records = play_games(Rules(variant), [who], key=KEY, blocks=np.arange(1, dtype=np.uint64),
                             seating=np.zeros((1, 4), np.uint8))  # fmt: skip
        found: list[int] = records.score.ravel().tolist()
        return found

    reussite = load_variant("barbu_fr_reussite")
    first = [scores(v, player) for v in (BASE, reussite, CHOICES, BASE)]
    assert first == [scores(v, strategies.create(spec)) for v in (BASE, reussite, CHOICES, BASE)]


class Doubler:
    """Doubles and redoubles whom it is told to."""

    def __init__(self, seats: int = 0) -> None:
        self.seats = seats

    def double(self, view: Any) -> int:
        return int(view.must_double | view.may_double & self.seats)


TRUMP_HAND = "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S"
LOW_HAND = "2H 3H 4H 5H 2S 3S 4S 2D 3D 4D 2C 3C 4C"
HIGH_HAND = "AH KH QH JH AS KS QS AD KD QD AC KC QC"


def asked(
    variant: Variant,
    contract: str,
    hand: str,
    seat: int,
    declarer: int = 0,
    *,
    others: int = 0,
    named: str | None = None,
    first: str = "",
    **setup: Any,
) -> tuple[list[int], dict[Any, float]]:
    """Return who doubles whom, where ``seat`` holds a hand and the others what is left; and
    what ``seat`` thought last of doubling each.

    ``others``: whom they double, as bits; ``first``: the strategy that ``seat`` is."""  # fmt: skip
    rules = Rules(variant)
    pack = Pack(variant.deck)
    (own,) = pack.sets_of([tuple(hand.split())])
    rest = [c for c in range(64) if rules.numbers.deck & ~own & 1 << c]
    np.random.default_rng(3).shuffle(rest)
    hands, size = [], rules.numbers.hand_size
    for s in range(variant.seats):
        hands.append(own if s == seat else sum(1 << rest.pop() for _ in range(size)))
    number = rules.numbers.contract_names.index(contract)
    left = [list(rules.numbers.uses) for _ in range(variant.seats)]
    left[declarer][number] -= 1
    param = None if named is None else variant.deck.suits.index(named)
    table = rules.kernel.Tabletop(rules.packed)
    more: dict[str, Any] = {
        "deal": declarer * rules.numbers.dealership,
        "uses_left": tuple(map(tuple, left)),
    }
    start = Setup(
        hands=tuple(hands), dealer=declarer, leader=declarer, to_move=declarer, declarer=declarer,
        contract=number, param=param, key=KEY, **more | setup,
    )  # fmt: skip
    table.set_up(start.filled(rules))
    ev: Any = strategies.create(first or "ev.v1(worlds=24, draws=48)")
    python = rules.asking.PyPolicy(Doubler(others), rules.numbers)
    policies: list[Any] = [python.capsule] * variant.seats
    policies[seat] = ev.capsule
    table.play_on(policies, DOUBLE)
    assert not any(table.outcome()["fouls"])
    assert not python.errors
    worth = {one.answer: one.value for one in ev.alternatives()}
    return table.outcome()["doubled"], worth


def doubled(*how: Any, **setup: Any) -> list[int]:
    """Return who doubles whom."""
    return asked(*how, **setup)[0]


NEGATIVE = next(n for n, c in BASE.contracts.items() if c.tone == "negative")
TRUMPS = next(
    n for n, c in BASE.contracts.items() if c.kind == "trick" and c.trump == "declarer"
)  # fmt: skip


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_hand_that_does_better_than_the_declarer_doubles_him(seat: int) -> None:
    assert doubled(BASE, NEGATIVE, LOW_HAND, seat)[seat] & 1
    assert not doubled(BASE, NEGATIVE, HIGH_HAND, seat)[seat] & 1
    assert doubled(BASE, TRUMPS, TRUMP_HAND, seat, named="S")[seat] & 1
    assert not doubled(BASE, TRUMPS, LOW_HAND, seat, named="H")[seat] & 1


def test_a_negative_contract_is_bet_on_with_everybody() -> None:
    low = doubled(BASE, NEGATIVE, LOW_HAND, 1)[1]
    assert low == 0b1101
    assert doubled(BASE, NEGATIVE, HIGH_HAND, 1)[1] == 0


@pytest.mark.parametrize("seat", [0, 2])
def test_who_is_doubled_doubles_back_with_a_good_hand(seat: int) -> None:
    """The declarer, or another who was doubled before he spoke."""
    bits = 1 << seat
    low = doubled(BASE, NEGATIVE, LOW_HAND, seat, others=bits)
    high = doubled(BASE, NEGATIVE, HIGH_HAND, seat, others=bits)
    assert low[1] & bits
    assert high[1] & bits
    assert low[seat] & 0b10
    assert not high[seat] & 0b10


def test_what_duty_demands_is_doubled_in_any_case() -> None:
    last: dict[str, Any] = {"deal": BASE_DEALS - 1, "duty_done": (0, 0, 0, 0)}
    deals = Rules(BASE).numbers
    declarer = (deals.n_deals - 1) // deals.dealership % 4
    seat = (declarer + 1) % 4
    found = doubled(BASE, NEGATIVE, HIGH_HAND, seat, declarer, **last)
    assert found[seat] >> declarer & 1


BASE_DEALS = Rules(BASE).numbers.n_deals


def doubling(**rules: Any) -> Variant:
    return changed(BASE, doubling=rules)


@pytest.mark.parametrize(
    "rules",
    [
        {"rounds": 2},
        {"undoubled": "split"},
        {"in_positive": "anyone"},
        {"in_negative": "declarer", "declarer": "nobody"},
        {"in_positive": "nobody", "duty": 0},
        {"redoubles": False, "declarer": "nobody"},
        {"duty": 3, "duty_enforced": "penalty", "duty_penalty": -20},
        {"duty": 0},
    ],
)
def test_it_bets_by_any_house_rules(rules: dict[str, Any]) -> None:
    records = play(doubling(**rules), "play=duck.v1, double=ev.v1(worlds=4, draws=8)", 1)
    assert records.deals.doubled.any()


def test_a_positive_contract_that_was_chosen_is_hardly_ever_doubled() -> None:
    free = doubling(duty=0)
    deals = play(free, "play=duck.v1, double=ev.v1", 4).deals
    positive = [free.contracts[n].tone == "positive" for n in Rules(free).numbers.contract_names]
    made: Counter[bool] = Counter()
    could: Counter[bool] = Counter()
    for contract, declarer, bets, left in zip(
        deals.contract, deals.declarer, deals.doubled, deals.n_left, strict=True
    ):
        if left > 1:
            could[positive[contract]] += 3
            made[positive[contract]] += sum(
                int(bets[s]) >> int(declarer) & 1 for s in range(4) if s != declarer
            )
    assert could[True] >= 60
    assert made[True] < 0.15 * could[True]
    assert made[False] > 0.3 * could[False]


MIDDLING = "4H 7H 9H JH 3S 6S 8S QS 5D TD KD 6C JC"
EARLY: dict[str, Any] = {"deal": 1}
LATE: dict[str, Any] = {"deal": 5}
"""Of the first declarer's seven deals."""


def test_a_double_owed_is_worth_more_than_the_bet() -> None:
    owed = asked(BASE, NEGATIVE, MIDDLING, 2, duty_done=(0, 0, 0, 0), **EARLY)[1]
    done = asked(BASE, NEGATIVE, MIDDLING, 2, duty_done=(2, 2, 2, 2), **EARLY)[1]
    soon = asked(BASE, NEGATIVE, MIDDLING, 2, duty_done=(0, 0, 1, 0), **LATE)[1]
    assert owed[1] == done[1]
    assert owed[3] == done[3]
    assert owed[0] > done[0] + 0.01
    assert soon[0] > owed[0]


def test_a_double_shows_a_good_hand_unless_it_was_forced() -> None:
    """The declarer, doubled: by somebody who had to, or who chose to."""
    how: dict[str, Any] = {"others": 1, "deal": 6, "first": "ev.v1(worlds=64, draws=3000)"}
    chose = asked(BASE, NEGATIVE, MIDDLING, 0, duty_done=(2, 2, 2, 2), **how)[1]
    had_to = asked(BASE, NEGATIVE, MIDDLING, 0, **how)[1]
    assert set(chose) == set(had_to) == {1, 2, 3}
    assert sum(chose.values()) < sum(had_to.values()) - 1


def test_what_the_declarer_named_by_choice_suits_him() -> None:
    """He is doubled less gladly than one who had nothing else left."""
    rules = Rules(BASE).numbers
    nothing = ((0,) * len(rules.uses),) * 4
    chosen = asked(BASE, NEGATIVE, MIDDLING, 2, duty_done=(2, 2, 2, 2), **EARLY)[1]
    forced = asked(BASE, NEGATIVE, MIDDLING, 2, duty_done=(2, 2, 2, 2), uses_left=nothing, **EARLY)[
        1
    ]
    assert chosen[0] < forced[0] - 0.5


def test_who_would_double_back_is_doubled_for_twice() -> None:
    """In the second round everybody may; where nobody may the same worlds are worth less."""
    single = doubling(redoubles=False, declarer="nobody", duty=0)
    double = doubling(duty=0)
    worth = [asked(v, NEGATIVE, LOW_HAND, 2)[1][0] for v in (single, double)]
    assert worth[0] > 0
    assert worth[1] >= worth[0]
    worth = [asked(v, NEGATIVE, HIGH_HAND, 2)[1][0] for v in (single, double)]
    assert worth[1] < worth[0] < 0
