"""Few counts and round weights that foretell what hands are worth.

Two halves of the worlds judge each hand apart. A product of their deviations tells how much
hands differ without the noise of either, a product of their residuals what a fit leaves.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pipeline.stats.sets import Floats, Ints
from pipeline.studies.features import Table

PARTS = 6
"""Parts of the blocks, each foretold from the others, when counts are chosen."""
FOLDS = 5
"""Parts of the blocks: each is played by what was made from the others."""
LEAST_BLOCKS = 20
"""Fewer teach nothing about hands."""
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
    grams = _grams(x, y, part)
    variance = explainable(y)
    at: list[int] = []
    error = float(_foretold(grams, np.zeros((1, 1), np.int64))[0])
    while len(at) < MOST_COUNTS and variance > 0:
        left = [k for k in range(columns.shape[1]) if k not in at]
        sets = np.array([[0, *(i + 1 for i in at), k + 1] for k in left])
        tried = np.round(_foretold(grams, sets), 9)
        best = int(tried.argmin())  # of equals the first
        if error - tried[best] < LEAST_GAIN * variance:
            break
        at.append(left[best])
        error = float(tried[best])
    return at


class Grams(NamedTuple):
    """Sums of products in each of P parts of the hands, K columns."""

    xx: Floats
    """(P, K, K)"""
    xy: Floats
    """(P, K), with the mean of both halves."""
    xs: Floats
    """(P, K), with their sum."""
    yy: Floats
    """(P,), of both halves."""
    rows: int


def _grams(x: Floats, y: Floats, part: Ints) -> Grams:
    parts = [(x[part == k], y[:, part == k]) for k in range(PARTS)]
    xx, xy, xs, yy = zip(
        *(
            (a.T @ a, a.T @ b.mean(axis=0), a.T @ b.sum(axis=0), (b[0] * b[1]).sum())
            for a, b in parts
        ),
        strict=True,
    )
    return Grams(np.array(xx), np.array(xy), np.array(xs), np.array(yy), len(x))


def _foretold(grams: Grams, sets: Ints) -> Floats:
    """(sets,): mean product of the halves' residuals in parts left out of the fit, for each
    set of columns (sets, d)."""
    part = grams.xx[:, sets[:, :, None], sets[:, None, :]]
    right, both = grams.xy[:, sets], grams.xs[:, sets]
    # Least squares, also where two columns say the same.
    square = np.linalg.pinv(part.sum(axis=0) - part, rcond=1e-10, hermitian=True)
    w = np.einsum("pkij,pkj->pki", square, right.sum(axis=0) - right)
    fit = np.einsum("pki,pkij,pkj->k", w, part, w) - np.einsum("pki,pki->k", w, both)
    error: Floats = (grams.yy.sum() + fit) / max(grams.rows, 1)
    return error


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


def weighed(table: Table, weights: Sequence[tuple[str, float]], base: float = 0.0) -> Floats:
    """(hands,): a base, and what the counts add to it."""
    out = np.full(len(table.columns), base)
    for name, weight in weights:
        out += weight * table.columns[:, table.names.index(name)]
    return out
