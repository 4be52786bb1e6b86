"""Every key that a variant file may have, in words: the schema for people.

Told from the schema itself, so that it cannot say anything else.
"""

import json
from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from engine_ext.rules.show import fill
from engine_ext.rules.spec import Selector, Variant

PLAIN = {str: "text", int: "a number", bool: "true or false"}
MANY = {"text": "texts", "a number": "numbers", "a table": "tables"}


TOP = "At the top of the file"


class Key(NamedTuple):
    """A key of a table."""

    name: str
    values: str
    """What it may be: ``"must_play" or "may_pass"``, ``a list of numbers``, ``a table``."""
    default: str
    """What holds where it is left out; empty where it has to be there."""
    meaning: str


class Part(NamedTuple):
    """A table of the file and its keys."""

    places: tuple[str, ...]
    """Where it may stand: ``contracts.NAME.lead_ban``."""
    tag: str
    """The key that tells it from others in the same place: ``kind = "trick"``; or nothing."""
    meaning: str
    keys: tuple[Key, ...]


def parts(word: str = "") -> Iterator[Part]:
    """Yield the tables of a variant file, from the file itself inwards.

    With a word only keys that have it in their name, or whose table has it in its place.
    """
    for model, places in _places().items():
        tags = [_tag(name, field) for name, field in model.model_fields.items()]
        tag = next(filter(None, tags), "")
        keys = tuple(
            _key(name, field)
            for name, field in model.model_fields.items()
            if not _tag(name, field) and (word in name or word in " ".join((*places, tag)))
        )
        if keys:
            meaning = " ".join((model.__doc__ or "").replace("``", "").split())
            yield Part(tuple(places), tag, meaning, keys)


def in_words(word: str = "") -> str:
    """Return what :func:`parts` yields as text of at most 80 columns, without an end of line."""
    blocks = []
    for part in parts(word):
        head = ", ".join(filter(None, (*part.places, part.tag))) or TOP
        lines = [fill(head), fill(part.meaning, "  ")]
        for key in part.keys:
            absent = f" (left out: {key.default})" if key.default else ""
            lines.append(fill(f"{key.values}{absent}. {key.meaning}", " " * 6, f"  {key.name} = "))
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _places() -> dict[type[BaseModel], list[str]]:
    """Return every table of the schema and where it may stand."""
    places: dict[type[BaseModel], list[str]] = {Variant: [""]}
    waiting: list[type[BaseModel]] = [Variant]
    while waiting:
        model = waiting.pop(0)
        for name, field in model.model_fields.items():
            for inner, suffix in _models(field.annotation):
                if inner not in places:
                    waiting.append(inner)
                found = places.setdefault(inner, [])
                found += [f"{place}.{name}{suffix}".lstrip(".") for place in places[model]]
    # It stands in many places, each of which says so.
    places[Selector] = ["a set of cards"]
    return places


def _key(name: str, field: FieldInfo) -> Key:
    default = ""
    if not field.is_required():
        value = field.get_default()
        absent = value is None or value in ((), PydanticUndefined)
        default = "nothing" if absent else json.dumps(value).replace("[]", "nothing")
    meaning = " ".join((field.description or "").replace("``", "").split())
    return Key(name, _values(field.annotation), default, meaning)


def _tag(name: str, field: FieldInfo) -> str:
    words = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
    one = name in ("kind", "per") and len(words) == 1
    return f"{name} = {json.dumps(words[0])}" if one else ""


def _members(annotation: Any) -> list[Any]:
    """Return what a key may be, without ``None``, one by one."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        return [m for arg in get_args(annotation) for m in _members(arg) if m is not type(None)]
    return [annotation]


def _models(annotation: Any, suffix: str = "") -> Iterator[tuple[type[BaseModel], str]]:
    for member in _members(annotation):
        origin, args = get_origin(member), get_args(member)
        if origin is dict:
            yield from _models(args[1], ".NAME")
        elif origin is tuple:
            yield from _models(args[0], "[]")
        elif isinstance(member, type) and issubclass(member, BaseModel):
            yield member, suffix


def _values(annotation: Any) -> str:
    said: list[str] = []
    for member in _members(annotation):
        origin, args = get_origin(member), get_args(member)
        if origin is Literal:
            said += [json.dumps(word) for word in args]
        elif origin is tuple:
            one = _values(args[0])
            said.append(f"a list of {MANY.get(one, one)}")
        elif origin is dict:
            said.append(f"a table of NAME = {_values(args[1])}")
        elif member is Selector:
            said.append("a set of cards")
        else:
            said.append(PLAIN.get(member, "a table"))
    return " or ".join(dict.fromkeys(said))
