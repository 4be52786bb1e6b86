"""Few counts and round weights that foretell what hands are worth.

Two halves of the worlds judge each hand apart. A product of their deviations tells how much
hands differ without the noise of either, a product of their residuals what a fit leaves.
"""

import numpy as np

from pipeline.stats.sets import Floats, Ints
from pipeline.studies.features import Table

PARTS = 6
"""Parts of the blocks, each foretold from the others, when counts are chosen."""
MOST_COUNTS = 3
"""Counts for a contract; more are not learnt by heart."""
LEAST_GAIN = 0.02
"""Part of the variance of a hand's worth that another count must explain to be worth it."""
ROUND = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
"""Steps of weights; the largest that is fine enough is taken."""
FINE = 6
"""Steps in a standard deviation of what a hand is worth, at least."""


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
    part = blocks % PARTS  # other parts than those that are kept for the proof
    grams = [_gram(x[part == k], y[:, part == k]) for k in range(PARTS)]
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


def rounded_fit(
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
