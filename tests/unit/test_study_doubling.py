"""What doubles pay, from trials that a test has made: pairs, selection, strength, duty, risk."""

from collections.abc import Mapping

import numpy as np
import polars as pl
import pytest

from engine_ext.rules.load import load_variant
from pipeline.stats.duty import Duty, Gains
from pipeline.stats.estimate import Estimate
from pipeline.stats.spread import deviation, worst
from pipeline.studies.answers import EVERY_BIN, redoubles
from pipeline.studies.bet_chart import (
    CHART,
    EACH,
    OWN,
    WORLDS,
    by_strength,
    charted,
    ways_to_double,
)
from pipeline.studies.bets import ALWAYS, EVERY, IMPOSED, blind, selected, steered
from pipeline.studies.chances import SCALE, Chances, bins, chances, imposed, ranked, scaled
from pipeline.studies.designs import pairs
from pipeline.studies.made import BACK, FLANK, OF_DECLARER, made
from pipeline.studies.owed import duty
from pipeline.studies.risk import risks
from pipeline.studies.study import Study
from reports.frames import flat, frame, schema
from reports.sections import betting_chart
from tests.betting_model import CONTRACTS, Model, rows
from tests.study_frames import study, trial


@pytest.fixture(scope="module")
def known() -> Study:
    """A hundred blocks of the made-up game."""
    return study(rows(Model(), 100))


def test_a_positive_contract_lets_the_others_double_the_declarer_only() -> None:
    numbers = study([trial("forced", 0, 0, [0] * 4, "tricks")]).numbers
    assert pairs(numbers, "trumps") == [(1, 0), (2, 0), (3, 0)]
    assert len(pairs(numbers, "tricks")) == 9


def test_a_blind_double_pays_the_mean_difference() -> None:
    found = study(
        [
            trial("forced", b, 0, p, "tricks")
            for b, p in enumerate([(-8, -6, -4, -8), (0, -26, 0, 0)])
        ]
    )
    worth = {(b.doubler, b.target): b.pays.value for b in blind(found) if b.contract}
    assert worth[1, 0] == (2 - 26) / 2
    assert worth[2, 3] == (4 + 0) / 2
    assert worth[2, 3] == -worth[3, 2]
    assert worth[EVERY, 0] == pytest.approx((2 - 26 + 4 + 0 + 0 + 0) / 6)


def test_blind_doubles_pay_and_those_of_a_declarer_who_chose_do_not(known: Study) -> None:
    blindly = {b.contract: b.pays for b in blind(known) if b.doubler == EVERY}
    chosen = {(b.contract, b.stage): b.pays for b in selected(known) if b.doubler == EVERY}
    for contract in CONTRACTS:
        low = blindly[contract].low
        assert low is not None
        assert low > 0
    first = chosen["", "first"].high
    assert first is not None
    assert first < 0
    assert chosen["", "late"].value > chosen["", "middle"].value > chosen["", "first"].value


def test_stages_are_parts_of_the_whole(known: Study) -> None:
    cells = {(b.contract, b.stage): b.pays.n for b in selected(known) if b.doubler == EVERY}
    for contract in CONTRACTS:
        parts = sum(cells.get((contract, name), 0) for name in ("first", "middle", "late"))
        assert parts == cells[contract, ALWAYS]
    assert cells["", "first"] == 3 * 100
    assert cells["", "late"] == 3 * 2 * 100


def test_what_nobody_steers_differs_by_exactly_nothing(known: Study) -> None:
    found = steered(known)
    assert {s.steer.kind for s in found} == {"identical"}
    assert {s.stage for s in found} == {IMPOSED, ALWAYS}
    assert all(s.base == s.aware == s.whole for s in found)
    assert {(s.doubler, s.target) for s in found if s.contract == "trumps"} == {
        (EVERY, 0),
        (1, 0),
        (2, 0),
        (3, 0),
    }


