"""Synthetic studies: trials of the schema, made by a test instead of a run."""

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from engine_ext.rules.load import load_variant
from engine_ext.rules.resolve import resolve
from engine_ext.rules.spec import Variant
from pipeline.studies.study import Study

KEYS = ("block", "step", "kind", "contract", "param", "who", "whom", "weight", "half")


def trial(
    kind: str, block: int, step: int, points: Iterable[Any], contract: str = "", **more: Any
) -> dict[str, Any]:
    """A row of trials; ``points`` are sums by role or seat."""
    role = max(int(more.get("who", -1)), 0)
    points = [int(p) for p in points]
    row: dict[str, Any] = {
        "variant": "synthetic",
        "block": block,
        "table": 0,
        "step": step,
        "kind": kind,
        "contract": contract,
        "param": -1,
        "who": -1,
        "whom": -1,
        "weight": -1,
        "half": -1,
        "n_left": -1,
        "n": 1,
    }
    row |= {f"points_{k}": p for k, p in enumerate(points)}
    return row | {"squares": points[role] ** 2} | more


def study(
    rows: Sequence[dict[str, Any]],
    rules: str | Variant = "barbu_52_doubling",
    design: str = "doubling",
    entrant: str = "anna",
    worlds: int = 8,
    seed: int = 1,
) -> Study:
    """A study that holds these trials."""
    variant = load_variant(rules) if isinstance(rules, str) else rules
    trials = pl.DataFrame(list(rows), infer_schema_length=None).sort(*KEYS)
    blocks = trials["block"].n_unique()
    units = pl.DataFrame()
    numbers = resolve(variant)
    return Study(variant, numbers, design, entrant, worlds, blocks, units, trials, seed)
