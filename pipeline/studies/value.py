"""Units of the design ``value``: one hand under every contract, the other hands dealt anew."""

import numpy as np

from pipeline.studies.designs import options
from pipeline.studies.player import AT_ONCE, Path, Player, by_role
from pipeline.studies.rows import Collector, Ints
from pipeline.studies.units import Batch


def collect(player: Player, batch: Batch, path: Path, rows: Collector) -> None:
    """Add the rows of some units."""
    named = np.array(options(player.numbers))
    code = named[:, 0] << 8 | named[:, 1]
    step = max(1, AT_ONCE // (len(code) * player.worlds))
    for first in range(0, len(batch), step):
        some = np.arange(first, min(first + step, len(batch)))
        _worths(player, batch, some, code, rows)
        _dealt(player, batch, path, some, code, rows)


def _worths(player: Player, batch: Batch, some: Ints, code: Ints, rows: Collector) -> None:
    """What the hand is worth in each contract, by halves of the worlds."""
    worlds = np.arange(1, player.worlds + 1)
    shape = (len(some), len(worlds), len(code))
    unit = np.broadcast_to(some[:, None, None], shape).reshape(-1)
    found = player.ask(
        unit,
        world=np.broadcast_to(worlds[:, None], shape).reshape(-1),
        held=batch.declarer[unit],
        code=np.broadcast_to(code, shape).reshape(-1),
        **batch.places(unit),
    )
    points = by_role(found.deals.points, batch.declarer[unit])
    points = points.reshape(len(some), len(worlds) // 2, 2, len(code), -1)
    rows.add(
        "worth",
        len(worlds) // 2,
        points.sum(axis=1),
        (points[..., 0] ** 2).sum(axis=1),
        some[:, None, None],
        contract=code >> 8,
        param=player.param_of(code),
        half=np.arange(2)[:, None],
    )


def _dealt(
    player: Player, batch: Batch, path: Path, some: Ints, code: Ints, rows: Collector
) -> None:
    """The same on the deal as dealt, and what the entrant chose there."""
    shape = (len(some), len(code))
    unit = np.broadcast_to(some[:, None], shape).reshape(-1)
    found = player.ask(unit, code=np.broadcast_to(code, shape).reshape(-1), **batch.places(unit))
    points = by_role(found.deals.points, batch.declarer[unit]).reshape(*shape, -1)
    squares = points[..., 0] ** 2
    keys = {"contract": code >> 8, "param": player.param_of(code)}
    rows.add("dealt", 1, points, squares, some[:, None], **keys)
    at = batch.at_path(some)
    chosen = path.code[at]
    which = np.argmax(code == chosen[:, None], axis=1)
    each = np.arange(len(some))
    rows.add(
        "chosen",
        1,
        points[each, which],
        squares[each, which],
        some,
        contract=chosen >> 8,
        param=player.param_of(chosen),
        n_left=path.left[at].sum(axis=1, dtype=np.int64),
    )
