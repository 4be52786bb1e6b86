"""How the tests run: Hypothesis draws the same examples each time, unless asked for more."""

import os

from hypothesis import HealthCheck, settings

# A time limit on an example would fail on a busy machine and say nothing of the code.
settings.register_profile(
    "ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("long", settings.get_profile("ci"), derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
