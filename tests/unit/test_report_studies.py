"""Sections of the studies of seats and of doubling say what the trials hold, in either sign."""

import re
from functools import cache
from typing import Any, cast

import numpy as np
import polars as pl
import pytest

from engine_ext.rules.load import load_variant
from engine_ext.rules.resolve import resolve
from engine_ext.rules.spec import Variant
from pipeline.studies.study import Study
from reports.columns import figures_of, keys_of, meaning
from reports.frames import estimates
from reports.reading import Reading
from reports.section import Answer, Section, Tables
from reports.sections import SECTIONS_OF
from reports.sections.betting_answers import BettingAnswers
from reports.sections.betting_chart import BettingChart
from reports.sections.betting_duty import BettingDuty
from reports.sections.betting_made import BettingMade
from reports.sections.betting_pays import BettingPays
from reports.sections.betting_risk import BettingRisk
from reports.sections.betting_steering import BettingSteering
from reports.sections.seats_causes import SeatsCauses
from reports.sections.seats_game import SeatsGame
from reports.sections.seats_roles import SeatsRoles
from tests.betting_model import Model, rows
from tests.study_frames import study, trial

HIGHEST = load_variant("barbu_52_doubling")
LOWEST = HIGHEST.model_copy(update={"objective": "lowest"})
USES = ("tricks", "queens", "last_two", "hearts", "king", "trumps", "domino")


class Made:
    """Stands for a run: the studies of some entrants."""

    def __init__(self, design: str, *studies: Study) -> None:
        self.config = cast(Any, type("Config", (), {"design": design}))
        self._studies = {one.entrant: one for one in studies}

    def rules(self, variant: str) -> Variant:
        return next(iter(self._studies.values())).rules

    def entrants(self) -> list[str]:
        return list(self._studies)

    def blocks(self, variant: str) -> int:
        return next(iter(self._studies.values())).blocks

    def study(self, variant: str, entrant: str) -> Study:
        return self._studies[entrant]


def reading(design: str, *studies: Study) -> Reading:
    return cast(Reading, Made(design, *studies))


def seats_rows(blocks: int) -> list[dict[str, Any]]:
    """The declarer has three points too few; choosing brings him nine, bets cost him one."""
    rng = np.random.default_rng(2)
    out = []
    for b in range(blocks):
        for r in range(4):
            luck = (b * 7 + r * 3) % 11 - 5
            for c in USES:
                lead = [int(p) for p in np.array([-3, 1, 1, 1]) + rng.integers(-4, 5, 4)]
                out.append(trial("forced", b, r, [7 * p for p in lead], c, n=7, squares=7 * 40))
                chosen = [4 * (p + q) for p, q in zip(lead, (9, -3, -3, -3), strict=True)]
                out.append(trial("chosen", b, r, chosen, c, n=4))
                out.append(trial("side", b, r, [-4, 4, 0, 0], c, n=4))
            out.append(trial("score", b, r, [10 + luck, -luck, -5, -5]))
            out.append(
                trial(
                    "win",
                    b,
                    r,
                    2520 * np.eye(4, dtype=int)[rng.choice(4, p=(0.4, 0.3, 0.25, 0.05))],
                )
            )
    return out


@cache
def trials(design: str, blocks: int) -> Study:
    made = seats_rows(blocks) if design == "seats" else rows(Model(worlds=6), blocks)
    return study(made, HIGHEST, design)


def made_up(design: str, rules: Variant = HIGHEST, blocks: int = 40) -> Study:
    return trials(design, blocks)._replace(rules=rules)


def answer(section: Section, design: str, rules: Variant = HIGHEST, blocks: int = 40) -> Answer:
    run = reading(design, made_up(design, rules, blocks))
    return section.render(section.compute(run, "any"), rules)


EVERY = [(design, s) for design in ("seats", "doubling") for s in SECTIONS_OF[design]]


