"""Every strategy that is registered does what a strategy owes."""

import pytest

import strategies
from strategies.testing import StrategyConformance


@pytest.mark.parametrize("spec", strategies.names())
class TestStrategy(StrategyConformance):
    """Being named is enough."""
