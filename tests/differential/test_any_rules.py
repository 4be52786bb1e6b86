"""Whatever a rule file may say, the engine and the slow twin play it alike."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.rules.spec import Variant
from tests.differential.test_mischief_games import same_mischief
from tests.differential.test_random_games import same_games
from tests.property.generators import variants


@settings(max_examples=50)
@given(variants(), st.integers(0, 2**64 - 1))
def test_engine_and_twin_play_any_rules_alike(variant: Variant, seed: int) -> None:
    same_games(variant, seed, 0, 2)


@settings(max_examples=40)
@given(variants(), st.integers(0, 2**64 - 1))
def test_engine_and_twin_show_and_forgive_alike_under_any_rules(
    variant: Variant, block: int
) -> None:
    same_mischief(variant, block)


@pytest.mark.slow
@settings(max_examples=3000, derandomize=False)
@given(variants(), st.integers(0, 2**64 - 1))
def test_engine_and_twin_agree_on_thousands_of_rules(variant: Variant, seed: int) -> None:
    same_games(variant, seed, 0, 1)
    same_mischief(variant, seed)
