"""How much of a hand's worth can be seen in it: two models against the ceiling.

Part of what a deal brings depends on the cards of the others; no look at one's own hand can
foretell it. So the ceiling for R^2 of one deal's points is the variance of what hands are
worth over the variance of points. Two halves of the worlds judge each hand apart: the
product of their deviations tells the first without noise, and the product of their
residuals what a model leaves of it. Models foretell blocks that they have not seen.
"""

from typing import NamedTuple

import numpy as np

from engine_ext.cards import Pack
from pipeline.stats.blocks import moved, per_block, quotient
from pipeline.stats.estimate import Estimate
from pipeline.stats.sets import Floats, Ints
from pipeline.studies.chart import Chart, Counted, fold_of, made, naming_of, read_off
from pipeline.studies.features import Table
from pipeline.studies.fitting import FOLDS
from pipeline.studies.linear import figures, linear, one_thread

LINEAR, BOOSTED, COUNTS = "linear", "boosted", "chart"


class Foretold(NamedTuple):
    """How well a contract's worth is foretold."""

    contract: int
    ceiling: Estimate
    """Part of the variance of one deal's points that the hand explains."""
    share: dict[str, Estimate]
    """By model: part of that which it sees, in blocks that it has not seen."""
    r2: dict[str, Estimate]
    """By model: R^2 for one deal's points."""
    spread: float
    """Standard deviation of what hands are worth."""
    deal: float
    """Standard deviation of one deal's points."""


def foretold(hands: Counted, chart: Chart) -> list[Foretold]:
    """A row for each contract; trump suit and start rank named as the chart does."""
    fold = fold_of(hands.worth)
    table, wide = figures(hands.held, Pack(hands.study.rules.deck))
    with one_thread():
        charts = read_off_parts(hands, fold)
        return [_contract(hands, chart, c, table, wide, charts[c]) for c in range(len(charts))]


def read_off_parts(hands: Counted, fold: Ints) -> Floats:
    """(contracts, hands): worth by charts that have not seen the hand's block."""
    out = np.zeros((len(hands.worth.contracts), len(fold)))
    for k in range(FOLDS):
        chart = made(hands, np.flatnonzero(fold != k))
        out[:, fold == k] = read_off(chart, hands)[:, fold == k]
    return out


def _contract(
    hands: Counted, chart: Chart, c: int, table: Table, wide: Table, by_chart: Floats
) -> Foretold:
    worth, option = hands.worth, naming_of(chart.lines[c], hands).option
    every, blocks = np.arange(len(option)), worth.blocks
    y = worth.points[:, option, every]
    square = worth.squares[:, option, every].mean(axis=0)
    first = worth.roles[:, 0, option, every].mean(axis=0)
    guesses = {
        COUNTS: by_chart,
        LINEAR: linear(wide.columns, y.mean(axis=0, keepdims=True), fold_of(worth))[0],
        BOOSTED: _boosted(table.columns, y.mean(axis=0), fold_of(worth)),
    }
    sums = {"hand": _product(y, y.mean(), blocks)}
    sums |= {name: _product(y, guess, blocks) for name, guess in guesses.items()}
    deal = per_block(square - 2 * first * first.mean() + first.mean() ** 2, blocks, worth.n_blocks)
    ceiling = _of(sums["hand"], deal)
    share, r2 = {}, {}
    for name in guesses:
        seen = sums["hand"] - sums[name]
        share[name], r2[name] = _of(seen, sums["hand"]), _of(seen, deal)
    spread = max(float(sums["hand"].sum()), 0.0) / len(option)
    return Foretold(c, ceiling, share, r2, spread**0.5, float(deal.sum() / len(option)) ** 0.5)


def _product(y: Floats, guess: Floats | float, blocks: Ints) -> Floats:
    """(blocks,): sums of products of the halves' residuals."""
    return per_block((y[0] - guess) * (y[1] - guess), blocks, int(blocks[-1]) + 1)


def _of(above: Floats, below: Floats) -> Estimate:
    if below.sum() <= 0:
        return Estimate(0.0, None, None, None, len(above), len(above), 0.0, "none")
    value, influence = quotient(above, below)
    return moved(value, influence)


def _boosted(columns: Floats, y: Floats, fold: Ints) -> Floats:
    """Small trees, each on what those before leave."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    out = np.zeros(len(y))
    for k in range(FOLDS):
        model = HistGradientBoostingRegressor(
            max_iter=60,
            learning_rate=0.1,
            max_leaf_nodes=8,
            max_bins=32,
            min_samples_leaf=20,
            l2_regularization=5.0,
            early_stopping=False,
            random_state=0,
        )
        model.fit(columns[fold != k], y[fold != k])
        out[fold == k] = model.predict(columns[fold == k])
    return out
