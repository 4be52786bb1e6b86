"""The page of a study of choices: every section, on few and many blocks, in every kind of rules."""

import math
import re
from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import cast

import polars as pl
import pytest

from engine_ext.rules.spec import Variant
from pipeline.stats.estimate import Estimate
from pipeline.studies.study import Study
from reports.columns import figures_of, meaning
from reports.plain import known
from reports.reading import Reading
from reports.section import Section, Tables
from reports.sections import SECTIONS_OF
from reports.sections.value_chart import ValueChart
from reports.sections.value_choice import ValueChoice
from reports.sections.value_naming import ValueNaming
from reports.sections.value_regret import ValueRegret
from reports.sections.value_spending import ValueSpending
from reports.value import WAY_NAMES, formula, option_name, plain
from tests.unit.study_frames import by_chance, value_study
from tests.unit.test_study_value import seen

CASES = (
    ("barbu_52_doubling", 24),
    ("barbu_52_doubling", 3),
    ("barbu_52_doubling", 1),
    ("barbu_3_leaver", 22),  # the table shares its contracts
    ("barbu_fr_reussite", 22),  # one of them twice, 32 cards
    ("barbu_king_br_rotate_5", 22),  # lowest wins, nothing is named
)


class Made:
    """As much of a reading as sections of studies ask for."""

    def __init__(self, variant: str, blocks: int, entrants: tuple[str, ...]) -> None:
        worth = seen if variant == "barbu_52_doubling" else by_chance
        self.made = {
            name: value_study(variant, blocks, 4, seed, worth, entrant=name)
            for seed, name in enumerate(entrants)
        }
        self.names, self.config = list(entrants), SimpleNamespace(design="value")

    def study(self, variant: str, entrant: str) -> Study:
        del variant
        return self.made[entrant]

    def rules(self, variant: str) -> Variant:
        del variant
        return self.made[self.names[0]].rules

    def blocks(self, variant: str) -> int:
        del variant
        return self.made[self.names[0]].blocks

    def entrants(self) -> list[str]:
        return self.names


@cache
def run_of(variant: str, blocks: int) -> Reading:
    two = variant == "barbu_52_doubling"
    return cast(Reading, Made(variant, blocks, ("anna", "bert") if two else ("anna",)))


@cache
def tables_of(section: type[Section], variant: str, blocks: int) -> Tables:
    return section().compute(run_of(variant, blocks), variant)


def estimates(tables: Tables) -> Iterator[Estimate]:
    for table in tables.values():
        for name in figures_of(table):
            yield from (e for e in known(table, name) if e is not None)


@pytest.mark.parametrize(("variant", "blocks"), CASES)
@pytest.mark.parametrize("section", SECTIONS_OF["value"], ids=lambda section: section.name)
def test_a_section_answers_or_says_why_not(section: Section, variant: str, blocks: int) -> None:
    run = run_of(variant, blocks)
    why = section.missing(run, variant)
    if why is not None:
        assert why.endswith(".")
        return
    tables = tables_of(type(section), variant, blocks)
    for e in estimates(tables):
        assert "-0.0" not in [str(figure) for figure in e]
        assert (e.kind == "none") == (e.low is None)
        assert e.n > 0
        if e.low is not None and e.high is not None:
            assert e.low <= e.value <= e.high
            assert math.isfinite(e.low)
        assert blocks > 1 or e.low is None or e.kind == "identical"
    assert all(meaning(column) for table in tables.values() for column in table.columns)
    answer = section.render(tables, run.rules(variant))
    assert answer.finding.endswith(".")
    assert "nan" not in answer.finding
    assert "None" not in answer.finding
    assert answer.figures
    assert all(figure.caption.endswith(".") for figure in answer.figures)
    assert len({figure.name for figure in answer.figures}) == len(answer.figures)
    assert answer.kinds
    for listing in answer.listings:
        assert listing.rows
        assert all(len(row) == len(listing.columns) for row in listing.rows)


def test_every_entrant_has_its_rows_and_its_sentence() -> None:
    for section in SECTIONS_OF["value"]:
        tables = tables_of(type(section), "barbu_52_doubling", 24)
        answer = section.render(tables, run_of("barbu_52_doubling", 24).rules(""))
        for name in ("anna", "bert"):
            assert all(name in table["entrant"] for table in tables.values())
            assert name in answer.finding


def test_where_the_lowest_wins_better_ways_have_fewer_points() -> None:
    ways = tables_of(ValueChoice, "barbu_king_br_rotate_5", 22)["ways"]
    points = {
        way: value
        for entrant, way, value in ways.select("entrant", "choosing", "points_value").rows()
        if entrant == "anna"
    }
    assert points[WAY_NAMES["prophet"]] < points[WAY_NAMES["program"]] < points[WAY_NAMES["order"]]
    over = ways.filter(pl.col("choosing") == WAY_NAMES["program"])["over_order_value"]
    assert (over < 0).all()


