"""Units of the design ``seats``: a game with the hands turned, and every contract imposed."""

import numpy as np

from engine_ext.played import GameRecords
from engine_ext.trials import NAMED
from pipeline.block_totals import WIN
from pipeline.studies.player import AT_ONCE, Player, by_role
from pipeline.studies.rows import Collector, Ints
from pipeline.studies.units import Batch


def collect(player: Player, batch: Batch, rows: Collector) -> None:
    """Add the rows of some units; ``step`` is the turn of the hands."""
    per_unit = player.numbers.n_deals + len(player.declared) * player.numbers.n_contracts
    step = max(1, AT_ONCE // per_unit)
    for first in range(0, len(batch), step):
        some = np.arange(first, min(first + step, len(batch)))
        _games(player, batch, some, rows)
        if player.numbers.has_choice:
            _imposed(player, batch, some, rows)


def _games(player: Player, batch: Batch, some: Ints, rows: Collector) -> None:
    """Whole games: by contract points and side bets, by seat totals and win shares."""
    records = player.games(some, batch.block[some], batch.step[some])
    has_choice = player.numbers.has_choice
    deals = records.deals
    unit = np.repeat(some, records.n_deals)
    played = np.ones(len(unit), bool) if deals.extra is None else deals.extra == 0
    first = np.where(deals.declarer >= 0, deals.declarer, deals.leader)
    kinds = [("chosen" if has_choice else "forced", deals.points)]
    if player.numbers.has_doubling:
        kinds.append(("side", deals.side))
    for kind, points in kinds:
        _by_contract(
            player,
            rows,
            kind,
            unit[played],
            deals.contract[played],
            by_role(points[played], first[played]),
            some,
        )
    score = records.score.astype(np.int64)
    rows.add("score", 1, score, score[:, 0] ** 2, some)
    win = _shares(records)
    rows.add("win", 1, win, win[:, 0] ** 2, some)


def _shares(records: GameRecords) -> Ints:
    share = WIN // records.n_first[:, None].astype(np.int64)
    return np.where(records.place == 1, share, 0)


def _imposed(player: Player, batch: Batch, some: Ints, rows: Collector) -> None:
    """Each contract imposed on each deal that seat 0 declares."""
    numbers = player.numbers
    contracts = np.flatnonzero(np.array(numbers.uses[: numbers.n_contracts]))
    deal, base = np.array(player.declared).T
    shape = (len(some), len(deal), len(contracts))
    unit = np.broadcast_to(some[:, None, None], shape).reshape(-1)
    contract = np.broadcast_to(contracts, shape).reshape(-1)
    declarer = np.broadcast_to(base[:, None], shape).reshape(-1)
    found = player.ask(
        unit,
        block=batch.block[unit],
        deal=np.broadcast_to(deal[:, None], shape).reshape(-1),
        base=declarer,
        turn=batch.step[unit],
        code=contract << 8 | NAMED,
    )
    points = by_role(found.deals.points, declarer)
    _by_contract(player, rows, "forced", unit, contract, points, some)


def _by_contract(
    player: Player, rows: Collector, kind: str, unit: Ints, contract: Ints, points: Ints, some: Ints
) -> None:
    """Add up deals of each contract in each unit."""
    n_contracts = player.numbers.n_contracts
    cell = (unit - some[0]) * n_contracts + contract
    size = len(some) * n_contracts
    n = np.bincount(cell, minlength=size).reshape(-1, n_contracts)
    sums = np.zeros((size, points.shape[1]), np.int64)
    np.add.at(sums, cell, points)
    squares = np.zeros(size, np.int64)
    np.add.at(squares, cell, points[:, 0] ** 2)
    rows.add(
        kind,
        n,
        sums.reshape(len(some), n_contracts, -1),
        squares.reshape(len(some), n_contracts),
        some[:, None],
        contract=np.arange(n_contracts),
    )
