"""The TOML text of a variant file as a table and back, with one line for a slip in it."""

import json
import re
import tomllib
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from typing import Any

from engine_ext.errors import RuleError

Table = dict[str, Any]


def read_table(file: Traversable) -> Table:
    """Return the keys of a file.

    Raises ``RuleError`` that names the file, and line and column where the text is no TOML.
    """
    text = ""
    try:
        # Some editors put a mark of three bytes before the text.
        text = file.read_bytes().decode("utf-8-sig")
        return tomllib.loads(text)
    except OSError as error:
        raise RuleError(f"{file}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise RuleError(f"{file}: byte {error.start}: not UTF-8 text") from error
    except RecursionError as error:
        raise RuleError(f"{file}: nested too deeply") from error
    except ValueError as error:
        raise RuleError(f"{file}: {_slip(str(error), text)}") from error


def as_toml(table: Mapping[str, Any], wide: int | None = None) -> str:
    """Return plain values as TOML; tables stand under a head of their own, one level deep.

    ``contracts`` have a head each. A list whose line would have more than ``wide`` characters
    stands entry by entry.
    """
    plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
    lines = [_line(key, value, wide) for key, value in plain.items()]
    for key, value in table.items():
        if key in plain:
            continue
        nested = all(isinstance(part, dict) for part in value.values())
        parts = {f"{key}.{name}": part for name, part in value.items()} if nested else {key: value}
        for head, part in parts.items():
            lines += ["", f"[{head}]", *(_line(name, v, wide) for name, v in part.items())]
    return "\n".join(lines) + "\n"


def _line(key: str, value: object, wide: int | None) -> str:
    line = f"{key} = {_inline(value)}"
    if wide is None or len(line) <= wide or not isinstance(value, list):
        return line
    return "\n".join([f"{key} = [", *(f"    {_inline(part)}," for part in value), "]"])


def _inline(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_inline(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    # A text of JSON is one of TOML, but for one control code.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _slip(message: str, text: str) -> str:
    """Put the place first: ``line 3, column 7: invalid value``."""
    if "integer string conversion" in message:
        return "a number of thousands of digits is no value of any key"
    found = re.fullmatch(r"(.*) \((at .*)\)", message, re.DOTALL)
    what, place = (found[1], found[2].removeprefix("at ")) if found else (message, "syntax")
    at = re.fullmatch(r"line (\d+), column (\d+)", place)
    hint = ""
    if at:
        hint = _bare_word(text.split("\n")[int(at[1]) - 1], int(at[2]) - 1)
    what = _said_twice(what) or f"{what[:1].lower()}{what[1:]}"
    return f"{place}: {what}{hint}".replace("\n", " ")


def _said_twice(what: str) -> str:
    """Return in plain words what the parser says of a key or table that was there before."""
    if what.startswith("Cannot overwrite a value"):
        return "this key has a value already, further up"
    path = ".".join(re.findall(r"'([^']*)'", what))
    if what.startswith("Cannot declare"):
        return f"the table [{path}] has keys already, further up (put them together)"
    if what.startswith("Cannot mutate immutable namespace"):
        return f"{path} has its value already, in braces or as one of the parts of a key"
    return ""


def _bare_word(line: str, at: int) -> str:
    """Return what to do about a value without quotes, if that is what the parser met.

    It stops at the first letter of ``highest``, but behind the 2 of ``2C``, a number so far.
    """
    for word in re.finditer(r"(?<![\w\"'.-])\w[\w.-]*", line):
        value = word[0]
        starts_here = word.start() == at
        number_before = value[0].isdigit() and word.start() < at < word.end()
        if re.search(r"[^\W\d_]", value) and (starts_here or number_before):
            before = line[: word.start()].rstrip()
            if starts_here and before and before[-1] not in "=[,":
                return ""
            if value.lower() in ("true", "false"):
                return f" (write {value.lower()} in small letters)"
            return f' (strings need quotes: "{value}")'
    if line[at : at + 1] in tuple("“”„«»‘’"):
        return " (strings need plain quotes: \"...\" or '...')"
    return ""
