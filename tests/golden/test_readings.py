"""Every alternative of every option has a golden position, and is told in ``barbu rules show``.

``readings.txt`` lists them by the dossier's section 2; what a variant file can say is taken
from its schema.
"""

import tomllib
import types
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import pytest
from pydantic import BaseModel

from engine_ext.record import Record, read_record
from engine_ext.rules import spec
from engine_ext.rules.checks_papers import value_at
from engine_ext.rules.load import load_variant
from engine_ext.rules.show import show
from engine_ext.rules.spec import Variant

HERE = Path(__file__).parent
FILES = sorted((HERE / "positions").glob("*.txt"))
CHANGING = [file for file in FILES if "\noption " in file.read_text("utf-8")]
ROWS = [
    tuple(field.strip() for field in line.split("|"))
    for line in (HERE / "readings.txt").read_text("utf-8").splitlines()
    if line and line[0] != "#"
]
READINGS = [row for row in ROWS if row[1] != "-"]
ISSUES = {f"2.{n}" for n in range(1, 53)} | {"2.31b", "2.34b", "2.34c"}

NO_RULE = {"language", "kind", "per", "tone"}
"""Words that name a thing and change no play."""

MODELS = [
    kind
    for kind in vars(spec).values()
    if isinstance(kind, type)
    and issubclass(kind, BaseModel)
    and kind not in (spec.Reading, spec.Claim)
]


@cache
def position(start: str) -> Record:
    """Return the only position whose name begins so."""
    (file,) = [file for file in FILES if file.stem.startswith(start)]
    return read_record(file)


def key_and_value(row: tuple[str, ...]) -> tuple[str, object]:
    key, _, value = row[1].partition(" = ")
    (said,) = tomllib.loads(f"said = {value}").values()
    return key, tuple(said) if isinstance(said, list) else said


def words(annotation: Any) -> Iterator[str | int | bool]:
    """Yield what a key takes, of words and numbers that the schema lists."""
    if annotation is bool:
        yield from (False, True)
    elif get_origin(annotation) is Literal:
        yield from get_args(annotation)
    elif get_origin(annotation) in (Union, types.UnionType):
        for part in get_args(annotation):
            yield from words(part)


def place(variant: Variant, key: str) -> tuple[str, str]:
    """Return the kind of table in which a key stands, and its last word."""
    above, _, name = key.rpartition(".")
    here: Any = variant
    for part in above.split(".") if above else ():
        here = here[part] if isinstance(here, dict) else getattr(here, part)
    return type(here).__name__, name


@pytest.mark.parametrize("row", READINGS, ids=["|".join(row[:2]) for row in READINGS])
def test_a_position_is_played_by_the_reading_that_it_stands_for(row: tuple[str, ...]) -> None:
    key, value = key_and_value(row)
    for start in row[2].split():
        assert value_at(position(start).variant, key) == value, start


def test_every_issue_of_the_dossier_is_answered() -> None:
    assert {row[0] for row in ROWS} >= ISSUES
    assert all(len(row) == 3 and row[2] for row in ROWS)


def test_every_word_that_a_variant_file_can_say_has_its_position() -> None:
    shown = set()
    for row in READINGS:
        key, value = key_and_value(row)
        if "[" not in key and not isinstance(value, tuple):
            shown.add((*place(position(row[2].split()[0]).variant, key), value))
    known = {
        (model.__name__, name, word)
        for model in MODELS
        for name, field in model.model_fields.items()
        if name not in NO_RULE
        for word in words(field.annotation)
    }
    assert known - shown == set()


def rules_told(variant: Variant) -> str:
    """Return the rules in words, without the list of readings behind them."""
    return show(variant).partition("\nReadings, where")[0].partition("\nThe game\n")[2]


@pytest.mark.parametrize("file", CHANGING, ids=[file.stem for file in CHANGING])
def test_an_option_that_a_position_changes_is_told_in_words(file: Path) -> None:
    record = read_record(file)
    assert rules_told(record.variant) != rules_told(load_variant(record.variant_name))
