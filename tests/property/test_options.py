"""Every rule that a variant file can say makes a difference to games that are played by it.

Each key of each base variant is given every other value that the schema allows, one at a
time, and games are played until something differs: cards, bets, points, fouls or what a
seat is shown. What cannot differ is listed with its reason.
"""

from collections.abc import Iterator
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin
from zlib import crc32

import numpy as np
import pytest
from pydantic import BaseModel, ValidationError

from engine_ext.batch import GameRecords, Rules, play_games
from engine_ext.reference.cards import Pack
from engine_ext.reference.tricks import scoring_terms
from engine_ext.rules.checks import problems
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import FixedSchedule, LayoutContract, PerCard, TrickContract, Variant
from engine_ext.seeds import run_key
from strategies.registry import create
from strategies.testing import BASE_VARIANTS
from tests.property.test_draws import alike
from tests.property.test_hygiene import shown

Path = tuple[str | int, ...]
KEY = run_key(99)
TEXT = {"title", "local", "source", "language", "name", "readings", "claims", "not_covered"}
"""Words for people; results do not depend on them."""
MANY = 1_500
"""Games for the rarest: all hearts taken before the last trick though none may be led."""
CHECKED = {"total"}
"""Held against what comes out when a file is read, and not used after that."""


class Curious:
    """Answers by everything it is shown; in a layout it may show a card that does not fit."""

    def answer(self, view: Any, options: list[Any]) -> Any:
        return options[crc32(repr(shown(view)).encode()) % len(options)]

    def choose(self, view: Any) -> Any:
        return self.answer(view, view.choices)

    def double(self, view: Any) -> Any:
        targets = [1 << seat for seat in range(10) if view.may_double >> seat & 1]
        return view.must_double | self.answer(view, [0, 0, *targets, view.may_double])

    def redouble(self, view: Any) -> Any:
        return self.answer(view, [0, view.may_redouble])

    def play(self, view: Any) -> Any:
        held = [card for card in range(64) if view.hand >> card & 1]
        return self.answer(view, view.cards + held * view.rules.honour)

    def lay(self, view: Any) -> Any:
        held = [card for card in range(128) if view.hand >> card & 1]
        return self.answer(view, [*view.cards, *view.cards, *held, *[None] * view.may_pass])


def other_values(annotation: Any, value: Any) -> list[Any]:
    """Other values of a key: of a list of words all, of a number or a list of them a few."""
    if get_origin(annotation) is Literal:
        return [word for word in get_args(annotation) if word != value]
    if get_origin(annotation) in (Union, UnionType):
        return [
            word for part in get_args(annotation) if get_origin(part) is Literal
            for word in get_args(part) if word != value
        ]  # fmt: skip
    return []


HEART_SET = {"suits": ["H"]}
ABSENT: dict[str, list[Any]] = {
    # What an optional table may be.
    "lead_ban": [
        {"cards": HEART_SET},
        {"cards": {"cards": ["KH"]}},
        {"cards": {"suits": ["S"]}, "until": "trick", "trick": 3},
    ],
    "broken_by": [{"cards": ["QS", "JD"]}],
    "trick": [],
    "forced_play": [
        {"cards": {"cards": ["KH"]}},
        {"cards": {"ranks": ["Q"]}},
        {"cards": {"suits": ["H"]}, "choose": "highest"},
    ],
    "first_lead": [{"ranks": ["7"]}],
    "first_trick_ban": [{"suits": ["D"]}],
    "shooting": [{"cards": {"ranks": ["A"]}, "taker": 7, "others": -9}],
    "face_up": [HEART_SET],
    "holds": [],
    "passes": [],
    "replay": [{"cards": {"ranks": ["A"]}}],
    "ties": [{"contract": "tricks"}],
    "legality": [{}],
    "doubling": [
        {"in_negative": "anyone", "in_positive": "declarer", "declarer": "doublers", "source": "x"}
    ],
}
LISTS: dict[str, list[Any]] = {
    "suits": [["D"], ["H", "S"]],
    "ranks": [["J"], ["K", "A"]],
    "cards": [["JD"], ["JD", "9S"]],
    "but": [["KH"], ["JH"]],
    "tricks": [[1], [-1], [2, 3]],
    "start": [["9"], ["7", "A"]],
}


