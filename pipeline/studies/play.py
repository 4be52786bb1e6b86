"""Units in, tables out: what a worker, a pilot and a replay ask of a study."""

import numpy as np
import numpy.typing as npt

from engine_ext.batch import as_sets, deal_hands
from engine_ext.cards import Pack
from pipeline.studies import doubling, seats, value
from pipeline.studies.designs import n_steps
from pipeline.studies.player import Path, Player, Stopped, walk
from pipeline.studies.rows import Collector, Ints
from pipeline.studies.units import Batch, Units, hand_texts, joined, unit_frames

Blocks = npt.NDArray[np.uint64]


def play_units(player: Player, block: Blocks, unit: Ints, width: int) -> Units | None:
    """Play unit ``table * steps + step`` of each block; None if it was stopped.

    Blocks and the units of one ascend. ``width``: seats of the run's largest table.
    """
    table, step = np.divmod(unit, n_steps(player.config.design, player.numbers))
    found = []
    try:
        for entrant in np.unique(table):  # each's together: few large batches
            own = np.flatnonzero(table == entrant)
            player.begin(int(entrant), len(own))
            found.append(_play(player, block[own], step[own], width))
    except Stopped:
        return None
    return joined(found)


def _play(player: Player, block: Blocks, step: Ints, width: int) -> Units:
    rows = Collector(player.numbers.seats)
    nothing = np.zeros(len(block), np.int64)
    if player.config.design == "seats":
        batch = Batch(block, step, nothing, nothing, nothing)
        seats.collect(player, batch, rows)
        return unit_frames(player, width, batch, None, [""] * len(block), rows.rows())
    blocks, at_block = np.unique(block, return_inverse=True)
    path = walk(player, blocks, int(step.max()) + 1, bets=player.config.design == "doubling")
    deal, declarer = np.array(player.declared, np.int64).T
    batch = Batch(block, step, deal[step], declarer[step], at_block)
    player.fouls += path.fouls[batch.at_path(np.arange(len(batch)))]
    design = value if player.config.design == "value" else doubling
    design.collect(player, batch, path, rows)
    return unit_frames(player, width, batch, path, _hands(player, batch), rows.rows())


def _hands(player: Player, batch: Batch) -> list[str]:
    """The declarers' hands in words."""
    hands: list[int] = [0] * len(batch)
    for deal in np.unique(batch.deal):
        at = np.flatnonzero(batch.deal == deal)
        dealt = deal_hands(player.rules, key=player.key, blocks=batch.block[at], deal=int(deal))
        for i, hand in zip(at.tolist(), dealt, strict=True):
            hands[i] = as_sets(hand)[int(batch.declarer[i])]
    return hand_texts(Pack(player.rules.variant.deck), hands)


__all__ = ["Path", "Player", "play_units"]
