"""A chart to learn by heart: a few whole-number counts that tell which contract to spend.

The worth of a hand in a contract is taken as base + weights x counts, the weights small round
numbers; the contract with the most worth less its price is spent. How good that is, is told
by playing it on hands that the chart has not seen.
"""

from typing import NamedTuple

import numpy as np

from engine_ext.cards import Pack
from pipeline.stats.sets import Floats, Ints, Policy, Side, solve
from pipeline.stats.spending import usual_prices
from pipeline.studies.features import Table, counts
from pipeline.studies.naming import Naming, best_rule, rules_of
from pipeline.studies.study import Study
from pipeline.studies.worth import Worth, sides_of

MOST_COUNTS = 3
"""Counts for a contract; more are not learnt by heart."""
LEAST_GAIN = 0.02
"""Part of the variance of a hand's worth that another count must explain to be worth it."""
FOLDS = 5
"""Parts of the blocks: each is played by a chart made from the others."""
ROUND = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
"""Steps of weights; the largest that is fine enough is taken."""
FINE = 6
"""Steps in a standard deviation of what a hand is worth, at least."""


class Line(NamedTuple):
    """What to count for one contract."""

    contract: int
    base: float
    weights: tuple[tuple[str, float], ...]
    """Names of counts, and what each unit is worth."""
    price: float
    naming: Naming


class Chart(NamedTuple):
    """A line for each contract, all weights multiples of ``step``."""

    step: float
    lines: tuple[Line, ...]


class Counted(NamedTuple):
    """Hands as a chart sees them."""

    study: Study
    worth: Worth
    held: Ints
    table: Table
    namings: list[list[Naming]]
    """By contract."""


def counted(study: Study, worth: Worth, held: Ints) -> Counted:
    """Count what a chart may use."""
    table = counts(held, Pack(study.rules.deck))
    namings = [rules_of(study, worth, held, c) for c in range(len(worth.contracts))]
    return Counted(study, worth, held, table, namings)


def fold_of(worth: Worth) -> Ints:
    """(hands,): part of each hand; blocks stay whole."""
    out: Ints = worth.blocks % FOLDS
    return out


def made(hands: Counted, some: Ints) -> Chart:
    """The chart from the hands ``some``."""
    worth = hands.worth
    lines, spreads = [], []
    for c, namings in enumerate(hands.namings):
        naming = namings[best_rule(namings, worth, some)]
        y = worth.points[:, naming.option[some], some]
        chosen = selected(hands.table.columns[some], y, worth.blocks[some])
        lines.append((c, naming, y.mean(axis=0), chosen))
        spreads.append(max(explainable(y), 0.0) ** 0.5)
    step = step_of(float(np.median(spreads)))
    cost = rounded(_prices(worth, some), step)
    fitted = (
        Line(c, *_rounded_fit(hands.table, some, y, at, step), float(cost[c]), naming)
        for c, naming, y, at in lines
    )
    return Chart(step, tuple(fitted))


def explainable(y: Floats) -> float:
    """Variance of what hands are worth, from two halves (2, hands) that judge them apart."""
    a, b = y - y.mean(axis=1, keepdims=True)
    return float((a * b).mean())


def step_of(spread: float) -> float:
    """The largest round step that divides a standard deviation finely enough."""
    fit = [step for step in ROUND if step <= spread / FINE]
    return fit[-1] if fit else ROUND[0]


def rounded(figures: Floats, step: float) -> Floats:
    """Figures as multiples of ``step``."""
    out: Floats = np.round(np.round(figures / step) * step, 6)
    return out


def selected(columns: Floats, y: Floats, blocks: Ints) -> list[int]:
    """Columns chosen one after the other, each the one that best foretells other blocks.

    A count must lower the squared error of what hands are worth by ``LEAST_GAIN`` of its
    variance; the error is the mean product of both halves' residuals, free of their noise.
    """
    x = np.column_stack([np.ones(len(columns)), columns])
    part = blocks % (FOLDS + 1)  # other parts than those that are kept for the proof
    grams = [_gram(x[part == k], y[:, part == k]) for k in range(FOLDS + 1)]
    variance = explainable(y)
    at: list[int] = []
    error = _foretold(grams, [0])
    while len(at) < MOST_COUNTS and variance > 0:
        tried = {
            k: _foretold(grams, [0, *(i + 1 for i in at), k + 1])
            for k in range(columns.shape[1])
            if k not in at
        }
        best = min(tried, key=lambda k: (round(tried[k], 9), k))
        if error - tried[best] < LEAST_GAIN * variance:
            break
        at.append(best)
        error = tried[best]
    return at


