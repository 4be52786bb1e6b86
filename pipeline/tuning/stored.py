"""The games of a run as arrays, read back from its tables."""

from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt
import polars as pl

from engine_ext.rules.resolve import resolve
from engine_ext.rules.spec import Variant
from pipeline.config import EVENINGS, Recorded
from pipeline.files import Place, read_place
from pipeline.manifest import Receipt
from pipeline.places import in_a_row
from pipeline.receipt_table import Receipts
from pipeline.schema import polars_schema
from pipeline.store import Run, check_files
from pipeline.stores import StoreError
from pipeline.stores.several import several
from pipeline.studies.designs import STUDIES
from pipeline.tables import Games, read_games, some
from pipeline.tuning.results import Bets, Played

NEEDED: tuple[Recorded, ...] = ("games", "deals", "doubles")
"""Tables that games are read from."""
UNREAD = {"games": {"digest"}, "deals": set[str](), "doubles": set[str]()}
"""Columns that no array is made of."""


def read_played(run: Run, variant: str) -> Played:
    """Every counted game of one variant of a run that is complete.

    Games stand by block, table and rotation; their blocks are numbered anew from 0. Moves are
    counted where ``plays`` was kept of all blocks. Raises :class:`StoreError`, in a line, for a
    run that is not complete or did not keep its games.
    """
    games, counted = read_stored(run, variant)
    moves = _moves(run, run.whole_receipts().of_variant(variant), len(counted))
    return played_of(games, run.manifest.config.variant(variant), counted, moves)


def read_stored(run: Run, variant: str) -> tuple[Games, npt.NDArray[np.bool_]]:
    """The same games as they stand in the run, and of which deals the items are known, (D,).

    Of people's games those are left out of which the totals alone are known.
    """
    _check_kept(run, variant)
    receipts = run.whole_receipts().of_variant(variant)
    rules = resolve(run.manifest.config.variant(variant))
    check_files(run, [_only(receipt, NEEDED) for receipt in receipts.values()])
    frames: dict[str, pl.DataFrame] = {
        name: _read(run, receipts, name, rules.seats) for name in NEEDED
    }
    deals = frames["deals"]
    counted = deals["items_0"].is_not_null().to_numpy()
    if not counted.all():
        untold = [f"{name}_{s}" for name in ("items", "finish") for s in range(rules.seats)]
        frames["deals"] = deals.with_columns(pl.col(untold).fill_null(0))
    labels = tuple(entrant.label for entrant in run.manifest.config.entrants)
    by_people = run.manifest.config.design == EVENINGS
    games = read_games(variant, rules, labels, frames, by_people=by_people)
    told = games.records.n_deals > 0
    if not told.any():
        raise StoreError(f"{run.where}: of no game more than the totals is known (want its deals)")
    if told.all():
        return games, counted
    # Stored rows tell who doubled whom in ``doubles`` alone.
    doubles = games.doubles._replace(game=(np.cumsum(told) - 1)[games.doubles.game])
    return replace(some(games, told), doubles=doubles), counted


def played_of(
    games: Games,
    rules: Variant,
    counted: npt.NDArray[np.bool_] | None = None,
    moves: npt.NDArray[np.int64] | None = None,
) -> Played:
    """Games of a variant, in order, as objectives look at them; ``counted`` all unless given."""
    records, deals, doubles = games.records, games.records.deals, games.doubles
    blocks, block = np.unique(games.block, return_inverse=True)
    row = games.first_row[doubles.game] + doubles.deal
    return Played(
        variant=rules,
        rules=games.rules,
        blocks=len(blocks),
        block=block.astype(np.int64),
        labels=games.labels,
        entrant=games.entrant,
        n_deals=records.n_deals.astype(np.int64),
        score=records.score,
        contract=deals.contract,
        declarer=deals.declarer,
        leader=deals.leader,
        n_left=deals.n_left,
        points=deals.points,
        side=deals.side,
        items=deals.items,
        counted=np.ones(len(deals.contract), np.bool_) if counted is None else counted,
        bets=Bets(row, doubles.doubler, doubles.doubled, doubles.redoubled),
        n_moves=moves,
        revoked=deals.revoked,
    )


def _check_kept(run: Run, variant: str) -> None:
    config, where = run.manifest.config, run.where
    names = [one.name for one in config.variants]
    if variant not in names:
        raise StoreError(f"{where}: no variant {variant!r} in it (want one of {', '.join(names)})")
    if config.design in STUDIES:
        raise StoreError(f"{where}: design: {config.design!r} is a study (want a run of games)")
    lost = [table for table in NEEDED if table not in config.recorded]
    if lost:
        raise StoreError(
            f"{where}: record: {' and '.join(lost)} were not kept of all blocks (want a run with "
            'record = "all")'
        )
    status = run.manifest.status
    if status != "complete":
        raise StoreError(
            f"{where}: status: {status} (want a run that is complete: barbu resume plays what is "
            "missing)"
        )


def _read(run: Run, receipts: Receipts, table: Recorded, seats: int) -> pl.DataFrame:
    """Rows of a table in the order of the shards, which is that of blocks and their games."""
    schema = polars_schema(table, seats)
    columns = [name for name in schema if name not in UNREAD[table] and name != "variant"]
    frames = _frames(run, receipts, table, columns)
    return pl.concat(frames) if frames else pl.DataFrame(schema=schema).select(columns)


def _frames(
    run: Run, receipts: Receipts, table: Recorded, columns: list[str]
) -> list[pl.DataFrame]:
    places: list[Place] = [
        run.place(table, receipt.shard) for receipt in receipts.values() if table in receipt.files
    ]
    read = partial(read_place, run.store, columns=columns)
    return list(several(run.store.at_once, in_a_row(places), read))


def _moves(run: Run, receipts: Receipts, deals: int) -> npt.NDArray[np.int64] | None:
    """(D,) moves of each deal; None where they were not kept of all blocks."""
    if "plays" not in run.manifest.config.recorded:
        return None
    check_files(run, [_only(receipt, ("plays",)) for receipt in receipts.values()])
    frames = _frames(run, receipts, "plays", ["n_moves"])
    found = pl.concat(frames)["n_moves"].to_numpy().astype(np.int64)
    if len(found) != deals:
        raise StoreError(f"{run.where}: plays: {len(found)} deals stand there, {deals} in deals")
    return found


def _only(receipt: Receipt, tables: tuple[Recorded, ...]) -> Receipt:
    """The receipt with no other files, so that no others are checked."""
    files = {name: file for name, file in receipt.files.items() if name in tables}
    return receipt.model_copy(update={"files": files})