def test_the_chart_is_told_as_sums_to_do_in_the_head() -> None:
    tables = tables_of(ValueChart, "barbu_52_doubling", 24)
    answer = ValueChart().render(tables, run_of("barbu_52_doubling", 24).rules(""))
    chart = answer.listings[0]
    assert chart.first
    assert chart.columns == ("contract", "score of your hand", "suit or rank to name")
    names = {row[0]: row[2] for row in chart.rows}
    assert names["Trumps"].startswith("your longest suit")
    assert "highest" in answer.short
    king = next(row for row in chart.rows if row[0] == "No king of hearts")
    assert re.search(r"− [\d.]+ for K♥ in hand", king[1])
    assert formula(-18.5, [("2s and 3s", 2.5), ("aces", -1.0)]) == "−18.5 + 2.5 × 2s and 3s − aces"
    assert [plain(2.0), plain(-0.5), plain(28.5, signed=True)] == ["2", "−0.5", "+28.5"]


def test_what_the_program_never_leaves_to_the_last_is_not_told_of_it() -> None:
    used = tables_of(ValueSpending, "barbu_52_doubling", 24)["spent"]
    last = used.filter(pl.col("n_left") == 1)
    assert last["share_value"].to_list() == pytest.approx([1.0] * len(last))
    assert last["threshold_value"].is_null().all()
    first = used.filter((pl.col("n_left") == 7) & (pl.col("entrant") == "anna"))
    assert first["share_value"].sum() == pytest.approx(1.0)


def test_what_is_named_is_called_as_at_the_table() -> None:
    rules = run_of("barbu_52_doubling", 24).rules("")
    assert option_name(rules, False, 2) == "♥"
    assert option_name(rules, True, 8) == "10"


@pytest.mark.parametrize("variant", ["barbu_52_doubling", "barbu_king_br_rotate_5"])
def test_a_contract_that_goes_with_any_hand_is_not_worth_waiting_for(variant: str) -> None:
    run, section = run_of(variant, 22), ValueSpending()
    rules, tables = run.rules(variant), dict(tables_of(ValueSpending, variant, 22))
    assert "is worth waiting for most" in section.render(tables, rules).finding
    good = -1000 if rules.objective == "lowest" else 1000
    tables["prices"] = tables["prices"].with_columns(average=pl.col("average") + good)
    assert "waiting for" not in section.render(tables, rules).finding


def test_parts_of_a_gain_are_told_only_where_there_is_one() -> None:
    rules = run_of("barbu_52_doubling", 24).rules("")
    sure, unsure = (tables_of(ValueChoice, "barbu_52_doubling", n) for n in (24, 1))
    assert " % of the gain" in ValueChoice().render(sure, rules).finding
    assert " % of the gain" not in ValueChoice().render(unsure, rules).finding


def test_who_names_nothing_names_nothing_badly() -> None:
    for variant, named in (("barbu_52_doubling", True), ("barbu_king_br_rotate_5", False)):
        tables = tables_of(ValueRegret, variant, 24 if named else 22)
        said = ValueRegret().render(tables, run_of(variant, 24 if named else 22).rules("")).finding
        assert said.startswith("By its choices ")
        assert " points a dealership" in said
        assert ("that it names" in said) == named


def test_a_rule_that_does_better_than_a_guess_loses_nothing() -> None:
    run = run_of("barbu_52_doubling", 24)
    tables = dict(tables_of(ValueNaming, "barbu_52_doubling", 24))
    tables["rules"] = tables["rules"].with_columns(
        lost_value=-pl.col("lost_value").abs(), lost_low=-pl.lit(9.0)
    )
    said = ValueNaming().render(tables, run.rules("")).finding
    assert "the best rule to learn loses nothing that can be seen, \N{MINUS SIGN}" in said


def test_no_mistake_is_told_in_words() -> None:
    tables = dict(tables_of(ValueRegret, "barbu_52_doubling", 24))
    rules = run_of("barbu_52_doubling", 24).rules("")
    assert " of its choices are surely wrong" in ValueRegret().render(tables, rules).finding
    tables["classes"] = tables["classes"].with_columns(
        share_value=pl.when(pl.col("size") == "fine").then(1.0).otherwise(0.0)
    )
    said = ValueRegret().render(tables, rules).finding
    assert "No single choice of it is surely wrong" in said
    assert "0 %" not in said