def test_steering_is_what_knowing_adds_and_the_whole_has_the_points_too() -> None:
    found = steered(study(rows(Model(steer=3), 9)))
    for s in found:
        if (s.doubler, s.target) == (2, 0):
            # The model gives to the later role what it takes from the earlier one.
            assert s.steer.value == pytest.approx(6 * s.weight)
            assert s.whole.value == pytest.approx(s.aware.value + 3)
        if s.doubler == 1 and s.target == 2:
            assert s.steer.value == pytest.approx(-6 * s.weight)
            assert s.whole.value == pytest.approx(s.aware.value - 3)
        assert s.base.value + s.steer.value == pytest.approx(s.aware.value)


def test_bins_hold_equally_many_and_equal_hands_stand_together() -> None:
    assert np.bincount(ranked(np.arange(200.0), 10)).tolist() == [20] * 10
    assert set(ranked(np.array([1.0, 1, 1, 1, 2, 2]), 3).tolist()) == {1, 2}
    assert (bins(5), bins(70), bins(7000)) == (2, 3, 10)


def test_scaled_means_are_exact_and_else_rounded_to_the_nearest() -> None:
    x, n = np.array([-7, 5, 1, 0]), np.array([16, 3, 17, 0])
    assert scaled(x, n).tolist() == [-7 * SCALE // 16, 5 * SCALE // 3, round(SCALE / 17), 0]


def test_hands_that_only_look_strong_pay_like_any_other() -> None:
    """All points are luck: half of the worlds calls some hands strong, the other denies it."""
    found = imposed(study(rows(Model(hand=0, luck=20, role=(0, 0, 0, 0)), 60)))
    assert found is not None
    believed = np.array(found.believed[0])[found.bin[0] == found.n_bins - 1].mean()
    assert believed > 5
    strong = [s.pays for s in by_strength(found) if s.bin == found.n_bins - 1]
    assert all(abs(e.value) < 4 * (e.se or 0) for e in strong)


def test_strong_hands_pay_more_and_are_worth_what_they_hold(known: Study) -> None:
    found = imposed(known)
    assert found is not None
    worth = {(s.contract, s.bin): s.pays.value for s in by_strength(found)}
    for contract in CONTRACTS:
        assert worth[contract, 9] > worth[contract, 5] > worth[contract, 0]
    # Of the model: the mean over all bins is the role's advantage over the declarer.
    mean = np.mean(list(worth.values()))
    assert mean == pytest.approx(np.mean([2, 3, 3]), abs=0.4)


def test_the_deal_itself_is_one_more_world_of_each_half() -> None:
    deal = [trial("chosen", 0, 0, [-4, 2, 0, 0], "tricks", n_left=7)]
    deal += [
        trial("hand", 0, 0, [0] * 4, "tricks", who=who, half=h, n=4)
        for who in (1, 2, 3)
        for h in (0, 1)
    ]
    deal.append(trial("picked", 0, 0, [3, 9, 0, 0], "tricks", who=1, half=1, n=3, n_left=7))
    found = chances(study(deal))
    assert found is not None
    assert [w[0] for w in found.worth] == [6 * SCALE, (6 + 6) * SCALE // 4]
    assert found.believed[0][0] == -np.inf
    assert found.believed[1][0] == 2.0
    assert found.played[0] == 6 * SCALE


def test_ways_to_double_stand_in_the_order_that_sense_gives(known: Study) -> None:
    found = chances(known)
    assert found is not None
    gain = {p.name: p.gain.value for p in ways_to_double(found)}
    assert gain[CHART] > gain[WORLDS] > 0 > gain[EACH]
    assert gain[CHART] > gain[OWN]
    for p in ways_to_double(found):
        if p.more is not None:
            assert p.more.value == pytest.approx(p.gain.value - gain[OWN])


def test_the_chart_doubles_more_hands_late_than_early(known: Study) -> None:
    found = chances(known)
    assert found is not None
    best = {(a.contract, a.stage): a.best for a in charted(found)}
    early = np.mean([best[c, "first"] for c in CONTRACTS])
    assert early < np.mean([best[c, "late"] for c in CONTRACTS])


def test_a_chart_is_not_valued_on_the_blocks_that_made_it() -> None:
    """Nothing but luck: the chart gains nothing, though in its own blocks it would."""
    found = chances(study(rows(Model(hand=0, luck=20, role=(0, 0, 0, 0)), 60, key=4)))
    assert found is not None
    told = [a for a in charted(found) if a.best and a.stage != ALWAYS]
    assert told
    for a in told:
        assert a.pays is None or abs(a.pays.value) < 4 * (a.pays.se or 0)
    (chart,) = [p.gain for p in ways_to_double(found) if p.name == CHART]
    assert abs(chart.value) < 3 * (chart.se or 0)


def test_a_chart_of_even_blocks_is_tried_on_odd_ones_and_the_other_way_round() -> None:
    """Every double pays a point in even blocks and costs one in odd ones."""
    block = np.arange(6)
    pays = np.where(block % 2 == 0, SCALE, -SCALE)
    nothing = np.zeros(6, np.int64)
    believed = np.zeros(6)
    found = Chances(
        block,
        ("tricks",) * 6,
        ("first",) * 6,
        np.full(6, 7),
        (nothing, nothing),
        (believed, believed),
        (pays, pays),
        pays,
        nothing,
        1,
        pl.DataFrame(),
    )
    (chart,) = [p for p in ways_to_double(found) if p.name == CHART]
    assert (chart.gain.value, chart.share.value) == (-0.5, 0.5)
    # All blocks together advise it once even ones pay two; those that had no say say no.
    better = np.where(pays > 0, 2 * SCALE, pays)
    (line,) = charted(found._replace(worth=(better, better)))
    assert line.best == 1
    assert line.pays is not None
    assert line.pays.value == -1.0


def test_answers_that_only_look_good_gain_nothing() -> None:
    lucky = Model(hand=3, luck=30, role=(0, 0, 0, 0))
    whole = redoubles(study(rows(lucky, 60)))[0]
    assert whole.share.value > 0.2
    assert abs(whole.rule.value) < 4 * (whole.rule.se or 0)


def test_a_double_given_back_is_the_declarers_and_pays_what_it_cost() -> None:
    deals = [
        trial(kind, b, 0, [4, -6, 0, 0], "tricks", n_left=7, **more)
        for b in range(3)
        for kind, more in (
            ("chosen", {}),
            ("made", {"who": 0, "whom": 1, "weight": 2}),
            ("made", {"who": 0, "whom": 2, "weight": 1}),
            ("made", {"who": 2, "whom": 3, "weight": 1}),
        )
    ]
    found = {m.kind: m for m in made(study(deals)) if m.contract}
    pays = {kind: one.pays.value for kind, one in found.items() if one.pays is not None}
    # Trials do not tell which of two others began.
    assert pays == {OF_DECLARER: (-10 - 4) / 2, BACK: 10.0}
    rates = {kind: one.rate.value for kind, one in found.items()}
    assert rates == pytest.approx({OF_DECLARER: 2 / 3, BACK: 1 / 2, FLANK: 1 / 3})


def test_own_doubles_are_those_that_the_entrant_made(known: Study) -> None:
    bets = known.trials.filter(pl.col("kind") == "made")
    paid = sum(int(row[f"points_{row['who']}"] - row["points_0"]) for row in bets.to_dicts())
    found = {(m.contract, m.kind): m for m in made(known)}
    whole = found["", OF_DECLARER]
    assert whole.pays is not None
    assert whole.pays.value == pytest.approx(paid / len(bets))
    assert whole.rate.value == pytest.approx(len(bets) / (3 * 7 * 100))
    assert found["", FLANK].pays is None
    assert ("trumps", FLANK) not in found
    assert found["", BACK].rate.value == 0
    own = chances(known)
    assert own is not None
    (gain,) = [p.gain for p in ways_to_double(own) if p.name == OWN]
    assert gain.value == pytest.approx(paid / (3 * 7 * 100))


def test_a_declarer_who_was_doubled_had_better_not_answer_with_a_weak_hand(known: Study) -> None:
    found = {(r.contract, r.bin): r for r in redoubles(known)}
    for contract in CONTRACTS:
        top = max(r.of for key, r in found.items() if key[0] == contract) - 1
        assert found[contract, 0].pays.value < found[contract, top].pays.value
    whole = found["", EVERY_BIN]
    parts = [found[c, EVERY_BIN].pays.n for c in CONTRACTS]
    assert whole.pays.n == sum(parts)


def test_duty_costs_more_the_more_is_owed(known: Study) -> None:
    found = chances(known)
    assert found is not None
    owed = duty(known, found)
    worth = [owed.worth(7, q).value for q in range(3)]
    assert worth[0] >= worth[1] >= worth[2]
    assert owed.price(7, 2).value == pytest.approx(worth[0] - worth[2])
    assert owed.price(7, 0) == owed.price(7, 0)._replace(value=0.0, kind="identical")
    assert owed.bonus(1, 1).value == 0.0


def test_deals_that_allow_no_double_are_deals_all_the_same() -> None:
    nan = np.array([np.nan, np.nan, 4.0, 4.0])
    gains = {1: Gains(np.arange(4), np.where(np.isnan(nan), -np.inf, nan), nan)}
    owed = Duty(gains, 4, 1)
    assert owed.worth(1, 0).value == 2.0
    assert owed.worth(1, 1).value == 2.0


def test_a_penalty_for_what_lacks_replaces_force() -> None:
    gains = {1: Gains(np.arange(2), np.array([-3.0, -30.0]), np.array([-3.0, -30.0]))}
    owed = Duty(gains, 2, 1, forced=False, penalty=-10.0)
    assert owed.worth(0, 1).value == -10.0
    assert owed.worth(1, 1).value == (-3 - 10) / 2


def score_of(points: Mapping[str, int], i: int, others: list[int]) -> int:
    return points[f"points_{i}"] + sum(
        points[f"points_{i}"] - points[f"points_{j}"] for j in others
    )


def test_risk_is_that_of_scores_worked_out_one_by_one(known: Study) -> None:
    chosen = known.trials.filter(pl.col("kind") == "chosen", pl.col("contract") == "tricks")
    found = {(r.contract, r.way): r for r in risks(known)}
    by_hand = [
        score_of(row, i, [j for j in range(4) if j != i])
        for row in chosen.to_dicts()
        for i in (1, 2, 3)
    ]
    table = found["tricks", "table"]
    assert table.mean.value == pytest.approx(np.mean(by_hand))
    assert table.deviation.value == pytest.approx(np.std(by_hand))
    assert table.worst.value == pytest.approx(np.mean(sorted(by_hand)[: len(by_hand) // 20]))
    assert found["trumps", "one"].deviation == found["trumps", "table"].deviation
    assert (
        found["", "none"].worst.value
        > found["", "one"].worst.value
        > found["", "table"].worst.value
    )


def test_the_tail_is_the_mean_of_the_worst_twentieth() -> None:
    values = np.arange(40.0)
    where = np.arange(40)
    assert worst(values, where, 40).value == 0.5
    assert worst(values[:10], where[:10], 10).value == 0.0
    assert deviation(values, where, 40).value == pytest.approx(np.std(values))


def test_one_block_tells_no_error() -> None:
    one = study(rows(Model(), 1))
    assert {b.pays.se for b in blind(one)} == {None}
    found = chances(one)
    assert found is not None
    assert duty(one, found).worth(7, 2).se is None
    assert risks(one)[0].worst.se is None
    assert {p.gain.se for p in ways_to_double(found)} == {None}


def test_a_double_is_sure_to_pay_only_if_the_whole_table_says_so() -> None:
    rules = load_variant("barbu_52_doubling")
    # One cell of forty at p = 0.03 is what luck gives; alone it would be called sure.
    weak = Estimate(1.0, 0.46, 0.09, 1.91, 100, 200, 199.0, "t")
    nothing = Estimate(0.0, 0.46, -0.91, 0.91, 100, 200, 199.0, "t")
    keys = {"entrant": pl.String, "contract": pl.String, "stage": pl.String}

    def table(n: int) -> pl.DataFrame:
        rows = [
            {"entrant": "anna", "contract": "tricks", "stage": str(k)}
            | flat("pays", nothing if k else weak)
            for k in range(n)
        ]
        return betting_chart.marked(frame(rows, schema(keys, "pays")))

    assert betting_chart.sure_to_pay(table(1), rules) == {("tricks", "0")}
    assert betting_chart.sure_to_pay(table(40), rules) == set()
