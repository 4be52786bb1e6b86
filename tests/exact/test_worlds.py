"""Worlds are uniform over the deals that agree with what was shown: counted one by one.

What a move shows is told by the slow twin, which plays every deal of the unseen cards again
(:mod:`tests.exact.retold`) and knows nothing of what the engine concludes.
"""

from collections import Counter
from itertools import combinations
from math import factorial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from engine_ext.batch import Rules
from engine_ext.position import PLAY, Setup
from engine_ext.rules.checks import problems
from engine_ext.rules.spec import Variant
from tests.exact.retold import Hands, Seen, wander
from tests.exact.tiny import HEARTS, Contract, layout, tricks, variant_of
from tests.property.generators import variants
from tests.samples import a_share, one_in

H, S, D, C = (0xFFFF << 16 * suit for suit in range(4))
Held = tuple[int, ...]


class Asked:
    """Notes the first view it is shown, with worlds."""

    def __init__(self, draws: int) -> None:
        self.draws = draws
        self.n_worlds = -1.0
        self.worlds: list[Hands] = []

    def play(self, view: Any) -> int:
        if self.n_worlds < 0:
            self.n_worlds = view.n_worlds()
            if self.n_worlds:
                self.worlds = [tuple(map(int, row)) for row in view.worlds(self.draws)]
        return int(view.lowest())


def asked(hands: Held, voids: tuple[int, ...], draws: int, key: tuple[int, int] = (5, 0)) -> Asked:
    """Ask the first seat of a contract of tricks with these hands and voids shown."""
    size = len(hands) * hands[0].bit_count()
    ranks = "23456789TJQKA"
    deck = {"suits": tuple("HSDC"), "ranks": tuple(ranks)}
    there = sum(hands)
    gone = [
        r + s
        for i, s in enumerate("HSDC")
        for j, r in enumerate(ranks)
        if not there >> 16 * i + j & 1
    ]
    deck["remove"] = tuple(gone)
    rules = Rules(variant_of(len(hands), "", "", {"t": tricks({"per": "trick"})}, deck=deck))
    assert size == 52 - len(gone)
    table = rules.kernel.Tabletop(rules.packed)
    setup = Setup(
        hands=hands, dealer=0, leader=0, declarer=None, contract=0, voids=voids, key=key, to_move=0
    )
    table.set_up(setup.filled(rules))
    player = Asked(draws)
    policy = rules.asking.PyPolicy(player, rules.numbers)
    table.play_on([policy.capsule] * len(hands), PLAY)
    assert not policy.errors
    return player


def counted(hands: Held, voids: tuple[int, ...]) -> set[Hands]:
    """Return the deals of all hands but the first in which nobody holds what it lacks."""
    cards = [1 << i for i in range(64) if sum(hands[1:]) >> i & 1]
    found: set[Hands] = set()

    def rest(left: tuple[int, ...], so_far: Hands) -> None:
        seat = len(so_far)
        if seat == len(hands):
            found.add(so_far)
            return
        lacks = sum(0xFFFF << 16 * suit for suit in range(4) if voids[seat] >> suit & 1)
        size = hands[seat].bit_count()
        may = [card for card in left if not card & lacks]

        for hand in combinations(may, size):
            rest(tuple(card for card in left if card not in hand), (*so_far, sum(hand)))

    rest(tuple(cards), (hands[0],))
    return found


def some(suit: int, n: int, first: int = 0) -> int:
    return ((1 << n) - 1) << 16 * suit + first


ORACLE = (some(3, 3), some(0, 3), some(1, 3), some(2, 3))
"""Three hearts, spades and diamonds unseen; the hands lie as they may not after the voids."""
VOIDS = (0, 0b010, 0b001, 0)
"""The next seat has no spades, the one after it no hearts."""


def by_spades(worlds: list[Hands]) -> list[int]:
    """How often the third hand has so many spades."""
    return [sum((w[2] & S).bit_count() == n for w in worlds) for n in range(4)]


