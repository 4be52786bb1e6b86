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
from engine_ext.rules.checks import problems
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Claim, Reading, Variant
from engine_ext.seeds import run_key
from strategies.registry import create
from strategies.testing import BASE_VARIANTS
from tests.property.test_hygiene import alike, shown

Path = tuple[str | int, ...]
KEY = run_key(99)
TEXT = {"title", "local", "source", "language", "name", "readings", "claims", "not_covered"}
"""Words for people; results do not depend on them."""
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
        return self.answer(view, view.cards)

    def lay(self, view: Any) -> Any:
        held = [card for card in range(64) if view.hand >> card & 1]
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
    "lead_ban": [{"cards": HEART_SET}, {"cards": {"cards": ["KH"]}}],
    "forced_play": [{"cards": {"cards": ["KH"]}}, {"cards": {"ranks": ["Q"]}}],
    "face_up": [HEART_SET],
    "replay": [{"cards": {"ranks": ["A"]}}],
    "doubling": [
        {"in_negative": "anyone", "in_positive": "declarer", "declarer": "doublers", "source": "x"}
    ],
}
LISTS: dict[str, list[Any]] = {
    "suits": [["D"], ["H", "S"]],
    "ranks": [["J"], ["K", "A"]],
    "cards": [["QS"], ["KH", "AH"]],
    "but": [["KH"], ["AH"], []],
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
    if value == 0 and path[-2:-1] == ("uses",):
        del place[path[-1]]
    else:
        place[path[-1]] = value
    try:
        new = Variant.model_validate(table)
    except ValidationError:
        return None
    return None if list(problems(new)) else new


def sample(variant: Variant, games: int) -> GameRecords:
    """Games in which every rule has a chance to be felt."""
    players = [Curious(), create("random.v1"), create("cautious.v1")]
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
    shapes = one.score.shape == other.score.shape and one.deals.points.shape == other.deals.points.shape
    return (
        shapes
        and alike(one, other)
        and np.array_equal(one.fouls, other.fouls)
        and np.array_equal(one.place, other.place)
    )


def text(path: Path) -> str:
    return ".".join(map(str, path))


NO_EFFECT: dict[str, dict[str, str]] = {}


@pytest.mark.parametrize("name", BASE_VARIANTS)
def test_every_option_of_a_base_variant_makes_a_difference(name: str) -> None:
    variant = load_variant(name)
    idle, felt = set(), 0
    for path, value in alternatives(variant):
        other = changed(variant, path, value)
        if other is None:
            continue
        for games in (1, 6, 25):
            if not same(as_it_is(name, games), sample(other, games)):
                felt += 1
                break
        else:
            idle.add(f"{text(path)} = {value}")
    print(felt, len(idle)); print("\n".join(sorted(idle)))
    assert idle == set(NO_EFFECT.get(name, {}))