Gram = tuple[Floats, Floats, Floats, float, int]


def _gram(x: Floats, y: Floats) -> Gram:
    """Sums of products: x'x, x'(mean y), x'y of both halves together, y0 y1, rows."""
    both = y.mean(axis=0)
    return (x.T @ x, x.T @ both, x.T @ y.sum(axis=0), float((y[0] * y[1]).sum()), len(x))


def _foretold(grams: list[Gram], at: list[int]) -> float:
    """Mean product of the halves' residuals in parts left out of the fit."""
    error, rows = 0.0, 0
    whole = sum((g[0] for g in grams), np.zeros_like(grams[0][0]))[np.ix_(at, at)]
    right = sum((g[1] for g in grams), np.zeros_like(grams[0][1]))[at]
    for xx, xy, xs, yy, n in grams:
        part = xx[np.ix_(at, at)]
        w = solved_for(whole - part, right - xy[at])
        error += yy - float(w @ xs[at]) + float(w @ part @ w)
        rows += n
    return error / max(rows, 1)


def solved_for(square: Floats, right: Floats) -> Floats:
    """Least squares, also where two columns say the same."""
    return np.asarray(np.linalg.lstsq(square, right, rcond=1e-10)[0], dtype=np.float64)


def _rounded_fit(
    table: Table, some: Ints, y: Floats, at: list[int], step: float
) -> tuple[float, tuple[tuple[str, float], ...]]:
    """Base and weights as multiples of ``step``; the base makes up for the rounding."""
    x = table.columns[some][:, at]
    centred: Floats = x - x.mean(axis=0)
    right: Floats = centred.T @ (y - float(y.mean()))
    w = rounded(solved_for(centred.T @ centred, right), step)
    base = rounded(np.array(y.mean() - x.mean(axis=0) @ w), step)
    names = tuple((table.names[k], float(v)) for k, v in zip(at, w, strict=True) if v)
    return float(base), names


def _prices(worth: Worth, some: Ints) -> Floats:
    sides = [Side(s.choose[:, some], s.value[:, some]) for s in sides_of(worth, worth.points)]
    blocks = np.unique(worth.blocks[some], return_inverse=True)[1]
    return usual_prices(solve(Policy(sides), worth.uses, blocks, worth.turns), worth.uses)


def read_off(chart: Chart, table: Table) -> Floats:
    """(contracts, hands): worth of each hand by the chart."""
    out = np.zeros((len(chart.lines), len(table.columns)))
    for line in chart.lines:
        out[line.contract] = line.base
        for name, weight in line.weights:
            out[line.contract] += weight * table.columns[:, table.names.index(name)]
    return out


def side_of(chart: Chart, hands: Counted) -> Side:
    """What a player with the chart sees of each hand, prices taken off, and what his choice
    is worth with what he names."""
    every, worth = np.arange(len(hands.worth.blocks)), hands.worth.points.mean(axis=0)
    value = np.array([worth[line.naming.option, every] for line in chart.lines])
    prices = np.array([[line.price] for line in chart.lines])
    return Side(read_off(chart, hands.table) - prices, value)


def played(hands: Counted) -> Policy:
    """Each part of the hands played by a chart made from the others."""
    fold = fold_of(hands.worth)
    shape = (len(hands.worth.contracts), len(fold))
    seen, value = np.zeros(shape), np.zeros(shape)
    for k in range(FOLDS):
        side = side_of(made(hands, np.flatnonzero(fold != k)), hands)
        here = fold == k
        seen[:, here], value[:, here] = side.choose[:, here], side.value[:, here]
    return Policy([Side(seen, value)], np.zeros(shape[0]))
