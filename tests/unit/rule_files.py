"""A small variant as text, and a way to load it with changes, for the tests of the rules."""

import json
from pathlib import Path

from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant

TINY = """\
title = "Tiny"
language = "en"
source = "made up for the tests"
seats = 4
direction = "clockwise"
objective = "highest"

[deck]
ranks = ["7", "8", "9", "T", "J", "Q", "K", "A"]

[schedule]
kind = "choice"
uses = { tricks = 1, hearts = 1, trumps = 1, domino = 1 }
dealership = 2
dealer = "declarer"
leader = "declarer"

[contracts.tricks]
kind = "trick"
title = "No tricks"
tone = "negative"
source = "made up"
terms = [{ per = "trick", points = -2 }]

[contracts.hearts]
kind = "trick"
title = "No hearts"
tone = "negative"
source = "made up"
total = -16
terms = [{ per = "card", of = { suits = ["H"] }, points = -2, name = "hearts" }]

[contracts.trumps]
kind = "trick"
title = "Trumps"
tone = "positive"
source = "made up"
include = [{ contract = "tricks", times = -1 }]
trump = "declarer"

[contracts.domino]
kind = "layout"
title = "Domino"
tone = "positive"
source = "made up"
passing = "must_play"
payout = [3, 2, 1, 0]
"""


def write(folder: Path, text: str, name: str = "tiny.toml") -> Path:
    """Write a variant file and return its path."""
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def changed(folder: Path, old: str, new: str) -> Path:
    """Write the small variant with one passage replaced; the passage must be there once."""
    assert TINY.count(old) == 1, f"{old!r} stands {TINY.count(old)} times in the small variant"
    return write(folder, TINY.replace(old, new))


def extended(folder: Path, text: str) -> Path:
    """Write a variant that extends the small one, which is written beside it."""
    write(folder, TINY)
    return write(folder, f'extends = "tiny.toml"\n{text}', "child.toml")


def tiny(folder: Path) -> Variant:
    """Return the small variant, unchanged."""
    return load_variant(write(folder, TINY))


def as_toml(table: dict[str, object]) -> str:
    """Write a table of plain values as TOML, a line for each key at the top."""
    return "".join(f"{json.dumps(key)} = {_inline(value)}\n" for key, value in table.items())


def _inline(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {_inline(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