@pytest.mark.parametrize(("design", "section"), EVERY, ids=[s.name for _, s in EVERY])
class TestEverySection:
    def tables(self, design: str, section: Section, blocks: int, order: int = 1) -> Tables:
        one = made_up(design, blocks=blocks)
        turned = one._replace(trials=one.trials[::order])
        run = reading(design, turned, turned._replace(entrant="bert"))
        assert section.missing(run, "any") is None
        return section.compute(run, "any")

    def test_does_not_depend_on_the_order_of_rows(self, design: str, section: Section) -> None:
        for name, table in self.tables(design, section, 12).items():
            assert table.equals(self.tables(design, section, 12, -1)[name]), name

    def test_answers_one_block_as_well_as_many(self, design: str, section: Section) -> None:
        for blocks in (1, 2, 12):
            found = section.render(self.tables(design, section, blocks), HIGHEST)
            assert found.finding.count("\n") == 1
            assert "anna" in found.finding
            assert "nan" not in found.finding
            assert found.figures
            assert found.listings

    def test_tables_say_whose_they_are_and_every_column_is_told(
        self, design: str, section: Section
    ) -> None:
        for table in self.tables(design, section, 12).values():
            assert table.columns[0] == "entrant"
            for column in (*keys_of(table), *(f"{name}_value" for name in figures_of(table))):
                assert meaning(column), column

    def test_every_figure_has_an_interval_that_holds_it(
        self, design: str, section: Section
    ) -> None:
        for table in self.tables(design, section, 12).values():
            for name in figures_of(table):
                for e in estimates(table, name):
                    if e.value is not None and e.low is not None and e.high is not None:
                        assert e.low - 1e-9 <= e.value <= e.high + 1e-9

    def test_nothing_has_no_minus_sign(self, design: str, section: Section) -> None:
        for rules in (HIGHEST, LOWEST):
            run = reading(design, made_up(design, rules, 2))
            for table in section.compute(run, "any").values():
                assert not re.search(r"-0\.0(?!\d)", table.write_csv())

    def test_points_turn_round_where_the_lowest_wins(self, design: str, section: Section) -> None:
        high = section.compute(reading(design, made_up(design)), "any")
        low = section.compute(reading(design, made_up(design, LOWEST)), "any")
        same = {"win", "share", "rate", "unfair", "deviation", "kept"}
        for name, table in high.items():
            for figure in figures_of(table):
                factor = 1 if figure in same else -1
                turned = low[name][f"{figure}_value"]
                assert turned.to_list() == pytest.approx(
                    [None if v is None else factor * v for v in table[f"{figure}_value"]]
                )

    def test_is_no_answer_of_another_study(self, design: str, section: Section) -> None:
        other = "doubling" if design == "seats" else "seats"
        assert section.missing(reading(other, made_up(other, blocks=2)), "any")


def test_bets_are_missing_where_nobody_may_bet() -> None:
    plain = HIGHEST.model_copy(update={"doubling": None})
    one = made_up("doubling", plain, 2)._replace(numbers=resolve(HIGHEST))
    for section in SECTIONS_OF["doubling"]:
        assert section.missing(reading("doubling", one), "any") == "These rules have no doubling."


def test_a_duty_is_missing_where_the_rules_have_none() -> None:
    assert HIGHEST.doubling is not None
    free = HIGHEST.doubling.model_copy(update={"duty": 0})
    one = made_up("doubling", HIGHEST.model_copy(update={"doubling": free}), 2)
    said = BettingDuty().missing(reading("doubling", one), "any")
    assert said == "These rules oblige nobody to double."


def test_where_nobody_is_doubled_there_is_nothing_to_answer() -> None:
    one = made_up("doubling", blocks=2)
    bare = one._replace(trials=one.trials.filter(pl.col("kind") != "answer"))
    said = BettingAnswers().missing(reading("doubling", bare), "any")
    assert said is not None
    assert said.startswith("Nobody would ever double")


@pytest.mark.parametrize(("rules", "verdict"), [(HIGHEST, "gains"), (LOWEST, "gains")])
def test_the_declarer_gains_by_choosing_in_either_sign(rules: Variant, verdict: str) -> None:
    said = answer(SeatsCauses(), "seats", rules).finding
    sign = "+" if rules is HIGHEST else "\N{MINUS SIGN}"
    assert f"declarer surely {verdict}" in said
    assert f"{sign}9.00 (no interval) by choosing the contract" in said


def test_the_best_and_the_worst_seat_are_the_same_in_either_sign() -> None:
    for rules in (HIGHEST, LOWEST):
        said = answer(SeatsRoles(), "seats", rules).finding
        assert "the seat matters in 7 of 7 contracts" in said
        assert "worst off is the declarer in all 7." in said
        assert "Best off is the declarer" not in said


def test_seats_are_told_in_short_kind_by_kind_of_contract() -> None:
    assert re.fullmatch(
        r"With the same cards: where points are bad the .+ is best off and the declarer worst; "
        r"where points are good the .+ is best off and the declarer worst\.",
        answer(SeatsRoles(), "seats").short,
    )


