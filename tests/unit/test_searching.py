"""``mc.v1``: what it tries, when it leaves its base's answer, and how it stops."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import strategies
from engine_ext.batch import Rules, StopFlag, play_games
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key
from strategies.registry import StrategyError
from tests.exact.playouts import Answer, Heard
from tests.exact.tiny import tricks, variant_of
from tests.unit.duck_model import DuckModel

KEY = run_key(5)
CARDS = {"per": "card", "of": {"ranks": ("7",)}, "points": -3, "name": "sevens"}
TRICK = {"per": "trick", "points": 2}
DECK = {"suits": tuple("HSDC"), "ranks": tuple("23456789")}


def house(*terms: Any, **rules: Any) -> Variant:
    return variant_of(4, "", "", {"held": tricks(*terms, **rules)}, deck=DECK)


def play(variant: Variant, players: list[Any], n: int = 1, stop: StopFlag | None = None) -> Any:
    seating = np.arange(variant.seats) % len(players)
    return play_games(
        Rules(variant),
        players,
        key=KEY,
        blocks=np.arange(n, dtype=np.uint64),
        seating=np.tile(seating.astype(np.uint8), (n, 1)),
        log=True,
        stop=stop,
    )


def heard(variant: Variant, spec: str, n: int = 1) -> list[Answer]:
    """Return all that four of a kind answered."""
    listener = Heard()
    records = play(variant, [listener.listen(strategies.create(spec))], n)
    assert not records.fouls.any()
    return listener.answers


class Follower:
    """Gives the answers that were heard; says with each what the view was like."""

    def __init__(self, answers: list[Answer], look: Any) -> None:
        self.answers, self.look = iter(answers), look

    def any(self, view: Any) -> Any:
        answer = next(self.answers)
        self.look(view, answer)
        return answer.said

    choose = double = redouble = play = lay = any


def follow(variant: Variant, answers: list[Answer], look: Any, n: int = 1) -> None:
    records = play(variant, [Follower(answers, look)], n)
    assert not records.errors, records.errors


def named(variant: Variant, *cards: str) -> int:
    deck = variant.deck
    return sum(1 << 16 * deck.suits.index(c[1]) + deck.ranks.index(c[0]) for c in cards)


TOLD_APART: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "points": ({}, ("7H", "7S", "7D", "7C")),
    "lead ban": ({"lead_ban": {"cards": {"cards": ("4H", "6S")}}}, ("4H", "6S")),
    "what lifts it": (
        {"lead_ban": {"cards": {"suits": ("H",)}, "until": "broken",
                      "broken_by": {"cards": ("5S", "5D")}}},
        ("5S", "5D"),
    ),
    "forced": ({"forced_play": {"cards": {"cards": ("6D", "4S")}}}, ("6D", "4S")),
    "first lead": ({"first_lead": {"cards": ("3C", "5H")}}, ("3C", "5H")),
    "first trick": ({"first_trick_ban": {"cards": ("8C", "6H")}}, ("8C", "6H")),
    "shooting": (
        {"shooting": {"cards": {"ranks": ("4",)}, "taker": 9, "others": 0}},
        ("4H", "4S", "4D", "4C"),
    ),
    "face up": ({"face_up": {"ranks": ("5",)}}, ("5H", "5S", "5D", "5C")),
    "end": ({"early_end": "when_decided"}, ("7H", "7S", "7D", "7C")),
}  # fmt: skip


def groups(view: Any, apart: list[int]) -> Iterator[set[int]]:
    """Yield cards of which it makes no odds which is played, by the view alone."""
    foreign = view.rules.deck & ~view.hand & (~view.played | view.trick)
    together: set[int] = set()
    for card in view.cards and sorted(view.cards):
        last = max(together, default=None)
        if last is not None and (
            last // 16 != card // 16
            or any(foreign >> c & 1 for c in range(last, card))
            or any((mask >> last & 1) != (mask >> card & 1) for mask in apart)
        ):
            yield together
            together = set()
        together.add(card)
    yield together


@pytest.mark.parametrize("rule", TOLD_APART)
def test_one_of_cards_alike_is_tried_and_each_that_a_rule_tells_apart(rule: str) -> None:
    rules, cards = TOLD_APART[rule]
    variant = house(CARDS if rule != "shooting" else TRICK, **rules)
    apart = [named(variant, *cards)]
    if rule not in ("shooting", "points", "end"):
        apart.append(named(variant, "7H", "7S", "7D", "7C"))
    if rule == "what lifts it":
        apart.append(sum(1 << rank for rank in range(8)))
    merged = parted = 0

    def look(view: Any, answer: Answer) -> None:
        nonlocal merged, parted
        alike = list(groups(view, apart))
        tried = [one.answer for one in answer.alternatives]
        assert len(tried) == (len(alike) if len(alike) > 1 else 0)
        for group, one in zip(alike, tried, strict=False):
            assert one in group
        merged += len(view.cards) - len(alike)
        parted += len(list(groups(view, apart))) - len(list(groups(view, apart[1:])))

    follow(variant, heard(variant, "mc.v1(worlds=2)", 4), look, 4)
    assert merged > 8
    assert parted > 0


def test_of_forced_cards_the_highest_are_not_alike() -> None:
    """Which of two must go later is a question of their ranks, across suits."""
    forced = {"cards": {"ranks": ("4", "5", "6")}, "choose": "highest"}
    variant = house(TRICK, forced_play=forced)
    mask = [sum(1 << 16 * suit + rank for suit in range(4)) for rank in (2, 3, 4)]

    def look(view: Any, answer: Answer) -> None:
        alike = len(list(groups(view, mask)))
        assert len(answer.alternatives) == (alike if alike > 1 else 0)

    follow(variant, heard(variant, "mc.v1(worlds=2)", 3), look, 3)


FACE_UP = house(CARDS, face_up={"ranks": ("3", "5", "7", "9")})
"""Nothing but the look of cards taken tells neighbours apart: they play alike."""


@pytest.mark.parametrize("spec", ["mc.v1(worlds=12, playout=random.v1)",
                                  "mc.v1(worlds=2, playout=mc.v1(worlds=2, playout=random.v1))",
                                  "mc.v1(worlds=12, playout=slips.v1(of=random.v1))"])  # fmt: skip
def test_answers_alike_do_alike_in_every_world(spec: str) -> None:
    """Whatever the playout policy draws: the same numbers for all answers in one world."""
    pairs = differing = 0

    def look(view: Any, answer: Answer) -> None:
        nonlocal pairs, differing
        by_card = {one.answer: one for one in answer.alternatives}
        for group in groups(view, [named(FACE_UP, "7H", "7S", "7D", "7C")]):
            told = [by_card[card] for card in sorted(group) if card in by_card]
            for one in told[1:]:
                assert (one.value, one.worlds) == (told[0].value, told[0].worlds)
                pairs += 1
        differing += len({one.value for one in answer.alternatives}) > 1

    answers = heard(FACE_UP, spec, 2)
    follow(FACE_UP, answers, look, 2)
    assert pairs >= 10
    assert differing >= 10
    assert answers == heard(FACE_UP, spec, 2)


@pytest.mark.parametrize("variant", ["barbu_king_br", "barbu_52_doubling"])
def test_behind_a_high_gate_it_plays_as_its_base(variant: str) -> None:
    """Unless another answer was better by the same in every world."""
    rules, model = load_variant(variant), DuckModel()
    answers = heard(rules, "mc.v1(worlds=20, base=duck.v1, gate=1000000)")
    as_duck = sure = 0

    def look(view: Any, answer: Answer) -> None:
        nonlocal as_duck, sure
        if answer.question not in ("play", "lay"):
            return
        ours = model.play(view) if answer.question == "play" else model.lay(view)
        if answer.said == ours:
            as_duck += 1
            return
        told = {one.answer: one for one in answer.alternatives}
        assert told[ours].error == 0
        assert told[ours].value < told[answer.said].value
        sure += 1

    follow(rules, answers, look)
    assert as_duck > 20 * sure


@pytest.mark.parametrize("spec", ["mc.v1(worlds=1)", "mc.v1(worlds=9)"])
def test_one_player_in_all_seats_is_as_one_in_each(spec: str) -> None:
    variant = load_variant("barbu_king_br")
    one = play(variant, [strategies.create(spec)])
    each = play(variant, [strategies.create(spec) for _ in range(4)])
    assert not one.fouls.any()
    assert (one.deals.moves == each.deals.moves).all()
    assert (one.score == each.score).all()


def test_one_world_tells_values_without_errors() -> None:
    told = [one for answer in heard(house(TRICK), "mc.v1(worlds=1)") for one in answer.alternatives]
    assert told
    assert {(one.error, one.worlds) for one in told} == {(0.0, 1)}


def test_it_stops_within_a_question() -> None:
    stop = StopFlag()
    player: Any = strategies.create("mc.v1(worlds=100000)")
    variant = load_variant("barbu_52_doubling")
    found: list[Any] = []
    table = threading.Thread(target=lambda: found.append(play(variant, [player], 3, stop)))
    table.start()
    time.sleep(0.2)
    asked = time.perf_counter()
    stop.set()
    table.join(30)
    assert not table.is_alive()
    assert time.perf_counter() - asked < 5
    assert len(found[0].score) == 0
    assert player.alternatives() == []


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("mc.v1(worlds=0)", "worlds: 0, want a whole number from 1 to 100000"),
        ("mc.v1(worlds=2.5)", "worlds"),
        ("mc.v1(worlds=100001)", "worlds"),
        ("mc.v1(gate=-1)", "gate: -1.0, want 0 or more standard errors"),
        ("mc.v1(gate=1e999)", "gate: inf"),
        ("mc.v1(playout=cautious.v1)", "playout: cautious.v1 is not compiled"),
        ("mc.v1(base=cautious.v1)", "base: cautious.v1 is not compiled"),
        ("mc.v1(playout=nobody.v1)", "nobody.v1"),
        ("dp.v1(by=luck)", "by: luck, want one of dp, surplus, value, order"),
        ("dp.v1(hands=0)", "hands: 0"),
        ("dp.v1(worlds=0)", "worlds: 0"),
        ("dp.v1(playout=cautious.v1)", "playout"),
        ("ev.v1(worlds=300)", "worlds: 300"),
        ("ev.v1(worlds=30, draws=20)", "draws: 20"),
        ("ev.v1(model=cautious.v1)", "model: cautious.v1 is not compiled"),
    ],
)
def test_parameters_are_refused_in_a_line(spec: str, why: str) -> None:
    with pytest.raises(StrategyError) as refused:
        strategies.create(spec)
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_is_no_compiled_strategy_is_no_playout_policy() -> None:
    """It fails before there is anything to give back."""
    from engine_ext.build import load

    class Odd:
        capsule = None

    for name, more in (("searching", (Odd(), 5, 1.0)), ("choosing", (5, 5, 0))):
        made = {"searching": "Searching", "choosing": "Choosing"}[name]
        with pytest.raises(ValueError, match="PyCapsule_GetPointer"):
            getattr(load(f"strategies.{name}"), made)(Odd(), *more)