def alternatives(variant: Variant) -> Iterator[tuple[Path, Any]]:
    """Yield each key with another value it might have; not all of them can be played."""
    yield from _of(variant, ())


def _of(record: BaseModel, path: Path) -> Iterator[tuple[Path, Any]]:
    for key, field in type(record).model_fields.items():
        value = getattr(record, key)
        here = (*path, key)
        if key in TEXT | CHECKED | {"kind", "per", "seats", "deck"}:
            continue
        if value is None or key in ABSENT:
            yield from ((here, other) for other in ABSENT[key])
            if value is not None:
                yield here, None
        for other in other_values(field.annotation, value):
            yield here, other
        if isinstance(value, FixedSchedule) and value.leader != "holder":
            # Two keys that only go together.
            card = value.model_dump(mode="json") | {"leader": "holder", "holds": "7D"}
            yield here, card
        if isinstance(value, BaseModel):
            yield from _of(value, here)
        elif isinstance(value, dict):
            for name, item in value.items():
                if isinstance(item, BaseModel):
                    yield from _of(item, (*here, name))
                else:
                    yield (*here, name), item + 1
                    yield (*here, name), 0
        elif isinstance(value, tuple) or (key == "start" and value == "any_rank"):
            yield from ((here, other) for other in LISTS.get(key, []))
            yield from _of_list(key, value, here)
        elif isinstance(value, int):
            yield from ((here, other) for other in {value + 1, value - 1, 1, -value} - {value})


def _of_list(key: str, value: Any, here: Path) -> Iterator[tuple[Path, Any]]:
    if key == "payout":
        yield from (((*here, place), points + 10) for place, points in enumerate(value))
    elif key == "sequence":
        yield here, list(value[::-1])
        yield here, list(value[:-1])
    elif value and isinstance(value[0], BaseModel):
        for i, item in enumerate(value):
            yield from _of(item, (*here, i))
        if len(value) > 1:
            yield here, [item.model_dump(mode="json") for item in value[:-1]]


def changed(variant: Variant, path: Path, value: Any) -> Variant | None:
    """Return the rules with one key changed, or None where they could not be played."""
    table = variant.model_dump(mode="json") | {"readings": [], "claims": []}
    for contract in table["contracts"].values():
        contract["total"] = None
    place: Any = table
    for step in path[:-1]:
        place = place[step]
    if not path:
        pass  # as it is
    elif value == 0 and path[-2:-1] == ("uses",):
        del place[path[-1]]
    else:
        place[path[-1]] = value
    try:
        new = Variant.model_validate(table)
    except ValidationError:
        return None
    return None if list(problems(new)) else new


def sample(variant: Variant, games: int) -> GameRecords:
    """Games in which every rule has a chance to be felt; many for what seldom happens."""
    players: list[Any] = [Curious(), create("random.v1"), create("cautious.v1")]
    if games == MANY:
        players = [create("duck.v1")] * 3
    return play_games(
        Rules(variant),
        players,
        key=KEY,
        blocks=np.arange(games, dtype=np.uint64),
        seating=np.tile(np.array([0, 1, 2, 0], np.uint8), (games, 1)),
        log=True,
    )


@cache
def as_it_is(name: str, games: int) -> GameRecords:
    return sample(load_variant(name), games)


def same(one: GameRecords, other: GameRecords) -> bool:
    shapes = (
        one.score.shape == other.score.shape and one.deals.points.shape == other.deals.points.shape
    )
    return (
        shapes
        and alike(one, other)
        and np.array_equal(one.fouls, other.fouls)
        and np.array_equal(one.place, other.place)
    )


def text(path: Path) -> str:
    return ".".join(map(str, path))


