"""Variant files: find, extend, read and check, with one line for whatever is wrong.

``extends = "NAME"`` (a shipped name, or a file beside this one) takes over the parent's
tables: tables are merged, everything else is replaced, ``"none"`` in place of a table or a
number takes it away, and a table of another ``kind`` replaces the parent's whole. Readings,
claims and sources are passed on as :mod:`engine_ext.rules.house` says.
"""

import json
import os
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from pydantic import ValidationError

from engine_ext.errors import RuleError
from engine_ext.rules.checks import problems
from engine_ext.rules.house import HOUSE, inherit
from engine_ext.rules.messages import first_problem, nearest
from engine_ext.rules.spec import Variant
from engine_ext.rules.toml_file import Table, read_table

__all__ = ["RuleError", "load_base", "load_lineage", "load_variant", "variant_names"]


def variant_names() -> list[str]:
    """Return the names of the shipped variants, in order of the alphabet."""
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in _shipped().iterdir()
        if entry.name.endswith(".toml")
    )


def load_variant(name_or_path: str | Path) -> Variant:
    """Read and check a shipped variant by name, or a file by its path.

    A ``Path``, or a text that ends in ``.toml`` or has a slash, is a path. Raises
    ``RuleError``: one line that names file, key, value and what would be right.
    """
    return load_lineage(name_or_path)[0]


def load_lineage(name_or_path: str | Path) -> tuple[Variant, ...]:
    """Return what :func:`load_variant` does, and then the variants that it extends in turn."""
    return _load(_find(name_or_path, None), ())[0]


def load_base(name_or_path: str | Path) -> Variant | None:
    """Return the nearest shipped variant that a house's own file extends, however many others
    of its own lie between; nothing for a shipped variant, or where none is extended.

    To be asked about what ``load_lineage`` has read.
    """
    file = _find(name_or_path, None)
    while not _is_shipped(file):
        parent = read_table(file).get("extends")
        if parent is None:
            return None
        file = _find(parent, file)
        if _is_shipped(file):
            return _load(file, ())[0][0]
    return None


def _is_shipped(file: Traversable) -> bool:
    return os.path.realpath(os.path.dirname(str(file))) == os.path.realpath(str(_shipped()))


def _shipped() -> Traversable:
    return files("configs") / "rules"


def _find(name_or_path: str | Path, beside: Traversable | None) -> Traversable:
    """Return the file meant; relative paths count from the file that says them."""
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or text.endswith(".toml") or "/" in text:
        return beside.parent / text if isinstance(beside, Path) else Path(text)
    known = variant_names()
    if text not in known:
        # Too many by now to name them all in one line.
        everything = f"barbu rules list shows all {len(known)}; or give the path of a file"
        hint = nearest(text, known) or everything
        raise RuleError(f"{text}: no variant of this name ({hint})")
    return _shipped() / f"{text}.toml"


def _load(file: Traversable, below: tuple[str, ...]) -> tuple[tuple[Variant, ...], Table]:
    """Return the variant of a file and those it extends, and its table, parent's keys included."""
    if os.path.realpath(str(file)) in map(os.path.realpath, below):
        raise RuleError(f"{below[0]}: extends: {' -> '.join((*below, str(file)))} is a circle")
    own = read_table(file)
    if "extends" not in own:
        return (_validate(file, own),), own
    parent = own.pop("extends")
    if not isinstance(parent, str) or not parent or not parent.isprintable():
        raise RuleError(f"{file}: extends: must be the name or file of a variant")
    try:
        found = _find(parent, file)
    except RuleError as error:
        raise RuleError(f"{file}: extends: {error}") from error
    lineage, theirs = _load(found, (*below, str(file)))
    _refuse_strangers(file, own, theirs)
    if not _is_shipped(file):
        _vouch_for_new(own, theirs)
    # The parent's own papers are carried over below; here they would count as this file's.
    table = _merge(theirs | {"readings": [], "claims": []}, own)
    return (inherit(_validate(file, table), lineage[0], own), *lineage), table


def _refuse_strangers(file: Traversable, own: Table, theirs: Table) -> None:
    """Refuse a misspelt contract, which would read as a new one that lacks everything."""
    contracts = own.get("contracts")
    known = theirs["contracts"]
    for name, contract in contracts.items() if isinstance(contracts, dict) else ():
        partial = contract == "none" or (isinstance(contract, dict) and "kind" not in contract)
        if partial and name not in known:
            new = 'new one says kind = "trick" or kind = "layout"'
            meant = nearest(name, known)
            hint = f"{meant} A {new}" if meant else f"known: {', '.join(known)}; a {new}"
            line = f"contracts.{name}: no contract of the parent ({hint})"
            raise RuleError(f"{file}: {_one_line(line)}")


def _vouch_for_new(own: Table, theirs: Table) -> None:
    """Let a house's own file be the source of a contract that is new in it."""
    contracts = own.get("contracts")
    for name, contract in contracts.items() if isinstance(contracts, dict) else ():
        old = theirs["contracts"].get(name)
        if isinstance(contract, dict) and (old is None or _other_kind(old, contract)):
            contract.setdefault("source", HOUSE)


def _merge(parent: Table, child: Table) -> Table:
    merged = dict(parent)
    for key, value in child.items():
        old = merged.get(key)
        # A word may well be "none"; of the texts that may be absent a card is the only rule.
        may_go = isinstance(old, dict | int) and not isinstance(old, bool)
        if value == "none" and (may_go or (key == "holds" and key in merged)):
            del merged[key]
        elif isinstance(old, dict) and isinstance(value, dict) and not _other_kind(old, value):
            merged[key] = _merge(old, value)
        else:
            merged[key] = value
    return merged


def _other_kind(old: Table, new: Table) -> bool:
    return "kind" in new and new["kind"] != old.get("kind")


def _validate(file: Traversable, table: Table) -> Variant:
    try:
        # As JSON, so that strict reading still takes a list for a tuple.
        text = json.dumps(table, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise RuleError(f"{file}: {_unreadable(table, '')}") from error
    try:
        variant = Variant.model_validate_json(text, strict=True)
    except ValidationError as error:
        # What TOML may nest can be too deep for JSON.
        deep = any(slip["type"] == "json_invalid" for slip in error.errors())
        problem = "nested too deeply" if deep else first_problem(error)
        raise RuleError(f"{file}: {_one_line(problem)}") from error
    for problem in problems(variant):
        raise RuleError(f"{file}: {_one_line(problem)}")
    return variant


def _one_line(text: str) -> str:
    """Blank out what a quoted text of the file may bring along: ends of line, control codes."""
    return "".join(char if char.isprintable() else " " for char in text)


def _unreadable(value: object, path: str) -> str:
    """Return the first value that no key can have: a date, a NaN, an endless number."""
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, part in items:
        place = f"{path}[{key}]" if isinstance(key, int) else f"{path}.{key}".lstrip(".")
        if isinstance(part, dict | list):
            found = _unreadable(part, place)
            if found:
                return found
        else:
            try:
                json.dumps(part, allow_nan=False)
            except (TypeError, ValueError):
                return f"{place}: dates and numbers without end are no values of any key"
    return ""
