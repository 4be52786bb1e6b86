"""What may be said of an effect, from pseudo-values made up so that it is known."""

import numpy as np
import pytest

from pipeline.stats.estimate import t_quantile
from pipeline.tuning.file import Wanted
from pipeline.tuning.judging import Held, contrasts, effects
from pipeline.tuning.measured import Measured, difference, less
from pipeline.tuning.objectives import Needs, Objective
from pipeline.tuning.outcome import Effect, HeldBy
from pipeline.tuning.results import Results

GROUPS = 100


def objective(name: str, needs: Needs = "games") -> Objective:
    """One of which less is better, and a step is 1."""

    def measure(_: Results) -> Measured:
        raise AssertionError("figures are made up here")

    return Objective(name, name, name, "", "less", 1.0, needs, measure)


def noise(seed: int, size: float = 1.0, groups: int = GROUPS) -> Measured:
    """Pseudo-values whose mean is 0 exactly."""
    drawn = np.random.default_rng(seed).normal(size=groups)
    return Measured(size * (drawn - drawn.mean()), groups)


def plus(one: Measured, shift: float, spread: Measured | None = None) -> Measured:
    more = 0 if spread is None else spread.parts
    return Measured(one.parts + shift + more, one.blocks)


def one_effect(
    shift: float, held: float | None = None, by: HeldBy = "rescored", **wanted: object
) -> Effect:
    """Of a candidate that shifts the only objective by so much, standard error 0.1."""
    parent = {"a": plus(noise(1), 5.0)}
    candidate = {"a": plus(parent["a"], shift, noise(2))}
    still = {} if held is None else {"a": Held(plus(noise(2), held), by)}
    asked = Wanted.model_validate({"name": "a"} | wanted)
    (found,) = effects([asked], {"a": objective("a")}, candidate, parent, still, {"a": 9.0})
    return found


def test_what_is_surely_less_is_better_and_surely_more_is_worse() -> None:
    assert one_effect(-1.0).verdict == "better"
    assert one_effect(1.0).verdict == "worse"
    assert one_effect(1.0, aim="more").verdict == "better"
    assert one_effect(-1.0, aim="more").verdict == "worse"


def test_an_interval_that_holds_nothing_leaves_it_open() -> None:
    assert one_effect(-0.15).verdict == "open"


def test_the_same_in_every_block_is_alike() -> None:
    parent = {"a": noise(1)}
    (found,) = effects([Wanted(name="a")], {"a": objective("a")}, parent, parent, {}, {"a": 0.0})
    assert found.verdict == "alike"
    assert (found.effect.value, found.effect.low, found.effect.high) == (0.0, 0.0, 0.0)


def same_by(shift: float, blocks: int) -> Effect:
    """Of a candidate that has so much more in every block."""
    parent = {"a": Measured(np.full(blocks, 28.0), blocks)}
    candidate = {"a": plus(parent["a"], shift)}
    asked = [Wanted(name="a")]
    (found,) = effects(asked, {"a": objective("a")}, candidate, parent, {}, {"a": shift})
    return found


def test_alike_in_a_few_blocks_is_no_certainty() -> None:
    few = same_by(0.0, 58)
    assert (few.verdict, few.effect.low, few.effect.kind) == ("open", None, "none")
    assert same_by(0.0, 59).verdict == "alike"


def test_more_by_the_same_in_every_block_is_sure_though_it_has_no_interval() -> None:
    """Four deals fewer in every game."""
    fewer = same_by(-4.0, 59)
    assert (fewer.verdict, fewer.effect.value, fewer.effect.low) == ("better", -4.0, None)
    assert same_by(4.0, 59).verdict == "worse"
    assert same_by(-4.0, 58).verdict == "open"


def test_an_effect_smaller_than_what_adapting_moves_is_no_conclusion() -> None:
    found = one_effect(-1.0, held=-0.4)
    assert found.verdict == "better"
    assert found.held is not None
    assert found.gap is not None
    assert found.held.value == pytest.approx(-0.4)
    assert found.gap.value == pytest.approx(-0.6)
    assert one_effect(-1.0, held=0.5).verdict == "within gap"
    assert one_effect(-0.05, held=0.5).verdict == "open"


