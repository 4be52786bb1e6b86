"""What objectives say of their own error, over many small runs; and that they point the right way.

Seeds are fixed: a failure is a bug.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant
from pipeline.tuning.measured import estimate
from pipeline.tuning.objectives import OBJECTIVES
from pipeline.tuning.results import Played, Results
from tests.differential.scripted import changed
from tests.played_games import measured, named, of_engine, part
from tests.samples import slowly

CASES = {
    ("barbu_52_doubling", "duck.v1"): {
        "seat_fairness", "seat_points", "scale_balance", "largest_share", "drama", "decisiveness",
        "dead_deals", "lead_changes", "double_rate", "double_value", "redouble_rate",
    },
    ("barbu_king_br", "random.v1"): {
        "seat_fairness", "seat_points", "scale_balance", "largest_share", "drama", "decisiveness",
        "dead_deals", "lead_changes", "tie_rate",
    },
    # Two contracts that weigh alike.
    ("barbu_fr_reussite", "duck.v1"): {"largest_share"},
}  # fmt: skip
"""Which objectives have to be right in runs of so few games. Not ties of 52 cards, of which a run
has none or one."""


def covered(variant: str, who: str, runs: int, games: int) -> dict[str, float]:
    """How many of 100 intervals of runs of so many games hold the mean of all runs."""
    whole = of_engine(variant, runs * games, who=who)
    parts = [Results(games=part(whole, i * games, (i + 1) * games)) for i in range(runs)]
    found = {}
    for name in sorted(CASES[variant, who]):
        estimates = [estimate(named(name).measure(results)) for results in parts]
        truth = np.mean([e.value for e in estimates])
        holds = sum(
            e.low is not None and e.high is not None and bool(e.low <= truth <= e.high)
            for e in estimates
        )
        found[name] = 100 * holds / runs
    return found


@pytest.mark.parametrize(("variant", "who"), CASES)
@pytest.mark.parametrize(
    ("runs", "games", "low", "high"), [(40, 60, 82, 100), slowly(500, 200, 92, 99)]
)
def test_intervals_hold_the_truth_as_often_as_they_say(
    variant: str, who: str, runs: int, games: int, low: float, high: float
) -> None:
    # 95 of 100, with a standard error of 1 in 500 runs and 3.4 in 40. Squares of seats that are
    # alike are 93 to 95.
    found = covered(variant, who, runs, games)
    assert {name: share for name, share in found.items() if not low <= share <= high} == {}


def worse(name: str, now: Played, before: Played) -> float:
    """By how much an objective is worse than before, in its own step."""
    objective = named(name)
    difference = measured(name, now) - measured(name, before)
    return (difference if objective.better == "less" else -difference) / objective.step


def trumps_chosen(uses_of: str) -> Variant:
    """One deal of trumps for each declarer, or for the whole table; the declarer leads."""

    def rules(table: dict[str, Any]) -> None:
        table["doubling"] = None
        table["schedule"] |= {"uses": {"trumps": 1}, "uses_of": uses_of, "dealership": 1}

    return changed(load_variant("barbu_52_doubling"), rules)


def test_one_seat_that_declares_and_leads_every_deal_is_unfair() -> None:
    fair = of_engine(trumps_chosen("declarer"), 1000)
    unfair = of_engine(trumps_chosen("table"), 1000)
    assert (fair.n_deals == 4).all()
    assert (unfair.n_deals == 1).all()
    assert worse("seat_fairness", unfair, fair) > 5
    assert worse("seat_points", unfair, fair) > 5


def times(played: Played, factor: int, rows: np.ndarray[Any, np.dtype[np.bool_]]) -> Played:
    """The same games with points of some deals worth more."""
    points = np.where(rows[:, None], factor * played.points, played.points)
    score = np.add.reduceat(points + played.side, played.first_row, axis=0)
    return replace(played, points=points.astype(np.int32), score=score.astype(np.int32))


def test_a_contract_that_outweighs_the_others_makes_everything_worse() -> None:
    played = of_engine("barbu_king_br", 600)
    first = times(played, 20, played.contract == played.contract[0])
    for name in ("scale_balance", "largest_share", "decisiveness", "dead_deals", "lead_changes"):
        assert worse(name, first, played) > 1, name


def test_coarse_points_make_ties_and_a_later_deal_of_weight_brings_games_to_life() -> None:
    played = of_engine("barbu_king_br", 600)
    nothing = times(played, 0, played.contract != played.contract[0])
    assert worse("tie_rate", nothing, played) > 1
    last = times(played, 20, played.contract == played.contract[7])
    assert worse("decisiveness", last, played) < 0
    assert worse("dead_deals", last, played) < 0


def test_doubles_that_pay_less_and_are_fewer_are_worse() -> None:
    played = of_engine("barbu_52_doubling", 100)
    bets, half = played.bets, slice(0, None, 2)
    fewer = type(bets)(bets.row[half], bets.doubler[half], bets.doubled[half], bets.redoubled[half])
    assert worse("double_rate", replace(played, bets=fewer), played) > 5
    backwards = bets._replace(doubler=bets.doubled, doubled=bets.doubler)
    assert worse("double_value", replace(played, bets=backwards), played) > 1
    unanswered = bets._replace(redoubled=np.zeros(len(bets.row), bool))
    assert worse("redouble_rate", replace(played, bets=unanswered), played) > 2


def test_every_objective_about_games_is_held_to_a_worse_game() -> None:
    told = {"seat_fairness", "seat_points", "scale_balance", "largest_share", "decisiveness",
            "dead_deals", "lead_changes", "tie_rate", "double_rate", "double_value",
            "redouble_rate"}  # fmt: skip
    by_hand = {"drama", "deals", "turns"}
    about_games = {o.name for o in OBJECTIVES if o.needs in ("games", "moves")}
    assert about_games == told | by_hand