def why_idle(variant: Variant, path: Path, value: Any) -> str | None:
    """Return why a changed key cannot show in games, None where it must."""
    key, place = path[-1], variant.contracts.get(str(path[1])) if len(path) > 1 else None
    if key == "tone" and variant.doubling is None:
        return "side bets ask for the tone, and strategies may; here are no side bets"
    if (
        key == "tone"
        and variant.doubling is not None
        and variant.doubling.undoubled != "split"
        and {value, getattr(place, "tone", "")} == {"mixed", "negative"}
    ):
        return "a mixed contract is doubled like a negative one"
    if key == "early_end" and isinstance(place, TrickContract):
        terms = [term for term, _ in scoring_terms(variant, str(path[1]))]
        if not all(isinstance(term, PerCard) for term in terms):
            return "a deal in which tricks score is never decided early"
    if isinstance(place, TrickContract) and len(path) > 3:
        reason = _why_idle_duty(variant, place, path, value)
        if reason:
            return reason
    plan = variant.schedule
    sides = [word for word in plan.model_dump().values() if str(word).startswith(("left", "right"))]
    if key == "direction" and not sides:
        return "seats count in playing order, and no rule here speaks of left or right"
    if key == "missing_start" and not variant.deck.remove:
        return "no card is taken out of the pack"
    if key == "stall" and isinstance(place, LayoutContract) and place.passing == "must_play":
        return "who can lay must anyway"
    return None


def _why_idle_duty(variant: Variant, contract: TrickContract, path: Path, value: Any) -> str | None:
    pack, ban, forced = Pack(variant.deck), contract.lead_ban, contract.forced_play
    if path[-2:] == ("lead_ban", "until") and ban and len(pack.pick(ban.cards)) == 1:
        return "what lifts the ban on a card is that card itself, which is gone then"
    if path[-2:] == ("forced_play", "choose") and forced:
        ranks = {pack.height(card) for card in pack.pick(forced.cards)}
        return None if len(ranks) > 1 else "all cards that are forced out are of one rank"
    return None


def options_make_a_difference(name: str, every: int) -> int:
    """Hold each ``every``-th alternative to what it must do; return how many were."""
    variant = load_variant(name)
    held, idle = 0, []
    for path, value in list(alternatives(variant))[::every]:
        other = changed(variant, path, value)
        if other is None or other == changed(variant, (), None):
            continue
        held += 1
        reason = why_idle(variant, path, value)
        felt = any(
            not same(as_it_is(name, games), sample(other, games))
            for games in ((2,) if reason else (1, 8, 60, 400, MANY))
        )
        if felt != (reason is None):
            idle.append(f"{text(path)} = {value}: {reason or 'no difference'}")
    assert not idle
    return held


OTHERS = ("hearts_moon", "barbu_52_wikipedia")
"""Variants with rules that no base variant has."""


@pytest.mark.parametrize("name", BASE_VARIANTS)
def test_options_of_a_variant_make_a_difference(name: str) -> None:
    """Each thirteenth, at most one of neighbouring keys; the slow test takes every one."""
    assert options_make_a_difference(name, 13) > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", [*BASE_VARIANTS, *OTHERS])
def test_every_option_of_a_variant_makes_a_difference(name: str) -> None:
    assert options_make_a_difference(name, 1) > (30 if name == "hearts_moon" else 100)


@pytest.mark.slow
def test_every_option_of_ties_and_revokes_makes_a_difference() -> None:
    """In games of two deals, in which three seats often get nothing and are level."""
    table = {
        ("schedule", "sequence"): ["king", "hearts"],
        ("ties",): {"contract": "take_tricks", "at_most": 3},
        ("legality",): {},
    }
    variant = load_variant("barbu_king_br")
    for key, said in table.items():
        new = changed(variant, key, said)
        assert new is not None
        variant = new
    held = []
    for path, value in alternatives(variant):
        other = changed(variant, path, value) if path[0] in ("ties", "legality") else None
        if other is None or other == variant:
            continue
        assert any(
            not same(sample(variant, games), sample(other, games)) for games in (8, 60, 400)
        ), f"{text(path)} = {value}"
        held.append(text(path))
    assert {"ties.eligible", "ties.at_most", "legality.proof", "legality.sign"} <= set(held)
    assert {"legality.other_scores", "legality.then", "legality.lead_ban_breach"} <= set(held)
