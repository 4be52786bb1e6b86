"""The schema of variant files as JSON Schema, for editors that check TOML."""

from typing import Any

from engine_ext.rules.spec import Variant


def variant_schema() -> dict[str, Any]:
    """Return a JSON Schema (draft 2020-12) of a variant file.

    A file with ``extends`` need not say what its parent says, so that only its keys at the
    top are checked; any other file is checked in full.
    """
    schema = Variant.model_json_schema(mode="validation")
    parts = schema.pop("$defs")
    parts["Variant"] = schema
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Rules of a variant",
        "description": "configs/rules/NAME.toml",
        "if": {"type": "object", "required": ["extends"]},
        "then": {
            "properties": {
                "extends": {
                    "type": "string",
                    "minLength": 1,
                    "description": "Name of a shipped variant, or a file beside this one, whose "
                    "tables are taken over: tables are merged, all else is replaced, "
                    '"none" in place of a table or a number takes it away; readings and claims '
                    "add to the parent's, an empty list takes those away.",
                },
                **dict.fromkeys(schema["properties"], True),
            },
            "additionalProperties": False,
        },
        "else": {"$ref": "#/$defs/Variant"},
        "$defs": parts,
    }
