"""Findings say better where it is better, in highest-wins and lowest-wins rules alike."""

from collections.abc import Mapping

import polars as pl
import pytest

from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant
from pipeline.stats.estimate import Estimate
from reports.frames import flat, frame, schema
from reports.sections.doubling import KEYS, Doubling
from reports.sections.earned import Earned
from reports.sections.seats import Seats

HIGHEST = load_variant("barbu_52_doubling")
LOWEST = HIGHEST.model_copy(update={"objective": "lowest"})
FIRST, SECOND, *_ = HIGHEST.contracts


def estimate(value: float) -> Estimate:
    """A figure that is sure of its sign."""
    return Estimate(value, 0.1, value - 0.2, value + 0.2, 90, 30, 29.0, "t")


def table(
    keys: Mapping[str, type[pl.DataType]], rows: list[dict[str, object]], *names: str
) -> pl.DataFrame:
    return frame(rows, schema(keys, *names))


def titled(contract: str) -> str:
    return HIGHEST.contracts[contract].title


@pytest.mark.parametrize(("rules", "verdict"), [(HIGHEST, "better"), (LOWEST, "worse")])
def test_a_role_with_more_points_is_better_off_only_where_the_highest_wins(
    rules: Variant, verdict: str
) -> None:
    marked = {"role": pl.Int64, "marked": pl.Boolean}
    roles = [
        {"contract": FIRST, "role": role, "marked": role == 1} | flat("points", estimate(points))
        for role, points in enumerate((-1.0, 3.0, -1.0, -1.0))
    ]
    game = [{"seat": seat, "marked": False} | flat("points", estimate(0.0)) for seat in range(4)]
    tables = {
        "roles": table({"contract": pl.String, **marked}, roles, "points"),
        "game": table({"seat": pl.Int64, "marked": pl.Boolean}, game, "points"),
    }
    finding = Seats().render(tables, rules).finding
    assert f"+3.00 (+2.80 to +3.20) points a deal against the mean, which is {verdict}." in finding


@pytest.mark.parametrize(
    ("rules", "best", "worst"), [(HIGHEST, FIRST, SECOND), (LOWEST, SECOND, FIRST)]
)
def test_the_best_contract_is_that_of_most_points_only_where_the_highest_wins(
    rules: Variant, best: str, worst: str
) -> None:
    rows = [
        {"entrant": "anna", "contract": contract, "left": left}
        | flat("points", estimate(points))
        | flat("score", estimate(points))
        for contract, points in ((FIRST, 8.0), (SECOND, -8.0))
        for left in (-1, 2)
    ]
    keys = {"entrant": pl.String, "contract": pl.String, "left": pl.Int64}
    tables = {"earned": table(keys, rows, "points", "score")}
    finding = Earned().render(tables, rules).finding
    assert finding.startswith(f"anna did best in {titled(best)}, ")
    assert f"and worst in {titled(worst)}, " in finding


@pytest.mark.parametrize(
    ("rules", "paid", "cost"), [(HIGHEST, FIRST, SECOND), (LOWEST, SECOND, FIRST)]
)
def test_a_double_that_brings_points_pays_only_where_the_highest_wins(
    rules: Variant, paid: str, cost: str
) -> None:
    def row(contract: str, points: float, role: int = -1, target: int = -1) -> dict[str, object]:
        key = {"entrant": "", "contract": contract, "role": role, "target": target}
        rate = flat("rate", estimate(0.5))
        return key | {"marked": True} | rate | flat("paid", estimate(points))

    def bets(*rows: dict[str, object]) -> pl.DataFrame:
        return table({**KEYS, "marked": pl.Boolean}, list(rows), "rate", "paid")

    tables = {
        "roles": bets(row(FIRST, 5.0, 1)),
        "pairs": bets(row(FIRST, 5.0, 1, 0)),
        "entrants": bets(row(FIRST, 5.0), row(SECOND, -5.0), row("", 0.5)),
        "redoubles": bets(),
    }
    finding = Doubling().render(tables, rules).finding
    assert f"it paid in {titled(paid)}, and it cost in {titled(cost)}." in finding
