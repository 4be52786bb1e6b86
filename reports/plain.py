"""Tables in words without their section: keys as people say them, figures with intervals."""

from collections.abc import Sequence

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.estimate import Estimate, times
from reports.columns import figures_of
from reports.frames import FIELDS, estimates
from reports.section import Listing
from reports.words import MINUS, digits, figure, role_name, title, whole

HEADS = {"n_left": "contracts left", "target": "role doubled", "lineup": "line-up"}
SHARES = ("share", "rate", "win", "kept", "ceiling", "r2", "seen", "fits", "own")
"""Estimates that are shares of 1, printed in per cent."""

POOLED = ("entrant", "contract", "n_left", "role", "target")
"""Keys that may stand for all, as "" or -1."""


def word(column: str, value: object, rules: Variant) -> str:
    """The value of a key, for people."""
    if value is None:
        return ""
    if column in POOLED and value in ("", -1):
        return "all"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}".replace("-", MINUS)
    if column == "contract" and value in rules.contracts:
        return title(rules, str(value))
    if column in ("role", "target") and isinstance(value, int) and value < rules.seats:
        return role_name(rules, value)
    return str(value)


def head(column: str) -> str:
    """The name of a column, for people."""
    return HEADS.get(column, column.replace("_", " ")) + ", %" * (column in SHARES)


def known(table: pl.DataFrame, name: str) -> list[Estimate | None]:
    """The estimates called ``name``, None where a row has none."""
    return [e if e.value is not None else None for e in estimates(table, name)]


def cells(name: str, found: Sequence[Estimate | None], signed: bool = False) -> list[str]:
    """A column of figures with their intervals, all with as many digits."""
    scale = 100 if name in SHARES else 1
    shown = [None if e is None else times(e, scale) for e in found]
    p = digits(e for e in shown if e is not None)
    return ["" if e is None else figure(e, p, signed) for e in shown]


def in_words(caption: str, table: pl.DataFrame, rules: Variant) -> Listing:
    """All that a table holds: what is no estimate as it is, figures with their intervals, and
    how much was counted for the last figure."""
    figures = figures_of(table)
    parts = {f"{name}_{part}" for name in figures for part in FIELDS}
    plain = [name for name in table.columns if name not in parts and name != "marked"]
    columns = [[word(name, value, rules) for value in table[name]] for name in plain]
    columns += [cells(name, known(table, name)) for name in figures]
    if figures and "marked" in table.columns:
        columns[-1] = [
            cell + (" *" if mark and cell else "")
            for cell, mark in zip(columns[-1], table["marked"], strict=True)
        ]
    heads = [head(name) for name in (*plain, *figures)]
    if figures:
        columns.append(["" if e is None else whole(e.n) for e in known(table, figures[-1])])
        heads.append("counted")
    return Listing(caption, tuple(heads), tuple(zip(*columns, strict=True)))
