"""Every strategy that is registered does what a strategy owes."""

import pytest

from strategies.testing import StrategyConformance
from tests.quick import quick_names


@pytest.mark.parametrize("spec", quick_names())
class TestStrategy(StrategyConformance):
    """Being named is enough."""
