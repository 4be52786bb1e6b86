"""A variant with some keys set otherwise, as a house's own file would set them."""

import json
import re
from collections.abc import Mapping
from itertools import permutations
from typing import Any, get_args

from pydantic import BaseModel, JsonValue, ValidationError

from engine_ext.errors import RuleError
from engine_ext.rules.checks import MAX_POINTS, problems
from engine_ext.rules.checks_papers import key_parts, part_at
from engine_ext.rules.facts import contract_total
from engine_ext.rules.house import PAPERS, inherit
from engine_ext.rules.messages import first_problem
from engine_ext.rules.spec import ChoiceSchedule, Variant

Table = dict[str, Any]

ABSENT = "none"
"""What a key reads, and is set to, where nothing stands there."""
TEXTS = re.compile(r"contracts\.\w+\.(total|title|local|source)|doubling\.source")
"""Keys in the rules' tables that are none: totals follow from points, the others are texts."""


def revised(parent: Variant, changes: Mapping[str, JsonValue]) -> Variant:
    """Return the parent with each key set to its value, checked as a file is.

    Keys are those of :func:`setting_at`. A table or a list takes the old one's place whole,
    ``"none"`` takes away what may be absent, and 0 a contract from ``schedule.uses``. Every
    ``total`` of a contract is what comes out; papers are kept as by a file that extends the
    parent. Raises ``RuleError``: one line with key, value and what would be right.
    """
    for outer, inner in permutations(changes, 2):
        if inside(inner, outer):
            raise RuleError(f"{inner}: lies in {outer}, which is set too (want one of them)")
    loose = unchecked(parent, changes)
    for problem in problems(loose):
        raise RuleError(problem)
    totals = {}
    for name in loose.contracts:
        theirs = parent.contracts.get(name)
        if theirs is not None and theirs.total is not None:
            totals[name] = {"total": _total(loose, name)}
    contracts = {
        name: contract.model_copy(update=totals.get(name, {}))
        for name, contract in loose.contracts.items()
    }
    return inherit(loose.model_copy(update={"contracts": contracts}), parent, {})


def unchecked(parent: Variant, changes: Mapping[str, JsonValue]) -> Variant:
    """Return the same without papers and totals, held against the schema alone.

    For what is asked of very many rules that differ in numbers; whatever is played is
    :func:`revised`. Here a key may lie in one before it, and has the last word.
    """
    table: Table = parent.model_dump(mode="json", exclude_none=True)
    for key, value in changes.items():
        setting_at(parent, key)  # refuses keys that are not there
        _set(parent, table, key, value)
    contracts = table["contracts"]
    for contract in contracts.values() if isinstance(contracts, dict) else ():
        if isinstance(contract, dict):
            contract.pop("total", None)
    try:
        # As JSON, so that strict reading still takes a list for a tuple.
        text = json.dumps(table | {"readings": [], "claims": []}, allow_nan=False)
        return Variant.model_validate_json(text, strict=True)
    except ValidationError as error:
        raise RuleError(first_problem(error)) from error
    except ValueError as error:
        raise RuleError(f"a number without end is no value of any key: {error}") from error


def _total(variant: Variant, name: str) -> int:
    total = contract_total(variant, name)
    if abs(total) > MAX_POINTS:
        raise RuleError(f"contracts.{name}: {total} points in all, at most {MAX_POINTS}")
    return total


def setting_at(variant: Variant, key: str) -> JsonValue:
    """Return what a variant says at a key such as ``contracts.kings.terms[0].points``.

    As TOML would write it: tables and lists whole, ``"none"`` for what is absent, and 0 for a
    contract that ``schedule.uses`` does not name. Raises ``RuleError`` for a key that does not
    exist, or that is no rule: totals, titles and papers.
    """
    if canonical(key) != key:
        raise RuleError(f'{key}: is no key (want names with dots, as in "doubling.duty")')
    if TEXTS.fullmatch(key) or key.partition(".")[0].partition("[")[0] in PAPERS:
        why = "follows from the points" if key.endswith(".total") else "changes no rule"
        raise RuleError(f"{key}: {why} (want a key that does)")
    if _unused(variant, key):
        return 0
    try:
        part = part_at(variant, key)
    except LookupError as error:
        raise RuleError(f"{key}: {error.args[0]}") from error
    return ABSENT if part is None else _plain(part)


def inside(inner: str, outer: str) -> bool:
    """Return whether a key is the other one, or lies in its table or list."""
    return inner == outer or inner.startswith((f"{outer}.", f"{outer}["))


def canonical(key: str) -> str:
    """Return a key as it is always written, so that one key has one text."""
    return "".join(part if part[0] == "[" else f".{part}" for part in key_parts(key)).lstrip(".")


def _plain(part: object) -> JsonValue:
    found: JsonValue
    if isinstance(part, BaseModel):
        found = part.model_dump(mode="json", exclude_defaults=True)
    elif isinstance(part, dict):
        found = {name: _plain(inner) for name, inner in part.items()}
    elif isinstance(part, tuple):
        found = [_plain(inner) for inner in part]
    else:
        assert isinstance(part, str | int)
        found = part
    return found


def _unused(variant: Variant, key: str) -> bool:
    """Tell whether a key is that of a contract which nobody can choose."""
    name = key.removeprefix("schedule.uses.")
    uses = variant.schedule.uses if isinstance(variant.schedule, ChoiceSchedule) else None
    return uses is not None and name != key and name in variant.contracts and name not in uses


def _set(parent: Variant, table: Table, key: str, value: JsonValue) -> None:
    *way, last = (int(part[1:-1]) if part[0] == "[" else part for part in key_parts(key))
    here: Any = table
    for part in way:
        here = here[part]
    if (value == ABSENT and _may_go(parent, key)) or (value == 0 and _is_use(key, value)):
        here.pop(last, None)
    else:
        here[last] = value


def _is_use(key: str, value: JsonValue) -> bool:
    return key.startswith("schedule.uses.") and not isinstance(value, bool)


def _may_go(parent: Variant, key: str) -> bool:
    """Tell whether ``"none"`` is no word of a key but takes away what stands there."""
    if key.endswith("]"):
        return False  # the places of a list are all there
    above, _, name = key.rpartition(".")
    record = part_at(parent, above) if above else parent
    if isinstance(record, BaseModel):
        return type(None) in get_args(type(record).model_fields[name].annotation)
    return isinstance(record, dict)
