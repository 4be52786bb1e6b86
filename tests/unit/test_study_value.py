"""The study of choices: from made-up trials to values, regrets, models and charts."""

from functools import cache

import numpy as np
import polars as pl
import pytest

from engine_ext.cards import Pack
from engine_ext.rules.load import load_variant
from pipeline.stats.regret import BLUNDER, CLASSES, Choices, Regret, class_of, regret
from pipeline.stats.sets import Policy, Side, averages, solve
from pipeline.studies.analysis import Analysis, analysed, models
from pipeline.studies.chart import counted, naming_of, played
from pipeline.studies.features import counts, everything, holdings
from pipeline.studies.fitting import explainable, selected, step_of
from pipeline.studies.models import COUNTS
from pipeline.studies.naming import gain, named_from_hand, rules_of, shares
from pipeline.studies.ways import (
    CHART,
    ENTRANT,
    FLATTERED,
    ORDER,
    PROGRAM,
    PROPHET,
    classes,
    curves,
    judged,
    valued,
)
from pipeline.studies.worth import sides_of, worth_of
from tests.unit.study_frames import value_study

PACK = Pack(load_variant("barbu_52_doubling").deck)
SUITS, LANE = 4, 16


def seen(dice: np.random.Generator, contract: str, param: int, cards: tuple[int, ...]) -> float:
    """Worth that stands in the cards: high ones cost, trumps and end cards bring."""
    ranks, suits = [c % LANE for c in cards], [c // LANE for c in cards]
    if contract == "trumps":
        return 5 * (suits.count(param) - 3) + 2 * sum(r > 9 for r in ranks)
    if contract == "domino":
        return 3 * ranks.count(param) + 2 * sum(r in (0, 12) for r in ranks)
    if contract == "king":
        return 1 - 12 * (2 * LANE + 11 in cards)
    return sum(r < 4 for r in ranks) - 1.5 * sum(r > 9 for r in ranks)


@cache
def analysis() -> Analysis:
    """A study large enough for models, of worth that can be seen."""
    return analysed(value_study(blocks=100, worlds=32, worth=seen, seed=3))


def test_arrays_are_the_sums_of_the_trials_whatever_the_order_of_rows() -> None:
    study = value_study(blocks=3, worlds=4)
    worth = worth_of(study)
    assert worth.points.shape == (2, 22, 21)
    mixed = study._replace(
        trials=study.trials.sample(fraction=1, shuffle=True, seed=1), units=study.units.reverse()
    )
    assert all(np.array_equal(a, b) for a, b in zip(worth[5:8], worth_of(mixed)[5:8], strict=True))
    row = study.trials.filter(
        (pl.col("kind") == "worth")
        & (pl.col("block") == 1)
        & (pl.col("step") == 2)
        & (pl.col("contract") == "trumps")
        & (pl.col("param") == 3)
        & (pl.col("half") == 1)
    ).row(0, named=True)
    option = worth.options.index((5, 3))
    assert worth.points[1, option, 9] == row["points_0"] / row["n"] == row["points_0"] / 2
    assert worth.squares[1, option, 9] == row["squares"] / 2
    assert worth.left[:, 9].tolist() == [0, 0, 1, 1, 1, 1, 1]
    assert worth.chosen[:7].tolist() == [0, 1, 2, 3, 4, 5, 9]


def test_a_hand_that_lacks_a_half_is_refused() -> None:
    study = value_study(blocks=1)
    with pytest.raises(ValueError, match="7 hands with 22 options"):
        worth_of(study._replace(trials=study.trials.filter(pl.col("half") != 1)))


def test_where_the_table_shares_contracts_worth_is_ahead_of_its_mean() -> None:
    study = value_study("barbu_3_leaver", blocks=2, worlds=2)
    worth = worth_of(study)
    assert worth.turns == 3
    place = {c: i for i, c in enumerate(worth.contracts)}
    first = study.trials.filter((pl.col("kind") == "worth") & (pl.col("half") == 0)).sort(
        "block", "step", pl.col("contract").replace_strict(place), "param"
    )
    mean = (first["points_0"] + first["points_1"] + first["points_2"]) / 3
    own = first["points_0"] - mean
    assert worth.points[0].T.ravel() == pytest.approx((own / first["n"]).to_numpy())
    found = analysed(study)
    assert ENTRANT not in found.totals
    assert PROPHET not in found.totals


def test_the_bounds_hold_and_differences_are_surer_than_figures() -> None:
    found = analysis()
    value = {way: f.estimate.value for way, f in found.totals.items()}
    assert value[ORDER] < value[CHART] < value[PROGRAM] < value[FLATTERED] < value[PROPHET]
    more = found.totals[PROGRAM].less(found.totals[ORDER]).estimate
    ses = [found.totals[way].estimate.se or 0 for way in (PROGRAM, ORDER)]
    assert more.se is not None
    assert more.se < (ses[0] ** 2 + ses[1] ** 2) ** 0.5
    assert value[ENTRANT] == pytest.approx(
        float(np.mean(found.worth.points[:, found.worth.chosen, np.arange(700)])) * 7
    )


def test_guessing_by_features_too_chooses_better_than_few_deals_alone() -> None:
    worth = analysis().worth
    plain = solve(Policy(sides_of(worth, worth.points)), worth.uses, worth.blocks)
    assert analysis().totals[PROGRAM].estimate.value > plain.value[0, -1] + 1


def test_more_contracts_left_gain_more() -> None:
    gains = [f.estimate.value for f in curves(analysis().found)[PROGRAM]]
    assert gains == sorted(gains)
    assert gains[0] == pytest.approx(0.0, abs=1e-6)


def test_regret_of_the_best_is_nothing_and_the_rest_add_up() -> None:
    found = analysis()
    lost = judged(found.found)
    assert lost is not None
    lacking = found.totals[PROGRAM].less(found.totals[ENTRANT]).estimate
    assert lacking.se is not None
    assert lost.points.sum() / 100 == pytest.approx(lacking.value, abs=4 * lacking.se)
    assert sum(e.value for e in classes(lost, 100)) == pytest.approx(1.0)
    assert (lost.hindsight >= -1e-9).mean() > 0.95
    # The last choice has no alternative but the start rank that is named.
    last = lost.n_left == 1
    assert lost.points[last] == pytest.approx(lost.naming[last], abs=1e-9)


def test_a_choice_both_halves_agree_on_has_no_regret_and_no_error() -> None:
    worth = np.array([[3.0, 1.0], [1.0, 2.0]])
    sides = [Side(worth, worth)] * 2
    solved = solve(Policy(sides), [1, 1], np.arange(2))
    best = np.argmax(worth + solved.value[0, [2, 1]][:, None], axis=0)
    made = Choices(np.array([3, 3]), best, np.array([worth[best, [0, 1]]] * 2), np.ones(2))
    found = regret(sides, np.ones((2, 2)), solved, [1, 1], made)
    assert found.points.tolist() == found.error.tolist() == [0.0, 0.0]


def test_halves_that_disagree_count_alike_whichever_comes_first() -> None:
    # What is left later is no dyadic number: sums of it and a worth are rounded.
    here, there = np.array([[3.3], [1.1]]), np.array([[1.1], [3.3]])
    sides = [Side(here, there), Side(there, here)]
    solved = solve(Policy(sides), [1, 1], np.zeros(1, np.int64))
    made = Choices(np.array([3]), np.array([1]), np.array([[3.3], [1.1]]), np.ones(1))
    found = regret(sides, np.ones((2, 1)), solved, [1, 1], made)
    turned = made._replace(value=made.value[::-1])
    again = regret(sides[::-1], np.ones((2, 1)), solved, [1, 1], turned)
    # One half is sure of the choice, the other's doubt counts half: (1 + 1) / 2.
    assert found.error.tolist() == again.error.tolist() == [1.0]
    assert found.points.tolist() == again.points.tolist()


def test_mistakes_are_sized_in_deviations_and_luck_is_fine() -> None:
    points = np.array([0.0, 0.6, 2.0, 5.0, 5.0])
    found = Regret(points, np.array([0.0, 0.1, 0.1, 0.1, 9.0]))
    sizes = class_of(found, np.full(5, 10.0))
    assert [CLASSES[k] for k in sizes] == ["fine", "inaccuracy", "mistake", "blunder", "fine"]
    assert points[3] / 10 >= BLUNDER


def test_what_is_seen_in_a_hand() -> None:
    held = holdings(["2C 4C 5C 6D 7D 8D TH JH QH KH AH 2S AS"], PACK)
    table = counts(held, PACK)
    one = dict(zip(table.names, table.columns[0].tolist(), strict=True))
    assert one["low cards (2 to 5)"] == 4
    assert one["high cards (10 to A)"] == 6
    assert one["aces and kings"] == 3
    assert one["cards in your longest suit"] == 5
    assert one["aces and kings outside your longest suit"] == 1
    assert one["end cards (2 and A)"] == 4
    assert one["pairs of neighbours in a suit"] == 1 + 2 + 4
    assert one["cards in your longest run of neighbours"] == 5
    assert one["most cards of one rank"] == 2
    assert one["hearts"] == 5
    assert one["K♥ with at most two lower hearts (1 or 0)"] == 0
    assert one["suits held without a low card (2 to 5)"] == 2
    every = everything(held, PACK)
    more = dict(zip(every.names, every.columns[0].tolist(), strict=True))
    # Catalan holdings are safe: 2 4 6 ...; diamonds 6 7 8 are the 5th to 7th of the suit.
    assert more["♣ unsafe"] == 0
    assert more["♦ unsafe"] == (5 - 1) + (6 - 3) + (7 - 5)
    assert more["♥ lowest"] == 9
    assert more["♠ holes"] == 11
    assert named_from_hand("longest", held).tolist() == [2]
    assert named_from_hand("run", held).tolist() == [PACK.ranks.index("Q")]
    assert named_from_hand("most", held).tolist() == [0]
    # Six cards above 8 and six below; 26 steps above it and 22 below.
    assert named_from_hand("balance", held).tolist() == [6]
    assert named_from_hand("quarter", held).tolist() == [6 + 1]
    assert named_from_hand("half", held).tolist() == [6 + 2]


def test_second_copies_are_counted() -> None:
    held = holdings(["2C 2C' 3C"], PACK)
    assert held[0, 0, :2].tolist() == [2, 1]


def test_the_chart_finds_what_was_put_into_the_cards() -> None:
    chart = analysis().chart
    assert chart is not None
    lines = {analysis().worth.contracts[line.contract]: line for line in chart.lines}
    king = dict(lines["king"].weights)
    assert king["K♥ in hand (1 or 0)"] == pytest.approx(-12, abs=1.5)
    hands = analysis().counted
    assert naming_of(lines["trumps"], hands).rule == "longest"
    assert naming_of(lines["domino"], hands).rule == "most"
    assert dict(lines["trumps"].weights)["cards in your longest suit"] == pytest.approx(5, abs=1)
    for line in chart.lines:
        assert 0 < len(line.weights) <= 3
        for figure in (line.base, line.price, *(w for _, w in line.weights)):
            assert figure / chart.step == pytest.approx(round(figure / chart.step))


def test_the_chart_keeps_most_but_not_more_than_the_program() -> None:
    kept = analysis().kept
    assert kept is not None
    assert kept.low is not None
    assert 0.7 < kept.value < 1.0


def test_with_worth_that_is_known_no_chart_beats_the_program() -> None:
    study = value_study(blocks=40, worlds=2, worth=seen, noise=0.0)
    worth = worth_of(study)
    hands = counted(study, worth, holdings(worth.hands, PACK))
    best = valued(worth, worth.points).best
    chart = solve(played(hands), worth.uses, worth.blocks)
    assert (chart.value <= best.value + 1e-6).all()
    assert chart.value[0, -1] > averages(sides_of(worth, worth.points)).sum()


def test_models_see_what_is_there_and_no_more_than_the_ceiling() -> None:
    for row in models(analysis()):
        assert row.ceiling.low is not None
        assert row.ceiling.low > 0
        for name, r2 in row.r2.items():
            assert r2.se is not None
            assert r2.value <= row.ceiling.value + 3 * r2.se
            assert row.share[name].value > 0.6
        assert row.share[COUNTS].value > 0.7


def test_worth_that_is_not_in_the_cards_is_not_found_there() -> None:
    dice = np.random.default_rng(5)
    columns = dice.integers(0, 4, (700, 12)).astype(float)
    luck = dice.normal(size=700)
    y = luck + dice.normal(size=(2, 700))
    assert explainable(y) > 0.5
    assert selected(columns, y, np.arange(700) // 7) == []


def test_steps_are_round_and_fine_enough() -> None:
    assert [step_of(s) for s in (0.2, 3.6, 6.1, 40.0)] == [0.05, 0.5, 1.0, 5.0]


def test_what_is_named_adds_up_and_a_worse_rule_loses_more() -> None:
    found = analysis()
    best = found.found.best_named
    for contract in (5, 6):
        rows = shares(found.worth, best, contract)
        assert sum(r.best.value for r in rows) == pytest.approx(1.0)
        assert sum(r.entrant.value for r in rows if r.entrant) == pytest.approx(1.0)
        namings = rules_of(found.study, found.worth, found.counted.held, contract)
        lost = {n.rule: gain(found.worth, best, n, contract).value for n in namings}
        assert lost["longest" if contract == 5 else "most"] < lost["fixed"]


def test_two_runs_give_the_same_to_the_byte() -> None:
    again = analysed(value_study(blocks=100, worlds=32, worth=seen, seed=3))
    assert again.totals[PROGRAM].estimate == analysis().totals[PROGRAM].estimate
    assert again.kept == analysis().kept
