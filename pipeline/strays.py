"""Many receipts held against the plan at once: what :func:`pipeline.derived.stray` does for one."""

import numpy as np
import numpy.typing as npt
import polars as pl
from pydantic import ValidationError

from pipeline.derived import always_there, deals_of_games, stray
from pipeline.files import FOLDERS
from pipeline.manifest import Manifest, Receipt
from pipeline.mistakes import first_mistake
from pipeline.plan import Lane, Plan
from pipeline.receipts import receipt_in
from pipeline.studies.designs import STUDIES

HASH = r"^[0-9a-f]{64}$"
Bools = npt.NDArray[np.bool_]


def first_stray(frame: pl.DataFrame, manifest: Manifest, plan: Plan) -> str | None:
    """The first thing in which receipts are not what such a run has, as ``key: what``.

    Rows that are plainly sound are told by columns; each other one is looked at by itself.
    """
    sound = frame.select((_well_formed() & (pl.col("run") == manifest.run)).fill_null(value=False))
    deals = deals_of_games(manifest)
    planned = np.zeros(len(frame), np.bool_)
    for lane in plan.lanes.values():
        planned |= _planned(frame, lane, manifest, deals[lane.variant])
    doubtful = frame.filter(~(sound.to_series() & pl.Series(planned)))
    for row in doubtful.iter_rows(named=True):
        try:
            receipt = receipt_in(row)
        except ValidationError as error:
            return first_mistake(error, Receipt)
        wrong = stray(receipt, manifest, plan, deals)
        if wrong is not None:
            return wrong
    return None


def _well_formed() -> pl.Expr:
    """Nothing is negative, no hash is none; what is rarely there is doubtful."""
    found = pl.col("digest").str.contains(HASH) & pl.col("build").is_not_null()
    for name in ("fouls", "ms"):
        found &= pl.col(name) >= 0
    for name in ("first_fouls", "conduct"):
        found &= pl.col(name).list.len() == 0
    for table in FOLDERS:
        rows, size = pl.col(f"{table}_rows"), pl.col(f"{table}_bytes")
        file = (rows >= 0) & (size >= 0) & pl.col(f"{table}_sha256").str.contains(HASH)
        found &= rows.is_null() | file
    return found


def _planned(frame: pl.DataFrame, lane: Lane, manifest: Manifest, each: tuple[int, int]) -> Bools:
    """Which rows are shards of a variant as they were planned, with the files that they owe;
    ``each``: deals of a game, at least and at most."""
    number = frame["shard"].to_numpy()
    found = np.asarray((number >= lane.first) & (number < lane.end))
    index = np.where(found, number - lane.first, 0)
    start = index // lane.bounds.parts * lane.bounds.blocks
    part = index % lane.bounds.parts
    stage = np.searchsorted([s.first_block for s in lane.stages], start, side="right") - 1
    games = np.array([s.games for s in lane.stages])[stage]
    low, high = (games * at // lane.bounds.parts for at in (part, part + 1))
    n_blocks = np.minimum(lane.bounds.blocks, lane.blocks - start)
    played = n_blocks * (high - low)
    due = (("first_block", start), ("n_blocks", n_blocks), ("first_game", low))
    for name, values in (*due, ("n_games", high - low), ("games", played)):
        found &= frame[name].fill_null(-1).to_numpy() == values
    found &= (high > low) & frame["variant"].eq_missing(lane.variant).to_numpy()
    for table in always_there(manifest, whole=lane.bounds.parts == 1):
        found &= frame[f"{table}_rows"].is_not_null().to_numpy()
    deals = frame["deals"].fill_null(-1).to_numpy()
    if manifest.config.design in STUDIES:
        found &= deals >= 0
        return found
    found &= (played * each[0] <= deals) & (deals <= played * each[1])
    return found
