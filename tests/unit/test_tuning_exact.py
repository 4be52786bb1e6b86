"""Which changes of points leave the play as it is, and what is said of those that do not."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.rules.load import load_variant
from engine_ext.rules.revise import revised
from engine_ext.rules.spec import Variant
from pipeline.tuning.exact import NotExact, affine, why_not

SAME = (Fraction(1), Fraction(0))
BOOK = load_variant("barbu_52_doubling")
KING = load_variant("barbu_king_br")
FRENCH = load_variant("barbu_fr_reussite")


def reasons(parent: Variant, **changes: Any) -> list[str]:
    return list(why_not(parent, changed(parent, changes)))


def image(factor: int | Fraction, level: int = 0) -> tuple[Fraction, Fraction]:
    return Fraction(factor), Fraction(level)


def changed(parent: Variant, changes: dict[str, Any]) -> Variant:
    return revised(parent, {key.replace("__", "."): value for key, value in changes.items()})


def test_the_parent_itself_is_exact() -> None:
    for variant in (BOOK, KING, FRENCH):
        assert why_not(variant, variant) == ()
        assert set(affine(variant, variant).values()) == {SAME}


def test_papers_and_titles_may_differ() -> None:
    other = KING.model_copy(update={"title": "Ours", "language": "en", "claims": (), "source": "x"})
    assert why_not(KING, other) == ()


@given(points=st.integers(-100, -1))
@settings(max_examples=20)
def test_the_points_of_a_contract_that_counts_one_thing_are_exact(points: int) -> None:
    candidate = revised(BOOK, {"contracts.queens.terms[0].points": points})
    found = affine(BOOK, candidate)
    assert found.pop("queens") == image(Fraction(points, -6))
    assert set(found.values()) == {SAME}
    assert why_not(BOOK, candidate) == ()


@given(factor=st.integers(1, 30), level=st.integers(-200, 200))
@settings(max_examples=20)
def test_payouts_may_be_stretched_and_moved(factor: int, level: int) -> None:
    payout: list[Any] = [factor * points + level for points in (45, 20, 5, -5)]
    candidate = revised(BOOK, {"contracts.domino.payout": payout})
    assert affine(BOOK, candidate)["domino"] == image(factor, level)


def test_payouts_of_a_lowest_wins_variant_stand_in_inside_points() -> None:
    candidate = revised(KING, {"contracts.domino.payout": [-90, -30, 50, 90]})
    assert affine(KING, candidate)["domino"] == image(2, -10)


def test_two_prices_of_a_contract_move_together_or_not_at_all() -> None:
    both = {"contracts.hearts.terms[0].points": -3, "contracts.hearts.terms[1].points": -9}
    assert affine(BOOK, revised(BOOK, both))["hearts"] == image(Fraction(3, 2))
    (one,) = why_not(BOOK, revised(BOOK, {"contracts.hearts.terms[1].points": -9}))
    assert one == (
        "contracts.hearts: hearts get 1 times, ace get 1.5 times what they were: play weighs one "
        "against the other"
    )


def test_a_salad_that_takes_over_a_changed_contract_is_refused() -> None:
    candidate = revised(FRENCH, {"contracts.tricks.terms[0].points": -4})
    (one,) = why_not(FRENCH, candidate)
    assert one.startswith("contracts.generale: tricks get 0.8 times, hearts get 1 times")
    with pytest.raises(NotExact, match="generale") as caught:
        affine(FRENCH, candidate)
    assert caught.value.reasons == (one,)


def test_a_salad_alone_may_be_scaled_whole() -> None:
    times = {f"contracts.generale.include[{i}].times": 2 for i in range(4)}
    found = affine(FRENCH, revised(FRENCH, times))
    assert found["generale"] == image(2)
    assert found["tricks"] == SAME


def test_other_steps_between_places_are_refused() -> None:
    (one,) = reasons(BOOK, **{"contracts.domino.payout": [60, 20, 5, -5]})
    assert one == (
        "contracts.domino: places 1 and 2 get 1.6 times, places 2 and 3 get 1 times, places 3 and 4 "
        "get 1 times what lay between them: play weighs one against the other"
    )


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("contracts.queens.terms[0].points", 0, "nothing counts any more"),
        ("contracts.queens.terms[0].points", 6, "points change their sign"),
        ("contracts.domino.payout", [5, 5, 5, 5], "nothing counts any more"),
        ("contracts.domino.payout", [-5, 5, 20, 45], "what lay between them"),
    ],
)
def test_factors_of_nothing_or_less_are_refused(key: str, value: Any, why: str) -> None:
    (one,) = reasons(BOOK, **{key: value})
    assert one.startswith(key.rpartition(".")[0].replace(".terms[0]", ""))
    assert why in one


def test_what_was_worth_nothing_has_been_played_for_by_nobody() -> None:
    nothing = revised(BOOK, {"contracts.queens.terms[0].points": 0})
    (one,) = why_not(nothing, BOOK)
    assert one == "contracts.queens: queens: worth nothing before, so nobody played for it"
    (two,) = reasons(FRENCH, **{"contracts.reussite.payout": [100, 50, 10, 0]})
    assert two.startswith("contracts.reussite: places 3 and 4: worth nothing before")


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("contracts.domino.passing", "may_pass", 'contracts.domino.passing = "may_pass"'),
        ("contracts.trumps.void_duty", "free", 'contracts.trumps.void_duty = "free"'),
        ("schedule.uses.domino", 2, "schedule.uses.domino = 2 (there 1)"),
        ("doubling.duty", 1, "doubling.duty = 1 (there 2)"),
        ("contracts.queens.tone", "mixed", 'contracts.queens.tone = "mixed" (there "negative")'),
        ("contracts.queens.terms[0].of.ranks", ["K"], "contracts.queens.terms[0].of.ranks = "),
    ],
)
def test_a_rule_that_is_no_points_is_named(key: str, value: Any, told: str) -> None:
    changes = {key: value}
    if key == "contracts.domino.passing":
        changes["contracts.domino.stall"] = "force_after_full_circle"
    if key == "schedule.uses.domino":
        changes["schedule.dealership"] = 8
    found = reasons(BOOK, **changes, **{"contracts.tricks.terms[0].points": -3})
    assert any(one.startswith(told) for one in found), found
    assert all(one.endswith("not points, so other deals would be played") for one in found)
    assert not any("contracts.tricks" in one for one in found)


def test_a_contract_that_no_deal_plays_may_be_worth_anything() -> None:
    parent = revised(BOOK, {"schedule.uses.domino": 0, "schedule.dealership": 6})
    candidate = revised(parent, {"contracts.domino.payout": [60, 20, 5, -5]})
    assert why_not(parent, candidate) == ()
    assert "domino" not in affine(parent, candidate)


def test_shooting_is_weighed_against_the_rest() -> None:
    moon = load_variant("hearts_moon")
    (one,) = reasons(moon, **{"contracts.hearts.shooting.others": 20})
    assert "moon for others get 0.769231 times" in one
    assert "hearts get 1 times" in one


def test_where_totals_decide_a_tie_all_contracts_move_together() -> None:
    ties = load_variant("barbu_king_br_tiebreak")
    king = {"contracts.king.terms[0].points": 160}
    apart = revised(ties, king | {"contracts.domino.payout": [-100, -40, 40, 80]})
    told = why_not(ties, apart)
    assert any("contracts.salad" in one for one in told)
    last = revised(ties, {"contracts.first_last.terms[0].points": 60})
    (one,) = [one for one in why_not(ties, last) if one.startswith("ties")]
    assert one.startswith(
        "ties: totals decide whether one is played out, and contracts change apart"
    )
    assert "first_last 1.5 times" in one
    points = {"tricks": 10, "hearts": 10, "queens": 40, "king": 160, "first_last": 80}
    together: dict[str, Any] = {f"contracts.{c}.terms[0].points": n for c, n in points.items()}
    together["contracts.domino.payout"] = [-90, -30, 50, 90]
    assert why_not(ties, revised(ties, together)) == ()


def test_where_totals_decide_a_tie_fines_move_with_the_points() -> None:
    fined: dict[str, Any] = {"doubling.duty_enforced": "penalty", "doubling.duty_penalty": -10}
    ties = revised(BOOK, fined | {"ties": {"contract": "trumps"}})
    (one,) = why_not(ties, revised(ties, {"doubling.duty_penalty": -25}))
    assert one.startswith("ties: totals decide whether one is played out")
    assert one.endswith("duty_penalty 2.5 times)")


def test_fines_may_change() -> None:
    fined = revised(BOOK, {"doubling.duty_enforced": "penalty", "doubling.duty_penalty": -10})
    assert why_not(fined, revised(fined, {"doubling.duty_penalty": -25})) == ()
    assert reasons(BOOK, **{"doubling.duty_enforced": "penalty", "doubling.duty_penalty": -10})


def test_shares_of_what_nobody_doubled_round_anew() -> None:
    shared = load_variant("barbu_52_split")
    points = {"tricks": -2, "queens": -6, "king": -20, "trumps": 5, "last_two": -10, "hearts": -2}
    thrice: dict[str, Any] = {f"contracts.{c}.terms[0].points": 3 * n for c, n in points.items()}
    thrice |= {"contracts.last_two.terms[1].points": -60, "contracts.hearts.terms[1].points": -18}
    thrice["contracts.domino.payout"] = [135, 60, 15, -15]
    assert why_not(shared, revised(shared, thrice)) == ()
    ties = revised(shared, {"ties": {"contract": "trumps"}})
    one, *_ = why_not(ties, revised(ties, thrice))
    assert one == "ties: totals decide whether one is played out, and tricks is split otherwise"
