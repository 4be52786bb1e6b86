"""Strategies whose work is a parameter, with little of it: for tests of what all strategies owe."""

import strategies

QUICK = {
    "mc.v1": "mc.v1(worlds=3)",
    "dp.v1": "dp.v1(worlds=3, hands=4)",
    "ev.v1": "ev.v1(worlds=4, draws=12)",
}
"""By name, the same in quick."""


def quick_names() -> list[str]:
    """Every registered strategy, in quick."""
    return [QUICK.get(name, name) for name in strategies.names()]