def test_three_suits_of_three_with_two_voids_are_dealt_147_ways() -> None:
    player = asked(ORACLE, VOIDS, 20_000)
    deals = counted(ORACLE, VOIDS)
    assert len(deals) == player.n_worlds == 147
    assert by_spades(list(deals)) == [1, 36, 90, 20]
    assert set(player.worlds) == deals
    found = Counter(player.worlds)
    assert chisquare([found[deal] for deal in deals]).pvalue > 1e-3
    share = np.array([1, 36, 90, 20]) / 147 * 20_000
    assert chisquare(by_spades(player.worlds), share).pvalue > 1e-3
    # Card after card to whoever may hold it, by room: every world is possible, and wrong.
    wrong = np.array([0.05, 0.45, 0.45, 0.05]) * 20_000
    assert chisquare(by_spades(player.worlds), wrong).pvalue < 1e-12


def test_nothing_shown_leaves_every_deal() -> None:
    hands = (some(0, 5), some(1, 5), some(2, 5), some(3, 5))
    player = asked(hands, (0, 0, 0, 0), 2000)
    assert player.n_worlds == factorial(15) // factorial(5) ** 3
    assert all(w[0] == hands[0] and sum(w) == sum(hands) for w in player.worlds)
    assert all([hand.bit_count() for hand in w] == [5] * 4 for w in player.worlds)
    # Each card as often in each hand, and each pair as often together: 4 of 14 times.
    for card in (1 << 16, 1 << 36, 1 << 52):
        where = [sum(bool(w[seat] & card) for w in player.worlds) for seat in (1, 2, 3)]
        assert chisquare(where).pvalue > 1e-4
    pairs = sum(
        any((w[s] >> 16 & 1) and (w[s] >> 52 & 1) for s in (1, 2, 3)) for w in player.worlds
    )
    assert abs(pairs - 2000 * 4 / 14) < 4 * (2000 * 4 / 14 * 10 / 14) ** 0.5


def test_voids_that_leave_a_card_nowhere_leave_no_world() -> None:
    player = asked(ORACLE, (0, 1, 1, 1), 5)
    assert player.n_worlds == 0
    assert player.worlds == []


@a_share(4)
@given(st.data())
def test_any_voids_of_any_table_are_counted_right(data: st.DataObject) -> None:
    seats = data.draw(st.integers(2, 6))
    size = data.draw(st.integers(1, {2: 6, 3: 5, 4: 3, 5: 2, 6: 2}[seats]))
    cards = data.draw(st.permutations([16 * s + r for s in range(4) for r in range(5)]))
    hands = tuple(sum(1 << c for c in cards[i * size : (i + 1) * size]) for i in range(seats))
    shown = [data.draw(st.integers(0, 15)) & data.draw(st.integers(0, 15)) for _ in hands]
    held = [sum(1 << suit for suit in range(4) if hand >> 16 * suit & 0xFFFF) for hand in hands]
    possible = data.draw(st.booleans())
    voids = tuple(s & ~h if possible else s for s, h in zip(shown, held, strict=True))
    key = (data.draw(st.integers(0, 99)), 1)
    deals = counted(hands, voids)
    player = asked(hands, voids, 400, key)
    assert player.n_worlds == len(deals)
    uniform(player.worlds, deals)


def uniform(worlds: list[Hands], deals: set[Hands]) -> None:
    """Every deal, no other, and each as often."""
    assert set(worlds) <= deals
    if 2 <= len(deals) <= len(worlds) / 10:
        found = Counter(worlds)
        assert chisquare([found[deal] for deal in deals]).pvalue > 1e-7


def check(seen: Seen, exact: bool = True) -> int:
    """Compare with the twin; how many deals what was shown leaves out."""
    deals = seen.agreeing()
    if exact:
        assert seen.n_worlds == len(deals), seen
        uniform(seen.drawn(), deals)
    else:
        assert seen.n_worlds >= len(deals), seen
    return seen.n_deals() - len(deals)


