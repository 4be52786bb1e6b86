"""What the schema refuses, said in one line: ``key.path: what (and what is right)``."""

import difflib
import json
from collections.abc import Iterable
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from engine_ext.rules.spec import Include, LayoutContract, Reading, Variant

TYPES = {
    "string_type": "must be text in quotes",
    "int_type": "must be a whole number",
    "bool_type": "must be true or false",
    "int_from_float": "must be a whole number",
    "int_parsing_size": "must be a whole number of less than 19 digits",
    "tuple_type": "must be a list",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "model_attributes_type": "must be a table",
}
UNIONS: dict[tuple[type[BaseModel], str], str] = {
    (Include, "times"): 'must be a whole number from -100 to 100, or a fraction such as "1/2"',
    (Variant, "ties"): 'must be "shared" or a table',
    (Variant, "legality"): 'must be "engine_enforced" or a table',
    (LayoutContract, "start"): 'must be "any_rank" or a list of ranks',
    (Reading, "option"): "must be a key or a list of keys",
    (Reading, "value"): "must be text, a whole number, true or false, or a list of one of these",
}
"""Keys that take several types; one line for all that pydantic says of each."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return ``did you mean "X"?`` for the nearest known word, or nothing."""
    found = difflib.get_close_matches(word, list(known), n=1)
    return f'did you mean "{found[0]}"?' if found else ""


def first_problem(error: ValidationError) -> str:
    """Return the first thing wrong as ``key.path: what``.

    An unknown key goes first: where a key is misspelt, the right one is missing too.
    """
    found = error.errors(include_url=False)
    # Of a word or a table: who gave a table is told what is wrong in it.
    found = [e for e in found if not _is_table_for_word(e)] or found
    first = next((e for e in found if e["type"] == "extra_forbidden"), found[0])
    names, record = _locate(first["loc"])
    what = _what(first, record)
    if first["type"] == "missing":
        what += _choices(names, record) + _also_missing(first, found)
    if record and first["type"] != "missing" and (record, names[-1]) in UNIONS:
        what = f"{UNIONS[record, str(names[-1])]}{_not(first['input'])}"
    return f"{_path(names)}: {what}"


def _choices(names: list[str | int], record: type[BaseModel] | None) -> str:
    """Return what a key that is missing may say, where it is one of some words."""
    field = record.model_fields.get(str(names[-1])) if record else None
    annotation = _plain(field.annotation) if field else None
    if get_origin(annotation) is not Literal:
        return ""
    return f" ({' or '.join(json.dumps(word) for word in get_args(annotation))})"


def _also_missing(first: ErrorDetails, found: list[ErrorDetails]) -> str:
    """Return the other keys that the same table lacks, so that they are not told one by one."""
    rest = [
        str(e["loc"][-1])
        for e in found
        if e["type"] == "missing" and e["loc"][:-1] == first["loc"][:-1] and e is not first
    ]
    if not rest:
        return ""
    return f"; so {'are' if len(rest) > 1 else 'is'} {', '.join(rest)}"


def _is_table_for_word(error: ErrorDetails) -> bool:
    return error["type"] == "literal_error" and isinstance(error["input"], dict)


def _what(error: ErrorDetails, record: type[BaseModel] | None) -> str:
    kind, given, limits = error["type"], error["input"], error.get("ctx", {})
    key = str(error["loc"][-1]) if error["loc"] else ""
    match kind:
        case "missing":
            return "missing"
        case "extra_forbidden":
            return f"unknown key ({_keys(key, record)})"
        case "literal_error":
            return f"must be {limits['expected'].replace(chr(39), chr(34))}{_not(given)}"
        case "union_tag_invalid":
            allowed = limits["expected_tags"].replace("'", '"').replace(", ", " or ")
            return f"{_tag(limits)} must be {allowed}{_not(limits['tag'])}"
        case "union_tag_not_found":
            return f"{_tag(limits)} is missing"
        case "string_pattern_mismatch":
            return f"must be a lower-case name (letters, digits, _){_not(given)}"
        case "string_too_short":
            return "must not be empty"
        case "too_short":
            return f"must have at least {limits['min_length']} entries{_has(limits)}"
        case "too_long":
            return f"must have at most {limits['max_length']} entries{_has(limits)}"
        case "greater_than_equal":
            return f"must be at least {limits['ge']}{_not(given)}"
        case "less_than_equal":
            return f"must be at most {limits['le']}{_not(given)}"
    # Types that the schema does not use today still get pydantic's own words.
    return f"{TYPES.get(kind, error['msg'])}{_not(given)}"


def _tag(limits: dict[str, Any]) -> str:
    return str(limits["discriminator"]).strip("'")


def _has(limits: dict[str, Any]) -> str:
    return f", not {limits['actual_length']}" if limits.get("actual_length") is not None else ""


def _not(given: object) -> str:
    """Return ``, not VALUE`` as it would stand in the file."""
    return ", not a table" if isinstance(given, dict) else f", not {shown(given)}"


def shown(given: object) -> str:
    """Return a value as it would stand in a file, the beginning of a long one."""
    text = json.dumps(given, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


def _keys(key: str, record: type[BaseModel] | None) -> str:
    known = list(record.model_fields) if record else []
    return nearest(key, known) or f"known: {', '.join(known)}"


def _path(names: list[str | int]) -> str:
    text = ""
    for name in names:
        text += f"[{name}]" if isinstance(name, int) else f".{name}"
    return text.lstrip(".") or "file"


def _locate(
    loc: tuple[int | str, ...],
) -> tuple[list[str | int], type[BaseModel] | None]:
    """Return a place as the file's keys, and the record that the last key is in.

    Pydantic's places also name the member of a union that was tried. The ``kind`` or ``per``
    of a record is left out; a key that takes several types ends the place.
    """
    names: list[str | int] = []
    annotation: Any = Variant
    record: type[BaseModel] | None = None
    for part in loc:
        annotation = _plain(annotation)
        origin, args = get_origin(annotation), get_args(annotation)
        if origin in (Union, UnionType):
            tagged = [arg for arg in args if _tagged(arg, part)]
            if not tagged:
                break
            annotation = tagged[0]
        elif part != "[key]":
            names.append(part)
            record = None
            if origin is dict:
                annotation = args[1]
            elif origin is tuple:
                annotation = args[0]
            elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
                record = annotation
                field = record.model_fields.get(str(part))
                annotation = field.annotation if field else None
    return names, record


def _plain(annotation: Any) -> Any:
    """Return an annotation without ``Annotated`` and without ``| None``."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        members = [arg for arg in get_args(annotation) if arg is not type(None)]
        if len(members) == 1:
            return _plain(members[0])
    return annotation


def _tagged(model: Any, tag: str | int) -> bool:
    """Tell whether a member of a union is the one with this ``kind``, ``per`` or class name."""
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        return False
    return model.__name__ == tag or any(
        get_origin(field.annotation) is Literal and get_args(field.annotation) == (tag,)
        for field in model.model_fields.values()
    )
