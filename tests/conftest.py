"""How the tests run: Hypothesis draws the same examples each time, unless asked for more."""

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

SLOW_S = 3600
"""What a slow test may take."""


# A shell that runs the tests in the background has them ignore Ctrl-C, and with them every process
# that they start; what is tested is what it does where it is heard.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# When the alarm rings while Hypothesis draws, FlakyStrategyDefinition is all that is told: the
# draw ends earlier than when it is repeated. So the everyday limit must not meet long runs.
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give slow tests their own time limit, unless the command line names one."""
    if config.getoption("timeout") is not None:
        return
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(SLOW_S))


# A time limit on an example would fail on a busy machine and say nothing of the code.
settings.register_profile(
    "ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("long", settings.get_profile("ci"), derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