TRICK = {"per": "trick"}
TOP = {"cards": ("6H", "5S")}
TRUMPS = {"trump": "drawn"}
TRICK_RULES: dict[str, Contract] = {
    "follow": {},
    "ban": {"lead_ban": {"cards": HEARTS}},
    "ban until broken": {"lead_ban": {"cards": HEARTS, "until": "broken"}},
    "ban broken by others": {
        "lead_ban": {"cards": HEARTS, "until": "broken", "broken_by": {"cards": ("2S", "4S")}}
    },
    "ban until a trick": {"lead_ban": {"cards": {"suits": ("H", "S")}, "until": "trick", "trick": 3}},
    "must ruff": TRUMPS | {"void_duty": "must_ruff"},
    "must overruff": TRUMPS | {"void_duty": "must_overruff"},
    "must overruff else free": TRUMPS | {"void_duty": "must_overruff_else_free"},
    "beat trumps": TRUMPS | {"beat_duty": "trump_leads"},
    "beat all": TRUMPS | {"beat_duty": "all_leads"},
    "beat all without trumps": {"beat_duty": "all_leads"},
    **{
        f"forced {when}, {choose}": {
            "forced_play": {"cards": {"ranks": ("5", "6")}, "when": when, "choose": choose}
        }
        for when in ("void", "void_or_beaten", "first_legal")
        for choose in ("any", "highest")
    },
    "first lead": {"first_lead": {"ranks": ("2",)}},
    "first trick ban": {"first_trick_ban": {"ranks": ("2", "3", "4", "5")}},
    "few kept from the first trick": {"first_trick_ban": {"ranks": ("2", "4")}},
    "everything": TRUMPS | {
        "beat_duty": "all_leads", "void_duty": "must_overruff",
        "forced_play": {"cards": TOP, "when": "void_or_beaten", "choose": "highest"},
        "lead_ban": {"cards": HEARTS, "until": "broken"},
        "first_trick_ban": {"suits": ("S",)}, "first_lead": {"cards": ("3H", "4S")},
    },
}  # fmt: skip
FORCE = {"stall": "force_after_full_circle"}
LAYOUT_RULES: dict[str, Contract] = {
    "must play": {},
    "must play to the end": {"end": "all_out"},
    "may pass": {"passing": "may_pass", **FORCE},
    "one pass": {"passing": "limited", "passes": 1},
    "two passes, forced": {"passing": "limited", "passes": 2, **FORCE},
    "replay if wanted": {"replay": {"cards": {"ranks": ("3", "5")}}},
    "must replay": {
        "passing": "may_pass", **FORCE, "end": "all_out",
        "replay": {"cards": {"ranks": ("3", "4", "6")}, "duty": "mandatory"},
    },
    "lost turns": {"passing": "may_pass", **FORCE, "unplayable": "lose_turn"},
    "lost turns, must play": {**FORCE, "unplayable": "lose_turn", "end": "all_out"},
    "lost turns, one pass": {
        "passing": "limited", "passes": 1, "unplayable": "lose_turn", "stall": "freeze",
        "replay": {"cards": {"ranks": ("3", "4")}, "duty": "mandatory"},
    },
}  # fmt: skip
DECK = {"suits": tuple("HSD"), "ranks": tuple("23456")}
TWICE = {
    "suits": tuple("HS"), "ranks": tuple("23456"), "copies": 2,
    "remove": ("2H", "2H", "3S", "5H", "6S"),
}  # fmt: skip
HOLED = DECK | {"remove": ("4S", "2D", "6D")}


