"""What ``mc.v1`` says of its answers is the mean over all worlds, each played to its end.

The worlds are gone through one by one, and played by the engine's table and the rules of
the yardstick in words; where there is one world alone the values are the same number.
"""

from typing import Any

import pytest

from engine_ext.rules.checks import problems
from engine_ext.rules.spec import Variant
from tests.exact.playouts import check, game
from tests.exact.tiny import HEARTS, Contract, layout, tricks, variant_of

CARDS = {"per": "card", "of": {"ranks": ("5", "6")}, "points": -3, "name": "high"}
TRICK = {"per": "trick", "points": 2}
LOSS = TRICK | {"points": -2}
LAST = {"per": "trick_at", "tricks": (1, -1), "points": -5, "name": "ends"}
TRUMPS = {"trump": "drawn"}
FORCE = {"stall": "force_after_full_circle"}
TRICK_RULES: dict[str, tuple[Any, ...]] = {
    "tricks": ({}, TRICK),
    "cards": ({}, CARDS),
    "first and last": ({}, LAST, CARDS),
    "trumps": (TRUMPS, TRICK),
    "ban": ({"lead_ban": {"cards": HEARTS}}, CARDS),
    "ban until broken": ({"lead_ban": {"cards": HEARTS, "until": "broken"}}, CARDS),
    "ban until a trick": (
        {"lead_ban": {"cards": {"suits": ("H", "S")}, "until": "trick", "trick": 4}}, CARDS,
    ),
    "must ruff": (TRUMPS | {"void_duty": "must_ruff"}, LOSS),
    "must overruff": (TRUMPS | {"void_duty": "must_overruff", "beat_duty": "all_leads"}, LOSS),
    "forced": ({"forced_play": {"cards": {"ranks": ("5", "6")}}}, CARDS),
    "forced, highest": (
        {"forced_play": {
            "cards": {"ranks": ("4", "5", "6")}, "when": "void_or_beaten", "choose": "highest",
        }},
        CARDS,
    ),
    "first lead": ({"first_lead": {"ranks": ("2",)}, "first_trick_ban": {"ranks": ("6",)}}, CARDS),
    "early end": ({"early_end": "when_decided"}, CARDS),
    "shooting": (
        {"shooting": {"cards": {"ranks": ("6",)}, "taker": 30, "others": -10}, "face_up": HEARTS},
        CARDS,
    ),
}  # fmt: skip
LAYOUT_RULES: dict[str, Contract] = {
    "must play": {},
    "to the end": {"end": "all_out"},
    "may pass, forced": {"passing": "may_pass", **FORCE},
    "frozen": {"passing": "may_pass", "stall": "freeze"},
    "one pass": {"passing": "limited", "passes": 1},
    "two passes, forced": {"passing": "limited", "passes": 2, **FORCE},
    "replay": {"replay": {"cards": {"ranks": ("3", "4", "5")}}},
    "replay, frozen": {
        "stall": "freeze",
        "replay": {"cards": {"ranks": ("2", "3", "5", "6")}},
    },
    "must replay": {
        "passing": "may_pass", **FORCE, "end": "all_out",
        "replay": {"cards": {"ranks": ("3", "4", "6")}, "duty": "mandatory"},
    },
    "lost turns": {"passing": "may_pass", **FORCE, "unplayable": "lose_turn"},
    "lost turns, frozen": {
        "passing": "limited", "passes": 1, "unplayable": "lose_turn", "stall": "freeze",
        "replay": {"cards": {"ranks": ("3", "4")}},
    },
}  # fmt: skip
MANY = {"replay, frozen": 30, "must overruff": 60, "forced, highest": 30}
"""Answers that are compared where what may go wrong is rare."""
DECK = {"suits": tuple("HSD"), "ranks": tuple("23456")}
PAYOUT = (17, 6, -2, -4, -9, -11)
SEARCH = "mc.v1(worlds=2000, gate=0)"
NOISE = "slips.v1(of=random.v1, misplay=0.3)"


def house(rule: str, seats: int = 3, deck: Any = None, **more: Any) -> Variant:
    """Return a variant with one rule."""
    if rule in TRICK_RULES:
        rules, *terms = TRICK_RULES[rule]
        contract = tricks(*terms, **rules)
    else:
        contract = layout(PAYOUT[:seats], **({"start": ("4",)} | LAYOUT_RULES[rule]))
    contract |= more.pop("rules", {})
    variant = variant_of(seats, "", "", {"held": contract}, deck=deck or DECK, **more)
    assert not list(problems(variant)), list(problems(variant))
    return variant


def as_played(variant: Variant, blocks: range, most: int = 6, enough: int = 8) -> None:
    """Compare the questions with few worlds of as many games as that takes."""
    compared = 0
    for block in blocks:
        seat = block % variant.seats
        players = [SEARCH if s == seat else NOISE for s in range(variant.seats)]
        rules, weighed = game(variant, players, block, most)
        compared += sum(check(rules, one) for one in weighed)
        if compared >= enough:
            return
    raise AssertionError(f"{compared} answers compared")


@pytest.mark.parametrize("rule", [*TRICK_RULES, *LAYOUT_RULES])
def test_values_are_means_over_all_worlds(rule: str) -> None:
    as_played(house(rule), range(60), enough=MANY.get(rule, 8))


@pytest.mark.parametrize("rule", ["cards", "trumps", "must overruff", "must replay", "lost turns"])
@pytest.mark.parametrize("seats", [4, 5, 6])
def test_so_they_are_at_any_table(rule: str, seats: int) -> None:
    if seats == 6:
        deck = {"suits": tuple("HSD"), "ranks": tuple("3456")}
        as_played(house(rule, seats, deck), range(60), most=130, enough=4)
    else:
        deck = {"suits": tuple("HSDC"), "ranks": tuple("23456")}
        as_played(house(rule, seats, deck), range(60), most=12, enough=4)


BETS = {
    "in_negative": "anyone", "in_positive": "declarer", "declarer": "doublers", "source": "made up",
}  # fmt: skip
CHOICE = {
    "kind": "choice", "uses": {"held": 1}, "leader": "declarer", "dealer": "declarer",
    "dealership": 1,
}  # fmt: skip


@pytest.mark.parametrize("rule", ["cards", "shooting", "may pass, forced"])
def test_side_bets_are_settled(rule: str) -> None:
    variant = house(rule, schedule=CHOICE, doubling=BETS)
    doubled = 0
    for block in range(3):
        players = [f"play={SEARCH}, double=random.v1", "random.v1", "random.v1"]
        players = players[block:] + players[:block]
        rules, weighed = game(variant, players, block, 4)
        for one in weighed:
            doubled += any(one.start.doubled)
            check(rules, one)
    assert doubled


TWICE = {"suits": tuple("HS"), "ranks": tuple("23456"), "copies": 2, "remove": ("2H", "3S")}


@pytest.mark.parametrize("rule", ["cards", "shooting", "must replay", "lost turns, frozen"])
def test_two_packs(rule: str) -> None:
    as_played(house(rule, deck=TWICE | {"identical": "first_wins"}), range(60), most=3, enough=6)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("rule", [*TRICK_RULES, *LAYOUT_RULES])
def test_values_of_many_games(rule: str, seats: int) -> None:
    deck = {"suits": tuple("HSDC")[: 3 if seats == 3 else 4], "ranks": tuple("23456")}
    as_played(house(rule, seats, deck), range(10, 200), most=40, enough=25)
