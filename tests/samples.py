"""Some of many cases, by a fixed rule: ``make check-slow`` takes them all."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings


def slowly(*values: Any) -> Any:
    """A case that the tests of every day leave out, since others ask the same for less."""
    return pytest.param(*values, marks=pytest.mark.slow)


def one_in(n: int, cases: Iterable[Any]) -> list[Any]:
    """Every ``n``-th case from the first on; the others are slow."""
    return [case if i % n == 0 else slowly(case) for i, case in enumerate(cases)]


def a_share(n: int) -> settings:
    """One ``n``-th of the profile's examples, where each is dear."""
    return settings(max_examples=settings().max_examples // n)