def house(rule: str, deck: dict[str, Any], **more: Any) -> Variant:
    """Return a variant of three seats with one rule."""
    if rule in TRICK_RULES:
        contract = tricks(TRICK, **TRICK_RULES[rule])
    else:
        contract = layout((3, 2, 1), **({"start": ("4",)} | LAYOUT_RULES[rule]))
    variant = variant_of(
        3, "", "", {"counted": contract | more.pop("rules", {})}, deck=deck, **more
    )
    assert not list(problems(variant)), list(problems(variant))
    return variant


def as_counted(variant: Variant, blocks: range, every: int = 4, shows: bool = False) -> None:
    """Compare one decision of ``every`` in some games; ``shows``: some must leave deals out."""
    left_out = 0
    for block in blocks:
        for seen in wander(variant, block, 260, draws=300, every=every).seen:
            left_out += check(seen)
    assert left_out or not shows, "nothing was ever shown"


@pytest.mark.parametrize("rule", [*TRICK_RULES, *LAYOUT_RULES])
def test_worlds_of_a_rule_are_those_that_the_twin_can_play(rule: str) -> None:
    as_counted(house(rule, DECK), range(12), shows=True)


@pytest.mark.parametrize("rule", one_in(3, [*TRICK_RULES, *LAYOUT_RULES]))
@pytest.mark.parametrize("identical", ["last_wins", "first_wins"])
def test_so_they_are_with_two_packs(rule: str, identical: str) -> None:
    as_counted(
        house(rule, TWICE | {"identical": identical}), range(4 if identical == "last_wins" else 8)
    )


@pytest.mark.parametrize("rule", one_in(2, LAYOUT_RULES))
@pytest.mark.parametrize("copies", ["parallel_rows", "stack"])
def test_so_they_are_however_cards_alike_are_laid(rule: str, copies: str) -> None:
    whole = TWICE | {"ranks": tuple("3456"), "remove": ("3H",)}
    variant = house(rule, whole, rules={"copies": copies, "stall": "freeze", "start": ("4",)})
    as_counted(variant, range(6))


@pytest.mark.parametrize("missing", ["virtual", "stall"])
@pytest.mark.parametrize("rule", ["must play", "one pass", "lost turns"])
def test_so_they_are_where_a_start_card_is_missing(rule: str, missing: str) -> None:
    variant = house(rule, HOLED, rules={"missing_start": missing, "stall": "freeze"})
    as_counted(variant, range(6))


def test_who_leads_by_a_card_holds_it_until_it_is_played() -> None:
    schedule = {"kind": "fixed", "sequence": ("counted",), "leader": "holder", "holds": "4S"}
    seen = [
        s
        for block in range(4)
        for s in wander(house("follow", DECK, schedule=schedule), block, 260).seen
    ]
    assert sum(s.leader != s.seat and s.unseen >> 18 & 1 for s in seen) >= 4
    for one in seen:
        check(one)


@pytest.mark.slow
@pytest.mark.parametrize("rule", [*TRICK_RULES, *LAYOUT_RULES])
def test_worlds_of_a_rule_over_many_games(rule: str) -> None:
    as_counted(house(rule, DECK), range(10, 60))
    as_counted(house(rule, TWICE), range(10, 40))


def any_rules(variant: Variant, block: int) -> None:
    honour = not isinstance(variant.legality, str)
    wanderer = wander(variant, block, 100, every=8, draws=300, slips=0 if honour else 5)
    for seen in wanderer.seen[:6]:
        check(seen, exact=not honour)
        truth = wanderer.true_hands(seen)
        if truth is not None:
            assert all(h & ~may == 0 for h, may in zip(truth, seen.may_hold, strict=True))


@a_share(8)
@given(variants(), st.integers(0, 2**32))
def test_worlds_of_any_rules_are_those_that_the_twin_can_play(variant: Variant, block: int) -> None:
    any_rules(variant, block)


@pytest.mark.slow
@settings(max_examples=1500, derandomize=False)
@given(variants(), st.integers(0, 2**32))
def test_worlds_of_thousands_of_rules(variant: Variant, block: int) -> None:
    any_rules(variant, block)
