"""A chart to learn by heart: a few whole-number counts that tell which contract to spend.

The worth of a hand in a contract is taken as base + weights x counts, the weights small round
numbers; the contract with the most worth less its price is spent. How good that is, is told
by playing it on hands that the chart has not seen.
"""

from typing import NamedTuple

import numpy as np

from engine_ext.cards import Pack
from pipeline.stats.sets import Floats, Ints, Policy, Side, solve, strides
from pipeline.stats.spending import usual_prices
from pipeline.studies.features import Table, counts, table_of
from pipeline.studies.fitting import (
    FOLDS,
    explainable,
    rounded,
    rounded_fit,
    selected,
    step_of,
    weighed,
)
from pipeline.studies.naming import Naming, around, best_rule, is_layout, rules_of
from pipeline.studies.study import Study
from pipeline.studies.worth import Worth

MANY_STATES, MOST_PRICED = 1024, 1000
"""Where there are so many ways of what is left, prices come from so many hands at most."""


class Line(NamedTuple):
    """What to count for one contract."""

    contract: int
    base: float
    weights: tuple[tuple[str, float], ...]
    """Names of counts, and what each unit is worth."""
    price: float
    way: int
    """Place of the rule of naming among those that there are."""


class Chart(NamedTuple):
    """A line for each contract, all weights multiples of ``step``."""

    step: float
    lines: tuple[Line, ...]


class Counted(NamedTuple):
    """Hands as a chart sees them."""

    study: Study
    worth: Worth
    held: Ints
    namings: list[list[Naming]]
    """By contract: rules of naming."""
    tables: list[list[Table]]
    """By contract and rule: what may be counted."""


def counted(study: Study, worth: Worth, held: Ints) -> Counted:
    """Count what a chart may use."""
    pack, contracts = Pack(study.rules.deck), range(len(worth.contracts))
    table = counts(held, pack)
    namings = [rules_of(study, worth, held, c) for c in contracts]
    tables = [
        [_with_start(table, n, worth, held, pack) for n in namings[c]]
        if is_layout(study, worth, c) and len(namings[c]) > 1
        else [table] * len(namings[c])
        for c in contracts
    ]
    return Counted(study, worth, held, namings, tables)


def _with_start(table: Table, naming: Naming, worth: Worth, held: Ints, pack: Pack) -> Table:
    rank = np.array([param for _, param in worth.options])[naming.option]
    more = table_of(around(held, rank, pack))
    return Table((*table.names, *more.names), np.column_stack([table.columns, more.columns]))


def fold_of(worth: Worth) -> Ints:
    """(hands,): part of each hand; blocks stay whole."""
    out: Ints = worth.blocks % FOLDS
    return out


def made(hands: Counted, some: Ints) -> Chart:
    """The chart from the hands ``some``."""
    worth, found = hands.worth, []
    for c, namings in enumerate(hands.namings):
        way = best_rule(namings, worth, some)
        y, table = worth.points[:, namings[way].option[some], some], hands.tables[c][way]
        found.append((c, way, y, selected(table.columns[some], y, worth.blocks[some])))
    spreads = [max(explainable(y), 0.0) ** 0.5 for _, _, y, _ in found]
    step = step_of(float(np.median(spreads)))
    lines = []
    for c, way, y, at in found:
        base, weights = rounded_fit(hands.tables[c][way], some, y.mean(axis=0), at, step)
        lines.append(Line(c, base, weights, 0.0, way))
    cost = rounded(_prices(Chart(step, tuple(lines)), hands, some), step).tolist()
    return Chart(step, tuple(line._replace(price=cost[line.contract]) for line in lines))


def _prices(chart: Chart, hands: Counted, some: Ints) -> Floats:
    """What spending each costs whoever sees no more of a hand than the chart."""
    worth, side = hands.worth, side_of(chart, hands)
    if strides(worth.uses)[-1] > MANY_STATES:
        some = some[:: -(-len(some) // MOST_PRICED)]
    blocks = np.unique(worth.blocks[some], return_inverse=True)[1]
    policy = Policy([Side(side.choose[:, some], side.value[:, some])])
    return usual_prices(solve(policy, worth.uses, blocks, worth.turns), worth.uses)


def read_off(chart: Chart, hands: Counted) -> Floats:
    """(contracts, hands): worth of each hand by the chart."""
    out = np.zeros((len(chart.lines), len(hands.held)))
    for line in chart.lines:
        table = hands.tables[line.contract][line.way]
        out[line.contract] = weighed(table, line.weights, line.base)
    return out


def naming_of(line: Line, hands: Counted) -> Naming:
    """How a line names its trump suit or start rank."""
    return hands.namings[line.contract][line.way]


def side_of(chart: Chart, hands: Counted) -> Side:
    """What a player with the chart sees of each hand, prices taken off, and what his choice
    is worth with what he names."""
    every, worth = np.arange(len(hands.held)), hands.worth.points.mean(axis=0)
    value = np.array([worth[naming_of(line, hands).option, every] for line in chart.lines])
    prices = np.array([[line.price] for line in chart.lines])
    return Side(read_off(chart, hands) - prices, value)


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
