"""Findings say better where it is better, in highest-wins and lowest-wins rules alike."""

from collections.abc import Mapping

import polars as pl
import pytest

from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant
from pipeline.stats.estimate import Estimate
from reports.frames import flat, frame, schema
from reports.roles import apart
from reports.sections.choice import Choice
from reports.sections.doubling import KEYS, Doubling
from reports.sections.earned import Earned
from reports.sections.seats import Seats
from reports.words import uses_note

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


def one_above() -> pl.DataFrame:
    """What a declarer's points are above the mean, for findings that do not speak of it."""
    row: dict[str, object] = {"entrant": "anna", "contract": FIRST}
    keys = {"entrant": pl.String, "contract": pl.String}
    return table(keys, [row | flat("points", estimate(1.0))], "points")


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
    own = [{"entrant": "anna"} | row for row in roles]
    keys: dict[str, type[pl.DataType]] = {"entrant": pl.String, "contract": pl.String}
    tables = {
        "own": table(keys | marked, own, "points"),
        "apart": table({"entrant": pl.String}, [], "high", "low"),
        "roles": table({"contract": pl.String, **marked}, roles, "points"),
        "game": table({"seat": pl.Int64, "marked": pl.Boolean}, game, "points"),
    }
    tables["own"] = pl.concat([tables["own"], tables["own"].with_columns(entrant=pl.lit("bert"))])
    finding = Seats().render(tables, rules).finding
    assert f"+3.00 (+2.80 to +3.20) points a deal against the mean, which is {verdict}." in finding


@pytest.mark.parametrize(
    ("rules", "best", "worst"), [(HIGHEST, FIRST, SECOND), (LOWEST, SECOND, FIRST)]
)
def test_the_best_contract_is_that_of_most_points_only_where_the_highest_wins(
    rules: Variant, best: str, worst: str
) -> None:
    rows = [
        {"entrant": "anna", "contract": contract, "n_left": left}
        | flat("points", estimate(points))
        | flat("score", estimate(points))
        for contract, points in ((FIRST, 8.0), (SECOND, -8.0))
        for left in (-1, 2)
    ]
    keys = {"entrant": pl.String, "contract": pl.String, "n_left": pl.Int64}
    tables = {"earned": table(keys, rows, "points", "score"), "above": one_above()}
    finding = Earned().render(tables, rules).finding
    assert finding.startswith(f"anna did best in {titled(best)}, ")
    assert f"and worst in {titled(worst)}, " in finding


@pytest.mark.parametrize(
    ("rules", "paid", "cost"), [(HIGHEST, FIRST, SECOND), (LOWEST, SECOND, FIRST)]
)
def test_a_double_that_brings_points_pays_only_where_the_highest_wins(
    rules: Variant, paid: str, cost: str
) -> None:
    def row(
        contract: str, points: float, role: int = -1, target: int = -1, entrant: str = "anna"
    ) -> dict[str, object]:
        key = {"entrant": entrant, "contract": contract, "role": role, "target": target}
        rate = flat("rate", estimate(0.5))
        return key | {"marked": True} | rate | flat("paid", estimate(points))

    def bets(*rows: dict[str, object]) -> pl.DataFrame:
        return table({**KEYS, "marked": pl.Boolean}, list(rows), "rate", "paid")

    tables = {
        "roles": bets(row(FIRST, 5.0, 1)),
        "pairs": bets(row(FIRST, 5.0, 1, 0)),
        "entrants": bets(
            row(FIRST, 5.0),
            row(SECOND, -5.0),
            row("", 0.5),
            row(FIRST, -7.0, entrant="bert"),
            row(SECOND, -7.0, entrant="bert"),
            row("", -7.0, entrant="bert"),
        ),
        "redoubles": bets(),
        "pooled": bets(),
    }
    anna, bert = Doubling().render(tables, rules).finding.split("\n")
    assert anna.startswith("anna made ")
    assert f"it paid in {titled(paid)}, and it cost in {titled(cost)}." in anna
    assert bert.startswith("bert made ")
    assert ("cost" if rules is HIGHEST else "paid") + " in each of the 2 contracts." in bert


def shares(**of: float) -> dict[str, pl.DataFrame]:
    """First choices of one entrant."""
    rows = [
        {"entrant": "anna", "contract": contract, "n_left": 7}
        | flat("share", estimate(share)._replace(low=share - 0.01, high=share + 0.01))
        for contract, share in of.items()
    ]
    keys = {"entrant": pl.String, "contract": pl.String, "n_left": pl.Int64}
    first = table(keys, rows, "share")
    return {"first": first, "later": first}


@pytest.mark.parametrize(("share", "blind"), [(0.591, True), (0.7, False)])
def test_a_contract_with_many_start_ranks_is_often_named_by_who_picks_at_random(
    share: float, blind: bool
) -> None:
    # 5 contracts without, 4 trump suits, 13 start ranks.
    answer = Choice().render(shares(tricks=1 - share, domino=share), HIGHEST)
    says = ", as a pick at random among all 22 options would (13 of them are Domino)"
    assert (says in answer.finding) == blind
    assert "22 in all, Trumps 4 of them (18 %) and Domino 13 of them (59 %)" in (
        answer.figures[0].caption
    )


def test_a_contract_that_may_be_chosen_twice_explains_the_extra_choice() -> None:
    twice = load_variant("barbu_fr_reussite")
    says = " Réussite may be chosen twice, so a declarer has 7 choices among 6 contracts."
    for caption in (f.caption for f in Choice().render(shares(reussite=0.6), twice).figures):
        assert says in caption
    assert uses_note(HIGHEST) == ""


@pytest.mark.parametrize("varies", [True, False])
def test_a_fixed_order_of_choices_follows_no_hand(varies: bool) -> None:
    rows = [
        {"entrant": "anna", "contract": contract, "n_left": left}
        | flat("points", estimate(points))
        | flat("score", estimate(points))
        for contract, points, lefts in ((FIRST, 8.0, (-1, 2)), (SECOND, -8.0, (-1, 1)))
        for left in (*lefts, *((3,) if varies else ()))
    ]
    keys = {"entrant": pl.String, "contract": pl.String, "n_left": pl.Int64}
    tables = {"earned": table(keys, rows, "points", "score"), "above": one_above()}
    finding = Earned().render(tables, HIGHEST).finding
    assert ("it may follow the hand" in finding) == varies
    assert ("anna chose in the same order whatever the hand." in finding) != varies


@pytest.mark.parametrize("surely", [True, False])
def test_two_roles_differ_only_where_the_sum_of_their_errors_says_so(surely: bool) -> None:
    values = (3.0, -3.0) if surely else (0.1, -0.1)
    mine = {("anna", FIRST, role): estimate(value) for role, value in enumerate(values)}
    found = apart(mine, -1).select("contract", "best", "worst").rows()
    # Inside points are turned: the role with fewer of the document's is the better one.
    assert found == ([(FIRST, 1, 0)] if surely else [])
