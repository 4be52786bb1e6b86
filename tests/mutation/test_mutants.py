"""Every small change of the rule code is noticed by a test, or is listed with the reason why it
cannot be; twenty faults that somebody could make are noticed too."""

from pathlib import Path

import pytest

from tests.mutation.faults import FAULTS, FIRST_NUMBER
from tests.mutation.run import plant_faults, try_mutants

EVERY = 20
"""One mutant in so many is tried here; ``python -m tests.mutation.run`` tries them all."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the copy is compiled, once."""
    return tmp_path_factory.mktemp("mutants")


@pytest.mark.slow
def test_a_surviving_mutant_is_a_missing_test(folder: Path) -> None:
    outcome = try_mutants(EVERY, folder=folder)
    assert not [mutant.place for mutant in outcome.survivors]
    assert not [mutant.place for mutant in outcome.caught]


@pytest.mark.slow
def test_every_planted_fault_is_caught(folder: Path) -> None:
    caught = plant_faults(folder, by_kind=False)
    assert not [FAULTS[number - FIRST_NUMBER].what for number in caught if not caught[number]]
