"""Damaged variant files: what comes out is a variant that can be played, or one line."""

import tomllib
from collections.abc import Iterator
from copy import deepcopy
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.errors import RuleError
from engine_ext.rules.house import differences
from engine_ext.rules.load import load_lineage, load_variant, variant_names
from engine_ext.rules.resolve import resolve
from engine_ext.rules.show import show
from engine_ext.rules.totals import check
from tests.unit.rule_files import TINY, as_toml

NAMES = variant_names()
TABLES = [tomllib.loads(TINY)] + [
    tomllib.loads((files("configs") / "rules" / f"{name}.toml").read_text("utf-8"))
    for name in NAMES
]
PYDANTIC = ("Input should", "Value error", "Field required", "validation error", "Extra inputs")


def places(value: object, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every value inside a table."""
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for key, part in items:
        yield (*above, key)
        yield from places(part, (*above, key))


def at(value: Any, way: tuple[Any, ...]) -> Any:
    """Return what stands at the end of a way."""
    for key in way:
        value = value[key]
    return value


WAYS = [list(places(table)) for table in TABLES]
KEYS = sorted({str(way[-1]) for ways in WAYS for way in ways})
LEAVES = [at(table, way) for table, ways in zip(TABLES, WAYS, strict=True) for way in ways]
WORDS = sorted({leaf for leaf in LEAVES if isinstance(leaf, str)})
VALUES = st.one_of(
    st.integers(-3, 60),
    st.sampled_from(
        [10**6, -(10**6), 2**63, 10**40, 0.5, float("inf"), float("nan"), True, "", "a\nb"]
    ),
    st.sampled_from(WORDS),
    st.sampled_from([[], {}, [[]], [{}], {"kind": "trick"}, ["H"], ["7", "A"], ["KH"]]),
)


@st.composite
def damaged(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a shipped variant with one to three passages removed, replaced, renamed or moved."""
    which = draw(st.integers(0, len(TABLES) - 1))
    table: dict[str, Any] = deepcopy(TABLES[which])
    for _ in range(draw(st.integers(1, 3))):
        way = draw(st.sampled_from(WAYS[which]))
        try:
            inside = at(table, way[:-1])
            old = inside[way[-1]]
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took this passage away
        if isinstance(inside, str):
            continue  # or put a text in the place of a list
        match draw(st.sampled_from(["remove", "replace", "nudge", "rename", "copy"])):
            case "remove":
                del inside[way[-1]]
            case "nudge" if isinstance(old, int):
                inside[way[-1]] = old + draw(st.sampled_from([-1, 1]))
            case "rename" if isinstance(inside, dict):
                inside[draw(st.sampled_from(KEYS))] = inside.pop(way[-1])
            case "copy":
                other = draw(st.sampled_from(WAYS[which]))
                inside[way[-1]] = deepcopy(at(TABLES[which], other))
            case _:
                inside[way[-1]] = draw(VALUES)
    return table


@st.composite
def house_rules(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """Draw a shipped variant's name and a file that extends it, with one to three changes."""
    which = draw(st.integers(0, len(NAMES) - 1))
    table: dict[str, Any] = {}
    ways = [way for way in WAYS[which + 1] if all(isinstance(key, str) for key in way)]
    for _ in range(draw(st.integers(1, 3))):
        way = draw(st.sampled_from(ways))
        inside: Any = table
        for key in way[:-1]:
            inside = inside.setdefault(key, {})
            if not isinstance(inside, dict):
                break
        else:
            same_key = [leaf for ways in WAYS for leaf in ways if leaf[-1] == way[-1]]
            other = draw(st.sampled_from(same_key))
            pool = [at(t, other) for t, ways in zip(TABLES, WAYS, strict=True) if other in ways]
            inside[way[-1]] = draw(st.sampled_from([*map(deepcopy, pool), "none"]) | VALUES)
    return NAMES[which], table


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@given(damaged())
def test_a_damaged_file_gives_one_line_or_a_variant_that_can_be_played(
    folder: Path, table: dict[str, Any]
) -> None:
    path = folder / "damaged.toml"
    path.write_text(as_toml(table).replace("Infinity", "inf").replace("NaN", "nan"), "utf-8")
    try:
        variant = load_variant(path)
    except RuleError as error:
        line = str(error)
        assert line.startswith(f"{path}: ")
        assert "\n" not in line
        assert not any(words in line for words in PYDANTIC), line
        return
    numbers = resolve(variant)
    assert check(variant).ok
    assert show(variant)
    assert numbers.deck.bit_count() == numbers.hand_size * numbers.seats
    for contract in numbers.contracts:
        assert 1 <= contract.n_slots <= 8
        assert contract.params
        assert contract.scoring_cards & ~numbers.deck == 0
        assert contract.scoring_tricks >> numbers.hand_size == 0


@given(st.binary(max_size=200))
def test_bytes_that_are_no_variant_are_refused_in_one_line(folder: Path, noise: bytes) -> None:
    path = folder / "noise.toml"
    path.write_bytes(noise)
    with pytest.raises(RuleError) as refused:
        load_variant(path)
    assert "\n" not in str(refused.value)


@given(house_rules())
def test_a_house_rule_gives_one_line_or_a_variant_that_tells_no_falsehood(
    folder: Path, house: tuple[str, dict[str, Any]]
) -> None:
    name, table = house
    path = folder / "house.toml"
    text = as_toml({"extends": name, **table})
    path.write_text(text.replace("Infinity", "inf").replace("NaN", "nan"), "utf-8")
    try:
        variant, *above = load_lineage(path)
    except RuleError as error:
        line = str(error)
        assert line.startswith(f"{path}: ")
        assert "\n" not in line
        assert not any(words in line for words in PYDANTIC), line
        return
    parent = above[0]
    held = check(variant, above)
    assert held.ok  # every reading, inherited ones too, tells what the file has
    known = {claim.what for claim in check(parent, above[1:]).claims if not claim.ok}
    stated = {claim["what"] for claim in table.get("claims", [])}
    assert all(c.ok or c.changed or c.what in known | stated for c in held.claims)
    assert show(variant, above)
    if resolve(variant) != resolve(parent):
        assert differences(variant, parent)
        assert variant.source != parent.source
