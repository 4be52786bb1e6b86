"""What a variant's papers must fulfil: readings that tell the values that are there, claims about
totals that the game has."""

import re
from collections.abc import Iterator

from pydantic import BaseModel

from engine_ext.rules.messages import nearest
from engine_ext.rules.spec import ChoiceSchedule, Reading, Variant


def reading_problems(variant: Variant) -> Iterator[str]:
    """Yield every reading whose key does not have the value that it tells."""
    for i, reading in enumerate(variant.readings):
        for option, want in reading_values(reading):
            key = f"readings[{i}]"
            try:
                got = value_at(variant, option)
            except LookupError as error:
                yield f"{key}.option: {error.args[0]}"
                continue
            if type(got) is not type(want) or got != want:
                yield f"{key}.value: says {value_text(want)}, but {option} is {value_text(got)}"


def reading_values(reading: Reading) -> list[tuple[str, object]]:
    """Return each key of a reading with the value that it should have."""
    if isinstance(reading.option, str):
        return [(reading.option, reading.value)]
    keys, value = reading.option, reading.value
    if isinstance(value, tuple) and len(value) == len(keys) > 1:
        return list(zip(keys, value, strict=True))
    return [(key, value) for key in keys]


def value_at(variant: Variant, option: str) -> object:
    """Return what a variant says at a key such as ``contracts.kings.terms[0].of.ranks``.

    An optional table that is absent reads ``none``. Raises ``LookupError`` with the reason
    for a key that does not exist or holds a table.
    """
    here = part_at(variant, option)
    here = "none" if here is None else here
    parts = here if isinstance(here, tuple) else (here,)
    if any(not isinstance(part, str | int) for part in parts):
        raise LookupError(f'"{option}" is a table; name one of its keys')
    return here


def key_parts(option: str) -> list[str]:
    """Return the names and ``[places]`` that a key goes through."""
    return re.findall(r"\[\d+\]|[^.\[\]]+", option)


def part_at(variant: Variant, option: str) -> object:
    """Return what stands at a key, tables and lists of tables too; None where it is absent.

    Raises ``LookupError`` with the reason for a key that does not exist.
    """
    here: object = variant
    done = ""
    for part in key_parts(option):
        if part.startswith("["):
            inside = isinstance(here, tuple) and int(part[1:-1]) < len(here)
            if not inside:
                raise LookupError(f"{done} has no entry {part} ({_entries(here)})")
            assert isinstance(here, tuple)
            here, done = here[int(part[1:-1])], done + part
            continue
        if here is None:
            raise LookupError(f'{done} is absent, so it has no "{part}"')
        known = list(type(here).model_fields) if isinstance(here, BaseModel) else here
        if not isinstance(known, list | dict) or part not in known:
            hint = nearest(part, known) if isinstance(known, list | dict) else ""
            if not hint and done and isinstance(known, list | dict):
                hint = f"there are {', '.join(known)}"
            raise LookupError(f'{done or "the file"} has no key "{part}"{hint and f" ({hint})"}')
        here = here[part] if isinstance(here, dict) else getattr(here, part)
        done = f"{done}.{part}".lstrip(".")
    if not done:
        raise LookupError(f'"{option}" is a table; name one of its keys')
    return here


def _entries(here: object) -> str:
    """How many entries stand where one was looked for."""
    if not isinstance(here, tuple):
        return "it is no list"
    return f"the last is [{len(here) - 1}]" if here else "it is empty"


def value_text(value: object) -> str:
    """Return a value as it stands in a variant file."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def claim_problems(variant: Variant) -> Iterator[str]:
    """Yield every claim about a total that the game does not have."""
    known = ["game", "gross_positive", "gross_negative"]
    if isinstance(variant.schedule, ChoiceSchedule) and variant.schedule.uses_of == "declarer":
        known.append("declarer")
    known += [f"contracts.{name}" for name in variant.contracts]
    for i, claim in enumerate(variant.claims):
        if claim.what not in known:
            hint = nearest(claim.what, known) or f"known: {', '.join(known)}"
            yield f'claims[{i}].what: no total is called "{claim.what}" ({hint})'
