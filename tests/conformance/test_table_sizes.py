"""Every strategy plays at every table size, two packs included, without a foul."""

import numpy as np
import pytest

import strategies
from strategies.testing import play
from tests.quick import quick_names

TABLES = ("barbu_king_br_3", "barbu_king_br_5", "barbu_king_br_6")


@pytest.mark.parametrize("variant", TABLES)
@pytest.mark.parametrize("spec", quick_names())
def test_it_plays_whole_games_without_a_foul(spec: str, variant: str) -> None:
    records = play(variant, [strategies.create(spec)], range(6))
    assert not records.fouls.any(), records.errors
    assert (records.score.sum(axis=1) == records.score.sum(axis=1)[0]).all()
    mixed = play(variant, [strategies.create(spec), strategies.create("random.v1")], range(6))
    assert not mixed.fouls.any(), mixed.errors
    assert np.ptp(mixed.score, axis=1).all()
