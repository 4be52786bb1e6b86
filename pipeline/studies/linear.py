"""Ridge on hand features, and worths that a model helps to see.

A half of the worlds says what a hand is worth with the luck of few deals, and the best of
many trump suits and start ranks looks better than it is. What other hands like it were
worth says it without that luck, but roughly. The best guess is in between: for each
option the mixture that foretells the other half best. So a choice by the guess is nearer
to that of somebody who knows what his hand is worth, and it is still valued by deals that
it has not seen.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from engine_ext.cards import Pack
from pipeline.stats.sets import Floats, Ints
from pipeline.studies.features import Table, everything, pairs

PAIRED = (
    "unsafe",
    "holes",
    "♥ unsafe",
    "♥ length",
    "♥ lowest",
    "cards in your longest suit",
    "second longest",
    "suits without a card",
    "aces",
    "kings",
    "queens",
    "aces and kings outside your longest suit",
    "K♥ in hand (1 or 0)",
    "A♥ in hand (1 or 0)",
    "bare queens",
    "pairs of neighbours in a suit",
    "cards in your longest run of neighbours",
)
"""Figures whose products the ridge gets too."""


def figures(held: Ints, pack: Pack) -> tuple[Table, Table]:
    """All features of hands, and the same with products."""
    table = everything(held, pack)
    return table, pairs(table, PAIRED)


@contextmanager
def one_thread() -> Iterator[None]:
    """One order of sums, and no threads that wait for each other."""
    # Before the limit: it holds for libraries that are there when it is set.
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        yield


def linear(columns: Floats, y: Floats, fold: Ints) -> Floats:
    """Ridge on the figures and their products for each row of ``y``, its weight by leaving
    one out; what is told of a hand comes from other folds."""
    from sklearn.linear_model import RidgeCV

    out = np.zeros_like(y)
    for k in np.unique(fold).tolist():
        seen, here = fold != k, fold == k
        mean, spread = columns[seen].mean(axis=0), columns[seen].std(axis=0)
        spread[spread == 0] = 1
        model = RidgeCV(alphas=(10.0, 100.0, 1000.0, 10000.0), alpha_per_target=True)
        model.fit((columns[seen] - mean) / spread, y[:, seen].T)
        out[:, here] = model.predict((columns[here] - mean) / spread).reshape(-1, len(y)).T
    return out


def informed(points: Floats, columns: Floats, fold: Ints) -> Floats:
    """(2, options, hands): the best guess of each option's worth by each half and features.

    ``points`` are the halves' means. What features say of a hand, and the weights of the
    mixture, come from hands of other folds (whose features' part this hand helped to fit, so
    the weights owe it a trifle).
    """
    with one_thread():
        seen = linear(columns, points.mean(axis=0), fold)
    return np.array(
        [
            [mixture(points[a, o], seen[o], points[1 - a, o], fold) for o in range(len(seen))]
            for a in (0, 1)
        ]
    )


def mixture(half: Floats, seen: Floats, value: Floats, fold: Ints) -> Floats:
    """(hands,): base + a x half + b x seen, as other folds foretell ``value`` best."""
    x = np.column_stack([np.ones(len(half)), half, seen])
    out = np.zeros(len(half))
    for k in np.unique(fold).tolist():
        weights = np.linalg.lstsq(x[fold != k], value[fold != k], rcond=1e-10)[0]
        out[fold == k] = x[fold == k] @ weights
    return np.round(out, 9)
