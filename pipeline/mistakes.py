"""What a model refuses, in one line: ``key: what is wrong``."""

import reprlib

from pydantic import ValidationError

from engine_ext.rules.spec import Frozen

TYPES = {
    "tuple_type": "must be a list",
    "model_type": "must be a table",
    "string_type": "must be text in quotes",
    "string_too_short": "must not be empty",
    "too_short": "must not be empty",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
}
"""Our words for pydantic's."""
EXAMPLES = {"entrants": '{ strategy = "random.v1" }'}
"""What a table looks like that is easily written as a plain word."""


def first_mistake(error: ValidationError, model: type[Frozen]) -> str:
    """The first of a model's complaints as ``key: what is wrong``.

    An unknown key comes before what it may have been meant for and left missing.
    """
    first = min(error.errors(), key=lambda mistake: mistake["type"] != "extra_forbidden")
    key = "".join(f"[{k}]" if isinstance(k, int) else f".{k}" for k in first["loc"]).lstrip(".")
    if first["type"] == "value_error":  # one of our own sentences
        said = str(first["ctx"]["error"])
        return f"{key}: {said}" if key else said
    if first["type"] == "extra_forbidden":
        known = f" (want one of {', '.join(model.model_fields)})" if len(first["loc"]) == 1 else ""
        return f"{key}: unknown key{known}"
    if first["type"] == "missing":
        return f"{key}: missing"
    if first["type"] == "json_invalid":
        return f"not JSON: {first['ctx']['error']}"
    said = TYPES.get(first["type"], f"{first['msg'][0].lower()}{first['msg'][1:]}")
    if first["type"] == "model_type" and first["loc"] and first["loc"][0] in EXAMPLES:
        said += f", as in {EXAMPLES[str(first['loc'][0])]}"
    given = reprlib.repr(first["input"])
    return f"{key}: {said}, not {given}" if key else f"{said}, not {given}"
