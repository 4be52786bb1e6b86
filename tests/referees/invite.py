"""Other people's programs as referees: asked where they are installed.

`make check-slow` installs them (``requirements-referees.lock``) and sets
``BARBU_REFEREES``: from then on a referee that is missing is a failure. Elsewhere its
tests are skipped.
"""

import os
from importlib import import_module
from typing import Any

import pytest


def invite(module: str) -> Any:
    """Import a referee's module."""
    if os.environ.get("BARBU_REFEREES"):
        return import_module(module)
    return pytest.importorskip(module, reason=f"{module}: `make check-slow` installs it")
