"""The standings printed after a run, against games counted one by one."""

from fractions import Fraction
from pathlib import Path

import pytest

from pipeline.standings import standings
from reports.ranked import ranked
from reports.reading import opened
from tests.runs import entrants, played, rows, small


def test_a_standing_is_own_points_less_the_mean_of_the_table(tmp_path: Path) -> None:
    there, _ = played(small(), tmp_path / "run")
    points: dict[tuple[str, str], list[Fraction]] = {}
    for game in rows(there, "games"):
        scores = [game[f"score_{s}"] for s in range(4)]
        # Documents in which the lowest total wins are told in their own sign.
        sign = -1 if game["variant"] == "barbu_king_br" else 1
        for seat in range(4):
            key = (game["variant"], game[f"entrant_{seat}"])
            points.setdefault(key, []).append(sign * (scores[seat] - Fraction(sum(scores), 4)))
    found = standings(there)
    assert {(s.variant, s.entrant) for s in found} == set(points)
    for s in found:
        each = points[s.variant, s.entrant]
        assert s.points.value == pytest.approx(float(sum(each) / len(each)))
        assert s.points.low is not None
        assert s.points.low < s.points.value
        assert s.points.kind == "max_t"
    first = {s.variant: s.entrant for s in reversed(found)}
    assert set(first.values()) == {"duck.v1"}


def test_identical_entrants_are_nothing_apart(tmp_path: Path) -> None:
    everybody = (("duck.v1",) * 4,)
    run, _ = played(small(("barbu_52_doubling",), lineups=everybody), tmp_path / "run")
    assert [(s.points.low, s.points.high) for s in standings(run)] == [(0.0, 0.0)]


def test_where_company_changes_it_is_what_one_has_above_an_average_entrant(tmp_path: Path) -> None:
    """After whole cycles the verdict's least squares and the standings are the same figures."""
    names = ("duck.v1", "random.v1", "count.v1", "slips.v1(of=duck.v1, misplay=0.3)", "lowest.v1")
    config = small(
        ("barbu_52_doubling",),
        design="round_robin",
        lineups=(),
        entrants=entrants(*names),
        claim={"entrant": "duck.v1", "against": "random.v1"},
        blocks=40,
    )
    there, _ = played(config, tmp_path / "run")
    found = {s.entrant: s.points.value for s in standings(there)}
    assert sum(found.values()) == pytest.approx(0, abs=1e-9)
    (verdict,) = there.manifest.decided
    assert verdict.value == pytest.approx(found["duck.v1"] - found["random.v1"])


def test_few_blocks_of_changing_company_are_told_as_on_the_page(tmp_path: Path) -> None:
    """By the bootstrap: a sandwich of so few blocks is too narrow."""
    config = small(
        ("barbu_52_doubling",),
        design="round_robin",
        lineups=(),
        entrants=entrants("duck.v1", "random.v1", "count.v1", "lowest.v1", "lowest_batch.v1"),
        blocks=9,
    )
    there, _ = played(config, tmp_path / "run")
    found = standings(there)
    assert {s.points.kind for s in found} == {"wild"}
    with opened(there.folder) as run:
        page = ranked(run, "barbu_52_doubling")
    assert [(s.entrant, s.points) for s in found] == list(
        zip(page.entrants, page.points, strict=True)
    )
