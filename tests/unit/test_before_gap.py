"""What the blocks before a shard that crashes can say, where it may crash by what is in it."""

from pipeline.stats.joint import Joint
from pipeline.stopping import at_end, before_gap
from tests.runs import small

ALIKE = Joint(500, (500,), (2_000,), (0,), ((0,),), ((0,),), ((8_000,),))
"""500 blocks of four games in which nothing differed."""
APART = ALIKE._replace(x=(20_000,), xx=((802_000,),), nx=((80_000,),))
"""The same, ten points a game apart, nearly alike in all."""


def test_nobody_plays_alike_if_the_first_shard_in_which_he_would_not_may_lack() -> None:
    config = small()
    assert at_end(config, 1, ALIKE).decision == "identical"
    assert before_gap(config, 1, ALIKE).decision == "open"


def test_a_difference_is_told_with_an_interval_that_holds_at_any_gap() -> None:
    found, ordinary = before_gap(small(), 1, APART), at_end(small(), 1, APART)
    assert (found.decision, found.estimate.kind) == ("better", "anytime")
    assert found.estimate.low is not None
    assert ordinary.estimate.low is not None
    assert found.estimate.value == ordinary.estimate.value
    assert found.estimate.low < ordinary.estimate.low
