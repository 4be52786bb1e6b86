"""The tuned rules as a house's own file: what it extends, and what is not as there."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from engine_ext.rules.house import PAPERS, TEXTS
from engine_ext.rules.revise import ABSENT
from engine_ext.rules.spec import Variant
from engine_ext.rules.toml_file import as_toml
from pipeline.tuning.file import Tuning
from pipeline.tuning.tuning_file import base_path

WIDE = 100
"""Columns of a line; a list that does not fit stands entry by entry."""


def variant_file(
    tuning: Tuning, rules: Variant, *, folder: Path | None = None, notes: Sequence[str] = ()
) -> str:
    """Return the text of a rule file that extends the parent and makes these rules.

    ``notes`` are lines of comment at the top: figures, for people. A parent that is a file of
    the user's own is told by its path from ``folder``, where the text is to lie; by its absolute
    path unless given.
    """
    heads = [f"{rules.title}: made by the tuning {Path(tuning.where).name}.", *notes]
    lines = [line for head in heads for line in head.splitlines()]
    changed = _changed(rules, tuning.parent, PAPERS)
    contracts = changed.pop("contracts", {})
    plain = {name: part for name, part in contracts.items() if not isinstance(part, dict)}
    tables = {name: part for name, part in contracts.items() if isinstance(part, dict)}
    parts: list[dict[str, Any]] = [
        {"extends": _extends(tuning, folder), "title": rules.title, **changed},
        {"contracts": plain} if plain else {},
        {"contracts": tables} if tables else {},
    ]
    comment = "".join(f"# {_harmless(line)}".rstrip() + "\n" for line in lines)
    return comment + "".join(as_toml(part, WIDE) for part in parts if part)


def _extends(tuning: Tuning, folder: Path | None) -> str:
    path = base_path(tuning)
    if path is None:
        return tuning.parent_name
    if folder is None:
        return path.resolve().as_posix()
    return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()


def _harmless(line: str) -> str:
    """A line without the control codes that TOML does not take in a comment."""
    return "".join(char if char.isprintable() else " " for char in line)


def _changed(new: BaseModel, old: BaseModel, left_out: Iterable[str] = ()) -> dict[str, Any]:
    """Each key that says something else, tables by what differs in them."""
    found = {}
    for name in type(new).model_fields:
        if name not in left_out:
            here, there = getattr(new, name), getattr(old, name)
            told = _told(here, there) if here != there else {}
            if told != {}:  # a contract may differ in its source alone
                found[name] = told
    return found


def _told(here: object, there: object) -> Any:
    """A value as a file says it that extends one where the other stands."""
    if isinstance(here, BaseModel) and type(here) is type(there) and isinstance(there, BaseModel):
        return _changed(here, there, TEXTS)
    if isinstance(here, dict) and isinstance(there, dict):
        gone = {name: ABSENT for name in there if name not in here}
        told = {
            name: _told(part, there.get(name))
            for name, part in here.items()
            if part != there.get(name)
        }
        return gone | {name: part for name, part in told.items() if part != {}}
    return ABSENT if here is None else _plain(here)


def _plain(value: object) -> Any:
    """A value in full, without what it says by leaving it out."""
    if isinstance(value, BaseModel):
        # Of a table that says nothing but what holds anyway, all of it: it has to be there.
        short = value.model_dump(mode="json", exclude_defaults=True)
        return short or value.model_dump(mode="json", exclude_none=True)
    return [_plain(part) for part in value] if isinstance(value, tuple) else value
