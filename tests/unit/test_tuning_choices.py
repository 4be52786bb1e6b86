"""What the best chooser does, and that studies at other points are those of the candidate."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.rules.load import load_variant
from engine_ext.rules.revise import revised
from engine_ext.rules.spec import Variant
from pipeline.config import NamedVariant
from pipeline.stats.sets import Floats, Policy, Side, solve
from pipeline.stats.sets_left_out import kept, solve_left_out
from pipeline.studies.worth import Worth, named, sides_of, single_deals
from pipeline.tuning.choices import read_choices, scaled
from pipeline.tuning.exact import NotExact
from pipeline.tuning.measured import Measured
from pipeline.tuning.objectives.choosing import (
    choice_entropy,
    choice_value,
    first_choices,
    least_chosen,
    nobody_chooses,
    table_chooses,
)
from pipeline.tuning.results import Choices, Results
from tests.runs import entrants, played, small

BOOK, FRENCH, SHARED = map(
    load_variant, ("barbu_52_doubling", "barbu_fr_reussite", "barbu_3_leaver")
)
HEARTS = {"contracts.hearts.terms[0].points": -3, "contracts.hearts.terms[1].points": -9}
CHANGES: dict[str, tuple[Variant, dict[str, Any]]] = {
    "one item": (BOOK, {"contracts.queens.terms[0].points": -9}),
    "two prices": (BOOK, HEARTS),
    "a payout": (BOOK, {"contracts.domino.payout": [93, 43, 13, -7]}),
    "lost": (BOOK, {"contracts.trumps.terms[0].points": 2, **HEARTS}),
    "shared": (
        SHARED,
        {"contracts.king.terms[0].points": -7, "contracts.domino.payout": [9, 3, -1]},
    ),
    "twice the same": (FRENCH, {"contracts.reussite.payout": [60, 35, 10, 10]}),
}


def study(*variants: Variant, blocks: int = 6, worlds: int = 4) -> tuple[Choices, ...]:
    """A study of each variant, all on the same hands."""
    named = tuple(NamedVariant(name=f"v{i}", rules=rules) for i, rules in enumerate(variants))
    config = small(
        named,
        design="value",
        blocks=blocks,
        worlds=worlds,
        lineups=(),
        entrants=entrants("duck.v1"),
    )
    with TemporaryDirectory() as folder:
        there, _ = played(config, Path(folder) / "run")
        return tuple(read_choices(there, one.name) for one in named)


def same(one: Choices, other: Choices) -> None:
    assert one.variant == other.variant
    for name, here in one.worth._asdict().items():
        there = getattr(other.worth, name)
        if name in ("left", "chosen"):
            continue  # what a player chose goes by other points, and nobody asks
        if isinstance(here, np.ndarray):
            assert here.dtype == there.dtype, name
            exact = name != "dealt" or one.worth.turns == 1
            assert np.array_equal(here, there) if exact else here == pytest.approx(there), name
        else:
            assert here == there, name


@pytest.mark.parametrize("change", CHANGES)
def test_a_study_at_other_points_is_that_of_the_candidate(change: str) -> None:
    parent, changes = CHANGES[change]
    candidate = revised(parent, changes)
    old, new = study(parent, candidate)
    assert not np.array_equal(old.worth.points, new.worth.points)
    same(scaled(old, candidate), new)
    same(scaled(new, parent), old)


@pytest.mark.parametrize(("blocks", "groups"), [(6, 6), (40, 20)])
def test_objectives_of_scaled_hands_are_those_of_hands_played_anew(
    blocks: int, groups: int
) -> None:
    candidate = revised(BOOK, HEARTS | CHANGES["a payout"][1])
    old, new = study(BOOK, candidate, blocks=blocks, worlds=2)
    for objective in (choice_entropy, least_chosen, choice_value):
        here = objective(Results(choices=scaled(old, candidate)))
        there = objective(Results(choices=new))
        assert np.array_equal(here.parts, there.parts)
        assert (here.blocks, len(here.parts)) == (blocks, groups)
    assert here.value != choice_value(Results(choices=old)).value


def test_a_change_that_play_would_notice_is_refused() -> None:
    (old,) = study(FRENCH)
    with pytest.raises(NotExact, match="generale"):
        scaled(old, revised(FRENCH, {"contracts.tricks.terms[0].points": -10}))


def test_points_that_would_not_be_whole_are_a_mistake_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (old,) = study(BOOK)
    third = dict.fromkeys(old.worth.contracts, (Fraction(1, 3), Fraction(0)))
    monkeypatch.setattr("pipeline.tuning.exact.affine", lambda *_: third)
    with pytest.raises(AssertionError, match="whole numbers"):
        scaled(old, BOOK)


# The program without each group


@given(
    seed=st.integers(0, 2**32 - 1),
    uses=st.lists(st.integers(1, 2), min_size=1, max_size=4),
    turns=st.integers(1, 3),
    ties=st.booleans(),
)
@settings(max_examples=15)
def test_leaving_out_is_solving_without(seed: int, uses: list[int], turns: int, ties: bool) -> None:
    rng = np.random.default_rng(seed)
    shape = (len(uses), 5, 12)

    def draw() -> Floats:
        return rng.integers(0, 3, shape).astype(float) if ties else rng.normal(size=shape)

    sides = [Side(draw(), draw()) for _ in range(2)]
    group = np.repeat(np.arange(4), 3)
    found = solve_left_out(sides, uses, kept(group), turns)
    for row in range(5):
        keep = group != row - 1
        some = [Side(side.choose[:, row, keep], side.value[:, row, keep]) for side in sides]
        blocks = np.arange(keep.sum(), dtype=np.int64)
        alone = solve(Policy(some), uses, blocks, turns)
        assert found.value[row] == pytest.approx(alone.value[0, -1], abs=1e-8)
        assert found.first[row] == pytest.approx(alone.picked[-1])


def test_too_many_ways_of_what_is_left_are_refused() -> None:
    sides = [Side(np.zeros((17, 1, 2)), np.zeros((17, 1, 2)))]
    with pytest.raises(ValueError, match="131072 ways"):
        solve_left_out(sides, [1] * 17, kept(np.arange(2)))


# Objectives


def made(points: Mapping[str, list[int]], uses: tuple[int, ...], squares: Any = None) -> Results:
    """Hands, a block each, with the same worth in both halves of one world."""
    worth = study(BOOK)[0].worth
    own = np.repeat(np.array([*points.values()], np.float64)[None], 2, axis=0)
    n = own.shape[2]
    return Results(
        choices=Choices(
            BOOK,
            worth._replace(
                contracts=tuple(points), uses=uses, worlds=1,
                options=tuple((c, -1) for c in range(len(points))),
                blocks=np.arange(n, dtype=np.int64), points=own,
                squares=own**2 if squares is None else squares,
                roles=np.repeat(own[:, None], 4, axis=1), hands=("",) * n,
            ),
        )
    )  # fmt: skip


def whole(objective: Callable[[Results], Measured], results: Results) -> float:
    """The figure of all dealerships."""
    return objective(results).value


def first(results: Results) -> dict[str, float]:
    assert results.choices is not None
    return first_choices(results.choices)


def test_contracts_that_are_spent_first_alike_are_even() -> None:
    # Each hand is worth something in one of two contracts alone.
    results = made({"a": [9, 0, 9, 0] * 3, "b": [0, 9, 0, 9] * 3}, (1, 1))
    assert first(results) == {"a": 0.5, "b": 0.5}
    assert whole(choice_entropy, results) == pytest.approx(1)
    assert whole(least_chosen, results) == pytest.approx(1)
    # 9 with the first hand; the second has nothing left to choose, and is worth 4.5.
    assert whole(choice_value, results) == pytest.approx((13.5 - 9) / np.sqrt(2 * 4.5**2))


def test_what_nobody_spends_before_he_must_is_dominated() -> None:
    # The price of a contract is its mean: b is always 1 below it, a always at it.
    results = made({"a": [5, 5, 5, 5] * 3, "b": [0, 0, 0, 12] * 3}, (1, 1))
    # With 12 it is spent at once; else kept for the hope of a 12.
    assert first(results) == {"a": 0.75, "b": 0.25}
    assert whole(least_chosen, results) == pytest.approx(0.5)
    never = made({"a": [5] * 12, "b": [2] * 12}, (1, 1))
    assert first(never) == {"a": 1.0, "b": 0.0}
    assert whole(least_chosen, never) == 0
    assert whole(choice_entropy, never) == pytest.approx(0)


def test_a_contract_that_may_be_spent_twice_counts_twice() -> None:
    results = made({"a": [9, 0, 0] * 4, "b": [0, 9, 9] * 4}, (1, 2))
    shares = first(results)
    assert shares["a"] + shares["b"] == pytest.approx(1)
    even = {"a": 1 / 3, "b": 2 / 3}
    lost = sum(p * np.log(p / even[c]) for c, p in shares.items() if p)
    assert whole(choice_entropy, results) == pytest.approx(1 - lost / np.log(3))
    assert whole(least_chosen, results) == pytest.approx(
        min(p / even[c] for c, p in shares.items())
    )


@pytest.mark.parametrize("variant", [BOOK, FRENCH])
def test_objectives_are_what_the_program_says_without_each_block(variant: Variant) -> None:
    (choices,) = study(variant, blocks=12)
    worth, results = choices.worth, Results(choices=choices)
    rows: list[tuple[float, float, float]] = []
    for left_out in (None, *range(12)):
        some = without(worth, left_out)
        solved = solve(Policy(sides_of(some, guessed(some))), some.uses, some.blocks)
        even = np.array(some.uses) / sum(some.uses)
        p = solved.picked[-1]
        lost = sum(a * np.log(a / b) for a, b in zip(p, even, strict=True) if a)
        rows.append((1 - lost / np.log(1 / even.min()), min(p / even), brought(some, solved)))
    for found, column in zip(
        (choice_entropy(results), least_chosen(results), choice_value(results)),
        np.array(rows).T,
        strict=True,
    ):
        assert found.blocks == 12
        assert found.parts == pytest.approx(column[0] + 11 * (column[1:].mean() - column[1:]))


def without(worth: Worth, block: int | None) -> Worth:
    keep = worth.blocks != (-1 if block is None else block)
    return worth._replace(
        blocks=np.unique(worth.blocks[keep], return_inverse=True)[1],
        points=worth.points[..., keep],
        squares=worth.squares[..., keep],
        roles=worth.roles[..., keep],
    )


def guessed(worth: Worth) -> Floats:
    """Option by option: what half of the worlds say, drawn to the mean as far as halves differ."""
    out = np.empty_like(worth.points)
    for o, (one, two) in enumerate(zip(*worth.points, strict=True)):
        every = np.concatenate([one, two])
        both = np.mean((one - every.mean()) * (two - every.mean()))
        told = max(0.0, both / every.var()) if every.var() else 0.0
        out[:, o] = every.mean() + told * (worth.points[:, o] - every.mean())
    return out


def brought(worth: Worth, solved: Any) -> float:
    """Points of the program beyond any order, in standard deviations of a dealership."""
    guess = guessed(worth)
    sides = sides_of(worth, guess)
    mean = np.mean([side.value.mean(axis=1) for side in sides], axis=0)
    best = named(worth, guess)
    variance = single_deals(worth, best).sum(axis=1) / len(worth.blocks)
    uses = np.array(worth.uses)
    return float((solved.value[0, -1] - mean @ uses) / np.sqrt(variance @ uses))


def test_where_nobody_chooses_there_is_a_reason() -> None:
    (shared,) = study(SHARED, blocks=2)
    (own,) = study(BOOK)
    assert "fixed order" in str(nobody_chooses(Results()))
    assert "fixed order" in str(table_chooses(Results()))
    assert "one contract" in str(nobody_chooses(made({"a": [1] * 12}, (1,))))
    assert "shares its contracts" in str(table_chooses(Results(choices=shared)))
    assert nobody_chooses(Results(choices=shared)) is None
    assert table_chooses(Results(choices=own)) is None
    shares = first_choices(shared)
    assert sum(shares.values()) == pytest.approx(1)
    assert set(shares) == set(shared.worth.contracts)
    with pytest.raises(ValueError, match="without any"):
        choice_entropy(Results())