def test_a_place_that_is_best_and_worst_everywhere_is_told_once() -> None:
    section = SeatsRoles()
    tables = section.compute(reading("seats", made_up("seats", HIGHEST, 40)), "any")
    alike = tables["roles"].with_columns(points_value=pl.col("role").cast(pl.Float64))
    said = section.render({**tables, "roles": alike}, HIGHEST)
    assert said.short == (
        "With the same cards the 3rd after the declarer is best off and the declarer worst, "
        "where points are bad and where points are good alike."
    )
    assert "Best off is the 3rd after the declarer in all 7; worst off" in said.finding


def test_a_seat_that_wins_too_seldom_is_told() -> None:
    said = answer(SeatsGame(), "seats").finding
    assert "The seats surely differ: this one wins most" in said
    assert "percentage points away" in said


def test_doubles_pay_blindly_and_cost_once_he_has_chosen() -> None:
    said = answer(BettingPays(), "doubling", blocks=60).finding
    blindly, chosen = said.split("But he chooses:")
    assert "surely pays in No tricks" in blindly
    assert "surely costs in" in chosen
    assert "His first choices are the worst to double" in said
    turned = answer(BettingPays(), "doubling", LOWEST, 60).finding
    assert turned.split(" in ")[1].split(" had he")[0] == said.split(" in ")[1].split(" had he")[0]
    assert "His first choices are the worst to double" in turned


def test_what_has_no_star_is_not_called_sure() -> None:
    for section in (BettingPays(), BettingAnswers()):
        run = reading("doubling", made_up("doubling", blocks=60))
        tables = section.compute(run, "any")
        assert "surely pay" in section.render(tables, HIGHEST).finding
        plain = {k: table.with_columns(marked=pl.lit(False)) for k, table in tables.items()}
        said = section.render(plain, HIGHEST).finding
        assert "surely pays in" not in said
        assert "surely pays with" not in said
        assert "is not sure to pay" in said or "With no strength does it surely pay" in said


def test_the_chart_is_told_early_and_late() -> None:
    said = answer(BettingChart(), "doubling", blocks=60).finding
    assert "Early, at his first choice: " in said
    assert "Late: with the best" in said
    assert "on deals that had no say in it" in said


def test_what_would_be_better_is_said_of_own_doubles() -> None:
    said = answer(BettingMade(), "doubling", blocks=60).finding
    assert "of the chances to double the declarer are taken" in said
    assert "The chart of this page would bring +" in said


def test_a_bet_that_changes_no_card_is_told_to_change_nothing() -> None:
    assert "changes not a single card" in answer(BettingSteering(), "doubling").finding
    one = study(rows(Model(steer=2), 30))
    section = BettingSteering()
    tables = section.compute(reading("doubling", one), "any")
    said = section.render(tables, HIGHEST).finding
    assert "nowing of a double of the declarer changes what it pays" in said


def test_a_duty_costs_and_a_bet_makes_the_score_swing() -> None:
    duty = answer(BettingDuty(), "doubling", blocks=60)
    assert re.search(r"that 2 doubles are owed costs \d", duty.finding)
    assert re.fullmatch(
        r"To owe a declarer 2 doubles costs about \d\.\d points. Get one over with where you expect "
        r"it to lose less than \d\.\d with 3 deals of his left and less than \d\.\d with 7 deals of "
        r"his left\.",
        duty.short,
    )
    assert answer(BettingDuty(), "doubling", LOWEST, 60).short == duty.short
    assert "2.2 times as far" in answer(BettingRisk(), "doubling", blocks=60).finding


def test_a_duty_is_no_reason_to_ask_for_a_gain() -> None:
    section = BettingDuty()
    for rules in (HIGHEST, LOWEST):
        table = section.compute(reading("doubling", made_up("doubling", rules, 60)), "any")["duty"]
        table = table.with_columns(limit_value=-pl.col("limit_value"))
        said = section.render({"duty": table}, rules).finding
        assert "double now if you expect to lose less than 0.0" in said


def test_no_interval_of_a_spread_goes_below_nothing() -> None:
    found = BettingRisk().compute(reading("doubling", made_up("doubling", blocks=2)), "any")
    lows = found["risk"]["deviation_low"].drop_nulls()
    assert len(lows)
    assert (lows >= 0).all()
