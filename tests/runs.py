"""Small runs for tests: a config in a line, and what its tables say, read slowly."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from engine_ext.rules.load import load_variant
from pipeline.batches import put_receipts
from pipeline.config import Entrant, NamedVariant, RunConfig
from pipeline.manifest import Receipt
from pipeline.plan import Bounds
from pipeline.receipts import frame_of
from pipeline.run import RunResult, run
from pipeline.store import Run

BASE = ("barbu_king_br", "king_ru_fixed14", "barbu_fr_reussite", "barbu_52_doubling")
"""The base form of each document."""


def small(variants: tuple[str | NamedVariant, ...] = BASE, **changes: Any) -> RunConfig:
    """A run of a few games: duck against random, two tables a block."""
    named = [
        NamedVariant(name=v, rules=load_variant(v)) if isinstance(v, str) else v for v in variants
    ]
    said: dict[str, Any] = {
        "title": "small",
        "seed": 7,
        "variants": tuple(named),
        "blocks": 3,
        "design": "lineups",
        "entrants": entrants("duck.v1", "random.v1"),
        "lineups": (
            ("duck.v1", "random.v1", "random.v1", "random.v1"),
            ("duck.v1", "duck.v1", "random.v1", "random.v1"),
        ),
    }
    return RunConfig.model_validate(said | changes)


def entrants(*strategies: str) -> tuple[Entrant, ...]:
    """Entrants that bear their strategies' names."""
    return tuple(Entrant(strategy=strategy) for strategy in strategies)


def cut_into(config: RunConfig, blocks: int, parts: int = 1) -> dict[str, Bounds]:
    """The same bounds for every variant."""
    return {v.name: Bounds(blocks=blocks, parts=parts) for v in config.variants}


def played(config: RunConfig, out: str | Path, **how: Any) -> tuple[Run, RunResult]:
    """Play a run in this thread, unless told otherwise."""
    result = run(config, out, **{"executor": "inline"} | how)
    return Run.open(out), result


def restate(there: Run, receipts: Mapping[int, Receipt]) -> None:
    """Make these the receipts of a run."""
    frames = [frame_of(receipts.values())]
    put_receipts(there.store, there.manifest.run, frames, there.counting)


def paths(there: Run, table: str) -> list[Path]:
    """Files of a table, shard by shard."""
    return [there.folder / name for name in there.files(table)]


def rows(there: Run, table: str) -> list[dict[str, Any]]:
    """All rows of a table, shard by shard."""
    return [row for path in paths(there, table) for row in pl.read_parquet(path).to_dicts()]


def by_game(
    there: Run,
) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]]:
    """Every game with its deals and its doubles."""
    deals: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    doubles: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for found, table in ((deals, "deals"), (doubles, "doubles")):
        for row in rows(there, table):
            found.setdefault(_key(row), []).append(row)
    for game in rows(there, "games"):
        yield game, deals[_key(game)], doubles.get(_key(game), [])


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["variant"], row["block"], row["table"], row["rotation"]
