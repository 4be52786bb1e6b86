"""What an entrant's own doubles brought it, on the deals as they were dealt and chosen."""

from typing import NamedTuple

import numpy as np
import polars as pl

from pipeline.stats.estimate import Estimate, proportion, ratio
from pipeline.studies.bets import open_to_bets
from pipeline.studies.cells import Ints, point_columns, sums_of
from pipeline.studies.designs import ANYONE, targets
from pipeline.studies.study import Study

OF_DECLARER, FLANK, BACK = "declarer", "flank", "back"
"""Doubles of the declarer, of another, and those that were given back."""


class Made(NamedTuple):
    """Doubles of one kind that the entrant made."""

    contract: str
    """"" for all contracts together."""
    kind: str
    rate: Estimate
    """Of the times that it was possible; of the doubles that could be given back."""
    pays: Estimate | None
    """What one of them paid its maker, once; None if there was none, and between others:
    trials do not tell which of the two began."""


class Lot(NamedTuple):
    """Block totals of one kind of double in one contract."""

    possible: Ints
    made: Ints
    paid: Ints


def made(study: Study) -> list[Made]:
    """By contract and kind; all contracts together come last in each kind."""
    chosen, bets = open_to_bets(study, "chosen"), open_to_bets(study, "made")
    if chosen.is_empty():
        return []
    blocks = np.unique(chosen["block"].to_numpy())
    open_to = [c for c in study.rules.contracts if c in set(chosen["contract"])]
    out = []
    for kind in (OF_DECLARER, FLANK, BACK):
        lots = {c: _lot(study, blocks, chosen, bets, kind, c) for c in open_to}
        lots = {c: lot for c, lot in lots.items() if lot.possible.any()}
        if lots:
            whole = Lot(*(np.sum(column, axis=0) for column in zip(*lots.values(), strict=True)))
            out += [_made(c, kind, lot) for c, lot in [*lots.items(), ("", whole)]]
    return out


def _made(contract: str, kind: str, lot: Lot) -> Made:
    told = lot.made.any() and kind != FLANK
    pays = ratio(sums_of(lot.made, lot.paid)) if told else None
    return Made(contract, kind, proportion(sums_of(lot.possible, lot.made)), pays)


def _lot(
    study: Study, blocks: Ints, chosen: pl.DataFrame, bets: pl.DataFrame, kind: str, contract: str
) -> Lot:
    seats = study.rules.seats
    played = chosen.filter(pl.col("contract") == contract)
    mine = bets.filter(pl.col("contract") == contract)
    with_declarer = (pl.col("who") == 0) | (pl.col("whom") == 0)
    mine = mine.filter(~with_declarer if kind == FLANK else with_declarer)
    each, possible, done = seats - 1, played, mine
    if kind == FLANK:  # of two of them the first to speak may double the other, or be doubled
        anyone = targets(study.numbers, contract) == ANYONE
        each = (seats - 1) * (seats - 2) // 2 if anyone else 0
    elif kind == BACK:
        each, possible, done = 1, mine, mine.filter(pl.col("weight") == 2)
    return Lot(
        each * _count(blocks, possible),
        _count(blocks, done),
        _total(blocks, done, _ahead(done, seats, kind)),
    )


def _ahead(bets: pl.DataFrame, seats: int, kind: str) -> Ints:
    """By how much the maker of each bet was ahead."""
    s = bets.select(point_columns(seats)).to_numpy().astype(np.int64)
    who, whom = bets["who"].to_numpy(), bets["whom"].to_numpy()
    who, whom = np.maximum(who, whom), np.minimum(who, whom)
    if kind == BACK:
        who, whom = whom, who
    rows = np.arange(len(bets))
    return np.asarray(s[rows, who] - s[rows, whom])


def _count(blocks: Ints, rows: pl.DataFrame) -> Ints:
    return _total(blocks, rows, np.ones(len(rows), np.int64))


def _total(blocks: Ints, rows: pl.DataFrame, x: Ints) -> Ints:
    out = np.zeros(len(blocks), np.int64)
    np.add.at(out, np.searchsorted(blocks, rows["block"].to_numpy()), x)
    return out
