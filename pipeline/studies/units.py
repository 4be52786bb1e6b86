"""Units of a study: which they are, and the tables that come of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from engine_ext.cards import Pack
from pipeline.schema import polars_schema
from pipeline.studies.designs import KINDS
from pipeline.studies.player import Path, Player
from pipeline.studies.rows import Ints, Rows


@dataclass(frozen=True)
class Batch:
    """Units of one entrant that are played together: U of them, blocks ascending."""

    block: npt.NDArray[np.uint64]
    """(U,)"""
    step: Ints
    """(U,)"""
    deal: Ints
    """(U,) number of the deal in its game; 0 in seats, where a unit is a game."""
    declarer: Ints
    """(U,) seat; 0 in seats."""
    at_block: Ints
    """(U,) place of the unit's block among those of the path."""

    def __len__(self) -> int:
        return len(self.block)

    def places(self, unit: Ints) -> dict[str, Any]:
        """Where the deals of units are, for trials."""
        return {
            "block": self.block[unit],
            "deal": self.deal[unit],
            "base": self.declarer[unit],
        }

    def at_path(self, unit: Ints) -> tuple[Ints, Ints]:
        """Where units stand in a path."""
        return self.at_block[unit], self.step[unit]


@dataclass(frozen=True)
class Units:
    """Units that were played, as tables: rows of trials stand unit by unit."""

    units: pl.DataFrame
    """All columns but the digest."""
    trials: pl.DataFrame

    def __len__(self) -> int:
        return len(self.units)


def joined(parts: Sequence[Units]) -> Units:
    """Units of several entrants by block, table and step; their rows stay in order."""
    if len(parts) == 1:
        return parts[0]
    place = ("block", "table", "step")
    return Units(
        pl.concat([part.units for part in parts]).sort(place),
        pl.concat([part.trials for part in parts]).sort(place, maintain_order=True),
    )


def unit_frames(
    player: Player, seats: int, batch: Batch, path: Path | None, hands: Sequence[str], rows: Rows
) -> Units:
    """The tables of a batch; ``seats`` is the width of the run."""
    n = len(batch)
    names = player.numbers.contract_names
    left = [""] * n if path is None else _left_of(path, batch, names)
    n_left = np.zeros(n, np.int64)
    if path is not None:
        n_left = path.left[batch.at_path(np.arange(n))].sum(axis=1, dtype=np.int64)
    unit = rows.keys["unit"]
    columns: dict[str, Any] = {
        "variant": [player.variant] * n,
        "block": batch.block,
        "table": np.full(n, player.table),
        "step": batch.step,
        "entrant": [player.labels[player.table]] * n,
        "hand": list(hands),
        "left": left,
        "n_left": n_left,
        "fouls": player.fouls,
        "n_trials": player.played,
        "n_rows": np.bincount(unit, minlength=n),
    }
    units = _frame("units", columns, seats, n)
    return Units(units, _trials(player, seats, batch, rows))


def _trials(player: Player, seats: int, batch: Batch, rows: Rows) -> pl.DataFrame:
    unit, keys = rows.keys["unit"], rows.keys
    n = len(unit)
    contracts = pl.Series(["", *player.numbers.contract_names], dtype=pl.String)
    columns: dict[str, Any] = {
        "variant": pl.Series([player.variant], dtype=pl.String).new_from_index(0, n),
        "block": batch.block[unit],
        "table": np.full(n, player.table),
        "step": batch.step[unit],
        "kind": pl.Series(list(KINDS), dtype=pl.String).gather(keys["kind"]),
        "contract": contracts.gather(keys["contract"] + 1),
        **{name: keys[name] for name in ("param", "who", "whom", "weight", "half", "n_left")},
        "n": rows.n,
        **{f"points_{k}": column for k, column in enumerate(rows.points.T)},
        "squares": rows.squares,
    }
    return _frame("trials", columns, seats, n)


def _frame(table: str, columns: dict[str, Any], seats: int, rows: int) -> pl.DataFrame:
    """The columns in schema order and types, null beyond the variant's seats."""
    series = [
        pl.Series(name, columns[name]).cast(dtype)
        if name in columns
        else pl.Series([None], dtype=dtype).new_from_index(0, rows).alias(name)
        for name, dtype in polars_schema(table, seats).items()
        if name != "digest"
    ]
    return pl.DataFrame(series)


def _left_of(path: Path, batch: Batch, names: Sequence[str]) -> list[str]:
    rows = path.left[batch.at_path(np.arange(len(batch)))]
    return [
        " ".join(name for name, uses in zip(names, row, strict=True) for _ in range(uses))
        for row in rows.tolist()
    ]


def hand_texts(pack: Pack, hands: Sequence[int]) -> list[str]:
    """Hands in words: ``3C 4C ... AS``."""
    return [" ".join(pack.named(hand)) for hand in hands]
