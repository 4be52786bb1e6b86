"""The standings printed after a run, against games counted one by one."""

from fractions import Fraction
from pathlib import Path

import pytest

from pipeline.standings import standings
from tests.runs import played, rows, small


def test_a_margin_is_own_points_less_the_mean_of_the_others(tmp_path: Path) -> None:
    there, _ = played(small(), tmp_path / "run")
    margins: dict[tuple[str, str], list[Fraction]] = {}
    for game in rows(there, "games"):
        scores = [game[f"score_{s}"] for s in range(4)]
        # Documents in which the lowest total wins are told in their own sign.
        sign = -1 if game["variant"] == "barbu_king_br" else 1
        for seat in range(4):
            others = Fraction(sum(scores) - scores[seat], 3)
            key = (game["variant"], game[f"entrant_{seat}"])
            margins.setdefault(key, []).append(sign * (scores[seat] - others))
    found = standings(there)
    assert {(s.variant, s.entrant) for s in found} == set(margins)
    for s in found:
        each = margins[s.variant, s.entrant]
        assert s.margin.value == pytest.approx(float(sum(each) / len(each)))
        assert s.margin.low is not None
        assert s.margin.low < s.margin.value
    first = {s.variant: s.entrant for s in reversed(found)}
    assert set(first.values()) == {"duck.v1"}


def test_identical_entrants_are_nothing_apart(tmp_path: Path) -> None:
    everybody = (("duck.v1",) * 4,)
    run, _ = played(small(("barbu_52_doubling",), lineups=everybody), tmp_path / "run")
    assert [(s.margin.low, s.margin.high) for s in standings(run)] == [(0.0, 0.0)]
