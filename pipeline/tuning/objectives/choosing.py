"""What there is to choose: how evenly contracts are spent first, and what choosing well brings.

All of them are told of the best chooser, who solves the dynamic program under the candidate's
points, never from what a player happened to choose.
"""

import numpy as np

from pipeline.tuning.best_chooser import Chooser, best_chooser
from pipeline.tuning.by_group import per
from pipeline.tuning.measured import Floats, Measured, of_left_out
from pipeline.tuning.results import Choices, Results


def choice_entropy(results: Results) -> Measured:
    """1 less the relative entropy of first choices to uses, as a part of what it can be: 1 where
    every use of a contract is spent first equally often, 0 where it is always the rarest one."""
    chooser = _chooser(results)
    even = chooser.uses / chooser.uses.sum()
    first = chooser.first
    logs = np.log(np.where(first > 0, first / even, 1.0))
    return _measured(chooser, 1 - (first * logs).sum(axis=1) / np.log(1 / even.min()))


def least_chosen(results: Results) -> Measured:
    """How often the contract that is chosen first most seldom is, beside its part of all uses."""
    chooser = _chooser(results)
    even = chooser.uses / chooser.uses.sum()
    return _measured(chooser, (chooser.first / even).min(axis=1))


def choice_value(results: Results) -> Measured:
    """Points that the best chooser has more of a dealership than any fixed order brings, in
    standard deviations of a dealership in a fixed order."""
    chooser = _chooser(results)
    order = (chooser.mean * chooser.uses).sum(axis=1)
    spread = np.sqrt(np.maximum((chooser.variance * chooser.uses).sum(axis=1), 0.0))
    return _measured(chooser, per(chooser.value - order, spread))


def first_choices(choices: Choices) -> dict[str, float]:
    """How often the best chooser spends each contract first, when all are left."""
    chooser = best_chooser(choices)
    return dict(zip(chooser.contracts, chooser.first[0].tolist(), strict=True))


def nobody_chooses(results: Results) -> str | None:
    """Why there is nothing to choose, or None."""
    if results.choices is None:
        return "the contracts come in a fixed order, so nobody chooses"
    if len(results.choices.worth.contracts) < 2:
        return "there is one contract to choose from"
    return None


def table_chooses(results: Results) -> str | None:
    """Why what choosing brings is not the declarer's own, or None."""
    why = nobody_chooses(results)
    if why is None and results.choices is not None and results.choices.worth.turns > 1:
        return "the table shares its contracts, so what one gains by choosing others lose"
    return why


def _chooser(results: Results) -> Chooser:
    if results.choices is None:
        raise ValueError("an objective about choices was asked without any")
    return best_chooser(results.choices)


def _measured(chooser: Chooser, rows: Floats) -> Measured:
    """Choices change by leaps where a hand is near to a price."""
    return of_left_out(float(rows[0]), rows[1:], chooser.blocks, leaps=True)
