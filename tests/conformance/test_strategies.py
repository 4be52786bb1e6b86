"""Every strategy that is registered does what a strategy owes."""

import pytest

import strategies
from strategies.testing import StrategyConformance

QUICK = {
    "mc.v1": "mc.v1(worlds=2)",
    "dp.v1": "dp.v1(worlds=2, hands=2)",
    "ev.v1": "ev.v1(worlds=2, draws=4)",
}
"""Those whose work is a parameter, with little of it."""


@pytest.mark.parametrize("spec", [QUICK.get(name, name) for name in strategies.names()])
class TestStrategy(StrategyConformance):
    """Being named is enough."""