def test_what_cannot_be_held_has_no_gap() -> None:
    found = one_effect(-1.0)
    assert (found.held, found.gap, found.held_by) == (None, None, "none")
    assert one_effect(-1.0, 0.0, "unadapted").held_by == "unadapted"


def test_a_number_that_is_aimed_at_is_better_from_both_sides() -> None:
    assert one_effect(-1.0, aim=3.0).verdict == "better"  # 5 to 4
    assert one_effect(1.0, aim=7.0).verdict == "better"  # 5 to 6
    assert one_effect(1.0, aim=3.0).verdict == "worse"
    assert one_effect(-1.0, aim=4.6).verdict == "open"  # 0.4 above to 0.6 below
    assert one_effect(-3.0, aim=4.6).verdict == "worse"


def test_a_gap_is_told_from_paired_blocks() -> None:
    found = one_effect(-1.0, held=-1.0)
    assert found.gap is not None
    assert found.gap.value == pytest.approx(0.0, abs=1e-12)
    # Both have the same noise, so that the gap has none.
    assert found.gap.se is None or found.gap.se < 1e-12


def test_intervals_of_many_objectives_are_wider_than_one_alone() -> None:
    names = "abcd"
    registry = {name: objective(name) for name in names}
    parent = {name: noise(i) for i, name in enumerate(names)}
    candidate = {n: plus(parent[n], 1.0, noise(10 + i)) for i, n in enumerate(names)}
    wanted = [Wanted(name=name) for name in names]
    found = contrasts(wanted, registry, candidate, parent)
    for name in names:
        alone = difference(candidate[name], parent[name])
        effect = found[name].effect
        assert effect.kind == "max_t"
        assert alone.low is not None
        assert effect.low is not None
        assert effect.se is not None
        assert effect.low < alone.low
        bonferroni = t_quantile(GROUPS - 1, 1 - 0.05 / 4)
        assert effect.value - effect.low <= bonferroni * effect.se * (1 + 1e-9)


def test_objectives_that_move_as_one_pay_for_one() -> None:
    registry = {name: objective(name) for name in "ab"}
    parent = {name: noise(1) for name in "ab"}
    candidate = {name: plus(parent[name], 1.0, noise(2)) for name in "ab"}
    found = contrasts([Wanted(name="a"), Wanted(name="b")], registry, candidate, parent)
    alone = difference(candidate["a"], parent["a"])
    assert found["a"].effect.low == pytest.approx(alone.low)


def test_other_runs_share_the_five_per_cent() -> None:
    registry = {"a": objective("a"), "b": objective("b", "choices")}
    parent = {"a": noise(1), "b": noise(3, groups=20)}
    candidate = {"a": plus(parent["a"], 1.0, noise(2)), "b": plus(noise(4, groups=20), 1.0)}
    found = contrasts([Wanted(name="a"), Wanted(name="b")], registry, candidate, parent)
    for name, groups in (("a", GROUPS), ("b", 20)):
        effect = found[name].effect
        assert effect.low is not None
        assert effect.se is not None
        half = (effect.value - effect.low) / effect.se
        assert half == pytest.approx(t_quantile(groups - 1, 0.975))


def test_other_deals_are_refused() -> None:
    with pytest.raises(ValueError, match="not the same deals"):
        less(noise(1), noise(1, groups=20))


@pytest.mark.slow
def test_all_intervals_hold_together_as_often_as_they_say() -> None:
    names, seen, tries = "abcde", 0, 400
    registry = {name: objective(name) for name in names}
    wanted = [Wanted(name=name) for name in names]
    rng = np.random.default_rng(5)
    for _ in range(tries):
        common = rng.normal(size=30)
        parent = {name: Measured(rng.normal(size=30) + common, 30) for name in names}
        shared = rng.normal(size=30)
        candidate = {
            name: Measured(parent[name].parts + shared + rng.normal(size=30), 30) for name in names
        }
        found = contrasts(wanted, registry, candidate, parent).values()
        seen += all(e.low <= 0 <= e.high for e, _ in found if e.low is not None and e.high is not None)  # fmt: skip
    # 95 % of 400 is 380 with standard error 4.4: 364 to 396 is 3.7 of them.
    assert 364 <= seen <= 396
